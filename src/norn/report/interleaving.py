"""The steps of an execution as lines of a table: which ones, what they say, how they fit the width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from norn.model import Frame, Step, Trace, telling_frame
from norn.report.source_text import SourceText
from norn.report.words import count, describe_step
from norn.symbolize import short_function

_COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_red", "bright_cyan", "bright_green")
_PLAIN = frozenset({"load", "store"})
# Names of long C++ functions give way before the rest of a line does.
_WIDEST_NAME = 24
_NARROWEST_VALUES = 16
_NARROWEST_TEXT = 10


def colour(thread: int) -> str:
    return _COLOURS[thread % len(_COLOURS)]


@dataclass(frozen=True)
class Row:
    """One line: a step, or a call of a library function with all its accesses."""

    number: int
    thread: int
    said: str
    frame: Frame | None


def every_row(steps: Sequence[Step]) -> list[Row]:
    """One row a step, each at its innermost frame."""
    return [
        Row(step.number, step.thread, describe_step(step), next((f for f in step.stack if f.place), None))
        for step in steps
    ]


def rows_that_matter(steps: Sequence[Step]) -> list[Row]:
    """Rows at the user's own lines, without what libraries do inside.

    Plain accesses in system headers become one row for each call of a library function.
    """
    rows: list[Row] = []
    inside: tuple[int, str, str | None] | None = None
    accesses = 0
    for step in steps:
        if not step.matters:
            continue
        frame = telling_frame(step.stack)
        if not _is_inside_library(step):
            rows.append(Row(step.number, step.thread, describe_step(step), frame))
            inside = None
            continue
        called = _called_by_user(step.stack)
        if called is None or "thread" in Path(called.file or "").name or frame is None:
            continue  # how a thread is started is the library's own business
        name = short_function(called.function)
        if inside == (step.thread, name, frame.place):
            accesses += 1
            rows[-1] = Row(
                rows[-1].number, step.thread, f"{name} ({count(accesses, 'access', 'accesses')})", frame
            )
        else:
            inside, accesses = (step.thread, name, frame.place), 1
            rows.append(Row(step.number, step.thread, f"{name} (1 access)", frame))
    return rows


def table(rows: Sequence[Row], trace: Trace, source: SourceText, width: int) -> Iterator[Text]:
    """The lines, none wider than `width`: source text gives way first, then the values, never file:line."""
    cells = list(_cells(rows, trace, source))
    widths = [max((len(row[column]) for row in cells), default=0) for column in range(4)]
    rest = width - sum((2, widths[0], 2, widths[1], 2, 2, widths[3]))
    widths[2] = min(widths[2], max(rest, _NARROWEST_VALUES))
    room = rest - widths[2] - 2
    for row, (number, name, said, place, text) in zip(rows, cells, strict=True):
        line = Text(f"  {number:>{widths[0]}}  ", style="dim")
        shown = f"{name:<{widths[1]}}  {_cut(said, widths[2]):<{widths[2]}}  "
        line.append(shown, style=colour(row.thread))
        beside = _cut(text, room) if room >= _NARROWEST_TEXT else ""
        line.append(f"{place:<{widths[3]}}  {beside}".rstrip(), style="dim")
        yield line


def _cells(rows: Sequence[Row], trace: Trace, source: SourceText) -> Iterator[tuple[str, str, str, str, str]]:
    previous: int | None = None
    for row in rows:
        # The name only where the thread changes: the switches are what the reader looks for.
        name = trace.threads.get(row.thread, f"T{row.thread}") if row.thread != previous else ""
        frame = row.frame
        place = f"{Path(frame.file).name}:{frame.line}" if frame is not None and frame.file else ""
        text = source.line(frame.file, frame.line) if frame is not None else ""
        yield str(row.number), _cut(name, _WIDEST_NAME), row.said, place, text
        previous = row.thread


def _is_inside_library(step: Step) -> bool:
    """A plain access made by a system header. Those in headers of atomics are what the user asked for."""
    own = any(frame.place and not frame.is_system for frame in step.stack)
    if step.operation not in _PLAIN and (own or step.operation != "free"):
        return False
    innermost = next((frame for frame in step.stack if frame.place), None)
    return innermost is not None and innermost.is_system and "atomic" not in Path(innermost.file or "").name


def _called_by_user(stack: Sequence[Frame]) -> Frame | None:
    """The frame just inside the innermost one of the user's sources."""
    inner: Frame | None = None
    for frame in stack:
        if frame.place and not frame.is_system:
            return inner
        inner = frame
    return None


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
