"""The memory steps of an execution: who wrote what a read found, what a thread last knew of a location."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from norn.model import Step
from norn.report.last_writers import LastWriters
from norn.report.library_calls import is_inside_library
from norn.trace import MEMORY_OPERATIONS

READS = frozenset({"load", "rmw", "compare-exchange"})
# What has an address and no name: a temporary of the compiler, for one.
_NAMELESS = ("0x", "stack of ", "digest ")
# Accesses of more bytes are few: they are looked through one by one.
_SMALL = 64


class History:
    def __init__(self, steps: Sequence[Step]) -> None:
        self._sources: dict[int, tuple[Step, ...]] = {}
        self._small: dict[int, _Accesses] = defaultdict(_Accesses)  # of each thread
        self._large: dict[int, list[Step]] = defaultdict(list)
        by_number: dict[int, Step] = {}
        writers = LastWriters()
        for step in steps:
            if step.operation not in MEMORY_OPERATIONS or not step.location:
                continue
            by_number[step.number] = step
            numbers = writers.of(step.address, _extent(step))
            self._sources[step.number] = tuple(by_number[number] for number in numbers)
            if step.writes:
                writers.write(step.address, _extent(step), step.number)
            if _extent(step) <= _SMALL:
                self._small[step.thread].add(step)
            else:
                self._large[step.thread].append(step)

    def sources(self, step: Step) -> tuple[Step, ...]:
        """Who wrote what was there when the step happened; nobody if all of that is from the beginning."""
        return self._sources.get(step.number, ())

    def source(self, step: Step) -> Step | None:
        """The one who wrote all of it; nobody if there are several, or if a part is from the beginning."""
        sources = self.sources(step)
        return sources[0] if len(sources) == 1 and _contains(sources[0], step) else None

    def last_before(self, thread: int, location: Step, number: int) -> Step | None:
        """What the thread did last to that memory, or to a part of it, up to that step."""
        found = [*self._small[thread].last(location, number)]
        found += [step for step in self._large[thread] if _overlap(step, location) and step.number <= number]
        return max(found, key=_number, default=None)

    def first_after(self, thread: int, location: Step, number: int) -> Step | None:
        """What the thread does first to that memory, or to a part of it, after that step."""
        found = [*self._small[thread].first(location, number)]
        found += [step for step in self._large[thread] if _overlap(step, location) and step.number > number]
        return min(found, key=_number, default=None)


class _Accesses:
    """Of one thread to few bytes each, by their addresses."""

    def __init__(self) -> None:
        self._addresses: list[int] = []  # in order
        self._steps: dict[int, list[Step]] = {}

    def add(self, step: Step) -> None:
        if step.address not in self._steps:
            bisect.insort(self._addresses, step.address)
            self._steps[step.address] = []
        self._steps[step.address].append(step)

    def last(self, location: Step, number: int) -> Iterator[Step]:
        """At each address the last one up to that step which overlaps the location."""
        for steps in self._near(location):
            before = range(bisect.bisect_right(steps, number, key=_number) - 1, -1, -1)
            yield from islice((steps[at] for at in before if _overlap(steps[at], location)), 1)

    def first(self, location: Step, number: int) -> Iterator[Step]:
        """At each address the first one after that step which overlaps the location."""
        for steps in self._near(location):
            after = range(bisect.bisect_right(steps, number, key=_number), len(steps))
            yield from islice((steps[at] for at in after if _overlap(steps[at], location)), 1)

    def _near(self, location: Step) -> Iterator[list[Step]]:
        first = bisect.bisect_left(self._addresses, location.address - _SMALL)
        last = bisect.bisect_left(self._addresses, location.address + _extent(location))
        return (self._steps[address] for address in self._addresses[first:last])


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
