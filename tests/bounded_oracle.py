"""The oracle's answers for searches that see some executions only, from the definitions.

`fewest_preemptions`: of each Mazurkiewicz class, with how many preemptions it can be had.
`classes_within`: the classes of a program whose threads stop after so many events.

Both go over the classes of prefixes that the oracle has found. It knows no event for the end of a thread; but
to end at once never costs a preemption, and takes nothing from anybody.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracle import ENDED, RUNNING, Class, ImpossibleTrace, Oracle, Prefix, TraceEvent


def fewest_preemptions(oracle: Oracle) -> dict[Class, int]:
    """A preemption is a switch away from a thread that could have gone on."""
    fewest: dict[Class, int] = {}
    seen: dict[tuple[int, int | None], int] = {}  # prefix, thread of its last event -> preemptions
    pending: list[tuple[Prefix, int | None, int]] = [(oracle.start, None, 0)]
    while pending:
        prefix, last, preemptions = pending.pop()
        key = (id(prefix), last)
        if seen.get(key, preemptions + 1) <= preemptions:
            continue
        seen[key] = preemptions
        able = {event.position[0] for event, _ in prefix.following}
        if not able:
            fewest[prefix.threads] = min(preemptions, fewest.get(prefix.threads, preemptions))
        for event, after in prefix.following:
            thread = event.position[0]
            pending.append((after, thread, preemptions + (last in able and thread != last)))
    return fewest


def classes_within(oracle: Oracle, thread_events: int) -> set[Class]:
    """Maximal ones. The end of a thread is an event of it, too."""
    maximal = set()
    seen = {id(oracle.start)}
    pending = [oracle.start]
    while pending:
        prefix = pending.pop()
        following = [
            after
            for event, after in prefix.following
            if event.position[1] <= thread_events and _is_possible(event.label, prefix, thread_events)
        ]
        if not following:
            maximal.add(prefix.threads)
        for after in following:
            if id(after) not in seen:
                seen.add(id(after))
                pending.append(after)
    return maximal


def class_of_prefix(oracle: Oracle, trace: Sequence[TraceEvent]) -> Class:
    """The class of the beginning of an execution. Every event must be as the definitions say."""
    prefix = oracle.start
    for performed in trace:
        if performed[1] == "end":
            if prefix.threads[performed[0]].local.status != ENDED:
                raise ImpossibleTrace(f"{performed} is not possible here")
            continue
        following = [after for event, after in prefix.following if event.label == performed]
        if not following:
            raise ImpossibleTrace(f"{performed} is not possible here")
        prefix = following[0]
    return prefix.threads


def has_cut_thread(threads: Class, thread_events: int) -> bool:
    """Whether some thread would have had another event, though not all of them could be performed."""
    return any(
        event.position[1] >= thread_events and event.local.status in (ENDED, RUNNING) for event in threads
    )


def _is_possible(label: tuple[object, ...] | None, prefix: Prefix, thread_events: int) -> bool:
    """A thread that was stopped before its end cannot be joined."""
    if label is None or label[1] != "join":
        return True
    return prefix.threads[int(str(label[3])[1:])].position[1] < thread_events
