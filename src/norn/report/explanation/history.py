"""The memory steps of an execution: who wrote what a read found, what a thread last knew of it."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Sequence

from norn.model import Step
from norn.report.last_writers import LastWriters
from norn.report.library_calls import is_inside_library
from norn.trace import MEMORY_OPERATIONS

# What has an address and no name: a temporary of the compiler, for one.
_NAMELESS = ("0x", "stack of ")
READS = frozenset({"load", "rmw", "compare-exchange"})


class History:
    def __init__(self, steps: Sequence[Step]) -> None:
        self._sources: dict[int, Step] = {}
        # (thread, address) -> its steps there, in their order; and the addresses of each thread, sorted.
        self._own: dict[tuple[int, int], list[Step]] = defaultdict(list)
        self._addresses: dict[int, list[int]] = defaultdict(list)
        by_number: dict[int, Step] = {}
        writers = LastWriters()
        for step in steps:
            if step.operation not in MEMORY_OPERATIONS or not step.location:
                continue
            by_number[step.number] = step
            size = max(step.size, 1)
            if numbers := writers.of(step.address, size):
                self._sources[step.number] = by_number[max(numbers)]
            if step.writes:
                writers.write(step.address, size, step.number)
            own = self._own[step.thread, step.address]
            if not own:
                bisect.insort(self._addresses[step.thread], step.address)
            own.append(step)

    def source(self, step: Step) -> Step | None:
        """Who wrote what was there when the step happened; nothing if that is from the beginning."""
        return self._sources.get(step.number)

    def last_before(self, thread: int, location: Step, number: int) -> Step | None:
        """What the thread did last to that memory up to that step."""
        found = (
            next((step for step in reversed(own) if step.number <= number), None)
            for own in self._of(thread, location)
        )
        return max((step for step in found if step is not None), key=_number, default=None)

    def first_after(self, thread: int, location: Step, number: int) -> Step | None:
        """What the thread does first to that memory after that step."""
        found = (
            own[at] for own in self._of(thread, location) if (at := _first_after(own, number)) < len(own)
        )
        return min(found, key=_number, default=None)

    def _of(self, thread: int, location: Step) -> list[list[Step]]:
        """The same variable, so that values can be compared; of a block that is freed, any part."""
        if location.operation == "free":
            known = self._addresses[thread]
            end = location.address + max(location.size, 1)
            inside = known[bisect.bisect_left(known, location.address) : bisect.bisect_left(known, end)]
            return [self._own[thread, address] for address in inside]
        own = self._own.get((thread, location.address), [])
        return [[step for step in own if step.size == location.size]]


def is_told(step: Step) -> bool:
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


def _number(step: Step) -> int:
    return step.number


def _first_after(own: Sequence[Step], number: int) -> int:
    return bisect.bisect_right(own, number, key=_number)
