"""The explorer `reads-from`: programs of which an earlier one lost something, each kept with what was lost.

Native programs note the outcome of each execution in a file. `mazurkiewicz` tells apart more executions, and
needs to know no values and no sources, so it serves as judge: what it finds, `reads-from` must find too, in
no more classes. Litmus programs are compared with the oracle, class by class.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import norn
from norn import _engine
from tests.fuzz import first_complaints

if TYPE_CHECKING:
    from norn._engine import Instruction, LitmusResult

WriteProgram = Callable[..., Path]

NOTE = """
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
/* One line for each execution. */
#define NOTE(...) do { \\
        char line[100]; \\
        int length = snprintf(line, sizeof line, __VA_ARGS__); \\
        line[length++] = '\\n'; \\
        int file = open(OUTCOMES, O_WRONLY | O_CREAT | O_APPEND, 0600); \\
        (void)!write(file, line, (size_t)length); \\
        close(file); \\
    } while (0)
"""
C = (
    NOTE
    + """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static void both(void *(*one)(void *), void *(*other)(void *), void *argument) {
    pthread_t first, second;
    pthread_create(&first, 0, one, argument);
    pthread_create(&second, 0, other, argument);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
/* A race that comes after all others and does not depend on them: 0 or 1. Some faults lost only executions
   in which a second race was decided in a certain way. */
static int later;
static void *decide_later(void *p) { later = 1; return p; }
static int later_race(void) {
    pthread_t thread;
    pthread_create(&thread, 0, decide_later, 0);
    int seen = later;
    pthread_join(thread, 0);
    return seen;
}
"""
)
CPP = NOTE + "#include <atomic>\n#include <thread>\n"


def outcomes_of(source: Path, equivalence: str) -> tuple[norn.Result, set[str]]:
    file = source.with_suffix(".outcomes")
    file.unlink(missing_ok=True)
    result = norn.check(source, flags=[f'-DOUTCOMES="{file}"'], equivalence=equivalence)
    assert result.verdict is norn.Verdict.VERIFIED, (equivalence, result.findings, result.problems)
    assert result.redundant == 0
    return result, set(file.read_text().split("\n")[:-1]) if file.exists() else set()


def assert_nothing_is_lost(source: Path, classes: int, expected: set[str] | None = None) -> None:
    """Verified in so many classes; with all outcomes there are, which the judge tells if they are many."""
    by_sources, outcomes = outcomes_of(source, "reads-from")
    by_conflicts, all_outcomes = outcomes_of(source, "mazurkiewicz")
    assert outcomes == all_outcomes
    assert expected is None or outcomes == expected
    assert by_sources.executions == classes <= by_conflicts.executions


def lines(*values: Sequence[str]) -> set[str]:
    """One of each, in every combination; those of one character are given as one string."""
    return {" ".join(combination) for combination in product(*values)}


# Conditional operations that read from a large write. What that has left in their few bytes is not part of
# its event, so it was unknown whether a compare-exchange with this source would write. The first execution of
# these programs adds 1 before the compare-exchange looks; that it also may look first, and find 0, was lost.
FINDS_5_OR_ELSE = """
static int found;
static void *add(void *p) { atomic_fetch_add((atomic_int *)p, 1); return p; }
static void *replace(void *p) {
    int expected = 5;
    atomic_compare_exchange_strong((atomic_int *)p, &expected, 9);
    found = expected;
    return p;
}
struct large { atomic_int value; int others[5]; };
"""
LARGE_WRITES = {
    "initialiser of a struct": """
        int main(void) {
            struct large object = {0};
            both(add, replace, &object.value);
            NOTE("%d %d", found, later_race());
            return 0; }""",
    "memset": """
        static struct large object;
        int main(void) {
            memset(&object, 0, sizeof object);
            both(add, replace, &object.value);
            NOTE("%d %d", found, later_race());
            return 0; }""",
    "memcpy": """
        static const struct large fresh;
        static struct large object;
        int main(void) {
            memcpy(&object, &fresh, sizeof fresh);
            both(add, replace, &object.value);
            NOTE("%d %d", found, later_race());
            return 0; }""",
    "memset, and the compare-exchange itself consists of two parts": """
        static struct { union { uint64_t all; uint32_t half[2]; }; uint64_t others[3]; } object;
        static void *add_all(void *p) { __atomic_fetch_add(&object.all, 1, 5); return p; }
        static void *replace_all(void *p) {
            uint64_t expected = 5;
            __atomic_compare_exchange_n(&object.all, &expected, 9, 0, 5, 5);
            found = (int)expected;
            return p; }
        int main(void) {
            memset(&object, 0, sizeof object);
            both(add_all, replace_all, 0);
            if (object.half[1] != 0) abort();
            NOTE("%d %d", found, later_race());
            return 0; }""",
    "compare-exchange of 16 bytes, of which others use a half": """
        static union { unsigned __int128 all; uint64_t half[2]; } object;
        static void *add_all(void *p) { __sync_fetch_and_add(&object.all, 1); return p; }
        static void *replace_all(void *p) {
            found = (int)__sync_val_compare_and_swap(&object.all, 5, 9);
            return p; }
        int main(void) {
            both(add_all, replace_all, 0);
            if (object.half[1] != 0) abort();
            NOTE("%d %d", found, later_race());
            return 0; }""",
}


@pytest.mark.parametrize("case", LARGE_WRITES)
def test_a_compare_exchange_may_fail_on_what_a_large_write_left(case: str, program: WriteProgram) -> None:
    source = program(C + FINDS_5_OR_ELSE + LARGE_WRITES[case])
    assert_nothing_is_lost(source, 4, lines("01", "01"))


def test_a_compare_exchange_that_succeeds_only_after_another_one(program: WriteProgram) -> None:
    """Lost: the attempt to finish comes first and fails, with one of the outcomes of the later race."""
    text = """
        enum { FREE, TAKEN, DONE };
        struct slot { atomic_int state; int owner; long data[2]; };
        static const struct slot fresh = {FREE, -1, {0, 0}};
        static struct slot slot;
        static int finished;
        static void *take(void *p) {
            int expected = FREE;
            if (atomic_compare_exchange_strong(&slot.state, &expected, TAKEN)) slot.owner = 1;
            return p; }
        static void *finish(void *p) {
            int expected = TAKEN;
            finished = atomic_compare_exchange_strong(&slot.state, &expected, DONE);
            return p; }
        int main(void) {
            memcpy(&slot, &fresh, sizeof fresh);
            pthread_t taker, finisher;
            pthread_create(&taker, 0, take, 0);
            pthread_create(&finisher, 0, finish, 0);
            int race = later_race();
            pthread_join(taker, 0);
            pthread_join(finisher, 0);
            NOTE("%d %d", finished, race);
            return 0; }"""
    assert_nothing_is_lost(program(C + text), 4)


def test_a_compare_exchange_in_an_object_with_an_initialiser_in_cpp(program: WriteProgram) -> None:
    """Lost: the compare-exchange comes first and the later read does, too."""
    text = """
        struct Queue { std::atomic<int> head{0}; int others[6]{}; };
        int main() {
            Queue queue{};
            int found = 0;
            std::thread a([&] { queue.head.fetch_add(1); });
            std::thread b([&] { int e = 5; queue.head.compare_exchange_strong(e, 9); found = e; });
            a.join();
            b.join();
            std::atomic<int> later{0};
            std::thread c([&] { later = 1; });
            int seen = later;
            c.join();
            NOTE("%d %d", found, seen); }"""
    assert_nothing_is_lost(program(CPP + text, "program.cpp"), 4, lines("01", "01"))


def test_a_wakeup_lost_on_a_condition_variable_cleared_by_memset(program: WriteProgram) -> None:
    """Lost: the signal that comes before the wait, hence the deadlock: it was never known to find nobody."""
    text = """
        static struct { pthread_mutex_t m; pthread_cond_t c; int others; } s;
        static void *await(void *p) {
            pthread_mutex_lock(&s.m);
            pthread_cond_wait(&s.c, &s.m);
            pthread_mutex_unlock(&s.m);
            return p; }
        static void *wake(void *p) { pthread_cond_signal(&s.c); return p; }
        int main(void) {
            pthread_t waiter, waker;
            memset(&s, 0, sizeof s);
            pthread_create(&waiter, 0, await, 0);
            pthread_create(&waker, 0, wake, 0);
            pthread_join(waker, 0);
            if (later_race()) {
                pthread_mutex_lock(&s.m);
                pthread_cond_broadcast(&s.c);
                pthread_mutex_unlock(&s.m);
            }
            pthread_join(waiter, 0);
            return 0; }"""
    source = program(C + text)
    assert [finding.kind for finding in norn.check(source, equivalence="rf").findings] == ["deadlock"]
    everything = norn.check(source, equivalence="rf", keep_going=True)
    assert (everything.executions, everything.redundant) == (6, 0)


def test_compare_exchanges_of_16_bytes_and_stores_to_their_halves(program: WriteProgram) -> None:
    """A value of 16 bytes does not fit into an event: whether these write is not known in advance."""
    text = """
        static union { unsigned __int128 all; uint64_t half[2]; } u;
        static const unsigned __int128 one_one = ((unsigned __int128)1 << 64) | 1;
        static int done[3];
        static void *set(void *p) { done[0] = __sync_bool_compare_and_swap(&u.all, 0, one_one); return p; }
        static void *clear(void *p) {
            done[1] = __sync_bool_compare_and_swap(&u.all, one_one, 0);
            u.half[1] = 1;
            return p; }
        int main(void) {
            pthread_t setter, clearer;
            pthread_create(&setter, 0, set, 0);
            pthread_create(&clearer, 0, clear, 0);
            u.half[0] = 1;
            int high = (int)u.half[1];
            done[2] = __sync_bool_compare_and_swap(&u.all, one_one, 5);
            pthread_join(setter, 0);
            pthread_join(clearer, 0);
            NOTE("%d %d %d %d %d %d", done[0], done[1], high, done[2], (int)u.half[0], (int)u.half[1]);
            return 0; }"""
    assert_nothing_is_lost(program(C + text), 29)


# Memory whose content comes about unseen: no event says what realloc copies, nor how a parameter or the
# result of a function gets onto the stack. An earlier explorer took the value of another execution, or of
# another call, for the one that a compare-exchange would find here: it lost outcomes, or planned what did not
# happen ("diverged").
COUNT_OR_REPLACE_2 = """
static int found;
static void *count(void *p) { __atomic_fetch_add((int *)p, 1, 5); return 0; }
static void *replace(void *p) {
    int expected = 2;
    __atomic_compare_exchange_n((int *)p, &expected, 7, 0, 5, 5);
    found = expected;
    return 0;
}
static int given;
static void *give(void *p) { given = 2; return p; }
"""
UNSEEN_WRITES: dict[str, tuple[str, int, set[str] | None]] = {
    "realloc of a block with 0 or 2": (
        """
        int main(void) {
            pthread_t giver;
            int *block = malloc(sizeof *block);
            pthread_create(&giver, 0, give, 0);
            *block = given;
            pthread_join(giver, 0);
            int copied = *block;
            block = realloc(block, 64);
            both(count, replace, block);
            NOTE("%d %d %d", copied, found, later_race());
            return 0; }""",
        8,
        lines("0", "01", "01") | lines("2", "23", "01"),
    ),
    "parameter that is 0 or 2": (
        """
        static void call(int value) {
            int passed = value;
            both(count, replace, &value);
            NOTE("%d %d %d", passed, found, later_race()); }
        int main(void) {
            pthread_t giver;
            pthread_create(&giver, 0, give, 0);
            int value = given;
            pthread_join(giver, 0);
            call(value);
            return 0; }""",
        8,
        lines("0", "01", "01") | lines("2", "23", "01"),
    ),
    "parameter in the place of an earlier one": (
        """
        static void call(int value, int again) {
            pthread_t first, second;
            pthread_create(&first, 0, count, &value);
            if (again) pthread_create(&second, 0, replace, &value);
            pthread_join(first, 0);
            if (again) pthread_join(second, 0); }
        int main(void) {
            call(1, 0);
            call(0, 1);
            NOTE("%d %d", found, later_race());
            return 0; }""",
        4,
        lines("01", "01"),
    ),
    "two compare-exchanges after realloc": (
        """
        static int first, second;
        static void *one(void *p) {
            int e = 2; first = __atomic_compare_exchange_n((int *)p, &e, 7, 0, 5, 5); return 0; }
        static void *other(void *p) {
            int e = 2; second = __atomic_compare_exchange_n((int *)p, &e, 8, 0, 5, 5); return 0; }
        int main(void) {
            pthread_t giver;
            int *block = malloc(sizeof *block);
            pthread_create(&giver, 0, give, 0);
            *block = 2 - given;
            pthread_join(giver, 0);
            block = realloc(block, 64);
            both(one, other, block);
            NOTE("%d %d %d", first, second, later_race());
            return 0; }""",
        6,
        lines("0", "01", "01") | lines("1", "0", "01"),
    ),
    "loops of compare-exchanges after realloc": (
        """
        static int taken;
        static void *take(void *p) {
            int left = __atomic_load_n((int *)p, 5);
            while (left > 0)
                if (__atomic_compare_exchange_n((int *)p, &left, left - 1, 0, 5, 5)) {
                    __atomic_fetch_add(&taken, 1, 5);
                    break;
                }
            return 0; }
        int main(void) {
            pthread_t giver, third;
            int *block = malloc(sizeof *block);
            pthread_create(&giver, 0, give, 0);
            *block = given / 2 + 1;
            pthread_join(giver, 0);
            block = realloc(block, 64);
            pthread_create(&third, 0, take, block);
            both(take, take, block);
            pthread_join(third, 0);
            NOTE("%d %d", taken, *block);
            return 0; }""",
        108,
        {"1 0", "2 0"},
    ),
    "three calls with parameters in one place": (
        """
        static int counted, replaced;
        static void *count_it(void *p) {
            counted = counted * 10 + __atomic_fetch_add((int *)p, 1, 5); return 0; }
        static void *replace_it(void *p) {
            int e = 1;
            __atomic_compare_exchange_n((int *)p, &e, 8, 0, 5, 5);
            replaced = replaced * 10 + e;
            return 0; }
        static void call(int value) { both(count_it, replace_it, &value); }
        int main(void) {
            call(0); call(1); call(2);
            NOTE("%03d %03d", counted, replaced);
            return 0; }""",
        8,
        lines(["012"], ["022", "023", "122", "123"]) | lines(["082"], ["012", "013", "112", "113"]),
    ),
    "structs that functions return": (
        """
        struct four { long a, b, c, d; };
        static struct four make(long k) { struct four s = {k, k + 1, k + 2, k + 3}; return s; }
        static int first, second;
        static void *one(void *p) {
            long e = 2; first = __atomic_compare_exchange_n((long *)p, &e, 7, 0, 5, 5); return 0; }
        static void *other(void *p) {
            long e = 2; second = __atomic_compare_exchange_n((long *)p, &e, 8, 0, 5, 5); return 0; }
        static void call(long k) { struct four made = make(k); both(one, other, &made.a); }
        int main(void) {
            call(1); call(2);
            NOTE("%d %d %d", first, second, later_race());
            return 0; }""",
        4,
        lines("0", "1", "01") | lines("1", "0", "01"),
    ),
    "strdup of a text that begins with 0 or 2": (
        """
        static void *replace_text(void *p) {
            int expected, text = 0;
            memcpy(&expected, "2bc", sizeof expected);
            __atomic_compare_exchange_n((int *)p, &expected, text, 0, 5, 5);
            found = (expected & 0xff) - '0';
            return 0; }
        int main(void) {
            pthread_t giver;
            char text[] = "0bc";
            pthread_create(&giver, 0, give, 0);
            text[0] = (char)('0' + given);
            pthread_join(giver, 0);
            char *copy = strdup(text);
            both(count, replace_text, copy);
            NOTE("%c %d %d", text[0], found, later_race());
            return 0; }""",
        8,
        lines("0", "01", "01") | lines("2", "23", "01"),
    ),
}


@pytest.mark.parametrize("case", UNSEEN_WRITES)
def test_a_compare_exchange_on_what_was_written_unseen(case: str, program: WriteProgram) -> None:
    text, classes, outcomes = UNSEEN_WRITES[case]
    assert_nothing_is_lost(program(C + COUNT_OR_REPLACE_2 + text), classes, outcomes)


def test_a_parameter_captured_by_reference_in_cpp(program: WriteProgram) -> None:
    """Lost: one of the two as winner of the second round, whose budget is where that of the first was."""
    text = """
        static std::atomic<int> later{0};
        static int winner;
        static void round(int budget, bool last) {
            auto take = [&](int me) {
                int e = budget;
                if (e == 2 && __atomic_compare_exchange_n(&budget, &e, 0, false, 5, 5)) winner = me;
            };
            std::thread a(take, 1), b(take, 2);
            a.join();
            b.join();
            std::thread c([] { later = 1; });
            int seen = later;
            c.join();
            if (last) NOTE("%d %d", winner, seen);
        }
        int main() { round(1, false); later = 0; winner = 0; round(2, true); }"""
    assert_nothing_is_lost(program(CPP + text, "program.cpp"), 16, lines("12", "01"))


# Who comes last, the release or the use, is no reads-from class of its own where the use reads nothing from
# the release.
USES_AFTER_FREE = {
    "write": """
        static int *block;
        static void *use(void *p) { *block = 1; return p; }
        static void *release(void *p) { free(block); return p; }
        int main(void) {
            block = malloc(sizeof *block);
            *block = 0;
            both(use, release, 0);
            return 0; }""",
    "lock of a mutex in the block": """
        static struct { pthread_mutex_t m; int x; } *block;
        static void *use(void *p) {
            pthread_mutex_lock(&block->m); pthread_mutex_unlock(&block->m); return p; }
        static void *release(void *p) { use(p); free(block); return p; }
        int main(void) {
            block = malloc(sizeof *block);
            pthread_mutex_init(&block->m, 0);
            both(use, release, 0);
            return 0; }""",
}


@pytest.mark.parametrize("case", USES_AFTER_FREE)
def test_a_use_that_reads_nothing_races_with_the_release(case: str, program: WriteProgram) -> None:
    """Lost: the failure. The program was verified."""
    result = norn.check(program(C + USES_AFTER_FREE[case]), equivalence="rf")
    assert [finding.kind for finding in result.findings] == ["use-after-free"]
    assert not result.findings[0].unconfirmed


def test_a_block_that_is_released_when_nobody_uses_it(program: WriteProgram) -> None:
    """The search for uses after the release finds none here, and counts no class twice."""
    text = """
        static struct { pthread_mutex_t m; int x, y; } *block;
        static void *use(void *p) {
            pthread_mutex_lock(&block->m);
            block->x++;
            pthread_mutex_unlock(&block->m);
            block->y = 3;
            return p; }
        int main(void) {
            block = malloc(sizeof *block);
            memset(block, 0, sizeof *block);
            pthread_mutex_init(&block->m, 0);
            both(use, use, 0);
            pthread_mutex_destroy(&block->m);
            free(block);
            return 0; }"""
    assert_nothing_is_lost(program(C + text), 2)


def kinds_of(source: Path, equivalence: str, *, keep_going: bool = False) -> set[str]:
    """What is found; with keep_going by a search that has come to its end."""
    result = norn.check(source, equivalence=equivalence, keep_going=keep_going)
    assert result.problems == ()
    assert not keep_going or result.bounds == ()
    assert result.redundant == 0
    assert not any(finding.unconfirmed for finding in result.findings)
    return {finding.kind for finding in result.findings}


@pytest.mark.parametrize("clear", ["*(int *)&m = 0", "memset(&m, 0, 4)", "memset(&m, 0, sizeof m)"])
def test_a_mutex_is_overwritten_while_others_lock_it(clear: str, program: WriteProgram) -> None:
    """Lost: that the store may come between lock and unlock. Locks were ordered as if only locks wrote."""
    text = """
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static int inside;
        static void *enter(void *p) {
            pthread_mutex_lock(&m);
            inside++;
            assert(inside == 1);
            inside--;
            pthread_mutex_unlock(&m);
            return p; }
        int main(void) {
            pthread_t first, second;
            pthread_create(&first, 0, enter, 0);
            pthread_create(&second, 0, enter, 0);
            CLEAR;
            return 0; }"""
    source = program(C + text.replace("CLEAR", clear))
    assert kinds_of(source, "rf") == kinds_of(source, "maz") == {"mutex-misuse"}


def test_a_mutex_is_overwritten_and_lets_two_threads_in(program: WriteProgram) -> None:
    """As above, where nobody unlocks: both failures are found, each where it comes first."""
    text = """
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static int inside;
        static void *enter(void *p) {
            pthread_mutex_lock(&m);
            inside++;
            assert(inside == 1);
            return p; }
        int main(void) {
            pthread_t first, second;
            pthread_create(&first, 0, enter, 0);
            pthread_create(&second, 0, enter, 0);
            *(int *)&m = 0;
            pthread_exit(0); }"""
    source = program(C + text)
    found = kinds_of(source, "rf", keep_going=True)
    assert found == kinds_of(source, "maz", keep_going=True) == {"assertion", "deadlock"}


def test_a_mutex_is_overwritten_by_something_larger_before_it_is_locked(program: WriteProgram) -> None:
    """Lost: that the lock may come first. It was not offered to a write of more than the mutex word."""
    text = """
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static void *enter(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }
        static void *clear(void *p) { memset(&m, 0, sizeof m); return p; }
        int main(void) {
            pthread_t first, second;
            pthread_create(&first, 0, clear, 0);
            pthread_create(&second, 0, enter, 0);
            return 0; }"""
    source = program(C + text)
    assert kinds_of(source, "rf") == kinds_of(source, "maz") == {"mutex-misuse"}


def test_what_planned_events_write_is_known_to_those_that_read_it(program: WriteProgram) -> None:
    """The value that an earlier trace had in its place was taken for it: one class came twice."""
    text = """
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        static void *wait_for_it(void *p) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return p; }
        static void *signal_once(void *p) { pthread_cond_signal(&c); return p; }
        static void *signal_twice(void *p) { pthread_cond_signal(&c); pthread_cond_signal(&c); return p; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, signal_once, 0);
            pthread_create(&t, 0, signal_twice, 0);
            pthread_create(&t, 0, wait_for_it, 0);
            pthread_cond_signal(&c);
            return 0; }"""
    source = program(C + text)
    results = {name: norn.check(source, equivalence=name, keep_going=True) for name in ("rf", "maz")}
    assert results["rf"].executions == results["maz"].executions == 21
    assert results["rf"].restarts == results["maz"].restarts


# What is on the stack of main below its frame differs from execution to execution.
ON_THE_STACK = {
    "mutex": """
        static void *use(void *p) {
            pthread_mutex_t *m = p;
            pthread_mutex_lock(m); sum = 2 * sum + 1; pthread_mutex_unlock(m);
            return 0; }
        static void call(int n) {
            pthread_t user;
            pthread_mutex_t *m = __builtin_alloca(n * sizeof *m);
            pthread_mutex_init(m, 0);
            pthread_create(&user, 0, use, m);
            pthread_mutex_lock(m); sum = 2 * sum; pthread_mutex_unlock(m);
            pthread_join(user, 0); }""",
    "condition variable": """
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static void *use(void *p) {
            pthread_mutex_lock(&m); sum = 1; pthread_cond_signal(p); pthread_mutex_unlock(&m);
            return 0; }
        static void call(int n) {
            pthread_t user;
            pthread_cond_t *c = __builtin_alloca(n * sizeof *c);
            pthread_cond_init(c, 0);
            pthread_create(&user, 0, use, c);
            pthread_mutex_lock(&m); while (!sum) pthread_cond_wait(c, &m); pthread_mutex_unlock(&m);
            pthread_join(user, 0); }""",
}


@pytest.mark.parametrize("case", ON_THE_STACK)
def test_objects_initialised_on_the_stack(case: str, program: WriteProgram) -> None:
    """An initialisation found what an earlier execution had left there, and the search gave up."""
    begin = "static int sum;\n"
    end = """
        static atomic_int x;
        static int leave(int trace) {
            volatile int garbage[1000];
            for (int i = 0; i < 1000; i++) garbage[i] = trace;
            return garbage[7]; }
        static void *write_x(void *p) { x = 1; x = 2; return p; }
        int main(void) {
            pthread_t writer;
            call(20);
            pthread_create(&writer, 0, write_x, 0);
            leave(x + 5);
            pthread_join(writer, 0);
            return 0; }"""
    assert_nothing_is_lost(program(C + begin + ON_THE_STACK[case] + end), 6)


def test_a_failure_inside_a_schedule_ends_that_execution_only(program: WriteProgram) -> None:
    """With --keep-going the search took an execution that failed before its end for one gone astray."""
    text = """
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static atomic_int x;
        static void *use(void *p) {
            x = 1;
            pthread_mutex_lock(&m);
            x = 3;
            pthread_mutex_unlock(&m);
            return p; }
        int main(void) {
            pthread_t user;
            pthread_create(&user, 0, use, 0);
            x = 2;
            pthread_mutex_destroy(&m);
            int seen = x;
            pthread_mutex_init(&m, 0);
            seen = x;
            (void)seen;
            pthread_join(user, 0);
            return 0; }"""
    source = program(C + text)
    found = kinds_of(source, "rf", keep_going=True)
    assert found == kinds_of(source, "maz", keep_going=True) == {"mutex-misuse"}


def test_bytes_written_one_by_one_before_a_wide_operation(program: WriteProgram) -> None:
    """The sources of its 8 bytes were tried in all combinations, 8 to the power of 8, for two classes."""
    text = """
        static union { _Atomic uint64_t all; uint8_t byte[8]; } u;
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static void *write_bytes(void *p) {
            pthread_mutex_lock(&m);
            for (int k = 0; k < 8; k++) for (int i = 0; i < 8; i++) u.byte[i] = (uint8_t)k;
            pthread_mutex_unlock(&m);
            return p; }
        int main(void) {
            pthread_t writer;
            pthread_create(&writer, 0, write_bytes, 0);
            pthread_mutex_lock(&m);
            atomic_fetch_add(&u.all, 1);
            pthread_mutex_unlock(&m);
            pthread_join(writer, 0);
            return 0; }"""
    assert_nothing_is_lost(program(C + text), 2)


def test_a_wide_operation_finds_bytes_of_two_threads(program: WriteProgram) -> None:
    """Each thread writes 8 bytes in order: the operation sees up to where they came, and whose is on top."""
    text = """
        static union { _Atomic uint64_t all; uint8_t byte[8]; } u;
        static void *write_bytes(void *p) {
            for (int i = 0; i < 8; i++) u.byte[i] = (uint8_t)(uintptr_t)p;
            return 0; }
        int main(void) {
            pthread_t one, two;
            pthread_create(&one, 0, write_bytes, (void *)1);
            pthread_create(&two, 0, write_bytes, (void *)2);
            unsigned long found = atomic_fetch_add(&u.all, 1);
            pthread_join(one, 0);
            pthread_join(two, 0);
            NOTE("%lx", found);
            return 0; }"""
    assert_nothing_is_lost(program(C + text), 511)


@pytest.mark.parametrize(("rounds", "classes"), [(2, 274), (3, 3640)])
def test_a_word_and_its_halves(rounds: int, classes: int, program: WriteProgram) -> None:
    """Threads change a word as a whole while another reads its halves, which come from different changes."""
    text = """
        static union { _Atomic uint64_t all; struct { _Atomic uint32_t low, high; }; } word;
        static void *bump(void *p) {
            for (int i = 0; i < ROUNDS; i++) {
                uint64_t v = atomic_load(&word.all);
                atomic_compare_exchange_strong(&word.all, &v, v + 0x100000001ul);
            }
            return p; }
        static void *look(void *p) {
            uint32_t high = atomic_load(&word.high), low = atomic_load(&word.low);
            assert(low >= high);
            return p; }
        int main(void) {
            pthread_t looker;
            pthread_create(&looker, 0, look, 0);
            both(bump, bump, 0);
            pthread_join(looker, 0);
            return 0; }"""
    assert_nothing_is_lost(program(C + text.replace("ROUNDS", str(rounds))), classes)


@pytest.mark.parametrize("threads", [24, 100])
def test_many_threads(threads: int, program: WriteProgram) -> None:
    """Whose write is the last: clocks and tables grow with the number of threads."""
    text = """
        static int x;
        static void *write_x(void *p) { x = (int)(intptr_t)p; return 0; }
        int main(void) {
            pthread_t writers[THREADS];
            for (long i = 0; i < THREADS; i++) pthread_create(&writers[i], 0, write_x, (void *)i);
            for (int i = 0; i < THREADS; i++) pthread_join(writers[i], 0);
            NOTE("%d", x);
            return 0; }"""
    source = program(C + text.replace("THREADS", str(threads)))
    result, outcomes = outcomes_of(source, "reads-from")
    assert outcomes == {str(i) for i in range(threads)}
    assert result.executions == threads


def test_threads_that_exist_in_some_executions_only(program: WriteProgram) -> None:
    """Each thread starts the next one if it comes before the writer: from 3 threads to 22."""
    text = """
        static atomic_int x, started;
        static void *start_next(void *p) {
            pthread_t next;
            started++;
            if (x == 0 && (intptr_t)p < 20) {
                pthread_create(&next, 0, start_next, (void *)((intptr_t)p + 1));
                pthread_join(next, 0);
            }
            return 0; }
        static void *write_x(void *p) { x = 1; return p; }
        int main(void) {
            pthread_t writer, first;
            pthread_create(&first, 0, start_next, (void *)1);
            pthread_create(&writer, 0, write_x, 0);
            pthread_join(first, 0);
            pthread_join(writer, 0);
            NOTE("%d", started);
            return 0; }"""
    assert_nothing_is_lost(program(C + text), 21, {str(i) for i in range(1, 21)})


def explored(program: Sequence[Sequence[Instruction]]) -> LitmusResult:
    """Explores, and compares with the oracle: the set of classes, each once, final states, failures."""
    assert first_complaints([list(code) for code in program]) == []
    return _engine.explore(program, "reads-from")


# Accesses of different size, at least one of them a read-modify-write or compare-exchange: classes were lost
# or came twice. Each is the smallest program that showed a fault of its own.
MIXED_SIZES: dict[str, tuple[list[list[Instruction]], int]] = {
    "a read of what was added to a word with one byte overwritten": (
        [[("write", 0, 0, 1, 1), ("read", 1, 0)], [("rmw_add", 1, 0, 2)]],
        3,
    ),
    "an exchange is overwritten in one half before it is read": (
        [[("write", 0, 0, 0, 4)], [("xchg", 1, 0, 0x0202020202020202)], [("read", 1, 0)]],
        6,
    ),
    "a failed compare-exchange of a part is no source": (
        [[("rmw_add", 1, 0, 1)], [("cas", 0, 0, 0x0202, 0, 0, 2), ("cas", 1, 0, 0, 0)]],
        3,
    ),
    "a compare-exchange overlaps what its own thread wrote": (
        [[("write", 0, 0x0101, 0, 2), ("cas", 1, 0, 0x0101, 0x0202, 1, 2)], [("cas", 0, 0, 0, 0)]],
        2,
    ),
    "a read of a compare-exchange at another alignment": (
        [[("write_reg", 0, 0, 2, 2)], [("cas", 1, 0, 0, 1, 1, 4)], [("read", 0, 0)]],
        6,
    ),
}


@pytest.mark.parametrize("case", MIXED_SIZES)
def test_mixed_sizes(case: str) -> None:
    program, classes = MIXED_SIZES[case]
    assert explored(program).executions == classes


LOCK, UNLOCK = ("lock", 0), ("unlock", 0)
WAITER: list[Instruction] = [LOCK, ("rmw_add", 0, 0, 1), ("wait", 0, 0), UNLOCK]
READER: list[Instruction] = [("rdlock", 0), ("rwunlock", 0)]

# Operations that wait. Numbers: executions, deadlocks among them, blocked ones.
WAITING: dict[str, tuple[list[list[Instruction]], tuple[int, int, int]]] = {
    "the last lock before a deadlock is replaced by one that waits": (
        [[("lock", t), ("lock", 1 - t), ("unlock", 1 - t), ("unlock", t)] for t in range(2)],
        (3, 1, 0),
    ),
    "a deadlock of three": (
        [[("lock", t), ("lock", (t + 1) % 3), ("unlock", (t + 1) % 3), ("unlock", t)] for t in range(3)],
        (7, 1, 0),
    ),
    "a mutex that is never released": ([[LOCK, ("write", 0, 1)]] * 3, (3, 3, 0)),
    "a trylock before, inside and after a critical section": (
        [[LOCK, UNLOCK], [("trylock", 0, 0), ("branch", 0, "==", 0, 1), UNLOCK]],
        (3, 0, 0),
    ),
    "a trylock among two critical sections": (
        [
            [LOCK, ("write", 0, 1), UNLOCK],
            [("trylock", 0, 0), ("branch", 0, "==", 0, 2), ("read", 1, 0), UNLOCK],
            [LOCK, ("write", 0, 2), UNLOCK],
        ],
        (10, 0, 0),
    ),
    "a thread that an assume stopped holds the mutex": (
        [
            [("write", 0, 1)],
            [LOCK, ("read", 0, 0), ("assume", 0, "==", 1), UNLOCK],
            [LOCK, ("write", 1, 1), UNLOCK],
        ],
        (2, 0, 2),
    ),
    "either of two threads is stopped with the mutex": (
        [
            [("write", 0, 1)],
            [LOCK, ("read", 0, 0), ("assume", 0, "==", 1), UNLOCK],
            [LOCK, ("read", 0, 0), ("assume", 0, "==", 0), UNLOCK],
        ],
        (1, 0, 4),
    ),
    "a join of a thread that needs the mutex": (
        [[LOCK, ("spawn", 1), ("join", 1), UNLOCK], [LOCK, UNLOCK], [("trylock", 0, 0)]],
        (2, 2, 0),
    ),
    "one of up to three waiters is signalled": ([WAITER] * 3 + [[LOCK, ("signal", 0), UNLOCK]], (66, 66, 0)),
    "two signals, one without the mutex": (
        [WAITER, WAITER, [LOCK, ("signal", 0), UNLOCK], [("signal", 0)]],
        (62, 28, 0),
    ),
    "a broadcast to up to two waiters": ([WAITER, WAITER, [LOCK, ("broadcast", 0), UNLOCK]], (10, 6, 0)),
    "waiters with a mutex each": (
        [
            [("lock", 0), ("wait", 0, 0), ("unlock", 0), ("read", 0, 0)],
            [("lock", 1), ("wait", 0, 1), ("unlock", 1), ("read", 0, 0)],
            [("signal", 0), ("write", 0, 1)],
        ],
        (14, 14, 0),
    ),
    "a semaphore that nobody posts": ([[("sem_wait", 0)], [("write", 0, 1)]], (1, 1, 0)),
    "one post for two": ([[("sem_wait", 0)], [("sem_wait", 0)], [("sem_post", 0)]], (2, 2, 0)),
    "two semaphores are taken in different order": (
        [
            [("sem_post", 0), ("sem_post", 1), ("spawn", 1), ("spawn", 2)],
            [("sem_wait", 0), ("sem_wait", 1), ("sem_post", 1), ("sem_post", 0)],
            [("sem_wait", 1), ("sem_wait", 0), ("sem_post", 0), ("sem_post", 1)],
        ],
        (3, 1, 0),
    ),
    "a sem_trywait before, between and after": (
        [[("sem_post", 0), ("sem_post", 0)], [("sem_trywait", 0, 0)]],
        (3, 0, 0),
    ),
    "a writer before, after or between two readers": (
        [[("wrlock", 0), ("rwunlock", 0)], READER, READER],
        (14, 0, 0),
    ),
    "two readers want to write": ([[("rdlock", 0), ("wrlock", 0)]] * 2, (2, 2, 0)),
    "a trywrlock before, inside and after what a reader does": (
        [READER, [("trywrlock", 0, 0), ("branch", 0, "==", 0, 1), ("rwunlock", 0)]],
        (3, 0, 0),
    ),
}


@pytest.mark.parametrize("case", WAITING)
def test_operations_that_wait(case: str) -> None:
    program, expected = WAITING[case]
    result = explored(program)
    assert (result.executions, result.deadlocks, result.blocked) == expected


def test_an_observer_that_runs_first_has_many_candidates() -> None:
    """All writes are offered to its reads when they come, in one execution."""
    one_read = _engine.explore([[("read", 0, 0)], *([[("write", 0, 1)] * 20] * 10)], "rf")
    assert (one_read.executions, one_read.redundant) == (201, 0)
    two_reads = _engine.explore([[("read", 0, 0), ("read", 1, 0)], [("write", 0, 1)] * 60], "rf")
    assert (two_reads.executions, two_reads.redundant) == (math.comb(62, 2), 0)


@pytest.mark.parametrize("threads", [6, 14, 80])
def test_more_threads_than_in_the_first_execution(threads: int) -> None:
    """The first thread starts all others if it reads 1; then it reads what the last of them wrote."""
    others = range(2, threads)
    first: list[Instruction] = [("read", 0, 0), ("branch", 0, "==", 0, 2 * len(others) + 1)]
    first += [("spawn", i) for i in others] + [("join", i) for i in others] + [("read", 1, 1)]
    writers: list[list[Instruction]] = [[("write", 1, i)] for i in others]
    result = _engine.explore([first, [("write", 0, 1)], *writers], "rf")
    assert (result.executions, result.redundant) == (1 + len(others), 0)
    assert {state[0][2] for state in result.states} == {0, *others}


@pytest.mark.parametrize("threads", [5, 13, 70])
def test_each_thread_may_start_the_next(threads: int) -> None:
    code: list[list[Instruction]] = [
        [("read", 0, 0), ("branch", 0, "==", 1, 1), ("spawn", i + 1)] for i in range(threads - 1)
    ]
    assert explored([*code, [("read", 0, 0)], [("write", 0, 1)]]).executions == threads + 1
