"""What follows from the steps of an execution, for pictures of it: who read from whom, who held which lock,
who waited, and what every shared variable held at each step. Plain data, no layout; `html` draws it.
"""

from __future__ import annotations

import bisect
import enum
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from norn.model import Step, Trace
from norn.report.last_writers import LastWriters
from norn.trace import MEMORY_OPERATIONS

_READS = frozenset({"load", "rmw", "compare-exchange"})
_TAKES = frozenset({"lock", "wake-lock", "robust-lock", "rwlock-read", "rwlock-write"})
_MAY_TAKE = frozenset({"trylock", "robust-trylock", "rwlock-try-read", "rwlock-try-write"})
_GIVES_BACK = frozenset({"unlock", "robust-unlock", "rwlock-unlock"})
_LOCKS = _TAKES | _MAY_TAKE | _GIVES_BACK
_SEMAPHORES = frozenset({"sem-wait", "sem-trywait", "sem-post"})
_QUEUES = frozenset({"wait", "wait-end", "signal", "broadcast"})
_BARRIERS = frozenset({"barrier-wait"})
_OBJECTS = _LOCKS | _SEMAPHORES | _QUEUES | _BARRIERS
_GOES_ON = frozenset({"wake-lock", "barrier-wake", "wait-end"})
_HANDS_OVER = frozenset({"barrier-wake", "once-begin"}) | _SEMAPHORES | _TAKES | _MAY_TAKE


class LinkKind(enum.StrEnum):
    READS_FROM = "reads-from"  # a read and the write whose value it found
    STARTS = "starts"  # a thread and its first step
    ENDS = "ends"  # the end of a thread and the join that waited for it
    WAKES = "wakes"  # a signal and what the woken thread does next
    HANDS_OVER = "hands-over"  # a lock, semaphore or barrier that passes from one thread to another


@dataclass(frozen=True)
class Link:
    """Two steps of different threads of which the first made the second what it is. Numbers of steps."""

    kind: LinkKind
    begin: int
    end: int


@dataclass(frozen=True)
class Span:
    """A thread holds something, or waits for it, from one step to another; to the end if `last` is None."""

    thread: int
    name: str
    first: int
    last: int | None
    waits: bool = False


@dataclass(frozen=True)
class Value:
    """From the step `since` on. None: not known, since it was written as part of something else."""

    since: int
    text: str | None


@dataclass(frozen=True)
class Variable:
    """What a shared variable, lock, condition variable or semaphore holds, over time."""

    name: str
    values: tuple[Value, ...]
    touched: tuple[int, ...]  # numbers of the steps that are about it
    is_memory: bool = True

    def at(self, number: int) -> str | None:
        """Its value after that step."""
        place = bisect.bisect_right([value.since for value in self.values], number) - 1
        return self.values[place].text if place >= 0 else None


@dataclass(frozen=True)
class Execution:
    """All of this, of one trace."""

    links: tuple[Link, ...]
    spans: tuple[Span, ...]
    variables: tuple[Variable, ...]  # in the order of their first step


def examine(trace: Trace) -> Execution:
    return Execution(
        tuple(_links(trace)), tuple(_spans(trace.steps)), tuple(_variables(trace.steps, trace.threads))
    )


def _links(trace: Trace) -> Iterator[Link]:
    """In the order in which they end."""
    writers = LastWriters()
    thread_of = {step.number: step.thread for step in trace.steps}
    by_name = {name: thread for thread, name in trace.threads.items()}
    started: dict[int, int] = {}  # thread -> the spawn whose child has not run yet
    ended: dict[int, int] = {}
    woken: dict[int, int] = {}
    queues: dict[int, list[int]] = defaultdict(list)
    arrived: dict[int, int] = {}  # barrier -> the last arrival

    for step in trace.steps:
        if step.thread in started:
            yield Link(LinkKind.STARTS, started.pop(step.thread), step.number)
        if step.operation in _GOES_ON and step.thread in woken:
            yield Link(LinkKind.WAKES, woken.pop(step.thread), step.number)
        elif step.operation == "barrier-wake" and arrived.get(step.address, 0):
            if thread_of[arrived[step.address]] != step.thread:
                yield Link(LinkKind.HANDS_OVER, arrived[step.address], step.number)
        elif step.operation in _READS or step.operation in _HANDS_OVER:
            kind = LinkKind.READS_FROM if step.operation in _READS else LinkKind.HANDS_OVER
            for source in writers.of(step.address, step.size):
                if thread_of[source] != step.thread:
                    yield Link(kind, source, step.number)
        match step.operation:
            case "spawn" if step.location in by_name:
                started[by_name[step.location]] = step.number
            case "end":
                ended[step.thread] = step.number
            case "join" if by_name.get(step.location) in ended:
                yield Link(LinkKind.ENDS, ended[by_name[step.location]], step.number)
            case "wait":
                queues[step.address].append(step.thread)
            case "wait-end" if step.thread in queues[step.address]:
                queues[step.address].remove(step.thread)
            case "signal" if by_name.get(step.woken) in queues[step.address]:
                woken[by_name[step.woken]] = step.number
                queues[step.address].remove(by_name[step.woken])
            case "broadcast":
                woken |= dict.fromkeys(queues.pop(step.address, ()), step.number)
            case "barrier-wait":
                arrived[step.address] = step.number
        if step.writes:
            writers.write(step.address, step.size, step.number)


def _spans(steps: Sequence[Step]) -> Iterator[Span]:
    held: dict[tuple[int, int], list[Step]] = defaultdict(
        list
    )  # (thread, lock) -> how it was taken, and again
    waiting: dict[int, Step] = {}
    sections: dict[int, Step] = {}
    for step in steps:
        if step.thread in waiting and step.operation in _GOES_ON:
            entered = waiting.pop(step.thread)
            yield Span(step.thread, entered.location, entered.number, step.number, waits=True)
        key = (step.thread, step.address)
        if _takes(step):
            held[key].append(step)
        elif step.operation in _GIVES_BACK and held[key]:
            taken = held[key].pop()
            if not held[key]:
                yield Span(step.thread, taken.location, taken.number, step.number)
        elif step.operation == "wait" or (step.operation == "barrier-wait" and step.after != "0"):
            waiting[step.thread] = step  # (the last one to arrive at a barrier goes on)
        elif step.operation == "section-begin":
            sections[step.thread] = step
        elif step.operation == "section-end" and step.thread in sections:
            yield Span(step.thread, "atomic section", sections.pop(step.thread).number, step.number)
    for (thread, _), taken_by in held.items():
        if taken_by:
            yield Span(thread, taken_by[0].location, taken_by[0].number, None)
    for thread, entered in waiting.items():
        yield Span(thread, entered.location, entered.number, None, waits=True)
    for thread, begun in sections.items():
        yield Span(thread, "atomic section", begun.number, None)


def _takes(step: Step) -> bool:
    return step.operation in _TAKES or (step.operation in _MAY_TAKE and step.writes)


def _variables(steps: Sequence[Step], threads: dict[int, str]) -> Iterator[Variable]:
    """Those that matter: the memory that some step that matters is about, and what threads synchronise by."""
    wanted = {
        _key(step): None
        for step in steps
        if step.matters and step.location and step.operation in MEMORY_OPERATIONS and step.size
    }
    synchronising = {
        step.address: None for step in steps if step.matters and step.location and step.operation in _OBJECTS
    }
    found = [*_memory(steps, wanted), *_objects(steps, synchronising, threads)]
    yield from sorted(found, key=lambda variable: (not variable.is_memory, variable.touched[0]))


_Key = tuple[int, int, str]


def _key(step: Step) -> _Key:
    return step.address, step.size, step.location


def _memory(steps: Sequence[Step], wanted: Collection[_Key]) -> Iterator[Variable]:
    values: dict[_Key, list[Value]] = {key: [] for key in wanted}
    touched: dict[_Key, list[int]] = {key: [] for key in wanted}
    ordered = sorted(wanted)
    largest = max((size for _, size, _ in ordered), default=0)
    for step in steps:
        if step.operation not in MEMORY_OPERATIONS:
            continue
        key = _key(step)
        if key in values:
            touched[key].append(step.number)
            known = values[key]
            if not known:
                known.append(Value(0, step.before))  # nobody has written it before, or it would be known
            elif known[-1].text != step.before and step.operation != "free":
                known.append(Value(step.number, step.before))
            after = "freed" if step.operation == "free" else step.after
            if step.writes and known[-1].text != after:
                known.append(Value(step.number, after))
        if not step.writes:
            continue
        first = bisect.bisect_left(ordered, (step.address - largest,))
        last = bisect.bisect_left(ordered, (step.address + step.size,))
        for other in ordered[first:last]:
            if other != key and other[0] + other[1] > step.address:
                values[other].append(Value(step.number, "freed" if step.operation == "free" else None))
    for key, numbers in touched.items():
        yield Variable(key[2], tuple(_distinct(values[key])), tuple(numbers))


def _distinct(values: Sequence[Value]) -> Iterator[Value]:
    """Only where it changes, and one for each step: the last."""
    last = {value.since: value for value in values}
    previous: Value | None = None
    for value in last.values():
        if previous is None or value.text != previous.text:
            yield value
        previous = value


def _objects(steps: Sequence[Step], wanted: Iterable[int], threads: dict[int, str]) -> Iterator[Variable]:
    steps_of: dict[int, list[Step]] = {address: [] for address in wanted}
    for step in steps:
        if step.address in steps_of and step.operation not in MEMORY_OPERATIONS:
            steps_of[step.address].append(step)
    for own in steps_of.values():
        about = [step for step in own if step.operation in _OBJECTS]
        if any(step.operation in _SEMAPHORES for step in about):
            first = next(step for step in about if step.operation in _SEMAPHORES)
            values = [
                Value(0, first.before),
                *(Value(step.number, step.after) for step in own if step.writes),
            ]
        elif any(step.operation in _LOCKS for step in about):
            values = [Value(0, "free"), *_holders(about, threads)]
        elif any(step.operation in _BARRIERS for step in about):
            values = [Value(0, "0 arrived"), *(Value(each.number, f"{each.after} arrived") for each in about)]
        else:
            values = [Value(0, "nobody waits"), *_waiters(about, threads)]
        yield Variable(
            about[0].location, tuple(_distinct(values)), tuple(step.number for step in own), is_memory=False
        )


def _holders(about: Sequence[Step], threads: dict[int, str]) -> Iterator[Value]:
    holders: list[int] = []
    for step in about:
        if _takes(step):
            holders.append(step.thread)
        elif step.operation in _GIVES_BACK and step.thread in holders:
            holders.remove(step.thread)
        names = ", ".join(threads.get(each, f"T{each}") for each in dict.fromkeys(holders))
        yield Value(step.number, f"held by {names}" if names else "free")


def _waiters(about: Sequence[Step], threads: dict[int, str]) -> Iterator[Value]:
    queue: list[int] = []
    by_name = {name: thread for thread, name in threads.items()}
    for step in about:
        match step.operation:
            case "wait":
                queue.append(step.thread)
            case "wait-end" if step.thread in queue:
                queue.remove(step.thread)
            case "signal" if by_name.get(step.woken) in queue:
                queue.remove(by_name[step.woken])
            case "broadcast":
                queue.clear()
        names = ", ".join(threads.get(each, f"T{each}") for each in queue)
        yield Value(
            step.number, f"{names} {'waits' if len(queue) == 1 else 'wait'}" if names else "nobody waits"
        )
