"""The explorer `reads-value-from`: whatever makes it take two values for one would lose a bug here.

Native programs compute an outcome and note it in a file, one for each execution; or they have two variants,
of which one can fail. Litmus programs are compared with the oracle: the same final states, failures and
deadlocks, in no more executions than there are classes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import norn
from norn import _engine, session
from norn.build import build
from norn.build.options import sort_options
from tests.fuzz import first_complaints
from tests.litmus_programs import Code, random_program

if TYPE_CHECKING:
    from norn._engine import Instruction, LitmusResult

WriteProgram = Callable[..., Path]

C = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static pthread_t threads[8];
static int started;
static void start(void *(*code)(void *), void *argument) {
    pthread_create(&threads[started++], 0, code, argument);
}
static void join_all(void) { while (started > 0) pthread_join(threads[--started], 0); }
"""

# `outcome` is what the program comes to. An argument is an outcome that it must not come to.
OUTCOME = (
    C
    + """
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static int outcome(void);
int main(int argc, char **argv) {
    char line[20];
    int found = outcome();
    int length = snprintf(line, sizeof line, "%d\\n", found);
    int file = open(OUTCOMES, O_WRONLY | O_CREAT | O_APPEND, 0600);
    (void)!write(file, line, (size_t)length);
    close(file);
    assert(argc < 2 || found != atoi(argv[1]));
    return 0;
}
"""
)

# Outcomes, and how many classes there are.
Trap = tuple[str, set[int], int]


def assert_each_is_found(source: Path, outcomes: set[int], classes: int) -> None:
    """Verified with all outcomes there are; and if one of them is a failure, that is found."""
    file = source.with_suffix(".outcomes")
    flags = [f'-DOUTCOMES="{file}"']
    result = norn.check(source, flags=flags, equivalence="rvf")
    assert result.verdict is norn.Verdict.VERIFIED, (result.findings, result.problems)
    assert {int(line) for line in file.read_text().split()} == outcomes
    assert result.executions == classes
    assert_fails(
        norn.check(source, flags=flags, arguments=[str(max(outcomes))], equivalence="rvf"), "assertion"
    )


def assert_fails(result: norn.Result, *kinds: str) -> None:
    assert sorted(finding.kind for finding in result.findings) == sorted(kinds), result.problems
    assert result.verdict is norn.Verdict.FAILED
    assert not any(finding.unconfirmed for finding in result.findings)


INITIAL_VALUES: dict[str, Trap] = {
    "a variable begins with 7 and is cleared": (
        """
        static int x = 7;
        static void *clear(void *p) { x = 0; return p; }
        static int outcome(void) { start(clear, 0); int seen = x; join_all(); return seen; }""",
        {0, 7},
        2,
    ),
    "what is found first decides what follows": (
        """
        static int x = 7, y = 7, path;
        static void *clear(void *p) { y = 0; x = 0; return p; }
        static void *look(void *p) {
            if (x == 7) path = y == 7 ? 1 : 2; else path = y == 7 ? 3 : 4;
            return p; }
        static int outcome(void) { start(clear, 0); start(look, 0); join_all(); return path; }""",
        {1, 2, 4},
        3,
    ),
    "a variable is set to what it begins with": (
        """
        static int x = 1;
        static void *keep(void *p) { x = 1; return p; }
        static void *clear(void *p) { x = 0; return p; }
        static int outcome(void) { start(keep, 0); start(clear, 0); int seen = x; join_all(); return seen; }
        """,
        {0, 1},
        2,
    ),
    "elements of an array begin with different values": (
        """
        static int a[3] = {5, 6, 7};
        static void *set(void *p) { a[0] = 6; a[1] = 6; a[2] = 6; return p; }
        static int outcome(void) {
            start(set, 0);
            int third = a[2], second = a[1], first = a[0];
            join_all();
            return 100 * first + 10 * second + third; }""",
        {567, 666, 667},
        3,
    ),
    "a heap block is filled by memset": (
        """
        static int *block;
        static void *clear(void *p) { block[9] = 0; return p; }
        static int outcome(void) {
            block = malloc(64);
            memset(block, 0xff, 64);
            start(clear, 0);
            int seen = block[9];
            join_all();
            return seen; }""",
        {-1, 0},
        2,
    ),
    "a compare-exchange expects what the variable begins with, another one 0": (
        """
        static atomic_int x = 7;
        static void *clear(void *p) { int e = 7; atomic_compare_exchange_strong(&x, &e, 0); return p; }
        static void *set(void *p) { int e = 0; atomic_compare_exchange_strong(&x, &e, 5); return p; }
        static int outcome(void) { start(clear, 0); start(set, 0); join_all(); return x; }""",
        {0, 5},
        2,
    ),
}

POINTERS: dict[str, Trap] = {
    "to two variables with the same content": (
        """
        static int a, b;
        static _Atomic(int *) p = &a;
        static void *swing(void *q) { p = &b; return q; }
        static void *swing_back(void *q) { p = &a; return q; }
        static int outcome(void) {
            start(swing, 0); start(swing_back, 0);
            int *seen = p;
            join_all();
            return seen == &b; }""",
        {0, 1},
        2,
    ),
    "to two heap blocks, one of which must not be cleared": (
        """
        static int *_Atomic top;
        static void *push(void *p) { top = p; return p; }
        static void *clear(void *p) { int *block = top; if (block) *block = 0; return p; }
        static int outcome(void) {
            int *first = malloc(4), *second = malloc(4);
            *first = 1; *second = 2;
            start(push, first); start(push, second); start(clear, 0);
            join_all();
            return *first + *second; }""",
        {1, 2, 3},
        3,
    ),
    "that differ only in bit 48": (
        """
        static int a;
        static _Atomic(uintptr_t) tagged;
        static void *mark(void *p) { tagged = (uintptr_t)&a | (uintptr_t)1 << 48; return p; }
        static int outcome(void) {
            tagged = (uintptr_t)&a;
            start(mark, 0);
            int mark_seen = (int)(tagged >> 48);
            join_all();
            return mark_seen; }""",
        {0, 1},
        2,
    ),
    "to functions": (
        """
        static int one(void) { return 1; }
        static int two(void) { return 2; }
        static int (*_Atomic f)(void) = one;
        static void *replace(void *p) { f = two; return p; }
        static int outcome(void) { start(replace, 0); int found = f(); join_all(); return found; }""",
        {1, 2},
        2,
    ),
    "to an object that is published before it is complete": (
        """
        struct object { int value; };
        static struct object object;
        static struct object *_Atomic published;
        static void *publish(void *p) { published = &object; object.value = 1; return p; }
        static int outcome(void) {
            start(publish, 0);
            struct object *seen = published;
            int value = seen == 0 ? 2 : seen->value;
            join_all();
            return value; }""",
        {0, 1, 2},
        3,
    ),
}

LARGE_VALUES: dict[str, Trap] = {
    "integers that differ only above bit 32": (
        """
        static _Atomic uint64_t x = 1;
        static void *set(void *p) { x = 1 + ((uint64_t)1 << 32); x = 1 + ((uint64_t)2 << 32); return p; }
        static int outcome(void) { start(set, 0); uint64_t seen = x; join_all(); return (int)(seen >> 32); }
        """,
        {0, 1, 2},
        3,
    ),
    "integers that differ only in the highest bit": (
        """
        static uint64_t x;
        static void *set(void *p) { x = (uint64_t)1 << 63; return p; }
        static int outcome(void) { start(set, 0); uint64_t seen = x; join_all(); return seen != 0; }""",
        {0, 1},
        2,
    ),
    "floating-point numbers with few digits": (
        """
        static double x = 1.0;
        static void *set(void *p) { x = 2.0; x = 4.0; return p; }
        static int outcome(void) { start(set, 0); double seen = x; join_all(); return (int)seen; }""",
        {1, 2, 4},
        3,
    ),
    "compare-exchange that expects a high bit": (
        """
        static _Atomic uint64_t x;
        static void *set(void *p) { x = (uint64_t)1 << 40; return p; }
        static void *replace(void *p) {
            uint64_t expected = (uint64_t)1 << 40;
            atomic_compare_exchange_strong(&x, &expected, 3);
            return p; }
        static int outcome(void) { start(set, 0); start(replace, 0); join_all(); return x == 3; }""",
        {0, 1},
        2,
    ),
    "counter that carries into the upper half": (
        """
        static _Atomic uint64_t x = UINT32_MAX;
        static void *count(void *p) { atomic_fetch_add(&x, (uint64_t)1 << 32); return p; }
        static int outcome(void) {
            start(count, 0); start(count, 0);
            uint64_t seen = x;
            join_all();
            return (int)(seen >> 32); }""",
        {0, 1, 2},
        6,
    ),
    "16 bytes that differ only in their upper half": (
        """
        static unsigned __int128 x = 1;
        static void *set(void *p) { x = 1 | (unsigned __int128)1 << 100; return p; }
        static int outcome(void) {
            start(set, 0); unsigned __int128 seen = x; join_all(); return seen >> 100 != 0; }""",
        {0, 1},
        2,
    ),
    "structs that differ only in their last field": (
        """
        struct four { long a, b, c, d; };
        static struct four x = {1, 2, 3, 4};
        static void *set(void *p) { static const struct four other = {1, 2, 3, 5}; x = other; return p; }
        static int outcome(void) { start(set, 0); struct four seen = x; join_all(); return (int)seen.d; }""",
        {4, 5},
        2,
    ),
}

STACK: dict[str, Trap] = {
    "a local variable of main": (
        """
        static void *set(void *p) { *(int *)p = 1; return 0; }
        static int outcome(void) {
            int local = 7;
            start(set, &local);
            int seen = local;
            join_all();
            return seen; }""",
        {1, 7},
        2,
    ),
    "a local variable of another thread": (
        """
        static int seen;
        static void *set(void *p) { *(int *)p = 1; return 0; }
        static void *parent(void *p) {
            int local = 7;
            pthread_t child;
            pthread_create(&child, 0, set, &local);
            seen = local;
            pthread_join(child, 0);
            return p; }
        static int outcome(void) { start(parent, 0); join_all(); return seen; }""",
        {1, 7},
        2,
    ),
    "an array of unknown length": (
        """
        static void *set(void *p) { int *a = p; a[3]++; return 0; }
        static int add(int n) {
            int a[n];
            for (int i = 0; i < n; i++) a[i] = n;
            start(set, a); start(set, a);
            join_all();
            return a[n - 1]; }
        static int outcome(void) { return add(4); }""",
        {5, 6},
        3,
    ),
    "a parameter in the place of an earlier one": (
        """
        struct job { int *budget, me; };
        static int winner;
        static void *take(void *p) {
            struct job *job = p;
            int e = *job->budget;
            if (e == 2 && __atomic_compare_exchange_n(job->budget, &e, 0, 0, 5, 5)) winner = job->me;
            return 0; }
        static void compete(int budget) {
            struct job one = {&budget, 1}, two = {&budget, 2};
            start(take, &one); start(take, &two);
            join_all(); }
        static int outcome(void) { compete(1); winner = 0; compete(2); return winner; }""",
        {1, 2},
        4,
    ),
    "a pointer to a local variable is handed over": (
        """
        static int *_Atomic given;
        static void *set(void *p) { int *q = given; if (q) *q = 1; return p; }
        static int outcome(void) {
            int local = 7;
            start(set, 0);
            given = &local;
            int seen = local;
            join_all();
            return seen; }""",
        {1, 7},
        3,
    ),
}

SHARED = "static union { _Atomic uint32_t all; uint16_t half[2]; uint8_t byte[4]; } u;\n"
MIXED_SIZES: dict[str, Trap] = {
    "4 bytes are read of two writes of 2": (
        """
        static void *low(void *p) { u.half[0] = 1; return p; }
        static void *high(void *p) { u.half[1] = 1; return p; }
        static int outcome(void) {
            start(low, 0); start(high, 0);
            uint32_t seen = u.all;
            join_all();
            return (int)(seen & 1) + 2 * (int)(seen >> 16); }""",
        {0, 1, 2, 3},
        4,
    ),
    "two reads of 2 bytes of a write of 4": (
        """
        static void *set(void *p) { u.all = 0x00010001; return p; }
        static int outcome(void) {
            start(set, 0);
            int low = u.half[0], high = u.half[1];
            join_all();
            return low + 2 * high; }""",
        {0, 2, 3},
        3,
    ),
    "writes that leave one half alike": (
        """
        static void *one(void *p) { u.all = 0x00010001; return p; }
        static void *two(void *p) { u.all = 0x00010002; return p; }
        static int outcome(void) {
            start(one, 0); start(two, 0);
            int high = u.half[1];
            int low = u.half[0];
            join_all();
            return 10 * high + low; }""",
        {0, 1, 2, 11, 12},
        5,
    ),
    "bytes are written under a compare-exchange of the word": (
        """
        static void *bytes(void *p) { u.byte[3] = 1; u.byte[0] = 1; return p; }
        static int outcome(void) {
            uint32_t expected = 0x01000000;
            start(bytes, 0);
            int done = atomic_compare_exchange_strong(&u.all, &expected, 0x02000002);
            join_all();
            return 100 * done + 10 * u.byte[3] + u.byte[0]; }""",
        {11, 121},
        3,
    ),
    "a struct is copied while its fields are written": (
        """
        static struct { int a, b; } from, to;
        static void *set(void *p) { from.b = 1; from.a = 1; return p; }
        static int outcome(void) {
            start(set, 0);
            memcpy(&to, &from, sizeof to);
            join_all();
            return to.a + 2 * to.b; }""",
        {0, 2, 3},
        3,
    ),
    "fields that are not aligned": (
        """
        static struct __attribute__((packed)) { char tag; uint32_t value; } s;
        static void *set(void *p) { s.value = 0x01010101; return p; }
        static int outcome(void) {
            char bytes[5];
            start(set, 0);
            memcpy(bytes, &s, 5);
            uint32_t value = s.value;
            join_all();
            return bytes[4] + 2 * (value != 0); }""",
        {0, 2, 3},
        3,
    ),
}

TRAPS = {
    f"{title}: {case}": trap
    for title, traps in (
        ("initial values", INITIAL_VALUES),
        ("pointers", POINTERS),
        ("large values", LARGE_VALUES),
        ("stack", STACK),
        ("mixed sizes", {case: (SHARED + text, found, n) for case, (text, found, n) in MIXED_SIZES.items()}),
    )
    for case, trap in traps.items()
}


@pytest.mark.parametrize("case", TRAPS)
def test_values_are_told_apart(case: str, program: WriteProgram) -> None:
    text, outcomes, classes = TRAPS[case]
    assert_each_is_found(program(OUTCOME + text), outcomes, classes)


# Programs that are right as they are, and fail with WRONG defined.
VARIANTS = """
#ifdef WRONG
#define VARIANT(right, wrong) wrong
#else
#define VARIANT(right, wrong) right
#endif
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y, ready;
"""
LOCKS = {
    "locks in different order": (
        "deadlock",
        """
        static void *one(void *p) {
            pthread_mutex_lock(&a); pthread_mutex_lock(&b); x = 1;
            pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
            return p; }
        static void *other(void *p) {
            pthread_mutex_lock(VARIANT(&a, &b)); pthread_mutex_lock(VARIANT(&b, &a)); x = 1;
            pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
            return p; }
        int main(void) { start(one, 0); start(other, 0); join_all(); return 0; }""",
    ),
    "three mutexes, locked round about by threads that all write the same": (
        "deadlock",
        """
        static pthread_mutex_t *fork[3] = {&a, &b, &m};
        static void *eat(void *p) {
            int i = (int)(intptr_t)p, first = i, second = (i + 1) % 3;
            VARIANT(if (i == 2) { first = 0; second = 2; }, )
            x = 1;
            pthread_mutex_lock(fork[first]); pthread_mutex_lock(fork[second]);
            x = 1;
            pthread_mutex_unlock(fork[second]); pthread_mutex_unlock(fork[first]);
            x = 1;
            return 0; }
        int main(void) {
            for (int i = 0; i < 3; i++) start(eat, (void *)(intptr_t)i);
            join_all();
            return 0; }""",
    ),
    "only one order of equal writes leads to the deadlock": (
        "deadlock",
        """
        static void *one(void *p) {
            x = 1; y = 1;
            pthread_mutex_lock(&a); x = 1; y = 1; pthread_mutex_unlock(&a);
            return p; }
        static void *two(void *p) {
            int taken = pthread_mutex_trylock(&a) == 0;
            x = 1; y = 1;
            pthread_mutex_lock(&b);
            if (taken) pthread_mutex_unlock(&a);
            VARIANT(pthread_mutex_unlock(&b), if (taken) pthread_mutex_unlock(&b));
            return p; }
        int main(void) {
            start(one, 0); start(two, 0);
            x = 1; y = 1;
            pthread_mutex_lock(&b); x = 1; pthread_mutex_unlock(&b);
            join_all();
            return 0; }""",
    ),
    "the owner of a mutex has ended": (
        "deadlock",
        """
        static void *leave(void *p) { pthread_mutex_lock(&a); VARIANT(pthread_mutex_unlock(&a), ); return p; }
        int main(void) {
            start(leave, 0);
            pthread_mutex_lock(&a); pthread_mutex_unlock(&a);
            join_all();
            return 0; }""",
    ),
    "a thread is joined that needs the mutex": (
        "deadlock",
        """
        static void *use(void *p) { pthread_mutex_lock(&a); x = 1; pthread_mutex_unlock(&a); return p; }
        int main(void) {
            start(use, 0);
            pthread_mutex_lock(&a);
            VARIANT(pthread_mutex_unlock(&a), );
            join_all();
            VARIANT(, pthread_mutex_unlock(&a));
            return 0; }""",
    ),
    "a signal that nobody waits for yet": (
        "deadlock",
        """
        static void *await(void *p) {
            pthread_mutex_lock(&m);
            VARIANT(while (!ready), ) pthread_cond_wait(&c, &m);
            pthread_mutex_unlock(&m);
            return p; }
        int main(void) {
            start(await, 0);
            pthread_mutex_lock(&m);
            ready = 1;
            pthread_cond_signal(&c);
            pthread_mutex_unlock(&m);
            join_all();
            return 0; }""",
    ),
    "what is waited for is set without the mutex": (
        "deadlock",
        """
        static void *await(void *p) {
            pthread_mutex_lock(&m);
            while (!ready) pthread_cond_wait(&c, &m);
            pthread_mutex_unlock(&m);
            return p; }
        int main(void) {
            start(await, 0);
            VARIANT(pthread_mutex_lock(&m), );
            ready = 1;
            VARIANT(pthread_mutex_unlock(&m), );
            pthread_cond_signal(&c);
            join_all();
            return 0; }""",
    ),
    "one signal for two waiters": (
        "deadlock",
        """
        static void *await(void *p) {
            pthread_mutex_lock(&m);
            while (!ready) pthread_cond_wait(&c, &m);
            pthread_mutex_unlock(&m);
            return p; }
        int main(void) {
            start(await, 0); start(await, 0);
            pthread_mutex_lock(&m);
            ready = 1;
            VARIANT(pthread_cond_broadcast(&c), pthread_cond_signal(&c));
            pthread_mutex_unlock(&m);
            join_all();
            return 0; }""",
    ),
    "a signal may wake the waiter that has nothing to do": (
        "deadlock",
        """
        static void *await_x(void *p) {
            pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);
            return p; }
        static void *await_y(void *p) {
            pthread_mutex_lock(&m); while (!y) pthread_cond_wait(&c, &m);
            x = 1;
            VARIANT(pthread_cond_broadcast(&c), pthread_cond_signal(&c));
            pthread_mutex_unlock(&m);
            return p; }
        int main(void) {
            start(await_x, 0); start(await_y, 0);
            pthread_mutex_lock(&m);
            y = 1;
            VARIANT(pthread_cond_broadcast(&c), pthread_cond_signal(&c));
            pthread_mutex_unlock(&m);
            join_all();
            return 0; }""",
    ),
    "whether a trylock has taken the mutex is not looked at": (
        "mutex-misuse",
        """
        static void *use(void *p) {
            int taken = pthread_mutex_trylock(&a) == 0;
            if (VARIANT(taken, 1)) pthread_mutex_unlock(&a);
            return p; }
        int main(void) {
            start(use, 0);
            pthread_mutex_lock(&a); x = 1; pthread_mutex_unlock(&a);
            join_all();
            return 0; }""",
    ),
    "a trylock that fails skips what must be done": (
        "assertion",
        """
        static void *add(void *p) {
            if (pthread_mutex_trylock(&a) != 0) VARIANT(pthread_mutex_lock(&a), return p);
            x++;
            pthread_mutex_unlock(&a);
            return p; }
        int main(void) {
            start(add, 0); start(add, 0);
            join_all();
            assert(x == 2);
            return 0; }""",
    ),
}


@pytest.mark.parametrize("case", LOCKS)
def test_operations_that_wait(case: str, program: WriteProgram) -> None:
    kind, text = LOCKS[case]
    source = program(C + VARIANTS + text)
    right = norn.check(source, equivalence="rvf")
    assert right.verdict is norn.Verdict.VERIFIED, (right.findings, right.problems)
    assert_fails(norn.check(source, flags=["-DWRONG"], equivalence="rvf"), kind)


WAITING: dict[str, Trap] = {
    "both results of trylock": (
        """
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static int found;
        static void *attempt(void *p) {
            if (pthread_mutex_trylock(&m) == 0) { found = 1; pthread_mutex_unlock(&m); }
            return p; }
        static int outcome(void) {
            start(attempt, 0);
            pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
            join_all();
            return found; }""",
        {0, 1},
        3,
    ),
    "either of two waiters is woken by a signal": (
        """
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        static int waiting, first, done;
        static void *await(void *p) {
            pthread_mutex_lock(&m);
            waiting++;
            if (!done) pthread_cond_wait(&c, &m);
            if (first == 0) first = (int)(intptr_t)p;
            pthread_mutex_unlock(&m);
            return 0; }
        static int outcome(void) {
            start(await, (void *)1); start(await, (void *)2);
            pthread_mutex_lock(&m);
            int both = waiting == 2;
            pthread_cond_signal(&c);
            pthread_mutex_unlock(&m);
            pthread_mutex_lock(&m);
            int woken = first;
            done = 1;
            pthread_cond_broadcast(&c);
            pthread_mutex_unlock(&m);
            join_all();
            return 100 * both + 10 * woken + first; }""",
        {1, 2, 11, 22, 101, 102, 111, 122},
        36,
    ),
}


@pytest.mark.parametrize("case", WAITING)
def test_outcomes_of_operations_that_wait(case: str, program: WriteProgram) -> None:
    text, outcomes, classes = WAITING[case]
    assert_each_is_found(program(OUTCOME + text), outcomes, classes)


def test_deadlocks_are_counted_alike_each_time(program: WriteProgram) -> None:
    source = program(C + VARIANTS + LOCKS["only one order of equal writes leads to the deadlock"][1])
    results = [norn.check(source, flags=["-DWRONG"], equivalence="rvf", keep_going=True) for _ in range(3)]
    for result in results:
        assert_fails(result, "deadlock")
        assert result.complete
    assert len({(result.executions, result.redundant, result.events) for result in results}) == 1


def explored(program: Sequence[Sequence[Instruction]]) -> LitmusResult:
    """Explores, and compares with the oracle: final states, failures, deadlocks, and no class twice."""
    assert first_complaints([list(code) for code in program]) == []
    return _engine.explore(program, "reads-value-from")


WRITES: list[Instruction] = [("write", 0, 1), ("write", 1, 1)]


def test_figure_1() -> None:
    program = [WRITES, [*WRITES, ("read", 0, 0)], [*WRITES, ("read", 0, 1)]]
    assert explored(program).redundant == 0
    counts = [_engine.explore(program, name).executions for name in ("maz", "rf", "rvf")]
    assert counts == [98, 9, 1]


def test_figure_6() -> None:
    """The write that comes after one of the reads is a new source for the other: that takes a signal."""
    program: list[list[Instruction]] = [
        [("write", 0, 1), ("read", 0, 0), ("write", 1, 1)],
        [("write", 0, 1), ("write", 1, 1), ("read", 0, 1), ("write", 0, 2)],
    ]
    result = explored(program)
    assert (result.executions, result.redundant) == (2, 0)
    assert result.states == {((3, 1), (4, 1)), ((3, 2), (4, 1))}


# Programs for a number n, and how many executions they take.
CLOSED_FORMS: dict[str, tuple[Callable[[int], Sequence[Sequence[Instruction]]], Callable[[int], int]]] = {
    "n threads write the same": (lambda n: [[("write", 0, 1)]] * n + [[("read", 0, 0)]], lambda n: 2),
    "n threads write different values": (
        lambda n: [[("write", 0, 1 + i)] for i in range(n)] + [[("read", 0, 0)]],
        lambda n: n + 1,
    ),
    "n threads write what is there": (
        lambda n: [[("write", 0, 0)]] * n + [[("read", 0, 0), ("read", 1, 0)]] * 2,
        lambda n: 1,
    ),
    "n threads read": (lambda n: [[("read", 0, 0)]] * n + [[("write", 0, 1)]], lambda n: 2**n),
    "n reads among equal writes": (
        lambda n: [[("read", i, 0) for i in range(n)], [("write", 0, 1)] * 3],
        lambda n: n + 1,
    ),
    "n reads among three different writes": (
        lambda n: [[("read", i, 0) for i in range(n)], [("write", 0, 1 + i) for i in range(3)]],
        lambda n: math.comb(n + 3, 3),
    ),
    "n threads add": (lambda n: [[("rmw_add", 0, 0, 1)]] * n, math.factorial),
    "one of n compare-exchanges succeeds": (lambda n: [[("cas", 0, 0, 0, 1)]] * n, lambda n: n),
    "n critical sections": (lambda n: [[("lock", 0), ("write", 0, 1), ("unlock", 0)]] * n, math.factorial),
    "n threads, one of which sees the others late": (
        lambda n: [[("write", i, 1), ("read", 0, (i + 1) % n)] for i in range(n)],
        lambda n: 2**n - 1,
    ),
}


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("case", CLOSED_FORMS)
def test_closed_forms(case: str, n: int) -> None:
    program, executions = CLOSED_FORMS[case]
    assert explored(program(n)).executions == executions(n)


# A location to which only one value is written is not explored; that it is not such a location shows itself
# late here: the other value is written only where the reads before it have found what they rarely find.
LATE_VALUES: dict[str, list[list[Instruction]]] = {
    "where two reads have found one combination": [
        [("write", 0, 1), ("read", 0, 0), ("write", 3, 1)],
        [
            ("read", 0, 1),
            ("branch", 0, "!=", 1, 3),
            ("read", 1, 2),
            ("branch", 1, "!=", 0, 1),
            ("write", 0, 2),
        ],
        [("write", 1, 1), ("write", 2, 1)],
    ],
    "to a location that nobody else writes": [
        [("read", 0, 0), ("read", 1, 0)],
        [
            ("read", 0, 1),
            ("read", 1, 2),
            ("branch", 0, "!=", 1, 2),
            ("branch", 1, "!=", 1, 1),
            ("write", 0, 2),
        ],
        [("write", 1, 1)],
        [("write", 2, 1)],
    ],
    "to a location that others set to what it begins with": [
        [("read", 0, 0)],
        [("write", 0, 0)],
        [("read", 0, 1), ("branch", 0, "==", 0, 1), ("write", 0, 1)],
        [("write", 1, 1)],
    ],
    "to a location that the parent has written": [
        [("write", 0, 1), ("spawn", 1), ("spawn", 2), ("write", 1, 1)],
        [("read", 0, 0), ("read", 1, 0)],
        [("read", 0, 1), ("branch", 0, "==", 0, 1), ("write", 0, 3)],
    ],
    "by a compare-exchange that rarely succeeds": [
        [("write", 0, 1), ("read", 0, 0)],
        [("cas", 0, 1, 2, 3), ("branch", 0, "!=", 2, 1), ("write_reg", 0, 0)],
        [("write", 1, 1), ("write", 1, 2), ("write", 1, 1)],
    ],
    "by a compare-exchange on the location itself": [
        [("write", 0, 1), ("read", 0, 0)],
        [("read", 0, 1), ("branch", 0, "==", 0, 1), ("cas", 1, 0, 1, 2)],
        [("write", 1, 1)],
    ],
    "only to a part of the location": [
        [("write", 0, 0x0101), ("read", 0, 0)],
        [("read", 0, 1), ("branch", 0, "==", 0, 1), ("write", 0, 2, 1, 1)],
        [("write", 1, 1)],
    ],
    "where another such value was found, and so on": [
        [("write", 0, 1), ("read", 0, 0)],
        [("read", 0, 3), ("branch", 0, "==", 0, 1), ("write", 0, 2), ("write", 1, 1), ("read", 1, 1)],
        [("read", 0, 0), ("branch", 0, "!=", 2, 1), ("write", 1, 2)],
        [("write", 3, 1)],
    ],
}


@pytest.mark.parametrize("case", LATE_VALUES)
def test_a_value_that_is_written_late(case: str) -> None:
    program = LATE_VALUES[case]
    result = explored(program)
    assert result.states == _engine.explore(program, "maz").states


def test_a_value_that_only_one_combination_leads_to(program: WriteProgram) -> None:
    """Each thread finds in `mode` what itself has written there, as long as no execution writes 2."""
    text = """
        static atomic_int mode, a, b;
        static int seen;
        static void *work(void *p) { mode = 1; seen = mode; return p; }
        static void *change(void *p) { if (a == 1 && b == 0 && a == 2) mode = 2; return p; }
        static void *count(void *p) { a = 1; a = 2; b = 1; return p; }
        static int outcome(void) {
            start(work, 0); start(change, 0); start(count, 0);
            join_all();
            return 10 * seen + mode; }"""
    source = program(OUTCOME + text)
    assert_each_is_found(source, {11, 12, 22}, 7)


REGRESSIONS: dict[str, list[list[Instruction]]] = {
    "a trylock finds the mutex of a thread that has ended": [
        [("lock", 0), ("unlock", 0), ("trylock", 1, 0)],
        [("lock", 0), ("xchg", 1, 0, 1)],
        [("read", 0, 0)],
        [],
    ],
    "a compare-exchange of a word, one byte of which is exchanged": [
        [("xchg", 0, 1, 1, 0, 1)],
        [("cas", 1, 1, 0, 0)],
    ],
    "a compare-exchange in the middle of a word": [
        [("cas", 1, 0, 0x01010101, 1, 1, 4)],
        [("write", 0, 0x0101010101010101), ("write_reg", 0, 0, 4, 4), ("read", 0, 0)],
    ],
    "a compare-exchange of a byte in what others read": [
        [("cas", 0, 0, 0, 2, 1, 1)],
        [("read", 0, 0), ("read", 1, 0, 0, 4)],
        [("write", 0, 1, 1, 1), ("read", 1, 0, 0, 4), ("read", 0, 0, 1, 1)],
    ],
    # Neither has written when the other is tried first: the one that is still to come must be a source, too.
    "two compare-exchanges of which the second fails": [[("cas", 0, 0, 0, 1)], [("cas", 0, 0, 0, 1)]],
    "two compare-exchanges, each after a read": [
        [("read", 1, 1), ("cas", 0, 0, 0, 1), ("write", 1, 1)],
        [("read", 1, 1), ("cas", 0, 0, 0, 1), ("write", 1, 2)],
    ],
    "compare-exchanges that make each other succeed": [
        [("cas", 0, 0, 0, 1), ("cas", 0, 0, 1, 2)],
        [("cas", 0, 0, 0, 1), ("cas", 0, 0, 2, 0)],
        [("read", 0, 0)],
    ],
    "a compare-exchange that leaves what it finds": [
        [("cas", 0, 0, 0, 0), ("read", 1, 0)],
        [("cas", 0, 0, 0, 1)],
        [("write", 0, 0)],
    ],
    "a compare-exchange finds an expected value again": [
        [("read", 0, 0), ("cas", 1, 0, 0, 3)],
        [("write", 0, 1), ("write", 0, 0)],
        [("cas", 0, 0, 1, 2)],
    ],
    "values that differ only above bit 32": [
        [("write", 0, 1 << 40), ("write", 0, 2 << 40)],
        [("read", 0, 0), ("cas", 1, 0, 1 << 40, 0)],
    ],
    "two halves that are written by two threads": [
        [("write", 0, 1, 0, 2)],
        [("write", 0, 1, 2, 2)],
        [("read", 0, 0, 0, 4)],
    ],
    "a word and its halves, all with the same bytes": [
        [("write", 0, 0x01010101, 0, 4), ("read", 0, 0, 2, 2)],
        [("write", 0, 0x0101, 2, 2), ("read", 0, 0, 0, 4)],
        [("write", 0, 0x02, 1, 1)],
    ],
    "mutexes are taken in different order": [
        [("lock", t), ("lock", 1 - t), ("write", 0, 1), ("unlock", 1 - t), ("unlock", t)] for t in range(2)
    ],
    "a deadlock of three": [
        [("lock", t), ("lock", (t + 1) % 3), ("unlock", (t + 1) % 3), ("unlock", t)] for t in range(3)
    ],
    "a mutex that is never released": [[("lock", 0), ("write", 0, 1)]] * 3,
    "a thread is stopped with the mutex": [
        [("write", 0, 1)],
        [("lock", 0), ("read", 0, 0), ("assume", 0, "==", 1), ("unlock", 0)],
        [("lock", 0), ("read", 0, 0), ("assume", 0, "==", 0), ("unlock", 0)],
    ],
    "a wake-up is lost": [[("lock", 0), ("wait", 0, 0), ("unlock", 0)], [("signal", 0)], [("write", 0, 1)]],
    "a signal has the choice": [
        [("lock", 0), ("wait", 0, 0), ("read", 0, 0), ("unlock", 0)],
        [("lock", 0), ("wait", 0, 0), ("write", 0, 1), ("unlock", 0)],
        [("signal", 0)],
    ],
    # What it finds at first is found by an event that never comes.
    "a semaphore that nobody posts": [[("sem_wait", 0)], [("read", 0, 0)], [("write", 0, 1)]],
    "a semaphore that only one thread may post": [
        [("sem_wait", 0), ("read", 1, 0)],
        [("read", 0, 0), ("branch", 0, "==", 0, 1), ("sem_post", 0)],
        [("write", 0, 1)],
    ],
    "readers and a writer that tries": [
        [("rdlock", 0), ("read", 0, 0), ("rwunlock", 0)],
        [("rdlock", 0), ("read", 0, 0), ("rwunlock", 0)],
        [("trywrlock", 0, 0), ("branch", 0, "==", 0, 2), ("write", 0, 1), ("rwunlock", 0)],
    ],
}


@pytest.mark.parametrize("case", REGRESSIONS)
def test_regressions(case: str) -> None:
    program = REGRESSIONS[case]
    result = explored(program)
    judge = _engine.explore(program, "maz")
    assert result.states == judge.states
    assert result.executions + result.blocked <= judge.executions + judge.blocked


def random_programs(number: int) -> list[list[Code]]:
    source = random.Random("reads-value-from")
    return [random_program(source) for _ in range(number)]


def values_found(result: LitmusResult, threads: int) -> set[tuple[tuple[tuple[object, ...], ...], ...]]:
    """What each thread has done and found, for each execution that is not redundant."""
    found = set()
    for trace in result.traces:
        done: list[list[tuple[object, ...]]] = [[] for _ in range(threads)]
        for thread, operation, access, location, before, _, choice in trace:
            value: object = None
            if operation == "trylock":
                value = access
            elif operation == "choose":
                value = choice
            elif location.startswith("v") and access != "write":
                value = before
            done[thread].append((operation, location, value))
        found.add(tuple(map(tuple, done)))
    return found


@pytest.mark.parametrize("without", ["nothing", "signals", "closure", "constants"])
def test_without_a_technique_the_same_is_found(without: str) -> None:
    """Each combination of values in an execution that counts, and in no more than `reads-from` needs."""
    for program in random_programs(400):
        judge = _engine.explore(program, "maz", keep_traces=True)
        result = _engine.explore(
            program,
            "rvf",
            keep_traces=True,
            without_signals=without == "signals",
            without_closure=without == "closure",
            without_constants=without == "constants",
        )
        by_sources = _engine.explore(program, "rf")
        assert result.complete
        assert result.states == judge.states, program
        assert values_found(result, len(program)) == values_found(judge, len(program)), program
        assert (result.deadlocks > 0, result.failed > 0) == (judge.deadlocks > 0, judge.failed > 0), program
        assert result.executions + result.blocked <= by_sources.executions + by_sources.blocked, program


def test_a_redundant_execution_is_not_counted_as_deadlock() -> None:
    program: list[list[Instruction]] = [
        [("signal", 0)],
        [("lock", 0), ("wait", 0, 0), ("lock", 0)],
    ]
    result = explored(program)
    assert (result.executions, result.deadlocks) == (2, 2)


def test_deadlocks_of_litmus_programs_are_counted_alike_each_time() -> None:
    program: list[list[Instruction]] = [
        [("write", 0, 1), ("lock", t), ("write", 0, 1), ("lock", (t + 1) % 3)] for t in range(3)
    ]
    first, *others = [_engine.explore(program, "rvf") for _ in range(5)]
    assert first.deadlocks > 0
    for other in others:
        assert (other.executions, other.deadlocks, other.redundant, other.states) == (
            first.executions,
            first.deadlocks,
            first.redundant,
            first.states,
        )


# A write depends on no value and a lock only on who has the mutex: that they come after the release of their
# memory is no class of its own, and yet a failure.
USES_AFTER_FREE = {
    "write": """
        static int *block;
        static void *use(void *p) { *block = 1; return p; }
        int main(void) {
            block = malloc(sizeof *block);
            start(use, 0);
            VARIANT(join_all(), );
            free(block);
            join_all();
            return 0; }""",
    "read": """
        static int *block;
        static void *use(void *p) { x = *block; return p; }
        int main(void) {
            block = calloc(1, sizeof *block);
            start(use, 0);
            VARIANT(join_all(), );
            free(block);
            join_all();
            return 0; }""",
    "lock": """
        static pthread_mutex_t *block;
        static void *use(void *p) { pthread_mutex_lock(block); pthread_mutex_unlock(block); return p; }
        int main(void) {
            block = malloc(sizeof *block);
            pthread_mutex_init(block, 0);
            start(use, 0);
            use(0);
            VARIANT(join_all(), );
            free(block);
            join_all();
            return 0; }""",
    "write after the last reference was given up": """
        static struct { atomic_int users; int data; } *block;
        static void *drop(void *p) {
            VARIANT(block->data = 1, );
            int is_last = atomic_fetch_sub(&block->users, 1) == 1;
            VARIANT(, block->data = 1);
            if (is_last) free(block);
            return p; }
        int main(void) {
            block = calloc(1, sizeof *block);
            block->users = 2;
            start(drop, 0);
            drop(0);
            join_all();
            return 0; }""",
}


@pytest.mark.parametrize("case", USES_AFTER_FREE)
def test_a_use_races_with_the_release(case: str, program: WriteProgram) -> None:
    source = program(C + VARIANTS + USES_AFTER_FREE[case])
    assert norn.check(source, equivalence="rvf").verdict is norn.Verdict.VERIFIED
    assert_fails(norn.check(source, flags=["-DWRONG"], equivalence="rvf"), "use-after-free")


def test_the_search_goes_on_after_a_lock_in_released_memory(program: WriteProgram) -> None:
    source = program(C + VARIANTS + USES_AFTER_FREE["lock"])
    result = norn.check(source, flags=["-DWRONG"], equivalence="rvf", keep_going=True)
    assert {finding.kind for finding in result.findings} == {"use-after-free"}
    assert (result.bounds, result.problems) == ((), ())


# Programs in which a read that had to come first was overlooked, or one that is always the same.
OVERLOOKED: list[list[Code]] = [
    [
        [("read", 0, 0), ("cas", 2, 3, 99, 99), ("cas", 2, 4, 99, 99), ("cas", 2, 2, 99, 99)],
        [("read", 0, 4), ("branch", 0, "!=", 0, 1), ("write", 0, 2), ("write", 3, 1)],
        [("read", 0, 2), ("branch", 0, "!=", 0, 1), ("write", 0, 1)],
        [("read", 0, 3), ("branch", 0, "!=", 0, 2), ("write", 2, 1), ("write", 4, 1)],
    ],
    [
        [("write", 3, 1), ("cas", 2, 3, 99, 99)],
        [("read", 0, 0), ("write", 3, 0)],
        [("read", 0, 2), ("branch", 0, "==", 1, 1), ("write", 0, 1)],
        [("read", 0, 0), ("write", 2, 1)],
    ],
    [
        [("cas", 2, 0, 99, 99)],
        [
            ("read", 0, 2),
            ("branch", 0, "!=", 1, 1),
            ("write", 1, 1),
            ("branch", 0, "!=", 0, 1),
            ("write", 0, 1),
        ],
        [("read", 0, 2), ("branch", 0, "==", 1, 1), ("write", 0, 2)],
        [("read", 0, 1), ("write", 2, 1)],
    ],
    [
        [("read", 0, 0), ("branch", 0, "==", 0, 1), ("write", 1, 1)],
        [("read", 0, 2)],
        [("read", 0, 1), ("write", 0, 2)],
    ],
    [
        [("read", 1, 0), ("write", 1, 1)],
        [("read", 1, 1), ("branch", 1, "<", 1, 1), ("write", 2, 1)],
        [("write", 2, 2), ("read", 0, 2)],
    ],
    [[("read", 1, 0)], [("read", 0, 1)], [("write", 1, 1)]],
]


@pytest.mark.parametrize("program", OVERLOOKED)
def test_no_read_is_overlooked(program: list[Code]) -> None:
    found = _engine.explore(program, "reads-value-from")
    expected = _engine.explore(program, "reads-from")
    assert found.complete
    assert found.states == expected.states
    assert found.executions <= expected.executions


def test_all_failures_are_found(program: WriteProgram) -> None:
    text = """
        static int *block;
        static int x;
        static void *read_x(void *p) { assert(x != 1); return p; }
        static void *write_block(void *p) { *block = 1; return p; }
        int main(void) {
            block = malloc(sizeof *block);
            start(read_x, 0); start(write_block, 0);
            x = 1;
            free(block);
            x = 1;
            join_all();
            return 0; }"""
    result = norn.check(program(C + text), equivalence="rvf", keep_going=True)
    assert_fails(result, "assertion", "use-after-free")
    assert result.complete


# What a program does may not depend on how often it was run. RUN is how often.
NONDETERMINISTIC = {
    "a branch": "if (RUN % 2) x = 3; int seen = x; join_all(); return seen < 0;",
    "a branch, from the third execution on": "if (RUN > 2) x = 3; int seen = x; join_all(); return seen < 0;",
    "the order of accesses": """
        int seen;
        if (RUN % 2) { seen = x; x = 3; } else { x = 3; seen = x; }
        join_all();
        return seen < 0;""",
    "a variable that is read": "int seen = RUN % 2 ? x : y; join_all(); return seen < 0;",
}


@pytest.mark.parametrize("case", NONDETERMINISTIC)
def test_what_differs_from_run_to_run_is_not_verified(case: str, program: WriteProgram) -> None:
    text = """
        #include <fcntl.h>
        #include <unistd.h>
        static atomic_int x, y;
        static void *write_both(void *p) { x = 1; y = 1; x = 2; y = 2; return p; }
        static int runs(void) {
            int file = open(FILE_NAME, O_WRONLY | O_CREAT | O_APPEND, 0600);
            (void)!write(file, ".", 1);
            int length = (int)lseek(file, 0, SEEK_END);
            close(file);
            return length; }
        #define RUN runs()
        int main(void) { start(write_both, 0); """
    source = program(C + text + NONDETERMINISTIC[case] + "}")
    result = norn.check(source, flags=[f'-DFILE_NAME="{source}.runs"'], equivalence="rvf", time_limit=20)
    assert result.verdict is norn.Verdict.INCOMPLETE
    assert result.bounds in (("diverged",), ("unpredictable",))
    assert result.executions > 0


ENDLESS = """
static atomic_int x[40];
static void *add(void *p) { for (int i = 0; i < 40; i++) atomic_fetch_add(&x[i], 1); return p; }
int main(void) { for (int i = 0; i < 6; i++) start(add, 0); join_all(); return 0; }
"""


def test_limits(program: WriteProgram) -> None:
    source = program(C + ENDLESS)
    limited = norn.check(source, equivalence="rvf", max_executions=50)
    assert (limited.verdict, limited.bounds) == (norn.Verdict.INCOMPLETE, ("max-executions",))
    assert limited.executions + limited.redundant == 50
    limited = norn.check(source, equivalence="rvf", time_limit=0.3)
    assert (limited.verdict, limited.bounds) == (norn.Verdict.INCOMPLETE, ("time-limit",))
    assert limited.executions > 0


CROWD = """
static atomic_int x, y;
static void *work(void *p) {
    atomic_store(&x, (int)(long)p);
    atomic_store(&y, (int)(long)p);
    atomic_load(&x);
    atomic_load(&y);
    return p;
}
int main(void) { for (long i = 1; i < 4; i++) start(work, (void *)i); join_all(); return 0; }
"""


# Without the closure all is left to the search for a witness; so it meets its limit soon.
def test_a_search_that_is_given_up_verifies_nothing(program: WriteProgram) -> None:
    source = program(C + CROWD)
    executable = build([source], sort_options([])).executable
    options: dict[str, str | int | float] = {"equivalence": "rvf", "without_closure": 1}
    whole = session.run([str(executable)], options).result
    assert whole is not None
    assert (whole.complete, whole.bounds) == (True, [])
    cut = session.run([str(executable)], options | {"most_states": 2}).result
    assert cut is not None
    assert (cut.complete, cut.bounds) == (False, ["too-hard"])
    assert cut.executions < whole.executions
