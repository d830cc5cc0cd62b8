"""The memory steps of an execution: who wrote what a read found, what a thread last knew of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from norn.model import Step
from norn.report.last_writers import LastWriters
from norn.report.library_calls import is_inside_library
from norn.trace import MEMORY_OPERATIONS

READS = frozenset({"load", "rmw", "compare-exchange"})


class History:
    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = [step for step in steps if step.operation in MEMORY_OPERATIONS and step.location]
        self._by_number = {step.number: step for step in self._steps}
        self._sources: dict[int, Step] = {}
        writers = LastWriters()
        for step in self._steps:
            numbers = writers.of(step.address, max(step.size, 1))
            if numbers:
                self._sources[step.number] = self._by_number[max(numbers)]
            if step.writes:
                writers.write(step.address, max(step.size, 1), step.number)

    def source(self, step: Step) -> Step | None:
        """Who wrote what was there when the step happened; nothing if that is from the beginning."""
        return self._sources.get(step.number)

    def last_before(self, thread: int, location: Step, number: int) -> Step | None:
        """What the thread did last to that memory up to that step."""
        return next((step for step in reversed(self._upto(number)) if _is_of(step, thread, location)), None)

    def first_after(self, thread: int, location: Step, number: int) -> Step | None:
        return next((step for step in self._after(number) if _is_of(step, thread, location)), None)

    def _upto(self, number: int) -> list[Step]:
        return [step for step in self._steps if step.number <= number]

    def _after(self, number: int) -> Iterator[Step]:
        return (step for step in self._steps if step.number > number)


def is_told(step: Step) -> bool:
    """Whether it is an access to memory that a reader knows by name: not what a library does inside."""
    return (
        step.operation in MEMORY_OPERATIONS
        and bool(step.location)
        and step.matters
        and not is_inside_library(step)
    )


def known_value(step: Step) -> str:
    """What the thread of a step knows of the memory after it."""
    return step.after if step.writes else step.before


def _is_of(step: Step, thread: int, location: Step) -> bool:
    """The same variable, so that values can be compared; of a block that is freed, any part."""
    if step.thread != thread:
        return False
    if location.operation == "free":
        return location.address <= step.address < location.address + max(location.size, 1)
    return (step.address, step.size) == (location.address, location.size)
