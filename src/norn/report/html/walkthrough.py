"""One finding, or one replayed execution, made ready for a page: views, values, sources, stacks, the way to
repeat it. Plain data; the templates and the script of the page only show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from norn.model import Finding, Frame, ThreadState, Trace, Verdict, telling_frame
from norn.report.execution import Value, Variable, examine
from norn.report.explanation import Sentence, explain
from norn.report.html.diagram import Drawing, Ending, draw
from norn.report.html.listing import Listing, list_sources
from norn.report.interleaving import Row, every_row
from norn.report.rows import rows_that_matter
from norn.report.source_text import SourceText
from norn.report.waits_for import Chain, find_chains
from norn.report.words import describe_state, headline, printable
from norn.token_file import command_with

# Longer ones are cut at the front: what matters most is near the failure.
_MOST_ROWS = 1000
# So many rows of all findings together, where every step is shown.
_MOST_ROWS_OF_ALL = 4000
_MOST_VARIABLES = 200
_STUCK = ("deadlock", "livelock")


@dataclass(frozen=True)
class View:
    """Some steps of an execution, drawn, and the same for the script of the page."""

    title: str
    rows: tuple[Row, ...]
    drawing: Drawing
    hidden: int  # earlier rows that were left out


@dataclass(frozen=True)
class StackShown:
    """What a thread was doing, with its frames as text."""

    thread: int
    name: str
    said: str
    frames: tuple[tuple[str, str], ...]  # function and place


@dataclass(frozen=True)
class TableRow:
    number: int
    thread: int
    name: str
    said: str
    place: str
    code: str


@dataclass(frozen=True)
class Walkthrough:
    title: str
    kind: str
    location: str
    code: str  # the line that failed
    verdict: Verdict | None
    views: tuple[View, ...]
    listings: tuple[Listing, ...]
    variables: tuple[str, ...]  # names
    threads: tuple[tuple[int, str], ...]  # in the order of their lanes
    table: tuple[TableRow, ...]
    explanation: tuple[Sentence, ...]
    chains: tuple[Chain, ...]
    stacks: tuple[StackShown, ...]
    command: str
    token: str
    data: dict[str, Any]  # for the script


def walk_through_finding(finding: Finding, replay_command: Sequence[str], of: int = 1) -> Walkthrough:
    """of: so many findings are told in the same page."""
    thread = next((state for state in finding.threads if state.id == finding.thread), None)
    frame = telling_frame(thread.stack) if thread is not None else None
    place, _, line = (finding.location or "").rpartition(":")
    where = f"{finding.location}{f' in {frame.function}' if frame else ''}" if finding.location else ""
    name = thread.name if thread is not None else f"T{finding.thread}"
    teller = _Teller(finding.trace, finding, of)
    return teller.walkthrough(
        title=headline(finding),
        kind=finding.kind,
        location=f"{where}, thread {name}" if where else f"thread {name}",
        code=SourceText().line(place, int(line)) if line.isdigit() else "",
        verdict=Verdict.FAILED,
        stacks=tuple(_stack(state) for state in finding.threads),
        command=command_with(finding.token, replay_command),
        token=finding.token,
    )


def walk_through_trace(trace: Trace) -> Walkthrough:
    """Of a replay that ended without a failure."""
    return _Teller(trace, None, 1).walkthrough(
        title="the execution ended without a failure",
        kind="",
        location="",
        code="",
        verdict=None,
        stacks=(),
        command="",
        token="",
    )


class _Teller:
    def __init__(self, trace: Trace | None, finding: Finding | None, of: int) -> None:
        self._trace = trace or Trace({}, ())
        self._finding = finding
        self._execution = examine(self._trace)
        self._endings = _endings(finding) if finding is not None else []
        self._views = tuple(self._make_views(of)) if self._trace.steps else ()
        self._source = SourceText()

    def walkthrough(self, *, stacks: tuple[StackShown, ...], **told: Any) -> Walkthrough:
        listings = tuple(list_sources(self._places()))
        variables = self._execution.variables[:_MOST_VARIABLES]
        return Walkthrough(
            views=self._views,
            listings=listings,
            variables=tuple(variable.name for variable in variables),
            threads=tuple(sorted(self._trace.threads.items())),
            table=tuple(map(self._table_row, self._views[0].rows)) if self._views else (),
            explanation=tuple(self._explanation()),
            chains=tuple(self._chains()),
            stacks=stacks,
            data=self._data(listings),
            **told,
        )

    def _make_views(self, of: int) -> list[View]:
        matter = rows_that_matter(self._trace.steps)
        every = every_row(self._trace.steps)
        most = min(_MOST_ROWS, _MOST_ROWS_OF_ALL // max(of, 1))
        if not matter or len(matter) == len(every):
            return [self._view("every step", every, most)]
        return [
            self._view("the steps that matter", matter, most),
            self._view(f"every step ({len(every):,})", every, most),
        ]

    def _view(self, title: str, rows: Sequence[Row], most: int) -> View:
        shown = tuple(rows[-most:])
        drawing = draw(shown, self._trace, self._execution, self._endings)
        return View(title, shown, drawing, len(rows) - len(shown))

    def _places(self) -> list[tuple[str, int]]:
        """All that the sources are needed for, that of the failure first."""
        frames = [telling_frame(state.stack) for state in self._finding.threads] if self._finding else []
        frames += [row.frame for view in self._views[:1] for row in view.rows]
        frames += [row.frame for view in self._views[1:] for row in view.rows]
        return [
            (frame.file, frame.line)
            for frame in frames
            if frame is not None and frame.file and frame.line and not frame.is_system
        ]

    def _explanation(self) -> list[Sentence]:
        """Without who waits for what: that is drawn."""
        if self._finding is None:
            return []
        return [sentence for sentence in explain(self._finding) if not sentence.is_wait]

    def _chains(self) -> list[Chain]:
        if self._finding is None or self._finding.kind not in _STUCK:
            return []
        return find_chains(self._finding, self._execution)

    def _table_row(self, row: Row) -> TableRow:
        frame = row.frame
        return TableRow(
            row.number,
            row.thread,
            self._trace.threads.get(row.thread, f"T{row.thread}"),
            row.said,
            _short_place(frame),
            self._source.line(frame.file, frame.line) if frame is not None else "",
        )

    # --- for the script

    def _data(self, listings: Sequence[Listing]) -> dict[str, Any]:
        files = {listing.name: number for number, listing in enumerate(listings) if listing.lines}
        stacks = {step.number: step.stack for step in self._trace.steps}
        first = min((view.rows[0].number for view in self._views), default=0)
        return {
            "views": [
                [self._row_data(row, stacks.get(row.number, ()), files) for row in view.rows]
                for view in self._views
            ],
            "failure": self._failure_data(files),
            "variables": [
                {
                    "values": [[value.since, _known(value.text)] for value in _from(first, variable)],
                    "touched": [number for number in variable.touched if number >= first],
                }
                for variable in self._execution.variables[:_MOST_VARIABLES]
            ],
            "names": {str(thread): printable(name) for thread, name in self._trace.threads.items()},
        }

    def _row_data(self, row: Row, stack: Sequence[Frame], files: dict[str, int]) -> dict[str, Any]:
        callers = [frame for frame in stack if frame.place and not frame.is_system]
        return {
            "number": row.number,
            "thread": row.thread,
            "said": printable(row.said),
            "place": printable(_short_place(row.frame)),
            "at": _at(row.frame, files),
            "calls": [printable(f"{each.function} {_short_place(each)}") for each in callers],
        }

    def _failure_data(self, files: dict[str, int]) -> dict[str, Any] | None:
        if self._finding is None:
            return None
        return {
            "thread": self._finding.thread,
            "said": printable(headline(self._finding)),
            "place": printable(_base_name(self._finding.location or "")),
            "where": [
                {"thread": state.id, "at": _at(telling_frame(state.stack), files)}
                for state in self._finding.threads
            ],
        }


def _endings(finding: Finding) -> list[Ending]:
    """What stands below the last step: who waits for what, or what failed."""
    endings = {}
    for state in finding.threads:
        waits = state.state in ("waiting", "looping")
        if finding.kind in _STUCK and waits:
            endings[state.id] = Ending(state.id, describe_state(state), failed=False)
    if not endings:
        endings[finding.thread] = Ending(finding.thread, headline(finding))
    return list(endings.values())


def _stack(state: ThreadState) -> StackShown:
    known = [frame for frame in state.stack if frame.place]
    own = [frame for frame in known if not frame.is_system]
    frames = tuple((frame.function, frame.place or "") for frame in own or known)
    return StackShown(state.id, state.name, describe_state(state), frames)


def _at(frame: Frame | None, files: dict[str, int]) -> list[int] | None:
    """File, by its number, and line."""
    if frame is None or frame.file not in files or frame.line is None:
        return None
    return [files[frame.file], frame.line]


def _short_place(frame: Frame | None) -> str:
    return f"{Path(frame.file).name}:{frame.line}" if frame is not None and frame.file else ""


def _base_name(place: str) -> str:
    return place.rpartition("/")[2]


def _from(first: int, variable: Variable) -> Sequence[Value]:
    """Its values from a step on, that before it included."""
    before = sum(value.since < first for value in variable.values)
    return variable.values[max(before - 1, 0) :]


def _known(text: str | None) -> str:
    return "unknown: written as part of something larger" if text is None else printable(text)
