"""Where the threads and the labels of a topology go in a drawing; `topology_svg` draws them there.

Threads that share something, directly or over others, are a group; groups are drawn one below the other. A
group without a cycle is a tree from left to right: a pipeline becomes a row, a server and its clients a fan;
labels lie above the lines. One with a cycle is a ring, in which no line between two threads runs over a
third. Labels on a ring look for a free place on their line if they leave most of it to be seen, or else
beside it, away from other lines. If there is none, the ring grows, and if that is no help either, labels
become numbers that a legend explains. So no text lies on a thread, and no label hides its own line.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from norn.model import Edge, Topology
from norn.report.topology_words import shared_by
from norn.report.words import printable

FONT_SIZE = 13
LETTER = 0.62 * FONT_SIZE  # of a monospaced font, and a little room
LINE = 17
RADIUS = 19  # of a thread
_GAP = 14
_GROUP_GAP = 44
_FAN = 56  # room for lines to spread between a thread and the labels of its children
_STUB = 10  # how much of a line is seen before its label, level with it
_LONGEST_NAME = 24
_MOST_LINES = 3  # of a label
_MOST_HIDDEN = 1 / 3  # of a line, by its own label
_BESIDE = 3  # room between a line and a label beside it
# More labels than this are a carpet, and take long to place.
_MOST_LABELS = 100
_GROWTHS = (1.0, 1.2, 1.5, 1.9, 2.4, 3.0)
# Places on a line to try for its label, as parts of its length; the middle first.
_PLACES = (0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2, 0.8)
# Beside a line only the first few: near an end a label would seem to belong to the thread there.
_PLACES_BESIDE = 5

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, at: Point, width: float, height: float) -> Box:
        x, y = at
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def moved(self, x: float, y: float) -> Box:
        return Box(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def grown(self, by: float) -> Box:
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def is_crossed_by(self, one: Point, other: Point) -> bool:
        """Whether the line between two points touches it."""
        return self._part_inside(one, other) >= 0

    def hides(self, one: Point, other: Point) -> float:
        """How much of the line between two points is inside."""
        return max(0.0, self._part_inside(one, other)) * math.dist(one, other)

    def _part_inside(self, one: Point, other: Point) -> float:
        """As a part of the length of a line; negative if none of it is."""
        first, last = 0.0, 1.0
        for start, end, low, high in (
            (one[0], other[0], self.left, self.right),
            (one[1], other[1], self.top, self.bottom),
        ):
            if start == end:
                if not low <= start <= high:
                    return -1.0
                continue
            enters, leaves = sorted(((low - start) / (end - start), (high - start) / (end - start)))
            first, last = max(first, enters), min(last, leaves)
        return last - first


@dataclass(frozen=True)
class PlacedThread:
    thread: int
    at: Point
    name: str  # without the id, which stands inside
    name_box: Box
    anchor: str = "middle"  # where the name is held: start, middle or end
    alone: bool = False

    @property
    def box(self) -> Box:
        return Box.around(self.at, 2 * RADIUS, 2 * RADIUS)


@dataclass(frozen=True)
class PlacedEdge:
    edge: Edge
    points: tuple[Point, ...]
    label: tuple[str, ...]  # lines
    label_box: Box | None


@dataclass(frozen=True)
class Layout:
    threads: tuple[PlacedThread, ...] = ()
    edges: tuple[PlacedEdge, ...] = ()
    legend: tuple[str, ...] = ()  # what the labels that are numbers stand for

    @property
    def bounds(self) -> Box:
        boxes = [box for each in self.threads for box in (each.box, each.name_box)]
        boxes += [each.label_box for each in self.edges if each.label_box is not None]
        boxes += [Box(x, y, x, y) for each in self.edges for x, y in each.points]
        return Box(
            min((box.left for box in boxes), default=0),
            min((box.top for box in boxes), default=0),
            max((box.right for box in boxes), default=0),
            max((box.bottom for box in boxes), default=0),
        )

    def moved(self, x: float, y: float) -> Layout:
        threads = [
            replace(each, at=(each.at[0] + x, each.at[1] + y), name_box=each.name_box.moved(x, y))
            for each in self.threads
        ]
        edges = [
            replace(
                each,
                points=tuple((px + x, py + y) for px, py in each.points),
                label_box=each.label_box.moved(x, y) if each.label_box is not None else None,
            )
            for each in self.edges
        ]
        return Layout(tuple(threads), tuple(edges), self.legend)


def text_width(text: str) -> float:
    return cell_len(text) * LETTER


def cut(text: str, most: int) -> str:
    """The end of a name tells as much as its beginning: what is too long loses its middle."""
    if len(text) <= most:
        return text
    return f"{text[: most - most // 3 - 1]}…{text[-(most // 3) :]}"


def lay_out(topology: Topology, widest: float) -> Layout:
    """The whole drawing, from 0, 0. Threads without an edge fill rows as wide as the rest or `widest`."""
    whole = Layout()
    y = 0.0
    for group in _groups(topology):
        edges = [edge for edge in topology.edges if edge.threads[0] in group]
        labels = _labels(edges, topology)
        is_tree = len(edges) == len(group) - 1
        part = _tree(group, edges, labels, topology) if is_tree else _ring(group, edges, labels, topology)
        bounds = part.bounds
        part = part.moved(-bounds.left, y - bounds.top)
        y += bounds.bottom - bounds.top + _GROUP_GAP
        whole = Layout(whole.threads + part.threads, whole.edges + part.edges, whole.legend + part.legend)
    alone = _alone(topology, y, max(widest, whole.bounds.right))
    return replace(whole, threads=whole.threads + tuple(alone))


def _groups(topology: Topology) -> Iterator[list[int]]:
    """Threads that are connected; the order within one is that of a walk from thread to thread."""
    neighbours = _neighbours(topology.edges)
    seen: set[int] = set()
    for thread in sorted(neighbours):
        if thread not in seen:
            group = list(_walk(thread, neighbours, seen))
            # A walk around a ring, or along a tree, has no lines that cross. Among many edges the order of
            # the ids is easier to read.
            edges = sum(len(neighbours[each]) for each in group) // 2
            yield group if edges <= len(group) else sorted(group)


def _neighbours(edges: Sequence[Edge]) -> dict[int, list[int]]:
    neighbours: dict[int, list[int]] = {}
    for one, other in (edge.threads for edge in edges):
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    return {thread: sorted(others) for thread, others in neighbours.items()}


def _walk(start: int, neighbours: dict[int, list[int]], seen: set[int]) -> Iterator[int]:
    waiting = [start]
    while waiting:
        thread = waiting.pop()
        if thread not in seen:
            seen.add(thread)
            yield thread
            waiting += reversed(neighbours[thread])


def _labels(edges: Sequence[Edge], topology: Topology) -> list[tuple[str, ...]]:
    return [_label(edge, topology) for edge in edges]


def _label(edge: Edge, topology: Topology) -> tuple[str, ...]:
    names = [cut(name, _LONGEST_NAME) for name in shared_by(edge, topology)]
    if len(names) > _MOST_LINES:
        names[_MOST_LINES - 1 :] = [f"{len(names) - _MOST_LINES + 1:,} more"]
    return tuple(names)


def _label_size(label: Sequence[str]) -> tuple[float, float]:
    return max(map(text_width, label), default=0) + 10, len(label) * LINE + 4


def _name(thread: int, topology: Topology) -> str:
    """The function alone: the id stands in the circle."""
    name = printable(topology.threads.get(thread, ""))
    return cut(name.removeprefix(f"T{thread}").strip(), _LONGEST_NAME)


def _with_name_below(thread: int, at: Point, topology: Topology, alone: bool = False) -> PlacedThread:
    name = _name(thread, topology)
    box = Box.around((at[0], at[1] + RADIUS + 4 + LINE / 2), text_width(name), LINE)
    return PlacedThread(thread, at, name, box, alone=alone)


# --- trees


def _tree(
    group: Sequence[int], edges: Sequence[Edge], labels: Sequence[tuple[str, ...]], topology: Topology
) -> Layout:
    neighbours = _neighbours(edges)
    root = _root(group, neighbours)
    label_of = {edge.threads: label for edge, label in zip(edges, labels, strict=True)}
    edge_of = {edge.threads: edge for edge in edges}
    depth, parent = {root: 0}, {root: root}
    for thread in _walk(root, neighbours, set()):
        for other in neighbours[thread]:
            if other not in depth:
                depth[other], parent[other] = depth[thread] + 1, thread

    def label_before(thread: int) -> tuple[str, ...]:
        return label_of[_ends(thread, parent)]

    row_height = max(
        2 * RADIUS + LINE + _GAP, max((_label_size(label)[1] for label in labels), default=0) + _GAP
    )
    rows = _rows(root, neighbours)
    # From left to right: a column of threads, room for lines to spread, a column of labels, and so on.
    x = 0.0
    at: dict[int, Point] = {}
    placed: list[PlacedEdge] = []
    previous_half = 0.0
    for _, members in itertools.groupby(sorted(depth, key=lambda thread: depth[thread]), depth.__getitem__):
        column = list(members)
        half = max([RADIUS + 4.0, *(text_width(_name(thread, topology)) / 2 for thread in column)])
        labels_left = labels_middle = x
        if column != [root]:
            room = max(_label_size(label_before(thread))[0] for thread in column)
            spreads = any(rows[thread] != rows[parent[thread]] for thread in column)
            labels_left = x + previous_half + (_FAN if spreads else _GAP)
            labels_middle = labels_left + room / 2
            x = labels_left + room + _GAP + half
        for thread in column:
            y = rows[thread] * row_height
            at[thread] = (x, y)
            if thread != root:
                start = at[parent[thread]]
                # Level at both ends: a line must not run through the name below a thread.
                points = (start, (start[0] + previous_half, start[1]), (labels_left - _STUB, y), (x, y))
                label = label_before(thread)
                width, height = _label_size(label)
                box = Box.around((labels_middle, y - height / 2 - _BESIDE), width, height)
                placed.append(PlacedEdge(edge_of[_ends(thread, parent)], points, label, box))
        previous_half = half
    threads = [_with_name_below(thread, at[thread], topology) for thread in sorted(at)]
    return Layout(tuple(threads), tuple(placed))


def _ends(thread: int, parent: dict[int, int]) -> tuple[int, int]:
    return min(thread, parent[thread]), max(thread, parent[thread])


def _root(group: Sequence[int], neighbours: dict[int, list[int]]) -> int:
    """An end of a row; in any other tree the thread with the most neighbours."""
    ends = [thread for thread in group if len(neighbours[thread]) == 1]
    if all(len(neighbours[thread]) <= 2 for thread in group):
        return min(ends)
    return min(group, key=lambda thread: (-len(neighbours[thread]), thread))


def _rows(root: int, neighbours: dict[int, list[int]]) -> dict[int, float]:
    """Leaves one below the other, every other thread in the middle of those that hang on it."""
    order = list(_walk(root, neighbours, set()))
    place = {thread: number for number, thread in enumerate(order)}
    rows: dict[int, float] = {}
    free = itertools.count()
    children = {
        thread: [other for other in neighbours[thread] if place[other] > place[thread]] for thread in order
    }
    for thread in order:  # leaves, in the order of the walk
        if not children[thread]:
            rows[thread] = float(next(free))
    for thread in reversed(order):
        if children[thread]:
            below = [rows[child] for child in children[thread]]
            rows[thread] = (min(below) + max(below)) / 2
    return rows


# --- rings


def _ring(
    group: Sequence[int], edges: Sequence[Edge], labels: Sequence[tuple[str, ...]], topology: Topology
) -> Layout:
    least = max(80.0, len(group) * 2.4 * RADIUS / math.pi + 20)
    if len(edges) > _MOST_LABELS:
        return _on_ring(group, edges, [()] * len(edges), topology, 2 * least)[0]
    layout, fits = _best_ring(group, edges, labels, topology, least)
    if fits:
        return layout
    keys, legend = _keys(labels)
    return replace(_best_ring(group, edges, keys, topology, least)[0], legend=legend)


def _best_ring(
    group: Sequence[int],
    edges: Sequence[Edge],
    labels: Sequence[tuple[str, ...]],
    topology: Topology,
    least: float,
) -> tuple[Layout, bool]:
    """The smallest ring of those whose labels hide least of other lines; whether its text fits."""
    best: tuple[tuple[int, int], Layout] | None = None
    for growth in _GROWTHS:
        layout, clashes, crossings = _on_ring(group, edges, labels, topology, growth * least)
        if best is None or (clashes, crossings) < best[0]:
            best = (clashes, crossings), layout
        if best[0] == (0, 0):
            break
    assert best is not None
    return best[1], best[0][0] == 0


def _keys(labels: Sequence[tuple[str, ...]]) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """A number for each label, and what the numbers stand for."""
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels), 1)}
    legend = tuple(f"{number}: {', '.join(label)}" for label, number in numbers.items())
    return [(str(numbers[label]),) for label in labels], legend


def _on_ring(
    group: Sequence[int],
    edges: Sequence[Edge],
    labels: Sequence[tuple[str, ...]],
    topology: Topology,
    radius: float,
) -> tuple[Layout, int, int]:
    """A ring of that radius; how often text lies on a thread or on other text, and how often on a line."""
    threads = [
        _beside_ring(thread, 2 * math.pi * number / len(group) - math.pi / 2, radius, topology)
        for number, thread in enumerate(group)
    ]
    at = {each.thread: each.at for each in threads}
    clashes = sum(
        one.name_box.overlaps(other.name_box) or one.name_box.overlaps(other.box)
        for one, other in itertools.permutations(threads, 2)
    )
    crossings = 0
    taken = [box for each in threads for box in (each.box, each.name_box)]
    lines = [(at[edge.threads[0]], at[edge.threads[1]]) for edge in edges]
    placed = []
    for number, (edge, label) in enumerate(zip(edges, labels, strict=True)):
        box: Box | None = None
        if label:
            others = lines[:number] + lines[number + 1 :]
            box, clash, crossed = _place_label(lines[number], _label_size(label), taken, others)
            taken.append(box)
            clashes, crossings = clashes + clash, crossings + crossed
        placed.append(PlacedEdge(edge, lines[number], label, box))
    return Layout(tuple(threads), tuple(placed)), clashes, crossings


def _place_label(
    line: tuple[Point, Point],
    size: tuple[float, float],
    taken: Sequence[Box],
    others: Sequence[tuple[Point, Point]],
) -> tuple[Box, bool, int]:
    """The free place that hides fewest other lines, or the middle; is it taken, how many lines."""
    middle = Box.around(_between(*line, 0.5), *size)
    best, fewest = middle, len(others) + 1
    for box in _places_for_label(line, size):
        if fewest > 0 and not any(box.overlaps(other) for other in taken):
            near = box.grown(_BESIDE)
            crossed = sum(near.is_crossed_by(*other) for other in others)
            if crossed < fewest:
                best, fewest = box, crossed
    return best, fewest > len(others), fewest


def _places_for_label(line: tuple[Point, Point], size: tuple[float, float]) -> Iterator[Box]:
    """On the line, where most of it is still seen; then beside it, first on the side away from the ring."""
    seen = math.dist(*line) - 2 * RADIUS
    on_line = [Box.around(_between(*line, part), *size) for part in _PLACES]
    yield from (box for box in on_line if box.hides(*line) <= _MOST_HIDDEN * seen)
    beside = on_line[:_PLACES_BESIDE]
    (x0, y0), (x1, y1) = line
    across = (y1 - y0) / math.dist(*line), (x0 - x1) / math.dist(*line)
    away = (size[0] * abs(across[0]) + size[1] * abs(across[1])) / 2 + _BESIDE
    # The ring is around 0, 0.
    outward = away if across[0] * (x0 + x1) + across[1] * (y0 + y1) >= 0 else -away
    for side in (outward, -outward):
        yield from (box.moved(across[0] * side, across[1] * side) for box in beside)


def _between(one: Point, other: Point, part: float) -> Point:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part


def _beside_ring(thread: int, angle: float, radius: float, topology: Topology) -> PlacedThread:
    """On the ring, its name outside of it: no line of the ring goes there."""
    x, y = math.cos(angle), math.sin(angle)
    at = (x * radius, y * radius)
    name = _name(thread, topology)
    width = text_width(name)
    if abs(x) < 0.2:
        below = RADIUS + 4 + LINE / 2
        middle = (at[0], at[1] + (below if y > 0 else -below))
        return PlacedThread(thread, at, name, Box.around(middle, width, LINE))
    away = RADIUS + 7 + width / 2
    middle = (at[0] + (away if x > 0 else -away), at[1] + y * (RADIUS / 2))
    return PlacedThread(thread, at, name, Box.around(middle, width, LINE), "start" if x > 0 else "end")


# --- threads without an edge


def _alone(topology: Topology, top: float, widest: float) -> Iterator[PlacedThread]:
    communicating = {thread for edge in topology.edges for thread in edge.threads}
    x, y = 0.0, top + RADIUS
    for thread in topology.threads:
        if thread in communicating:
            continue
        width = max(2 * RADIUS, text_width(_name(thread, topology)))
        if x > 0 and x + width > widest:
            x, y = 0.0, y + 2 * RADIUS + LINE + _GAP
        yield _with_name_below(thread, (x + width / 2, y), topology, alone=True)
        x += width + 2 * _GAP
