"""What there is to say about a topology, in words: for the text, the drawing and DOT alike. No layout."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from norn.model import Edge, Topology
from norn.report.words import count, describe_bounds, printable

ORDERED_MARK = "*"
ORDERED_LEGEND = f"{ORDERED_MARK} the order of its writes is part of a class"
REMOVED_LEGEND = (
    "removed from the analysis, not from the program, so that each circle keeps at most two edges"
)
# What two threads have in common that share no location, but one starts the other or waits for its end.
START_OR_END = "(start or end)"

# A headline names so many locations.
_MOST_IN_HEADLINE = 3


def headline(topology: Topology) -> tuple[str, str]:
    """The verdict and what it means, in plain words: `acyclic` and `4 threads share 3 locations; no circle`.

    `so far` where an execution not seen yet may add threads or locations, or close a circle.
    """
    if not topology.known:
        return "incomplete", f"{why_incomplete(topology)}; nothing is known about who communicates with whom"
    complete = topology.result.complete
    if topology.is_cyclic:
        return "cyclic", ("" if complete else "so far ") + _about_circles(topology)
    said = f"{_who_shares(topology)}; no circle" if topology.edges else "no two threads communicate"
    return "acyclic" if complete else "acyclic so far", said


def why_incomplete(topology: Topology) -> str:
    stopped = "finding" in topology.result.bounds
    why = "it stopped at the first finding" if stopped else "it could not be finished"
    return describe_bounds(topology.result.bounds) or why


def learned_from(topology: Topology) -> str:
    """`learned from 27 executions, all classes (observation)`."""
    result = topology.result
    runs = count(result.runs, "execution")
    if result.complete:
        return f"learned from {runs}, all classes ({result.equivalence})"
    return f"learned from {runs}; incomplete: {why_incomplete(topology)}; there may be more edges"


def shared_by(edge: Edge, topology: Topology) -> list[str]:
    """The names of locations, fit to be shown. Those whose writes are ordered have a mark and come first."""
    ordered = set(topology.ordered)
    names = [
        printable(name) + (ORDERED_MARK if name in ordered else "")
        for name in _ordered_first(edge.locations, topology)
    ]
    return names or [START_OR_END]


def circles(edges: Sequence[Edge]) -> list[set[Edge]]:
    """For each edge beside a forest the circle that it closes. No edge outside of these is on any circle."""
    parent, depth = _forest(edges)
    edge_of = {edge.threads: edge for edge in edges}
    found = []
    for edge in edges:
        one, other = edge.threads
        if parent[one] == other or parent[other] == one:
            continue
        circle = {edge}
        while one != other:
            if depth[one] < depth[other]:
                one, other = other, one
            circle.add(edge_of[min(one, parent[one]), max(one, parent[one])])
            one = parent[one]
        found.append(circle)
    return found


def _forest(edges: Sequence[Edge]) -> tuple[dict[int, int], dict[int, int]]:
    """The parent of each thread (a root is its own) and its depth. Breadth first: circles are short then."""
    neighbours: dict[int, list[int]] = {}
    for one, other in (edge.threads for edge in edges):
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    parent: dict[int, int] = {}
    depth: dict[int, int] = {}
    for root in neighbours:
        if root in depth:
            continue
        parent[root], depth[root] = root, 0
        waiting = [root]
        for thread in waiting:  # grows on the way
            for other in neighbours[thread]:
                if other not in depth:
                    parent[other], depth[other] = thread, depth[thread] + 1
                    waiting.append(other)
    return parent, depth


def _about_circles(topology: Topology) -> str:
    """`3 threads communicate in a circle (x, y); observation also orders the writes of x`."""
    found = circles(topology.edges)
    on_circles = set().union(*found)
    edges = [edge for edge in topology.edges if edge in on_circles]
    threads = set(chain.from_iterable(edge.threads for edge in edges))
    locations = dict.fromkeys(chain.from_iterable(edge.locations for edge in edges))
    means = _some(_ordered_first(list(locations), topology))
    if not all(edge.locations for edge in edges):
        means.append(START_OR_END.strip("()"))
    shape = "in a circle" if len(found) == 1 else "in circles"
    if topology.ordered:
        orders = f"also orders the writes of {_listed(_some(topology.ordered))}"
    else:
        orders = "needs no order of writes for that"
    return f"{len(threads)} threads communicate {shape} ({', '.join(means)}); observation {orders}"


def _who_shares(topology: Topology) -> str:
    """`3 threads share 1 location, 2 others communicate by start or end only`."""
    all_threads = set(chain.from_iterable(edge.threads for edge in topology.edges))
    sharing = set(chain.from_iterable(edge.threads for edge in topology.edges if edge.locations))
    others = len(all_threads) - len(sharing)
    if not sharing:
        return f"{others} threads communicate by start or end only"
    said = f"{len(sharing)} threads share {count(len(topology.locations), 'location')}"
    if others:
        verb = "other communicates" if others == 1 else "others communicate"
        said += f", {others} {verb} by start or end only"
    return said


def _ordered_first(names: Sequence[str], topology: Topology) -> list[str]:
    ordered = set(topology.ordered)
    return sorted(names, key=lambda name: name not in ordered)


def _some(names: Sequence[str]) -> list[str]:
    """The first of them, fit to be shown; the rest is counted."""
    most = len(names) if len(names) <= _MOST_IN_HEADLINE else _MOST_IN_HEADLINE - 1
    more = [f"{len(names) - most:,} more"] if most < len(names) else []
    return [*map(printable, names[:most]), *more]


def _listed(names: Sequence[str]) -> str:
    """`x`, `x and y`, `x, y and 7 more`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
