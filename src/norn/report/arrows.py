"""Who had what from whom in one execution: which write a read read from, what synchronisation ordered what.

Learned from the steps of a replay, which are in the order in which they happened and know their addresses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from norn.model import Step, Trace
from norn.trace import MEMORY_OPERATIONS


@dataclass(frozen=True)
class Arrow:
    """From one step to a later one of another thread, by their numbers."""

    source: int
    target: int
    synchronises: bool  # else: reads from


def arrows_of(trace: Trace) -> list[Arrow]:
    """Every arrow between threads, in the order of the steps that it leads to."""
    memory = _Memory()
    changed: dict[int, Step] = {}  # object of synchronisation -> the step that last changed it
    last: dict[int, Step] = {}  # thread -> its last step so far
    began: dict[str, Step] = {}  # name of a thread that has not done anything yet -> its spawn
    woken: dict[str, Step] = {}  # name of a thread that waits -> the signal for it
    found: list[Arrow] = []
    for step in trace.steps:
        name = trace.threads.get(step.thread, f"T{step.thread}")
        for cause in (began.pop(name, None), woken.pop(name, None)):
            if cause is not None:
                found.append(Arrow(cause.number, step.number, True))
        match step.operation:
            case "spawn":
                began[step.location] = step
            case "join" | "try-join":
                ended = _last_of(step.location, trace, last)
                if ended is not None and not (step.operation == "try-join" and step.before == "0"):
                    found.append(Arrow(ended.number, step.number, True))
            case operation if operation in MEMORY_OPERATIONS:
                if operation not in ("store", "free"):
                    found += [
                        Arrow(write.number, step.number, False)
                        for write in memory.read(step)
                        if write.thread != step.thread
                    ]
                if step.writes:
                    memory.write(step)
            case _ if step.address:
                before = changed.get(step.address)
                if before is not None and before.thread != step.thread:
                    found.append(Arrow(before.number, step.number, True))
                if step.writes:
                    changed[step.address] = step
        if step.woken:
            woken[step.woken] = step
        last[step.thread] = step
    return found


def _last_of(name: str, trace: Trace, last: dict[int, Step]) -> Step | None:
    thread = next((number for number, known in trace.threads.items() if known == name), None)
    return last.get(thread) if thread is not None else None


class _Memory:
    """Which step wrote each byte last."""

    def __init__(self) -> None:
        self._writers: dict[int, Step] = {}

    def write(self, step: Step) -> None:
        for byte in _bytes_of(step):
            self._writers[byte] = step

    def read(self, step: Step) -> Sequence[Step]:
        """The writes that a read has its bytes from, each once."""
        found = {}
        for byte in _bytes_of(step):
            writer = self._writers.get(byte)
            if writer is not None:
                found[writer.number] = writer
        return list(found.values())


# Of larger accesses the beginning stands for the whole.
_MOST_BYTES = 4096


def _bytes_of(step: Step) -> range:
    return range(step.address, step.address + min(max(step.size, 1), _MOST_BYTES))
