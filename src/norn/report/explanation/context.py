"""What every part of an explanation is made from: the finding, its execution, and what follows from that."""

from __future__ import annotations

from functools import cached_property

from norn.model import Finding, Step, Trace
from norn.report.explanation.sentence import Places
from norn.report.held_locks import HeldLocks
from norn.report.memory_history import History

_STUCK = ("deadlock", "livelock")


class Context:
    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        self.trace = finding.trace if finding.trace is not None else Trace({}, ())
        self.history = History(self.trace.steps)
        self.places = Places(finding, self.trace)

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
        found = []
        for step in self.trace.steps:
            held.note(step)
            found.append(held.of(step.thread))
        return found
