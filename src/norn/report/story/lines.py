"""Steps of a thread on one line of the source, as one line of the story."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from norn.model import UNKNOWN, Step, call_stack, telling_frame
from norn.report.last_writers import LastWriters
from norn.report.library_calls import called_by_user, is_inside_library
from norn.report.memory_history import is_same_memory
from norn.report.story.items import Line
from norn.report.words import describe_step
from norn.symbolize import short_function
from norn.trace import MEMORY_OPERATIONS

# Who starts whom and who has ended says little: such steps are told together.
_ABOUT_OTHERS = frozenset({"spawn", "join"})
# A loop on one line may do thousands of things; nobody reads them all in a line of the story.
_MOST_EFFECTS = 50


@dataclass
class LineMaker:
    """Steps that become one line."""

    read_before: dict[int, str]  # see read_before_writes
    steps: list[Step] = field(default_factory=list)
    stored: set[str] = field(default_factory=set)  # locations that these write

    def add(self, step: Step) -> Iterator[Line]:
        if self.steps and not self._belongs(step):
            yield from self.take()
        self.steps.append(step)
        if step.operation == "store":
            self.stored.add(step.location)

    def take(self) -> Iterator[Line]:
        steps, self.steps, self.stored = self.steps, [], set()
        if not steps:
            return
        others = steps[0].operation in _ABOUT_OTHERS
        frame = telling_frame(steps[0].stack)
        said = _about_others(steps) if others else ", ".join(_effects(steps, self.read_before))
        if said:
            numbers = frozenset(step.number for step in steps)
            yield Line(steps[0].thread, said, frame, len(steps), _only(steps), numbers)

    def _belongs(self, step: Step) -> bool:
        last = self.steps[-1]
        if step.operation in _ABOUT_OTHERS or last.operation in _ABOUT_OTHERS:
            return step.operation == last.operation
        if self._comes_round(step):
            return False
        mine, its = call_stack(last.stack).place, call_stack(step.stack).place
        return mine is not None and mine == its

    def _comes_round(self, step: Step) -> bool:
        """Whether a loop on one line has begun again: it writes once more what it has written."""
        return step.operation == "store" and step.location in self.stored


def _only(steps: Sequence[Step]) -> str:
    operation = steps[0].operation if len(steps) == 1 else ""
    if steps[0].operation in _ABOUT_OTHERS:
        return "others"
    return "locks" if operation == "lock" else "unlocks" if operation == "unlock" else ""


def _about_others(steps: Sequence[Step]) -> str:
    names = [step.location or "a thread" for step in steps]
    if steps[0].operation == "spawn":
        return f"start {', '.join(names)}"
    return f"join {', '.join(name.partition(' ')[0] for name in names)}"


def read_before_writes(steps: Sequence[Step]) -> dict[int, str]:
    """Number of a write -> what its thread had last read there, if that was changed behind its back."""
    accessed: dict[int, LastWriters] = defaultdict(LastWriters)  # of each thread: who accessed what last
    by_number: dict[int, Step] = {}
    found: dict[int, str] = {}
    for step in steps:
        if step.operation not in MEMORY_OPERATIONS or not step.location:
            continue
        size = max(step.size, 1)
        if step.operation == "store":
            known = by_number.get(max(accessed[step.thread].of(step.address, size), default=0))
            is_read = known is not None and known.operation == "load" and is_same_memory(known, step)
            if known is not None and is_read and known.before != step.before:
                found[step.number] = known.before
        accessed[step.thread].write(step.address, size, step.number)
        by_number[step.number] = step
    return found


def _effects(steps: Sequence[Step], read_before: dict[int, str]) -> list[str]:
    """What steps on one line did, without what follows from the others: `x: 1 → 2` for a read and a write."""
    said: list[str] = []
    told: set[str] = set()
    known: dict[str, tuple[int, str]] = {}  # memory -> where it is told, and its value at first
    for step in steps:
        if len(said) > _MOST_EFFECTS:
            return [*said, "…"]
        if is_inside_library(step):
            call = _library_call(step)
            if call and call not in told:
                said.append(call)
                told.add(call)
            continue
        if step.operation not in ("load", "store") or not step.location or step.after == UNKNOWN:
            known.clear()
            text = describe_step(step)
            if text not in told:
                said.append(text)
                told.add(text)
            continue
        at, first = known.get(step.location, (-1, step.before))
        if at < 0:
            at = len(said)
            said.append("")
            known[step.location] = (at, first)
            said[at] = describe_step(step) if step.operation == "load" or step.before == step.after else ""
        if step.operation == "store" and step.before != step.after:
            said[at] = f"{step.location}: {first} → {step.after}"
            if step.number in read_before:
                said[at] += f", having read {read_before[step.number]}"
    return said


def _library_call(step: Step) -> str:
    """What the user's code has called, for all accesses of that; nothing for how threads are started."""
    called = called_by_user(step.stack)
    if called is None or "thread" in Path(called.file or "").name:
        return ""
    return f"{short_function(called.function)}()"
