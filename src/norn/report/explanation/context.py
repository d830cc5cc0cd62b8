"""What every part of an explanation is made from: the finding, its execution, and what follows from that."""

from __future__ import annotations

from functools import cached_property

from norn.model import Finding, Step, Trace
from norn.report.explanation.sentence import Places
from norn.report.held_locks import LOCKS, HeldLocks
from norn.report.memory_history import History
from norn.report.turns import Turns

_STUCK = ("deadlock", "livelock")


class Context:
    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        self.trace = finding.trace if finding.trace is not None else Trace({}, ())
        self.history = History(self.trace.steps)
        self.places = Places(finding, self.trace)
        self.turns = Turns(self.trace.steps)

    @property
    def is_stuck(self) -> bool:
        """Nobody can go on; else one thread has failed."""
        return self.finding.kind in _STUCK

    @property
    def failed(self) -> int:
        """The thread that failed."""
        return self.finding.thread

    def locks(self, step: Step) -> tuple[str, ...]:
        """Those that the thread of the step held then."""
        return self._locks[step.number - 1]

    def behind(self, step: Step) -> str:
        """` (line 14)`."""
        return self.places.behind(step)

    @cached_property
    def _locks(self) -> list[tuple[str, ...]]:
        held = HeldLocks()
        now: dict[int, tuple[str, ...]] = {}  # thread -> locks
        found = []
        for step in self.trace.steps:
            if step.operation in LOCKS:
                held.note(step)
                now[step.thread] = held.of(step.thread)
            found.append(now.get(step.thread, ()))
        return found
