"""Who waits for whom when an execution is stuck: the chain of threads, and whether it closes to a circle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from norn.model import Finding, ThreadState
from norn.report.execution import Execution
from norn.report.words import describe_state


@dataclass(frozen=True)
class Wait:
    """A thread, what it waits for in words, and who could end that."""

    thread: int
    name: str
    said: str  # "waits to lock the mutex m"
    by: str  # "held by T2 worker", "nobody is left to do it"
    on: int | None  # the thread it waits for, if there is one
    object: str = ""  # the lock that this thread holds


@dataclass(frozen=True)
class Chain:
    """Each waits for the next one. Closed: the last one for the first."""

    waits: tuple[Wait, ...]
    closed: bool


def find_chains(finding: Finding, execution: Execution) -> list[Chain]:
    """Every thread that waits, once: circles first."""
    waiting = {state.id: _wait(state, finding, execution) for state in finding.threads if _waits(state)}
    chains: list[Chain] = []
    left = dict(waiting)
    for circle in _circles(waiting):
        chains.append(Chain(tuple(left.pop(thread) for thread in circle), closed=True))
    # What is left leads somewhere: begin with those that nobody waits for.
    for first in sorted(left, key=lambda thread: any(wait.on == thread for wait in left.values())):
        chain: list[Wait] = []
        at: int | None = first
        while at is not None and at in left:
            chain.append(left.pop(at))
            at = chain[-1].on
        if chain:
            chains.append(Chain(tuple(chain), closed=False))
    return chains


def _waits(state: ThreadState) -> bool:
    return state.state in ("waiting", "looping")


def _wait(state: ThreadState, finding: Finding, execution: Execution) -> Wait:
    names = finding.trace.threads if finding.trace is not None else {}
    if state.state == "looping":
        return Wait(state.id, state.name, describe_state(state), "nobody is left to end it", None)
    for thread, name in names.items():
        if state.object == name:
            return Wait(state.id, state.name, describe_state(state), "", thread)
    holders = [
        span.thread
        for span in execution.spans
        if span.last is None and not span.waits and span.name == state.object
    ]
    others = [thread for thread in holders if thread != state.id]
    holders = others or holders  # who has it for reading, and waits for it, waits for the others
    if "lock" in state.detail and holders:
        held = ", ".join(names.get(each, f"T{each}") for each in holders)
        return Wait(
            state.id, state.name, describe_state(state), f"held by {held}", holders[0], state.object or ""
        )
    return Wait(state.id, state.name, describe_state(state), "nobody is left to end that", None)


def _circles(waiting: dict[int, Wait]) -> list[list[int]]:
    """Each thread waits for one other at most, so circles do not meet."""
    found: list[list[int]] = []
    seen: set[int] = set()
    for first in waiting:
        path: list[int] = []
        at: int | None = first
        while at is not None and at in waiting and at not in seen:
            seen.add(at)
            path.append(at)
            at = waiting[at].on
        if at in path:
            found.append(_from(path, path.index(at)))
    return found


def _from(path: Sequence[int], begin: int) -> list[int]:
    return list(path[begin:])
