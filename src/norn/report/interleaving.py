"""The steps of an execution as lines of a table: which ones, what they say, how they fit the width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from norn.model import Frame, Step, Trace
from norn.report.source_text import SourceText
from norn.report.story_table import colour, cut
from norn.report.words import describe_step, printable

# Names of long C++ functions give way before the rest of a line does.
_WIDEST_NAME = 24
_NARROWEST_VALUES = 16
_NARROWEST_TEXT = 10


@dataclass(frozen=True)
class Row:
    """One line: a step."""

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


def table(rows: Sequence[Row], trace: Trace, source: SourceText, width: int) -> Iterator[Text]:
    """The lines, none wider than `width`: source text gives way first, then the values, never file:line."""
    cells = list(_cells(rows, trace, source))
    widths = [max((len(row[column]) for row in cells), default=0) for column in range(4)]
    rest = width - sum((2, widths[0], 2, widths[1], 2, 2, widths[3]))
    widths[2] = min(widths[2], max(rest, _NARROWEST_VALUES))
    room = rest - widths[2] - 2
    for row, (number, name, said, place, text) in zip(rows, cells, strict=True):
        line = Text().append(f"  {number:>{widths[0]}}  ", style="dim")
        shown = f"{name:<{widths[1]}}  {cut(said, widths[2]):<{widths[2]}}  "
        line.append(shown, style=colour(row.thread))
        beside = cut(text, room) if room >= _NARROWEST_TEXT else ""
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
        yield str(row.number), cut(printable(name), _WIDEST_NAME), printable(row.said), place, printable(text)
        previous = row.thread
