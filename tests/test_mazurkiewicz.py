"""The explorer `mazurkiewicz` on litmus programs whose classes are known: published counts and by hand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from norn import _engine

if TYPE_CHECKING:
    from norn._engine import Instruction, LitmusResult, Program, TraceEvent


def explore(program: Program) -> LitmusResult:
    """Explores and checks what must hold for every program: nothing redundant, no class twice."""
    result = _engine.explore(program, "mazurkiewicz", keep_traces=True)
    assert result.complete
    assert result.redundant == 0
    assert len(result.traces) == result.executions + result.blocked
    assert len({order_of_conflicts(trace) for trace in result.traces}) == len(result.traces)
    return result


def order_of_conflicts(trace: list[TraceEvent]) -> frozenset[object]:
    """The class of a trace by definition: its events, and for each those before it that conflict with it."""
    names: list[tuple[int, int]] = []
    events = set()
    for thread, operation, access, location, _, _, choice in trace:
        name = (thread, sum(earlier == thread for earlier, _ in names))
        before = frozenset(
            names[i]
            for i, (other, _, other_access, other_location, *_) in enumerate(trace[: len(names)])
            if other != thread and overlapping(location, other_location)
            if {access, other_access} & {"write", "rmw"}
        )
        names.append(name)
        events.add((name, operation, access, location, choice, before))
    return frozenset(events)


def overlapping(one: str, other: str) -> bool:
    """Whether two locations of a trace ("v0", "v0[2:4]") have a byte in common."""
    (one_name, one_bytes), (other_name, other_bytes) = bytes_of(one), bytes_of(other)
    return one_name == other_name != "" and bool(one_bytes & other_bytes)


def bytes_of(location: str) -> tuple[str, set[int]]:
    name, _, part = location.partition("[")
    first, end = map(int, part[:-1].split(":")) if part else (0, 8)
    return name, set(range(first, end))


def lastzero(n: int) -> list[list[Instruction]]:
    reader: list[Instruction] = []
    for i in range(n, -1, -1):
        reader += [("read", 0, i), ("branch", 0, "==", 0, 2 * n)]
    # The stored value is only ever compared with 0.
    writers: list[list[Instruction]] = [[("read", 0, j - 1), ("write", j, 1)] for j in range(1, n + 1)]
    return [reader, *writers]


def race_parametric(n: int) -> list[list[Instruction]]:
    return [[("write", 0, t), ("read", 0, 0)] * n for t in range(2)]


def fib_bench(n: int) -> list[list[Instruction]]:
    # Values play no part in the order of conflicts.
    return [
        [("read", 0, 0), ("read", 0, 1)],
        [("read", 0, 0), ("read", 1, 1), ("write", 0, 1)] * n,
        [("read", 0, 1), ("read", 1, 0), ("write", 1, 1)] * n,
    ]


def sigma(n: int) -> list[list[Instruction]]:
    main: list[Instruction] = []
    for i in range(n):
        main += [("read", 0, n), ("write", n, i), ("spawn", i + 1)]
    main += [("join", i + 1) for i in range(n)]
    thread: list[Instruction] = [("read", 0, n)]
    for i in range(n):
        thread += [("branch", 0, "!=", i, 1), ("write", i, 1)]
    return [main, *([thread] * n)]


def test_two_writers() -> None:
    assert explore([[("write", 0, 1)], [("write", 0, 2)]]).executions == 2


def test_independent_threads_have_one_class() -> None:
    assert explore([[("write", t, 1), ("read", 0, t)] for t in range(4)]).executions == 1


def test_readers_do_not_conflict_with_each_other() -> None:
    for n in range(1, 9):
        assert explore([[("write", 0, 42)], *([[("read", 0, 0)]] * n)]).executions == 2**n


def test_lastwrite() -> None:
    for n in range(1, 7):
        assert explore([[("write", 0, k)] for k in range(n)]).executions == math.factorial(n)


@pytest.mark.parametrize(("n", "classes"), [(1, 1), (2, 2), (3, 5), (4, 14), (5, 43), (6, 144), (7, 523)])
def test_casrot_a_failed_compare_exchange_only_reads(n: int, classes: int) -> None:
    assert explore([[("cas", 0, 0, k - 1, k)] for k in range(1, n + 1)]).executions == classes


@pytest.mark.parametrize(("n", "classes"), [(1, 2), (2, 5), (3, 12), (4, 28), (7, 320), (9, 1536)])
def test_lastzero(n: int, classes: int) -> None:
    assert explore(lastzero(n)).executions == classes


@pytest.mark.parametrize(("n", "classes"), [(1, 4), (2, 34), (3, 328), (4, 3334)])
def test_race_parametric(n: int, classes: int) -> None:
    assert explore(race_parametric(n)).executions == classes


@pytest.mark.parametrize(("n", "classes"), [(1, 11), (2, 140), (3, 1698)])
def test_fib_bench(n: int, classes: int) -> None:
    assert explore(fib_bench(n)).executions == classes


@pytest.mark.parametrize(("n", "classes"), [(1, 1), (2, 3), (3, 15), (4, 105), (5, 945)])
def test_sigma_with_spawn_and_join(n: int, classes: int) -> None:
    assert explore(sigma(n)).executions == classes


def test_races_of_events_that_are_not_new_count_too() -> None:
    # Found by fuzzing: four of these are lost if only races with new events are reversed.
    program: list[list[Instruction]] = [
        [("write", 0, 0)],
        [("cas", 0, 0, 1, 1)],
        [("write", 1, 1), ("read", 0, 0)],
        [("read", 0, 0), ("read", 0, 1)],
        [("write", 0, 1), ("read", 0, 1), ("read", 0, 0)],
        [("read", 0, 1)],
    ]
    assert explore(program).executions == 724


def test_store_buffering_has_all_outcomes_but_one() -> None:
    result = explore([[("write", 0, 1), ("read", 0, 1)], [("write", 1, 1), ("read", 0, 0)]])
    assert result.states == {((2, a), (2, b)) for a, b in [(0, 1), (1, 0), (1, 1)]}


def test_orders_of_critical_sections() -> None:
    section: list[Instruction] = [("lock", 0), ("rmw_add", 0, 0, 1), ("unlock", 0)]
    for n in range(1, 6):
        assert explore([section] * n).executions == math.factorial(n)


def test_critical_sections_of_different_mutexes_commute() -> None:
    assert explore([[("lock", m), ("unlock", m)] * 3 for m in range(2)]).executions == 1


def test_repeated_critical_sections() -> None:
    # As circular-buffer: every interleaving of the sections.
    section: list[Instruction] = [("lock", 0), ("read", 0, 0), ("write", 0, 1), ("unlock", 0)]
    for n in range(1, 6):
        assert explore([section * n] * 2).executions == math.comb(2 * n, n)


def test_deadlock_by_lock_order() -> None:
    result = explore(
        [
            [("lock", 0), ("lock", 1), ("unlock", 1), ("unlock", 0)],
            [("lock", 1), ("lock", 0), ("unlock", 0), ("unlock", 1)],
        ]
    )
    assert (result.executions, result.deadlocks) == (3, 1)
    assert ((1,), (1,)) in result.states


def test_a_mutex_never_released_lets_one_thread_through() -> None:
    result = explore([[("lock", 0), ("write", 0, 1)]] * 3)
    assert (result.executions, result.deadlocks) == (3, 3)


def test_locking_twice_is_a_deadlock() -> None:
    result = explore([[("lock", 0), ("lock", 0)]])
    assert (result.executions, result.deadlocks, result.states) == (1, 1, {((1,),)})


def test_trylock_takes_or_reads() -> None:
    result = explore([[("lock", 0), ("unlock", 0)], [("trylock", 0, 0)]])
    # Before, inside and after the critical section; taken for good before it, the lock waits for ever.
    assert (result.executions, result.deadlocks) == (3, 1)
    assert result.states == {((0,), (1, 1)), ((2,), (1, 0)), ((2,), (1, 1))}


def test_unlock_of_a_mutex_not_held_is_a_failure() -> None:
    result = explore([[("unlock", 0)], [("lock", 0)]])
    assert (result.executions, result.failed) == (2, 2)


def test_operations_on_semaphores() -> None:
    result = explore([[("sem_trywait", 0, 0), ("sem_post", 0), ("sem_wait", 0), ("sem_wait", 1)]])
    assert (result.executions, result.deadlocks, result.states) == (1, 1, {((3, 0),)})
    assert result.traces == [
        [
            (0, "sem_trywait", "read", "s0", 0, 0, 0),
            (0, "sem_post", "rmw", "s0", 0, 1, 0),
            (0, "sem_wait", "rmw", "s0", 1, 0, 0),
        ]
    ]


def test_operations_on_read_write_locks() -> None:
    writing = 2**31 + 1
    result = explore(
        [
            [
                ("rdlock", 1),
                ("tryrdlock", 0, 1),
                ("trywrlock", 0, 1),
                ("rwunlock", 1),
                ("wrlock", 0),
                ("tryrdlock", 0, 0),
                ("rwunlock", 0),
                ("trywrlock", 0, 0),
                ("wrlock", 0),
            ]
        ]
    )
    assert (result.executions, result.deadlocks, result.failed) == (1, 1, 0)
    assert result.states == {((8, 1),)}
    assert result.traces == [
        [
            (0, "rwlock_read", "rmw", "l1", 0, 1, 0),
            (0, "rwlock_try_read", "rmw", "l1", 1, 2, 0),
            (0, "rwlock_try_write", "read", "l1", 2, 2, 0),
            (0, "rwlock_unlock", "rmw", "l1", 2, 1, 0),
            (0, "rwlock_write", "rmw", "l0", 0, writing, 0),
            (0, "rwlock_try_read", "read", "l0", writing, writing, 0),
            (0, "rwlock_unlock", "rmw", "l0", writing, 0, 0),
            (0, "rwlock_try_write", "rmw", "l0", 0, writing, 0),
        ]
    ]


def test_rwunlock_of_what_nobody_or_another_holds_is_a_failure() -> None:
    result = explore([[("rwunlock", 0)], [("wrlock", 0)]])
    assert (result.executions, result.failed) == (2, 2)


def test_lost_wakeup() -> None:
    # po-fig2 with a thread that always waits: the signal comes in time or is lost.
    result = explore(
        [[("lock", 0), ("wait", 0, 0), ("unlock", 0)], [("lock", 0), ("signal", 0), ("unlock", 0)]]
    )
    assert (result.executions, result.deadlocks) == (2, 1)


def two_waiters_and(*wake: Instruction) -> LitmusResult:
    """Two threads count themselves in and wait; a third wakes when both do, else it stops."""
    waiter: list[Instruction] = [("lock", 0), ("rmw_add", 0, 0, 1), ("wait", 0, 0), ("unlock", 0)]
    waker: list[Instruction] = [("lock", 0), ("read", 0, 0), ("unlock", 0), ("assume", 0, "==", 2), *wake]
    return explore([waiter, waiter, waker])


def test_a_signal_chooses_among_the_waiters() -> None:
    result = two_waiters_and(("lock", 0), ("signal", 0), ("unlock", 0))
    # Two orders of waiting times two choices; the waiter not chosen waits for ever.
    assert (result.executions, result.deadlocks) == (4, 4)
    woken = {state[:2] for state in result.states if state[2][0] == 7}
    assert woken == {
        ((4, 0), (2, 1)),
        ((2, 0), (4, 1)),
        ((4, 1), (2, 0)),
        ((2, 1), (4, 0)),
    }


def test_a_broadcast_wakes_all() -> None:
    result = two_waiters_and(("lock", 0), ("broadcast", 0), ("unlock", 0))
    # Two orders of waiting times two orders of waking.
    assert (result.executions, result.deadlocks) == (4, 0)


def test_accesses_to_different_bytes_commute() -> None:
    assert explore([[("write", 0, 1, byte, 1)] for byte in range(4)]).executions == 1
    assert explore([[("write", 0, 1, 0, 2)], [("write", 0, 1, 2, 2)], [("read", 0, 0)]]).executions == 4


def test_overlapping_bytes_conflict_at_any_alignment() -> None:
    assert explore([[("write", 0, 1, 0, 2)], [("write", 0, 1, 1, 2)]]).executions == 2
    assert explore([[("write", 0, 1, 1, 4)], [("read", 0, 0, 4, 4)]]).executions == 2
    assert explore([[("write", 0, 1, 1, 4)], [("read", 0, 0, 5, 2)]]).executions == 1


def test_values_of_some_bytes() -> None:
    program: list[list[Instruction]] = [
        [
            ("write", 0, -2),
            ("write", 0, 0x1234, 3, 2),
            ("rmw_add", 0, 0, 0x101, 0, 1),
            ("xchg", 1, 0, 7, 7, 1),
            ("cas", 2, 0, 0x12FF, 5, 4, 2),
            ("cas", 3, 0, -1, 0, 4, 2),
            ("write_reg", 0, 0, 6, 1),
            ("read", 4, 0),
            ("read", 5, 0, 2, 4),
        ]
    ]
    # The bytes at the end: ff ff ff 34 12 ff fe 07.
    expected = (9, 0xFE, 0xFF, 0xFF12, 0xFF12, 0x07FEFF1234FFFFFF, 0xFF1234FF)
    assert explore(program).states == {(expected,)}


def test_a_read_of_two_writes() -> None:
    result = explore([[("write", 0, 1, 0, 1)], [("write", 0, 1, 1, 1)], [("read", 0, 0, 0, 2)]])
    assert {state[2][1] for state in result.states} == {0, 1, 0x100, 0x101}
    assert result.executions == 4


def test_a_compare_exchange_finds_what_others_did_to_some_of_its_bytes() -> None:
    ones = 0x0101010101010101
    program: list[list[Instruction]] = [
        [("cas", 0, 0, 0, ones)],
        [("write", 0, 0), ("write", 0, 1, 0, 1)],
        [("cas", 0, 0, ones >> 32, ones >> 32, 4, 4)],
    ]
    # Where it fails in one order the second one only reads, and in another it must come before the first.
    assert explore(program).executions == 8


def test_a_compare_exchange_that_would_find_a_part_of_a_write() -> None:
    program: list[list[Instruction]] = [
        [("read", 0, 0, 2, 2)],
        [("write", 0, 0), ("write", 0, 0x01010101, 0, 4)],
        [("cas", 1, 0, 0x0202, 0, 2, 2)],
    ]
    assert explore(program).executions == 9


def test_choices() -> None:
    assert explore([[("choose", 0, 3)], [("choose", 0, 4)]]).executions == 12
    result = explore([[("choose", 0, 3), ("choose", 1, 2)]])
    assert result.states == {((2, a, b),) for a in range(3) for b in range(2)}


def test_choices_are_explored_once_whatever_happens_around_them() -> None:
    # The choice decides whether there is a race: x is written if it is 1.
    program: list[list[Instruction]] = [
        [("read", 0, 0)],
        [("choose", 0, 2), ("branch", 0, "==", 0, 1), ("write", 0, 1)],
        [("write", 0, 2)],
    ]
    # Choice 0: two orders of read and write. Choice 1: all six orders of the three.
    assert explore(program).executions == 8


def test_assume_blocks_and_assert_fails() -> None:
    result = explore([[("write", 0, 1)], [("read", 0, 0), ("assume", 0, "==", 1), ("assert", 0, "==", 2)]])
    assert (result.executions, result.blocked, result.failed, result.deadlocks) == (1, 1, 1, 0)
    assert result.states == {((1,), (1, 0)), ((1,), (3, 1))}


def test_join_waits_for_the_end() -> None:
    result = explore([[("spawn", 1), ("join", 1), ("read", 0, 0)], [("write", 0, 7)]])
    assert (result.executions, result.states) == (1, {((3, 7), (1,))})


def test_joining_a_thread_that_an_assume_stopped_is_blocked() -> None:
    result = explore([[("join", 1)], [("assume", 0, "==", 1)]])
    assert (result.executions, result.blocked, result.deadlocks) == (0, 1, 0)


def test_long_executions() -> None:
    # Four thousand events; the limit keeps it short, the point is that no execution costs its length squared.
    result = _engine.explore(race_parametric(1000), max_executions=50)
    assert not result.complete
    assert result.events == 50 * 4_002


def test_names_of_the_explorer() -> None:
    assert "mazurkiewicz" in _engine.equivalences()
    assert _engine.explore([[("write", 0, 1)]], "maz").executions == 1
    with pytest.raises(ValueError, match="unknown equivalence"):
        _engine.explore([], "alphabetical")


def test_the_empty_program_has_one_execution() -> None:
    result = _engine.explore([])
    assert (result.executions, result.states) == (1, {()})


@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        (("jump", 1), "unknown instruction"),
        (("read", 0), "wrong number of operands"),
        (("read", "r", 0), "integer expected"),
        (("read", 0, 256), "name out of range"),
        (("assert", 0, "=", 1), "unknown comparison"),
        (("join", 1), "no such thread"),
        (("choose", 0, 0), "bad number of alternatives"),
        (("read", 0, 0, 0), "wrong number of operands"),
        (("read", 0, 0, 0, 3), "bad size"),
        (("read", 0, 0, 7, 2), "not inside the variable"),
        (("lock", 0, 0, 1), "wrong number of operands"),
        ((1, 2), "string expected"),
        ((), "empty instruction"),
    ],
)
def test_malformed_programs_are_refused(instruction: Instruction, reason: str) -> None:
    with pytest.raises(ValueError, match=f"thread 0, instruction 1: {reason}"):
        _engine.explore([[("write", 0, 1), instruction]])


def test_a_thread_can_be_spawned_only_once() -> None:
    with pytest.raises(ValueError, match="spawned twice"):
        _engine.explore([[("spawn", 1), ("spawn", 1)], []])
