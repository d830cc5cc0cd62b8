"""The oracle itself: published counts, programs counted by hand, and agreement with a second oracle."""

import dataclasses
import random
from math import comb, factorial

import pytest

from tests.litmus_programs import PROFILES, Code, interleavings, random_program
from tests.oracle import (
    EQUIVALENCES,
    RWLOCK_OPERATIONS,
    Counts,
    ImpossibleTrace,
    Oracle,
    Program,
    TraceEvent,
    bytes_of,
)
from tests.plain_oracle import plain_answer

# Counts that are published or follow from a closed form.


def classes(program: Program, equivalence: str) -> int:
    counts = Oracle(program).answer().counts[equivalence]
    return counts.executions + counts.blocked


def maz(program: Program) -> int:
    return classes(program, "mazurkiewicz")


def rf(program: Program) -> int:
    return classes(program, "reads-from")


def rvf(program: Program) -> int:
    return classes(program, "reads-value-from")


def spawned_and_joined(threads: list[Code], after: Code, before_joins: Code | None = None) -> list[Code]:
    """Thread 0 spawns the others and joins them."""
    numbers = range(1, len(threads) + 1)
    main: Code = [("spawn", number) for number in numbers]
    main += before_joins or []
    main += [("join", number) for number in numbers]
    return [main + after, *threads]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_readers(n: int) -> None:
    program = [[("write", 0, 42)]] + [[("read", 0, 0)] for _ in range(n)]
    assert maz(program) == rf(program) == rvf(program) == 2**n


@pytest.mark.parametrize(("n", "expected"), [(1, 1), (2, 2), (3, 5), (4, 14), (5, 43)])
def test_casrot(n: int, expected: int) -> None:
    program = [[("cas", 0, 0, k, k + 1)] for k in range(n)]
    assert maz(program) == rf(program) == expected


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_lastwrite(n: int) -> None:
    program = spawned_and_joined([[("write", 0, k)] for k in range(1, n + 1)], after=[("read", 0, 0)])
    assert maz(program) == factorial(n)
    assert rf(program) == rvf(program) == n


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_floating_read(n: int) -> None:
    program = spawned_and_joined(
        [[("write", 0, k)] for k in range(1, n + 1)],
        before_joins=[("read", 0, 0), ("assert", 0, "<", n + 1)],
        after=[],
    )
    assert maz(program) == factorial(n + 1)
    assert rf(program) == n + 1
    assert not Oracle(program).answer().can_fail


@pytest.mark.parametrize(("n", "expected"), [(1, 2), (2, 5), (3, 12), (4, 28)])
def test_lastzero(n: int, expected: int) -> None:
    reader: Code = []
    for index in range(n, 0, -1):
        # After each zero the reader stops; what is left of it is two instructions an index.
        reader += [("read", 0, index), ("branch", 0, "==", 0, 2 * index - 1)]
    reader += [("read", 0, 0)]
    program = [reader] + [[("read", 0, j - 1), ("write", j, 1)] for j in range(1, n + 1)]
    assert maz(program) == rf(program) == expected


@pytest.mark.parametrize(("n", "maz_count", "rf_count"), [(1, 5, 5), (2, 18, 9), (3, 90, 15)])
def test_control_flow(n: int, maz_count: int, rf_count: int) -> None:
    x, y, z = range(3)
    program: list[Code] = []
    for _ in range(n):
        program += [[("read", 0, x)], [("write", y, 1)]]
    program.append([("read", 0, y), ("branch", 0, "!=", 0, 1), ("write", z, 1)])
    program.append(
        [
            ("read", 0, z),
            ("branch", 0, "!=", 1, 3),
            ("read", 0, y),
            ("branch", 0, "!=", 0, 1),
            ("write", x, 1),
        ]
    )
    assert maz(program) == maz_count
    assert rf(program) == rf_count


@pytest.mark.parametrize(("n", "maz_count", "rf_count"), [(1, 10, 7), (2, 42, 19), (3, 126, 31)])
def test_opt_lock(n: int, maz_count: int, rf_count: int) -> None:
    def thread(identity: int) -> Code:
        code: Code = []
        for left in reversed(range(n)):
            code += [
                ("write", 0, identity),
                ("write", 1, 1),
                ("read", 0, 0),
                ("branch", 0, "!=", identity, 3),
                ("read", 1, 1),
                # Leaves the loop: always true.
                ("branch", 0, "==", identity, 7 * left + 1),
                ("branch", 0, "==", identity, 7 * left),
            ]
        return code

    program = [thread(0), thread(1)]
    assert maz(program) == maz_count
    assert rf(program) == rf_count


@pytest.mark.parametrize(("n", "maz_count", "rf_count"), [(1, 4, 3), (2, 34, 19), (3, 328, 141)])
def test_race_parametric(n: int, maz_count: int, rf_count: int) -> None:
    program = [[("write", 0, identity), ("read", 0, 0)] * n for identity in range(2)]
    assert maz(program) == maz_count
    assert rf(program) == rf_count


@pytest.mark.parametrize(("n", "expected"), [(1, 11), (2, 140)])
def test_fib_bench(n: int, expected: int) -> None:
    i, j = 0, 1
    program: list[Code] = [
        [("read", 0, i), ("read", 0, j)],
        [("read", 0, i), ("read", 0, j), ("write", i, 1)] * n,
        [("read", 0, j), ("read", 0, i), ("write", j, 1)] * n,
    ]
    assert maz(program) == rf(program) == expected


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_critical_sections_of_a_circular_buffer(n: int) -> None:
    section: Code = [("lock", 0), ("rmw_add", 0, 0, 1), ("unlock", 0)]
    program = [section * n, section * n]
    assert maz(program) == rf(program) == rvf(program) == comb(2 * n, n)


@pytest.mark.parametrize(("n", "maz_count", "rf_count"), [(1, 4, 4), (2, 56, 21), (3, 1248, 64)])
def test_reorder(n: int, maz_count: int, rf_count: int) -> None:
    a, b = 0, 1
    checker: Code = [
        ("read", 0, a),
        ("branch", 0, "!=", 0, 2),
        ("read", 1, b),
        ("branch", 1, "==", 0, 3),
        ("read", 0, a),
        ("branch", 0, "!=", 1, 1),
        ("read", 1, b),
    ]
    setter: Code = [("write", a, 1), ("write", b, -1)]
    program = [checker] + [setter] * n
    assert maz(program) == maz_count
    assert rf(program) == rf_count
    if n > 1:
        assert rvf(program) == 4


def test_equal_values_in_one_class() -> None:
    writes: Code = [("write", 0, 1), ("write", 1, 1)]
    program = [writes, [*writes, ("read", 0, 0)], [*writes, ("read", 0, 1)]]
    assert (maz(program), rf(program), rvf(program)) == (98, 9, 1)


@pytest.mark.parametrize("n", [2, 3])
def test_monabsex1(n: int) -> None:
    program = [[("write", 0, 4), ("read", 0, 0), ("assert", 0, "==", 4)]] * n
    assert maz(program) == factorial(n) ** 2
    assert rf(program) == (n + 1) ** (n - 1)
    assert rvf(program) == 1
    assert not Oracle(program).answer().can_fail


def test_parker_with_one_round() -> None:
    g, u, x, y, c, p = range(6)
    unpark: Code = [
        ("write", y, 1),
        ("read", 0, x),
        ("assume", 0, "==", 0),
        ("read", 0, c),
        ("write", c, 1),
        ("write", y, 0),
        ("branch", 0, ">", 0, 1),
        ("write", p, 0),
    ]
    main: Code = [("write", c, 0), ("write", p, 0), ("spawn", 1)]
    main += [*unpark, ("write", g, 1), *unpark, ("write", u, 1)]
    # Register 1 is never written: comparing it with 0 is a jump, always to the last load of g.
    parker: Code = [
        ("read", 0, g),
        ("branch", 0, "!=", 0, 29),
        ("read", 0, c),  # 1.
        ("branch", 0, "==", 0, 2),
        ("write", c, 0),
        ("branch", 1, "==", 0, 23),
        ("write", x, 1),  # 2.
        ("read", 0, y),
        ("branch", 0, "==", 0, 2),
        ("write", x, 0),
        ("branch", 1, "==", 0, 18),
        ("read", 0, c),  # 3.
        ("branch", 0, "==", 0, 3),
        ("write", c, 0),
        ("write", x, 0),
        ("branch", 1, "==", 0, 13),
        ("write", p, 1),  # 4.
        ("write", x, 0),
        ("read", 0, u),  # 5.
        ("branch", 0, "==", 0, 2),
        ("read", 0, p),
        ("assert", 0, "==", 0),
        ("read", 0, p),  # 6.
        ("assume", 0, "==", 0),
        ("write", x, 1),  # 7.
        ("read", 0, y),
        ("assume", 0, "==", 0),
        ("write", c, 0),  # 8.
        ("write", x, 0),
    ]
    parker += [("read", 0, g), ("assume", 0, "!=", 0)]
    answer = Oracle([main, parker]).answer()
    assert answer.counts["mazurkiewicz"] == Counts(executions=14, blocked=14)
    assert answer.counts["reads-from"] == Counts(executions=13, blocked=14)


# Small programs counted by hand.


def test_deadlock_by_lock_order() -> None:
    def thread(first: int, second: int) -> Code:
        return [("lock", first), ("lock", second), ("unlock", second), ("unlock", first)]

    answer = Oracle([thread(0, 1), thread(1, 0)]).answer()
    # One after the other, either way, or each with its first mutex.
    assert answer.counts["mazurkiewicz"] == Counts(executions=3, deadlocks=1)
    assert answer.states == {((4,), (4,)), ((1,), (1,))}


def test_lost_wakeup() -> None:
    waiter: Code = [("lock", 0), ("wait", 0, 0), ("unlock", 0)]
    answer = Oracle([waiter, [("signal", 0)]]).answer()
    # The signal comes too early or not.
    assert answer.counts["mazurkiewicz"] == Counts(executions=2, deadlocks=1)
    assert answer.states == {((1,), (1,)), ((3,), (1,))}


def test_signal_chooses_its_waiter() -> None:
    waiter: Code = [("lock", 0), ("wait", 0, 0), ("unlock", 0), ("write", 0, 1)]
    program: list[Code] = [waiter, waiter, [("lock", 0), ("signal", 0), ("unlock", 0)]]
    answer = Oracle(program).answer()
    # Nobody waits yet when it comes, or it wakes any one of those who do; the other one waits for ever.
    assert answer.counts["mazurkiewicz"].deadlocks == answer.counts["mazurkiewicz"].executions
    assert answer.states == {((1,), (1,), (3,)), ((4,), (1,), (3,)), ((1,), (4,), (3,))}


def test_broadcast_wakes_everybody() -> None:
    waiter: Code = [("lock", 0), ("wait", 0, 0), ("unlock", 0)]
    answer = Oracle([waiter, waiter, [("broadcast", 0)]]).answer()
    assert ((3,), (3,), (1,)) in answer.states
    assert ((1,), (1,), (1,)) in answer.states


def test_trylock_that_fails_is_a_read() -> None:
    program: list[Code] = [[("lock", 0), ("unlock", 0)], [("trylock", 0, 0)]]
    answer = Oracle(program).answer()
    # Before the lock (which then waits for ever), between lock and unlock, after.
    assert answer.counts["mazurkiewicz"] == Counts(executions=3, deadlocks=1)
    assert answer.states == {((0,), (1, 1)), ((2,), (1, 0)), ((2,), (1, 1))}


def test_unlock_by_another_is_a_failure_without_effect() -> None:
    answer = Oracle([[("lock", 0), ("unlock", 0)], [("unlock", 0)]]).answer()
    assert answer.counts["mazurkiewicz"] == Counts(executions=3, failed=3)


def test_wait_without_the_mutex_is_a_failure_and_one_event() -> None:
    answer = Oracle([[("wait", 0, 0), ("write", 0, 1)], [("signal", 0)]]).answer()
    assert answer.counts["mazurkiewicz"] == Counts(executions=1, failed=1)
    assert answer.states == {((2,), (1,))}


def test_one_post_lets_one_thread_through() -> None:
    answer = Oracle([[("sem_wait", 0)], [("sem_wait", 0)], [("sem_post", 0)]]).answer()
    assert answer.counts["mazurkiewicz"] == Counts(executions=2, deadlocks=2)
    assert answer.states == {((1,), (0,), (1,)), ((0,), (1,), (1,))}


def test_sem_trywait_takes_one_or_reads() -> None:
    answer = Oracle([[("sem_trywait", 0, 0)], [("sem_post", 0)]]).answer()
    assert answer.counts["mazurkiewicz"] == Counts(executions=2)
    assert answer.states == {((1, 0), (1,)), ((1, 1), (1,))}


@pytest.mark.parametrize("n", [1, 2, 3])
def test_semaphore_as_a_mutex(n: int) -> None:
    section: Code = [("sem_wait", 0), ("rmw_add", 0, 0, 1), ("sem_post", 0)]
    program: list[Code] = [[("sem_post", 0), ("spawn", 1), ("spawn", 2)], section * n, section * n]
    assert maz(program) == rf(program) == rvf(program) == comb(2 * n, n)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_post_finds_a_count(n: int) -> None:
    posts: list[Code] = [[("sem_post", 0)] for _ in range(n)]
    program = spawned_and_joined(posts, after=[("sem_trywait", 0, 0)])
    assert maz(program) == rf(program) == rvf(program) == factorial(n)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_writers_exclude_each_other(n: int) -> None:
    section: Code = [("wrlock", 0), ("rmw_add", 0, 0, 1), ("rwunlock", 0)]
    program = [section * n, section * n]
    assert maz(program) == rf(program) == comb(2 * n, n)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_readers_do_not_exclude_each_other(n: int) -> None:
    # All of it changes the number of readers.
    program: list[Code] = [[("rdlock", 0), ("rwunlock", 0)]] * n
    assert maz(program) == rf(program) == factorial(2 * n) // 2**n
    assert not Oracle(program).answer().can_deadlock


def test_trywrlock_that_fails_is_a_read() -> None:
    program: list[Code] = [[("rdlock", 0), ("rwunlock", 0)], [("trywrlock", 0, 0)]]
    answer = Oracle(program).answer()
    # Before the reader (which then waits for ever), while it reads, after.
    assert answer.counts["mazurkiewicz"] == Counts(executions=3, deadlocks=1)
    assert answer.states == {((0,), (1, 1)), ((2,), (1, 0)), ((2,), (1, 1))}


def test_tryrdlock_fails_only_while_somebody_writes() -> None:
    reader: Code = [("tryrdlock", 0, 0)]
    assert {state[1][1] for state in Oracle([[("rdlock", 0)], reader]).answer().states} == {1}
    assert {state[1][1] for state in Oracle([[("trywrlock", 0, 0)], reader]).answer().states} == {0, 1}


@pytest.mark.parametrize("again", ["rdlock", "wrlock"])
def test_a_writer_waits_for_itself(again: str) -> None:
    answer = Oracle([[("wrlock", 0), (again, 0)]]).answer()
    assert answer.counts["mazurkiewicz"] == Counts(executions=1, deadlocks=1)


def test_a_reader_may_read_again_but_not_write() -> None:
    assert Oracle([[("rdlock", 0), ("rdlock", 0)]]).answer().states == {((2,),)}
    assert Oracle([[("rdlock", 0), ("wrlock", 0)]]).answer().states == {((1,),)}


def test_rwunlock_by_another_is_a_failure_without_effect() -> None:
    answer = Oracle([[("wrlock", 0), ("rwunlock", 0)], [("rwunlock", 0)]]).answer()
    assert answer.counts["mazurkiewicz"] == Counts(executions=3, failed=3)


def test_rwunlock_may_release_another_reader() -> None:
    # First, between the two, or last. Between them it leaves nothing for the reader to unlock.
    answer = Oracle([[("rdlock", 0), ("rwunlock", 0)], [("rwunlock", 0)]]).answer()
    assert answer.counts["mazurkiewicz"] == Counts(executions=3, failed=3)


def test_failed_assume_blocks_and_is_no_deadlock() -> None:
    program: list[Code] = [[("read", 0, 0), ("assume", 0, "==", 1)], [("write", 0, 1)], [("join", 0)]]
    answer = Oracle(program).answer()
    assert answer.counts["mazurkiewicz"] == Counts(executions=1, blocked=1)
    assert not answer.can_deadlock


def test_failed_assert_goes_on() -> None:
    answer = Oracle([[("read", 0, 0), ("assert", 0, "==", 1), ("write", 1, 1)], [("write", 0, 1)]]).answer()
    assert answer.counts["mazurkiewicz"] == Counts(executions=2, failed=1)
    assert answer.states == {((3, 0), (1,)), ((3, 1), (1,))}


def test_choices_are_classes() -> None:
    answer = Oracle([[("choose", 0, 3), ("write_reg", 0, 0)], [("read", 0, 0)]]).answer()
    assert answer.counts["mazurkiewicz"].executions == 6


def test_thread_that_is_never_spawned_is_not_waited_for() -> None:
    program: list[Code] = [[("branch", 0, "==", 0, 1), ("spawn", 1)], [("assume", 0, "==", 1)]]
    answer = Oracle(program).answer()
    assert answer.counts["mazurkiewicz"] == Counts(executions=1)
    assert answer.states == {((2, 0), (0, 0))}


def test_causal_order_separates_equal_values() -> None:
    # The last read gets 1 from either write; from the second thread's it comes after that thread's read.
    program: list[Code] = [[("write", 0, 1)], [("read", 0, 1), ("write", 0, 1)], [("read", 0, 0)]]
    assert rf(program) == 3
    assert rvf(program) == 3


def test_each_byte_has_its_source() -> None:
    # Two writes of the same bytes, of which the second one covers only some.
    program: list[Code] = [[("write", 0, 0x0202, 0, 2), ("write", 0, 2, 1, 1)], [("read", 0, 0)]]
    answer = Oracle(program).answer()
    assert answer.counts["mazurkiewicz"].executions == 3
    assert answer.counts["reads-from"].executions == 3
    # The last two read the same value.
    assert answer.counts["reads-value-from"].executions == 2
    assert answer.states == {((2,), (1, 0)), ((2,), (1, 0x0202))}


def test_writes_of_different_bytes_have_one_class() -> None:
    program: list[Code] = [[("write", 0, 1, 0, 1)], [("write", 0, 1, 1, 1)], [("join", 0), ("read", 0, 0)]]
    # Only the read and the second write meet.
    assert maz(program) == rf(program) == 2


def test_overwritten_bytes_are_nobodys_source() -> None:
    program: list[Code] = [
        [("write", 0, 1, 0, 4)],
        [("write", 0, 2, 2, 4)],
        [("join", 0), ("join", 1), ("read", 0, 0)],
    ]
    # Bytes 2 and 3 come from whichever was last.
    assert maz(program) == rf(program) == 2
    values = {state[2][1] for state in Oracle(program).answer().states}
    assert values == {0x0000_0000_0002_0001, 0x0000_0000_0000_0001}


# Traces.

SMALL: list[Code] = [[("write", 0, 1)], [("read", 0, 0)]]
STORE: TraceEvent = (0, "store", "write", "v0", 0, 1, 0)
LOAD_0: TraceEvent = (1, "load", "read", "v0", 0, 0, 0)
LOAD_1: TraceEvent = (1, "load", "read", "v0", 1, 1, 0)
END_0: TraceEvent = (0, "end", "write", "t0", 0, 1, 0)
END_1: TraceEvent = (1, "end", "write", "t1", 0, 1, 0)


def test_traces_of_one_class_have_one_name() -> None:
    oracle = Oracle(SMALL)
    write_first = oracle.class_of([STORE, LOAD_1, END_0, END_1])
    assert oracle.class_of([STORE, END_0, LOAD_1, END_1]) == write_first
    read_first = oracle.class_of([LOAD_0, END_1, STORE, END_0])
    assert oracle.answer().classes == {write_first, read_first}


@pytest.mark.parametrize(
    "trace",
    [
        [STORE, LOAD_0, END_0, END_1],  # a wrong value
        [STORE, END_0, LOAD_1],  # no end
        [STORE, END_0],  # thread 1 could go on
        [END_0, STORE, LOAD_1, END_1],  # ends before its last event
        [STORE, LOAD_1, END_0, END_0, END_1],
        [STORE, STORE, LOAD_1, END_0, END_1],
    ],
)
def test_impossible_traces_are_refused(trace: list[TraceEvent]) -> None:
    with pytest.raises(ImpossibleTrace):
        Oracle(SMALL).class_of(trace)


# The generator.


def test_generator_is_reproducible_and_bounded() -> None:
    for profile in PROFILES.values():
        programs = [random_program(random.Random(f"{profile.name} {k}"), profile) for k in range(50)]
        again = [random_program(random.Random(f"{profile.name} {k}"), profile) for k in range(50)]
        assert programs == again
        assert all(interleavings(program) <= profile.max_interleavings for program in programs)
        names = {instruction[0] for program in programs for code in program for instruction in code}
        assert "wait" in names or profile.name not in ("condvars", "waiters", "everything")
        assert "spawn" in names or profile.name != "threads"
        assert {"sem_wait", "sem_trywait", "sem_post"} <= names or profile.name != "semaphores"
        assert set(RWLOCK_OPERATIONS) <= names or profile.name != "rwlocks"
        parts = {bytes_of(instruction) for program in programs for code in program for instruction in code}
        assert (len(parts) > 4) == (profile.parts > 0)


def test_coarser_equivalences_have_no_more_classes() -> None:
    for k in range(300):
        counts = Oracle(random_program(random.Random(f"coarser {k}"))).answer().counts
        totals = [
            counts[equivalence].executions + counts[equivalence].blocked for equivalence in EQUIVALENCES
        ]
        assert totals == sorted(totals, reverse=True)


@pytest.mark.parametrize("name", PROFILES)
def test_both_oracles_agree(name: str) -> None:
    # The mutexes leave few interleavings of many.
    limit = 100 if name in ("condvars", "locks", "waiters", "semaphores", "rwlocks") else 30
    profile = dataclasses.replace(PROFILES[name], max_interleavings=limit)
    for k in range(20):
        program = random_program(random.Random(f"both {name} {k}"), profile)
        answer = Oracle(program).answer()
        assert plain_answer(program) == (answer.counts, answer.states), program


@pytest.mark.parametrize("wake", ["signal", "broadcast"])
def test_both_oracles_agree_on_two_waiters(wake: str) -> None:
    waiter: Code = [("lock", 0), ("wait", 0, 0), ("unlock", 0)]
    program: list[Code] = [waiter, waiter, [(wake, 0)]]
    answer = Oracle(program).answer()
    assert plain_answer(program) == (answer.counts, answer.states)
