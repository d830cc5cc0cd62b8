"""Steps of a thread on one line of the source, as one line of the story."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from norn.model import UNKNOWN, Step, telling_frame
from norn.report.library_calls import called_by_user, is_inside_library
from norn.report.memory_history import History, is_same_memory
from norn.report.story.items import Line
from norn.report.words import describe_step
from norn.symbolize import short_function

# Who starts whom and who has ended says little: such steps are told together.
_ABOUT_OTHERS = frozenset({"spawn", "join"})


@dataclass
class LineMaker:
    """Steps that become one line."""

    read_before: dict[int, str]  # see read_before_writes
    steps: list[Step] = field(default_factory=list)

    def add(self, step: Step) -> Iterator[Line]:
        if self.steps and not self._belongs(step):
            yield from self.take()
        self.steps.append(step)

    def take(self) -> Iterator[Line]:
        steps, self.steps = self.steps, []
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
        mine, its = telling_frame(last.stack), telling_frame(step.stack)
        return mine is not None and its is not None and mine.place == its.place

    def _comes_round(self, step: Step) -> bool:
        """Whether a loop on one line has begun again: it writes once more what it has written."""
        return step.operation == "store" and any(
            each.operation == "store" and each.location == step.location for each in self.steps
        )


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
    history = History(steps)
    found: dict[int, str] = {}
    for step in steps:
        if step.operation != "store":
            continue
        known = history.last_before(step.thread, step, step.number - 1)
        if known is None or known.operation != "load" or not is_same_memory(known, step):
            continue
        if known.before != step.before:
            found[step.number] = known.before
    return found


def _effects(steps: Sequence[Step], read_before: dict[int, str]) -> list[str]:
    """What steps on one line did, without what follows from the others: `x: 1 → 2` for a read and a write."""
    said: list[str] = []
    known: dict[str, tuple[int, str]] = {}  # memory -> where it is told, and its value at first
    for step in steps:
        if is_inside_library(step):
            call = _library_call(step)
            if call and call not in said:
                said.append(call)
            continue
        if step.operation not in ("load", "store") or not step.location or step.after == UNKNOWN:
            known.clear()
            text = describe_step(step)
            if text not in said:
                said.append(text)
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
