"""The space–time diagram of an execution, as SVG: a lane for each thread, a row for each step, downwards.

Whatever comes from the program is text, never markup. Colours and lines are in `diagram.css`; here are only
shapes and places, so that the drawing says the same without colours. There are no ids: several may be in one
page.
"""

from __future__ import annotations

import bisect
import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from norn.model import Trace
from norn.report.execution import Execution, LinkKind, Span
from norn.report.interleaving import Row
from norn.report.words import printable

ROW = 30
_GUTTER = 46  # at least: the numbers of steps are there
_TOP = 14
_LETTER = 7.3  # width of a letter of the labels
_LONGEST_LABEL = 34
_SHORTEST_LABEL = 14
_ENDING_LINE = 26  # letters of a line below the last step
_ENDING_LINES = 4
_LINE = 15
_LEFT_OF_LINE = 34  # room for the bars of three locks
_LABEL_AT = 16  # right of the line
_BAR = 6
_HEAD = 34
_COLOURS = 8

# What a mark looks like: shape and whether it is filled. Others are dots.
_MARKS = {
    "load": "ring",
    "store": "disc",
    "free": "disc",
    "rmw": "target",
    "compare-exchange": "target",
    "lock": "box",
    "robust-lock": "box",
    "trylock": "box",
    "robust-trylock": "box",
    "wake-lock": "box",
    "rwlock-read": "box",
    "rwlock-write": "box",
    "rwlock-try-read": "box",
    "rwlock-try-write": "box",
    "unlock": "frame",
    "robust-unlock": "frame",
    "rwlock-unlock": "frame",
    "wait": "glass",
    "barrier-wait": "glass",
    "wait-end": "glass",
    "barrier-wake": "glass",
    "sem-wait": "glass",
    "sem-trywait": "glass",
    "signal": "diamond",
    "broadcast": "diamond",
    "sem-post": "diamond",
    "spawn": "fork",
    "join": "merge",
    "try-join": "merge",
}
# For the legend: what the shapes mean, in the order in which they are told.
MEANINGS = {
    "ring": "read",
    "disc": "write",
    "target": "update: reads and writes",
    "box": "lock",
    "frame": "unlock",
    "glass": "wait",
    "diamond": "signal, post",
    "fork": "start of a thread",
    "merge": "join",
    "dot": "other",
}
LINK_MEANINGS = {
    LinkKind.READS_FROM: "the read finds what was written there",
    LinkKind.STARTS: "starts the thread",
    LinkKind.ENDS: "the end that was waited for",
    LinkKind.WAKES: "wakes the thread",
    LinkKind.HANDS_OVER: "lock, semaphore or barrier passes on",
}


@dataclass(frozen=True)
class Ending:
    """What stands below the last step: how a thread ended up."""

    thread: int
    said: str
    failed: bool = True


@dataclass(frozen=True)
class Drawing:
    """One diagram: the heads of the lanes, which stay in sight, and the lanes."""

    head: Markup
    body: Markup
    width: int
    height: int
    marks: tuple[str, ...]  # the shapes that occur
    links: tuple[LinkKind, ...]
    has_locks: bool
    has_waits: bool


def colour_class(thread: int) -> str:
    """The class with the colour of a thread."""
    return f"t{thread % _COLOURS}"


def draw(rows: Sequence[Row], trace: Trace, execution: Execution, endings: Sequence[Ending]) -> Drawing:
    return _Diagram(rows, trace, execution, endings).drawn()


def mark_svg(shape: str) -> Markup:
    """A mark by itself, for the legend."""
    svg = Markup(
        '<svg class="mark-sample" width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">{}</svg>'
    )
    return svg.format(_shape(shape, 0, 0))


@dataclass(frozen=True)
class _PlacedLink:
    """A link between two rows, by their places in the list."""

    kind: LinkKind
    begin: int
    end: int


class _Diagram:
    def __init__(
        self, rows: Sequence[Row], trace: Trace, execution: Execution, endings: Sequence[Ending]
    ) -> None:
        self._rows = rows
        self._trace = trace
        self._endings = endings
        self._numbers = [row.number for row in rows]
        self._operations = {step.number: step.operation for step in trace.steps}
        self._ends = {step.thread: step.number for step in trace.steps if step.operation == "end"}
        # Those that do something here, or end up somewhere.
        self._threads = sorted({row.thread for row in rows} | {ending.thread for ending in endings})
        self._ending_lines = {
            ending.thread: textwrap.wrap(
                printable(ending.said), _ENDING_LINE, max_lines=_ENDING_LINES, placeholder=" …"
            )
            or [""]
            for ending in endings
        }
        self._gutter = max(_GUTTER, len(str(self._numbers[-1] if rows else 0)) * _LETTER + 22)
        self._x, self._width = self._place_lanes()
        # The last row is as high as what stands in it.
        self._last_height = max([ROW, *((len(lines) + 1) * _LINE for lines in self._ending_lines.values())])
        self._height = round(_TOP + ROW * len(rows) + (self._last_height if endings else 0) + 6)
        self._links = list(self._place_links(execution))
        self._spans = [
            span
            for span in execution.spans
            if span.thread in self._x and (span.last is None or not rows or span.last >= rows[0].number)
        ]

    def drawn(self) -> Drawing:
        here = Markup('<rect class="here" x="0" y="{}" width="{}" height="{}"/>')
        parts = [here.format(_TOP, self._width, ROW)]
        parts += [part for thread in self._threads for part in self._lane(thread)]
        parts += [self._bar(span) for span in self._spans]
        parts += [self._link(link) for link in self._links]
        parts += [self._row(index, row) for index, row in enumerate(self._rows)]
        parts += [self._ending(ending) for ending in self._endings]
        names = ", ".join(self._name(thread) for thread in self._threads)
        said = f"Space–time diagram of {len(self._rows)} steps of {names}. The table below says the same."
        body = Markup(
            '<svg class="diagram" role="img" aria-label="{}" width="{w}" height="{h}" viewBox="0 0 {w} {h}">'
            "{parts}</svg>"
        ).format(printable(said), w=self._width, h=self._height, parts=Markup("").join(parts))
        shapes = {self._shape_of(row) for row in self._rows}
        return Drawing(
            head=self._head(),
            body=body,
            width=self._width,
            height=self._height,
            marks=tuple(shape for shape in MEANINGS if shape in shapes),
            links=tuple(kind for kind in LINK_MEANINGS if any(link.kind is kind for link in self._links)),
            has_locks=any(not span.waits for span in self._spans),
            has_waits=any(span.waits for span in self._spans),
        )

    # --- places

    def _place_lanes(self) -> tuple[dict[int, float], int]:
        """Where the line of each thread is, and the whole width."""
        x = self._gutter
        lines: dict[int, float] = {}
        for thread in self._threads:
            texts = [row.said for row in self._rows if row.thread == thread]
            texts += self._ending_lines.get(thread, [])
            longest = max([_SHORTEST_LABEL, len(self._name(thread)), *map(len, texts)])
            lines[thread] = x + _LEFT_OF_LINE
            x += _LEFT_OF_LINE + _LABEL_AT + min(longest, _LONGEST_LABEL) * _LETTER + 10
        return lines, math.ceil(x)

    def _place_links(self, execution: Execution) -> Iterator[_PlacedLink]:
        thread_of = {step.number: step.thread for step in self._trace.steps}
        for link in execution.links:
            if link.kind is LinkKind.STARTS:
                ends = (self._index_of(link.begin), self._next_of(thread_of[link.end], link.end))
            elif link.kind is LinkKind.ENDS:
                ends = (self._last_of(thread_of[link.begin], link.begin), self._index_of(link.end))
            else:
                ends = (self._index_of(link.begin), self._index_of(link.end))
            begin, end = ends
            if begin is not None and end is not None:
                yield _PlacedLink(link.kind, begin, end)

    def _index_of(self, number: int) -> int | None:
        """The row of a step, if it has one."""
        at = bisect.bisect_left(self._numbers, number)
        return at if at < len(self._numbers) and self._numbers[at] == number else None

    def _next_of(self, thread: int, number: int) -> int | None:
        """The first row of a thread from that step on."""
        first = bisect.bisect_left(self._numbers, number)
        return next((i for i in range(first, len(self._rows)) if self._rows[i].thread == thread), None)

    def _last_of(self, thread: int, number: int) -> int | None:
        """The last row of a thread up to that step."""
        last = bisect.bisect_right(self._numbers, number)
        return next((i for i in range(last - 1, -1, -1) if self._rows[i].thread == thread), None)

    def _y_of(self, number: int) -> float:
        """Where a step is; one without a row is between those around it."""
        index = self._index_of(number)
        return _y(index if index is not None else bisect.bisect_right(self._numbers, number) - 0.5)

    # --- parts

    def _head(self) -> Markup:
        svg = Markup(
            '<svg class="diagram-head" role="presentation" width="{w}" height="{h}" viewBox="0 0 {w} {h}">'
            "{}</svg>"
        )
        name = Markup(
            '<g class="{}"><rect class="chip" x="{}" y="7" width="{}" height="20" rx="10"/>'
            '<text class="lane-name" x="{}" y="21">{}</text></g>'
        )
        names = []
        for thread in self._threads:
            text = _cut(self._name(thread), _LONGEST_LABEL)
            x = self._x[thread] - 12
            names.append(
                name.format(colour_class(thread), x, round(len(text) * _LETTER + 24, 1), x + 12, text)
            )
        return svg.format(Markup("").join(names), w=self._width, h=_HEAD)

    def _lane(self, thread: int) -> Iterator[Markup]:
        own = [index for index, row in enumerate(self._rows) if row.thread == thread]
        x = self._x[thread]
        top = _y(own[0]) if own and thread != 0 else 4.0
        bottom = _y(len(self._rows)) if self._endings else self._height - 4.0
        if thread in self._ends:
            # The end of a thread is seldom a row of its own: it is just below the last one.
            bottom = _y(own[-1]) + ROW * 0.45 if own else self._y_of(self._ends[thread])
            cap = Markup('<path class="cap {}" d="M{} {}h10"/>')
            yield cap.format(colour_class(thread), x - 5, bottom)
        yield Markup('<path class="lane {}" d="M{} {}V{}"/>').format(colour_class(thread), x, top, bottom)

    def _bar(self, span: Span) -> Markup:
        """A lock that is held is a bar beside the line, a later one further left; a wait is on the line."""
        top = self._y_of(span.first)
        if self._rows and span.first < self._rows[0].number:
            top = 0.0
        bottom = (
            self._y_of(span.last)
            if span.last is not None
            else _y(len(self._rows) - 0.5 * (not self._endings))
        )
        said = f"{self._name(span.thread)} {'waits on' if span.waits else 'holds'} {span.name or 'it'}"
        if span.waits:
            shape = Markup('<rect class="waiting" x="{}" y="{}" width="8" height="{}"/>').format(
                self._x[span.thread] - 4, top, max(bottom - top, 1)
            )
        else:
            outer = sum(
                1
                for other in self._spans
                if other.thread == span.thread
                and not other.waits
                and other.first < span.first
                and (other.last is None or other.last > span.first)
            )
            x = self._x[span.thread] - 11 - _BAR - (outer % 3) * (_BAR + 2)
            shape = Markup('<rect class="held" x="{}" y="{}" width="{}" height="{}" rx="2"/>').format(
                x, top, _BAR, max(bottom - top, 2)
            )
        group = Markup('<g class="span {}"><title>{}</title>{}</g>')
        return group.format(colour_class(span.thread), printable(said), shape)

    def _link(self, link: _PlacedLink) -> Markup:
        """From the end of a label, or from its mark, whichever is on the side of the other."""
        rightwards = self._x[self._rows[link.begin].thread] < self._x[self._rows[link.end].thread]
        x1, y1 = self._side(link.begin, right=rightwards), _y(link.begin)
        x2, y2 = self._side(link.end, right=not rightwards), _y(link.end)
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        bx, by = x2 - 8 * dx, y2 - 8 * dy  # where the head begins
        head = f"{x2:.1f},{y2:.1f} {bx - 4 * dy:.1f},{by + 4 * dx:.1f} {bx + 4 * dy:.1f},{by - 4 * dx:.1f}"
        told = f"{self._rows[link.begin].number} → {self._rows[link.end].number}: {LINK_MEANINGS[link.kind]}"
        return Markup(
            '<g class="link {}" data-begin="{}" data-end="{}"><title>{}</title>'
            '<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/><polygon points="{}"/></g>'
        ).format(link.kind.value, link.begin, link.end, told, x1, y1, bx, by, head)

    def _side(self, index: int, right: bool) -> float:
        row = self._rows[index]
        if not right:
            return self._x[row.thread] - 10
        return self._x[row.thread] + _LABEL_AT + min(len(row.said), _LONGEST_LABEL) * _LETTER + 3

    def _row(self, index: int, row: Row) -> Markup:
        x, y = self._x[row.thread], _y(index)
        said = printable(row.said)
        return Markup(
            '<g class="row {}" data-row="{}"><title>{}: {}</title>'
            '<rect class="hit" x="0" y="{}" width="{}" height="{}"/>'
            '<text class="number" x="{}" y="{}">{}</text>{}<text class="said" x="{}" y="{}">{}</text></g>'
        ).format(
            colour_class(row.thread),
            index,
            self._name(row.thread),
            said,
            y - ROW / 2,
            self._width,
            ROW,
            self._gutter - 14,
            y + 4,
            row.number,
            _shape(self._shape_of(row), x, y),
            x + _LABEL_AT,
            y + 4,
            _cut(said, _LONGEST_LABEL),
        )

    def _ending(self, ending: Ending) -> Markup:
        x, y = self._x[ending.thread], _y(len(self._rows))
        line = Markup('<tspan x="{}" dy="{}">{}</tspan>')
        lines = [
            line.format(x + _LABEL_AT, _LINE if number else 0, text)
            for number, text in enumerate(self._ending_lines[ending.thread])
        ]
        return Markup(
            '<g class="ending {} {}" data-row="{}"><title>{}: {}</title>'
            '<rect class="hit" x="{}" y="{}" width="{}" height="{}"/>{}'
            '<text class="said" y="{}">{}</text></g>'
        ).format(
            colour_class(ending.thread),
            "failed" if ending.failed else "waits",
            len(self._rows),
            self._name(ending.thread),
            printable(ending.said),
            x - _LABEL_AT,
            y - ROW / 2,
            _LABEL_AT * 2 + _ENDING_LINE * _LETTER,
            self._last_height,
            _shape("cross" if ending.failed else "glass", x, y),
            y + 4,
            Markup("").join(lines),
        )

    def _shape_of(self, row: Row) -> str:
        return _MARKS.get(self._operations.get(row.number, ""), "dot")

    def _name(self, thread: int) -> str:
        return printable(self._trace.threads.get(thread, f"T{thread}"))


def _y(index: float) -> float:
    return _TOP + ROW * (index + 0.5)


def _shape(shape: str, x: float, y: float) -> Markup:
    """A mark around a point. Shapes differ without their colours."""
    drawn = {
        "ring": '<circle class="mark open" cx="{x}" cy="{y}" r="6"/>',
        "disc": '<circle class="mark" cx="{x}" cy="{y}" r="6"/>',
        "target": '<circle class="mark open" cx="{x}" cy="{y}" r="6.5"/>'
        '<circle class="mark" cx="{x}" cy="{y}" r="3"/>',
        "box": '<path class="mark" d="M{x} {y}m-6 -6h12v12h-12z"/>',
        "frame": '<path class="mark open" d="M{x} {y}m-6 -6h12v12h-12z"/>',
        "glass": '<path class="mark open" d="M{x} {y}m-6 -7h12l-12 14h12z"/>',
        "diamond": '<path class="mark" d="M{x} {y}m0 -8l8 8l-8 8l-8 -8z"/>',
        "fork": '<path class="mark" d="M{x} {y}m-6 -6l13 6l-13 6z"/>',
        "merge": '<path class="mark open" d="M{x} {y}m6 -6l-13 6l13 6z"/>',
        "cross": '<path class="mark crossed" d="M{x} {y}m-7 -7l14 14m0 -14l-14 14"/>',
        "dot": '<circle class="mark" cx="{x}" cy="{y}" r="3.5"/>',
    }[shape]
    return Markup(drawn).format(x=round(x, 1), y=round(y, 1))


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
