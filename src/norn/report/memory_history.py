"""The memory steps of an execution: who wrote what a read found, what a thread last knew of a location."""

from __future__ import annotations

import bisect
import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from norn.model import Step
from norn.report.library_calls import is_inside_library
from norn.trace import MEMORY_OPERATIONS

READS = frozenset({"load", "rmw", "compare-exchange"})
# What has an address and no name: a temporary of the compiler, for one.
_NAMELESS = ("0x", "stack of ", "digest ")
# Accesses are found by pieces of memory of so many bytes. Those to many pieces are few: they are looked
# through one by one.
_PIECE = 8
_MOST_PIECES = 8


class History:
    """Answers questions about few of the steps; nothing is worked out before it is asked for."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._accesses: dict[int, _Accesses] = defaultdict(_Accesses)  # of each thread
        self._writes = _Accesses()
        for step in steps:
            if step.operation in MEMORY_OPERATIONS and step.location:
                pieces = _pieces(step)
                self._accesses[step.thread].add(step, pieces)
                if step.writes:
                    self._writes.add(step, pieces)

    def sources(self, step: Step) -> tuple[Step, ...]:
        """Who wrote what was there when the step happened; nobody if all of that is from the beginning.

        In the order of the memory that they wrote.
        """
        if step.operation not in MEMORY_OPERATIONS or not step.location:
            return ()
        found: dict[int, Step] = {}
        left = [(step.address, step.address + _extent(step))]  # bytes whose writer is not known yet
        for write in self._writes.before(step, step.number - 1):
            begin, end = write.address, write.address + _extent(write)
            rest = []
            for first, last in left:
                if begin < last and first < end:
                    found.setdefault(max(begin, first), write)
                    rest += [each for each in ((first, begin), (end, last)) if each[0] < each[1]]
                else:
                    rest.append((first, last))
            left = rest
            if not left:
                break
        return tuple({found[at].number: found[at] for at in sorted(found)}.values())

    def source(self, step: Step) -> Step | None:
        """The one who wrote all of it; nobody if there are several, or if a part is from the beginning."""
        sources = self.sources(step)
        return sources[0] if len(sources) == 1 and _contains(sources[0], step) else None

    def last_before(self, thread: int, location: Step, number: int) -> Step | None:
        """What the thread did last to that memory, or to a part of it, up to that step."""
        return next(self._accesses[thread].before(location, number), None)

    def first_after(self, thread: int, location: Step, number: int) -> Step | None:
        """What the thread does first to that memory, or to a part of it, after that step."""
        return next(self._accesses[thread].after(location, number), None)


class _Accesses:
    """Steps in their order, to be found by the memory that they access."""

    def __init__(self) -> None:
        self._small: dict[int, list[Step]] = defaultdict(list)  # by pieces; a step may be in several
        self._large: list[Step] = []

    def add(self, step: Step, pieces: Sequence[int]) -> None:
        if len(pieces) > _MOST_PIECES:
            self._large.append(step)
            return
        for piece in pieces:
            self._small[piece].append(step)

    def before(self, location: Step, number: int) -> Iterator[Step]:
        """Those up to that step which overlap the location, the last one first."""
        near = self._near(location)
        if len(near) == 1:
            places = range(bisect.bisect_right(near[0], number, key=_number) - 1, -1, -1)
            return _overlapping((near[0][at] for at in places), location)
        lists = [steps[: bisect.bisect_right(steps, number, key=_number)][::-1] for steps in near]
        return _overlapping(heapq.merge(*lists, key=lambda step: -step.number), location)

    def after(self, location: Step, number: int) -> Iterator[Step]:
        """Those after that step which overlap the location, the first one first."""
        near = self._near(location)
        if len(near) == 1:
            places = range(bisect.bisect_right(near[0], number, key=_number), len(near[0]))
            return _overlapping((near[0][at] for at in places), location)
        lists = [steps[bisect.bisect_right(steps, number, key=_number) :] for steps in near]
        return _overlapping(heapq.merge(*lists, key=_number), location)

    def _near(self, location: Step) -> list[list[Step]]:
        pieces = _pieces(location)
        if len(pieces) > len(self._small):
            known = [steps for piece, steps in self._small.items() if piece in pieces]
        else:
            known = [self._small[piece] for piece in pieces if piece in self._small]
        return [*known, self._large] if self._large else known


def _pieces(step: Step) -> range:
    return range(step.address // _PIECE, (step.address + _extent(step) - 1) // _PIECE + 1)


def _overlapping(steps: Iterable[Step], location: Step) -> Iterator[Step]:
    """(A step that is in several pieces comes several times.)"""
    return (step for step in steps if _overlap(step, location))


def is_same_memory(one: Step, other: Step) -> bool:
    """The same bytes, so that their values can be compared."""
    return (one.address, one.size) == (other.address, other.size)


def is_named(step: Step) -> bool:
    """Whether it is an access to memory that a reader knows by name: not what a library does inside."""
    return (
        step.operation in MEMORY_OPERATIONS
        and bool(step.location)
        and not step.location.startswith(_NAMELESS)
        and step.matters
        and not is_inside_library(step)
    )


def known_value(step: Step) -> str:
    """What the thread of a step knows of the memory after it."""
    return step.after if step.writes else step.before


def _extent(step: Step) -> int:
    return max(step.size, 1)


def _overlap(one: Step, other: Step) -> bool:
    return one.address < other.address + _extent(other) and other.address < one.address + _extent(one)


def _contains(outer: Step, inner: Step) -> bool:
    return outer.address <= inner.address and inner.address + _extent(inner) <= outer.address + _extent(outer)


def _number(step: Step) -> int:
    return step.number
