"""Makes a readable Trace of the steps of a replayed execution: names, values, and which steps matter."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from norn import protocol
from norn.idle_rounds import find_rounds
from norn.memory_names import MemoryNames
from norn.model import UNKNOWN, Frame, Step, Trace, call_stack
from norn.session import Outcome
from norn.symbolize import Symbols, code_addresses, short_function
from norn.type_parts import Part
from norn.values import digest

# Operations on memory; all others are synchronisation.
MEMORY_OPERATIONS = frozenset({"load", "store", "rmw", "compare-exchange", "free"})
# Start functions that say nothing: code outside the executable, and what libstdc++ starts every thread with.
_UNTELLING_STARTS = frozenset({"?", "execute_native_thread_routine"})
# Synchronisation that nobody needs to see to understand a failure.
_QUIET_OPERATIONS = frozenset(
    {"end", "mutex-init", "cond-init", "descriptor-open", "descriptor-set", "descriptor-use"}
)
# What the C++ library asks libc before it counts references.
_LIBRARY_VARIABLES = frozenset({"__libc_single_threaded"})
# What a thread does at its cancellation points.
_CANCELLATION_POINTS = frozenset({"cancel-choice", "cancel-test", "cancel-wait"})
# Operations whose address is a word of the engine, for a thread or the process.
_SIGNALS = frozenset({"signal-setting", "signal-mask", "signal-send", "signal-wait", "signal-take"})
_ENDS = frozenset({"end", "exit-begin", "exit-handler"})
_DESCRIPTORS = frozenset(
    {
        *("descriptor-open", "descriptor-set", "descriptor-use", "channel-look", "channel-await"),
        *("channel-read", "channel-try-read", "channel-write", "channel-try-write", "channel-close"),
    }
)
_ABOUT_THREADS = frozenset(
    {"join", "try-join", "cancel", "attribute", *_ENDS, *_CANCELLATION_POINTS, *_SIGNALS, *_DESCRIPTORS}
)
# So many steps of a failing thread are shown for each reason to show them: a failing line may be in a loop.
_MOST_LEADING_STEPS = 8
_NOTHING = Part("")


def make_trace(outcome: Outcome, symbols: Symbols, memory: MemoryNames | None = None) -> Trace:
    """memory: what its memory is called, if that is known already."""
    memory = memory or MemoryNames(outcome, symbols)
    moments = _without_idle_cancellation_points(outcome.steps)
    outcome = replace(outcome, steps=[outcome.steps[moment] for moment in moments])
    distinct = {tuple(step.stack) for step in outcome.steps}
    addresses = [address for stack in distinct for address in code_addresses(stack)]
    starts = [thread.start for thread in outcome.threads if thread.start]
    symbols.prepare([*addresses, *starts])
    names = thread_names(outcome, symbols)
    shared = _shared_and_written(outcome.steps)
    stacks = [symbols.stack(step.stack) for step in outcome.steps]
    leading = _leading_to_failure(outcome, stacks, symbols)
    rounds = _rounds_of_looping_threads(outcome, shared)
    woken = _woken_threads(outcome.steps)
    spawned = _SpawnedThreads(outcome.threads)
    owners = {
        step.address: step.thread
        for step in outcome.steps
        if step.operation == "end" or step.operation in _CANCELLATION_POINTS
    }
    steps = []
    for number, step in enumerate(outcome.steps, 1):
        operation = step.operation
        part = _NOTHING
        if operation == "spawn":
            child = spawned.next_of(step.thread)
            part = Part(names.get(child, f"T{child}") if child is not None else "")
        elif operation in ("join", "try-join", "cancel") and step.address in owners:
            part = Part(names.get(owners[step.address], f"T{owners[step.address]}"))
        elif operation not in _ABOUT_THREADS and operation != "choose":
            part = memory.of_step(step)
        before = _show(step.before, step.size, part, memory, moments[number - 1])
        is_told = not part.is_implicit and part.name not in _LIBRARY_VARIABLES
        steps.append(
            _made_step(
                number=number,
                thread=step.thread,
                operation=operation,
                location=part.name,
                before=before,
                after=before
                if step.after == step.before
                else _show(step.after, step.size, part, memory, moments[number - 1]),
                writes=step.writes,
                matters=is_told
                and (
                    number in rounds.shown
                    or (number not in rounds.hidden and (number in leading or _matters(step, shared)))
                ),
                choice=step.choice,
                alternatives=step.alternatives,
                stack=stacks[number - 1],
                woken=names.get(woken[number], f"T{woken[number]}") if number in woken else "",
                address=step.address,
                size=step.size,
            )
        )
    return Trace(names, tuple(steps), outcome.result.hidden_steps if outcome.result is not None else 0)


def _made_step(**fields: Any) -> Step:
    """With all of its fields at once: to set them one by one, as a frozen value does, takes most of the time
    that it takes to make a trace."""
    made = object.__new__(Step)
    made.__dict__.update(fields)
    return made


def _without_idle_cancellation_points(steps: Sequence[protocol.Step]) -> list[int]:
    """A replay reports every cancellation point; those of threads that nobody cancels say nothing.

    The numbers of the other steps, from 0.
    """
    cancelled = {step.address for step in steps if step.operation == "cancel"}
    return [
        moment
        for moment, step in enumerate(steps)
        if step.operation not in _CANCELLATION_POINTS or step.address in cancelled
    ]


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


def _leading_to_failure(outcome: Outcome, stacks: Sequence[tuple[Frame, ...]], symbols: Symbols) -> set[int]:
    """Numbers of the steps that a failure follows from, whether or not another thread came to touch the same.

    The execution ends with the failure, and the write that came too late is not in it. So these count: the
    last steps that the failing thread made on the line of the failure and on those that called it, and what
    it last read of memory that nobody had written yet. In a deadlock, every thread that waits has failed;
    that it waits is a step by itself, but what it read before is not. The same holds for a livelock.
    """
    found: set[int] = set()
    for finding in outcome.findings:
        deadlock = finding.kind in ("deadlock", "livelock")
        for thread in finding.threads:
            if thread.id != finding.thread and not deadlock:
                continue
            own = [(number, step) for number, step in enumerate(outcome.steps, 1) if step.thread == thread.id]
            if not deadlock:
                exact = finding.fault and thread.id == finding.thread
                failed = symbols.stack(thread.stack, exact)
                lines = {frame.place for frame in failed if frame.place and not frame.is_system}
                there = [number for number, _ in own if call_stack(stacks[number - 1]).place in lines]
                found.update(there[-_MOST_LEADING_STEPS:])
            found.update(_last_reads_of_unwritten(own, outcome.steps))
    return found


@dataclass(frozen=True)
class _ShownRounds:
    """Of the threads that loop for ever: numbers of the steps to show, and of those to leave out."""

    shown: frozenset[int]
    hidden: frozenset[int]


def _rounds_of_looping_threads(outcome: Outcome, shared: set[int]) -> _ShownRounds:
    """Of each thread that loops for ever its last round, without what it does in memory of its own."""
    shown: set[int] = set()
    hidden: set[int] = set()
    looping = {
        thread.id
        for finding in outcome.findings
        if finding.kind == "livelock"
        for thread in finding.threads
        if thread.state == "looping"
    }
    for thread in looping:
        own = [(number, step) for number, step in enumerate(outcome.steps, 1) if step.thread == thread]
        written = _merged(
            (step.address, step.address + step.size) for _, step in own if step.operation == "store"
        )
        private = frozenset(
            number
            for number, step in own
            if step.operation in MEMORY_OPERATIONS
            and step.address not in shared
            and _overlaps(written, step.address, step.size)
        )
        rounds = find_rounds(own, private)
        hidden |= rounds.earlier | (rounds.last & private)
        shown |= rounds.last - private
    return _ShownRounds(frozenset(shown), frozenset(hidden))


def _last_reads_of_unwritten(
    own: Sequence[tuple[int, protocol.Step]], steps: Sequence[protocol.Step]
) -> list[int]:
    """The last read of each location that has its initial value to the end; the last few of them."""
    last = {
        (step.address, step.size): number
        for number, step in own
        if step.operation in MEMORY_OPERATIONS and not step.writes
    }
    written = _merged({(step.address, step.address + step.size) for step in steps if step.writes})
    unwritten = []
    for (address, size), number in last.items():
        if not _overlaps(written, address, size):
            unwritten.append(number)
    return sorted(unwritten)[-_MOST_LEADING_STEPS:]


def _overlaps(ranges: Sequence[tuple[int, int]], address: int, size: int) -> bool:
    """Whether the memory overlaps one of the ranges, which are in order."""
    last_before = bisect.bisect_left(ranges, (address + size,)) - 1  # the last to start before its end
    return last_before >= 0 and ranges[last_before][1] > address


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same memory in ranges that do not overlap, in order."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _woken_threads(steps: Sequence[protocol.Step]) -> dict[int, int]:
    """Number of the step of a signal -> the thread it woke, where the steps before it tell who waited.

    The alternatives of a signal are the waiting threads in the order of their ids.
    """
    waiting: dict[int, set[int]] = defaultdict(set)
    woken: dict[int, int] = {}
    for number, step in enumerate(steps, 1):
        queue = waiting[step.address]
        match step.operation:
            case "wait":
                queue.add(step.thread)
            case "signal" if step.writes:
                if len(queue) == step.alternatives and step.choice < len(queue):
                    woken[number] = sorted(queue)[step.choice]
                    queue.remove(woken[number])
                else:
                    queue.clear()
            case "broadcast" | "cond-init":
                queue.clear()
    return woken


def _shared_and_written(steps: Sequence[protocol.Step]) -> set[int]:
    """Addresses of memory steps that overlap memory which several threads touch and somebody writes."""
    accesses = sorted(
        {
            (step.address, step.address + max(step.size, 1), step.thread, step.writes)
            for step in steps
            if step.operation in MEMORY_OPERATIONS
        }
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


def _show(value: int | None, size: int, part: Part, memory: MemoryNames, moment: int) -> str:
    if value is None:
        return UNKNOWN
    pointed_to = memory.show(value, part, moment)
    if pointed_to is not None:
        return pointed_to
    if part.scalar is not None:
        return part.scalar.show(value)
    if size > 8:
        return digest(value)
    return f"{value:#x}" if value > 0xFFFF else str(value)
