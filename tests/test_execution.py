"""What pictures of an execution are made from: sources of reads, locks held, waits, values at each step."""

from __future__ import annotations

import pytest

from norn.model import Finding, Frame, Step, ThreadState, Trace
from norn.report.execution import Link, LinkKind, examine
from norn.report.waits_for import find_chains

THREADS = {0: "T0 main", 1: "T1 worker", 2: "T2 other"}
NUMBERS = {
    "x": (0x100, 4),
    "pair": (0x200, 8),
    "pair.b": (0x204, 4),
    "m": (0x300, 4),
    "c": (0x400, 4),
    "s": (0x500, 4),
    "n": (0x600, 4),
}


def execution_of(*steps: tuple[int, str, str] | tuple[int, str, str, str, str]):
    """Steps as (thread, operation, location, before, after); those that change something write."""
    return examine(Trace(THREADS, tuple(step_of(number, *step) for number, step in enumerate(steps, 1))))


def step_of(number, thread, operation, location="", before="0", after=None, woken="") -> Step:
    address, size = NUMBERS.get(location, (0, 0))
    reads = operation in ("load", "trylock") and after is None
    frame = (Frame("f", "a.c", number),)
    return Step(
        number,
        thread,
        operation,
        location,
        before,
        before if after is None else after,
        not reads,
        True,
        0,
        1,
        frame,
        woken,
        address,
        size,
    )


def values_of(execution, name: str, last: int) -> list[str | None]:
    (variable,) = [each for each in execution.variables if each.name == name]
    return [variable.at(number) for number in range(last + 1)]


def test_a_read_is_linked_to_the_write_it_found():
    execution = execution_of(
        (1, "store", "x", "0", "1"),
        (2, "store", "x", "1", "2"),
        (1, "load", "x", "2"),
        (2, "load", "x", "2"),
    )
    # Not to the write before, and not within a thread.
    assert execution.links == (Link(LinkKind.READS_FROM, 2, 3),)


def test_a_read_of_several_parts_has_several_sources():
    execution = execution_of(
        (1, "store", "pair", "0", "1"), (2, "store", "pair.b", "0", "1"), (0, "load", "pair", "digest")
    )
    assert {(link.begin, link.end) for link in execution.links} == {(1, 3), (2, 3)}


def test_starts_ends_and_wake_ups_are_linked():
    execution = execution_of(
        (0, "spawn", "T1 worker"),
        (1, "wait", "c"),
        (0, "signal", "c", "1", "0", "T1 worker"),
        (1, "wake-lock", "m"),
        (1, "end"),
        (0, "join", "T1 worker"),
    )
    assert [(link.kind.value, link.begin, link.end) for link in execution.links] == [
        ("starts", 1, 2),
        ("wakes", 3, 4),
        ("ends", 5, 6),
    ]


def test_a_broadcast_wakes_all():
    execution = execution_of(
        (1, "wait", "c"),
        (2, "wait", "c"),
        (0, "broadcast", "c", "2", "0"),
        (2, "wake-lock", "m"),
        (1, "wake-lock", "m"),
    )
    assert [(link.begin, link.end) for link in execution.links if link.kind is LinkKind.WAKES] == [
        (3, 4),
        (3, 5),
    ]


def test_locks_are_held_from_taking_to_giving_back():
    execution = execution_of(
        (1, "lock", "m"),
        (2, "trylock", "m"),
        (1, "lock", "m"),
        (1, "unlock", "m"),
        (1, "unlock", "m"),
        (2, "lock", "m"),
    )
    assert [(span.thread, span.first, span.last) for span in execution.spans] == [(1, 1, 5), (2, 6, None)]
    held = values_of(execution, "m", 6)
    assert held == ["free", *["held by T1 worker"] * 4, "free", "held by T2 other"]


def test_a_wait_lasts_until_it_ends():
    execution = execution_of(
        (1, "wait", "c"), (2, "wait", "c"), (0, "signal", "c", "2", "1", "T2 other"), (2, "wake-lock", "m")
    )
    waits = {(span.thread, span.first, span.last) for span in execution.spans if span.waits}
    assert waits == {(2, 2, 4), (1, 1, None)}
    assert values_of(execution, "c", 4) == [
        "nobody waits",
        "T1 worker waits",
        "T1 worker, T2 other wait",
        "T1 worker waits",
        "T1 worker waits",
    ]


def test_values_change_where_they_are_written():
    execution = execution_of((1, "load", "x", "7"), (1, "store", "x", "7", "8"), (2, "load", "x", "8"))
    assert values_of(execution, "x", 3) == ["7", "7", "8", "8"]


def test_what_is_written_as_part_of_something_larger_is_not_known():
    execution = execution_of(
        (1, "store", "pair.b", "0", "1"),
        (2, "store", "pair", "digest 1", "digest 2"),
        (1, "load", "pair.b", "5"),
    )
    assert values_of(execution, "pair.b", 3) == ["0", "1", None, "5"]


def test_a_semaphore_counts():
    execution = execution_of((1, "sem-post", "s", "0", "1"), (2, "sem-wait", "s", "1", "0"))
    assert values_of(execution, "s", 2) == ["0", "1", "0"]
    assert [(link.kind, link.begin, link.end) for link in execution.links] == [(LinkKind.HANDS_OVER, 1, 2)]


def finding_of(steps, *states: ThreadState) -> Finding:
    trace = Trace(THREADS, tuple(step_of(number, *step) for number, step in enumerate(steps, 1)))
    return Finding("deadlock", "they wait for ever", 1, None, states, "norn1.A", trace)


def waiting(thread: int, detail: str, thing: str) -> ThreadState:
    return ThreadState(thread, THREADS[thread], "waiting", detail, thing, ())


@pytest.mark.parametrize("first", [1, 2])
def test_threads_that_wait_for_each_other_are_a_circle(first):
    states = [
        waiting(0, "waits for a thread to end", "T1 worker"),
        waiting(1, "waits to lock the mutex", "n"),
        waiting(2, "waits to lock the mutex", "m"),
    ]
    finding = finding_of([(1, "lock", "m"), (2, "lock", "n")], *(states if first == 1 else reversed(states)))
    circle, rest = find_chains(finding, examine(finding.trace))
    assert circle.closed
    assert {(wait.thread, wait.on) for wait in circle.waits} == {(1, 2), (2, 1)}
    assert {wait.by for wait in circle.waits} == {"held by T1 worker", "held by T2 other"}
    assert not rest.closed
    assert [(wait.thread, wait.on) for wait in rest.waits] == [(0, 1)]


def test_who_waits_for_nobody_ends_the_chain():
    finding = finding_of(
        [(1, "wait", "c")],
        waiting(0, "waits for a thread to end", "T1 worker"),
        waiting(1, "waits on the condition variable", "c"),
    )
    (chain,) = find_chains(finding, examine(finding.trace))
    assert [wait.thread for wait in chain.waits] == [0, 1]
    assert not chain.closed


def test_a_barrier_counts_arrivals():
    execution = execution_of(
        (1, "barrier-wait", "s", "0", "1"), (2, "barrier-wait", "s", "1", "0"), (1, "barrier-wake", "s")
    )
    assert values_of(execution, "s", 3) == ["0 arrived", "1 arrived", "0 arrived", "0 arrived"]
    assert [(link.begin, link.end) for link in execution.links] == [(2, 3)]
    # Who arrives last does not wait.
    assert [(span.thread, span.first, span.last) for span in execution.spans] == [(1, 1, 3)]
