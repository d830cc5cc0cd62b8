"""Makes a readable Trace of the steps of a replayed execution: names, values, and which steps matter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from norn import protocol
from norn.data_types import Scalar, digest
from norn.model import Frame, Step, Trace
from norn.session import Outcome
from norn.symbolize import Symbols, code_addresses, short_function

# Operations on memory; all others are synchronisation.
MEMORY_OPERATIONS = frozenset({"load", "store", "rmw", "compare-exchange", "free"})
# Start functions that say nothing: code outside the executable, and what libstdc++ starts every thread with.
_UNTELLING_STARTS = frozenset({"?", "execute_native_thread_routine"})
# Synchronisation that nobody needs to see to understand a failure.
_QUIET_OPERATIONS = frozenset({"end", "mutex-init", "cond-init"})


def make_trace(outcome: Outcome, symbols: Symbols) -> Trace:
    addresses = [address for step in outcome.steps for address in code_addresses(step.stack)]
    starts = [thread.start for thread in outcome.threads if thread.start]
    symbols.prepare([*addresses, *starts])
    names = thread_names(outcome, symbols)
    shared = _shared_and_written(outcome.steps)
    spawned = _SpawnedThreads(outcome.threads)
    ended = {step.address: step.thread for step in outcome.steps if step.operation == "end"}
    steps = []
    for number, step in enumerate(outcome.steps, 1):
        kind: Scalar | None = None
        if step.operation == "spawn":
            child = spawned.next_of(step.thread)
            location = names.get(child, f"T{child}") if child is not None else ""
        elif step.operation == "join" and step.address in ended:
            location = names.get(ended[step.address], f"T{ended[step.address]}")
        elif step.operation in ("end", "join", "choose"):
            location = ""
        else:
            location, kind = symbols.data(step.address, step.size)
        steps.append(
            Step(
                number=number,
                thread=step.thread,
                operation=step.operation,
                location=location,
                before=_show(step.before, step.size, kind),
                after=_show(step.after, step.size, kind),
                writes=step.writes,
                matters=_matters(step, shared),
                choice=step.choice,
                alternatives=step.alternatives,
                stack=symbols.stack(step.stack),
            )
        )
    return Trace(names, tuple(steps))


def thread_names(outcome: Outcome, symbols: Symbols) -> dict[int, str]:
    """`T1 worker`: the id and the function the thread started in."""
    names = {0: "T0 main"}
    for thread in outcome.threads:
        if thread.id != 0:
            function = symbols.function(thread.start) if thread.start else "?"
            if function in _UNTELLING_STARTS:
                own = (symbols.stack(step.stack) for step in outcome.steps if step.thread == thread.id)
                function = _outermost_function(own)
            names[thread.id] = f"T{thread.id} {function}" if function != "?" else f"T{thread.id}"
    return names


def _outermost_function(stacks: Iterable[tuple[Frame, ...]]) -> str:
    """Where a thread entered the user's sources, for one that a library started: std::thread for one."""
    for stack in stacks:
        for frame in reversed(stack):
            if frame.place and not frame.is_system:
                return short_function(frame.function)
    return "?"


class _SpawnedThreads:
    """Which thread a spawn created: ids go by creation, so the n-th spawn of a thread made its n-th child."""

    def __init__(self, threads: Sequence[protocol.Thread]) -> None:
        self._children: dict[int, list[int]] = defaultdict(list)
        for thread in sorted(threads, key=lambda thread: thread.id, reverse=True):
            if thread.parent is not None and thread.id != 0:
                self._children[thread.parent].append(thread.id)

    def next_of(self, parent: int) -> int | None:
        children = self._children[parent]
        return children.pop() if children else None


def _matters(step: protocol.Step, shared: set[int]) -> bool:
    if step.operation in _QUIET_OPERATIONS:
        return False
    if step.operation not in MEMORY_OPERATIONS:
        return True
    return step.address in shared


def _shared_and_written(steps: Sequence[protocol.Step]) -> set[int]:
    """Addresses of memory steps that overlap memory which several threads touch and somebody writes."""
    accesses = sorted(
        (step.address, step.address + max(step.size, 1), step.thread, step.writes)
        for step in steps
        if step.operation in MEMORY_OPERATIONS
    )
    found: set[int] = set()
    group: set[int] = set()
    threads: set[int] = set()
    written = False
    end = -1
    for start, stop, thread, writes in accesses:
        if start >= end:
            if written and len(threads) > 1:
                found |= group
            group, threads, written, end = set(), set(), False, stop
        group.add(start)
        threads.add(thread)
        written = written or writes
        end = max(end, stop)
    return found | group if written and len(threads) > 1 else found


def _show(value: int, size: int, kind: Scalar | None) -> str:
    if kind is not None:
        return kind.show(value)
    if size > 8:
        return digest(value)
    return f"{value:#x}" if value > 0xFFFF else str(value)
