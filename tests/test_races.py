"""Data races: the engine's answer against the definition, and programs with and without them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import norn
from norn._engine import RaceFinder
from tests.race_oracle import Event, Simulation, last_races, races


@pytest.mark.parametrize("seed", range(20))
def test_races_are_those_of_the_definition(seed: int) -> None:
    """Hundreds of random executions each, with one finder: what it has learned must not show."""
    dice = random.Random(seed)
    finder = RaceFinder()
    racy = 0
    for _ in range(200):
        simulation = Simulation(dice)
        events = simulation.run(dice.randint(5, 40))
        found = set(finder.find([event.given() for event in events], simulation.threads))
        assert found == last_races(events), events
        assert bool(found) == bool(races(events))
        racy += bool(found)
        if dice.random() < 0.05:
            finder.forget_locations()
    assert 20 < racy < 200


def found(*events: Event) -> set[tuple[int, int]]:
    return set(RaceFinder().find([event.given() for event in events], 4))


# ---- small programs: what each thread does, and the variables that race

PRELUDE = """
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <norn.h>
"""

# name: (globals, threads, variables that race)
PROGRAMS: dict[str, tuple[str, tuple[str, ...], set[str]]] = {
    "plain": ("int x;", ("x++;", "x++;"), {"x"}),
    "read-only": ("int x = 1;", ("int a = x; (void)a;", "int a = x; (void)a;"), set()),
    "all-atomic": ("atomic_int x;", ("x++;", "x++;"), set()),
    "mutex": (
        "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        ("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",) * 2,
        set(),
    ),
    "two-mutexes": (
        "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;",
        (
            "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n);",
        ),
        {"x"},
    ),
    "one-without-mutex": (
        "int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        (
            "pthread_mutex_lock(&m); x++; y++; pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); y++;",
        ),
        {"y"},
    ),
    "trylock": (
        "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        ("if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); }",) * 2,
        set(),
    ),
    "failed-trylock": (  # that the mutex is busy tells nothing of what the owner has written
        "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        (
            "x = 1; pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
            "if (pthread_mutex_trylock(&m) != 0) { int a = x; (void)a; }",
        ),
        {"x"},
    ),
    "spin-lock": (
        "int x; pthread_spinlock_t s;",
        ("pthread_spin_lock(&s); x++; pthread_spin_unlock(&s);",) * 2,
        set(),
    ),
    "rwlock": (
        "int x; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;",
        (
            "pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l);",
            "pthread_rwlock_rdlock(&l); int a = x; (void)a; pthread_rwlock_unlock(&l);",
        ),
        set(),
    ),
    "rwlock-write-as-reader": (
        "int x; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;",
        ("pthread_rwlock_rdlock(&l); x++; pthread_rwlock_unlock(&l);",) * 2,
        {"x"},
    ),
    "semaphore": (
        "int x; sem_t s;",
        ("x = 1; sem_post(&s);", "sem_wait(&s); x = 2;"),
        set(),
    ),
    "semaphore-tried": (
        "int x, y; sem_t s;",
        ("x = 1; y = 1; sem_post(&s);", "if (sem_trywait(&s) == 0) x = 2; else y = 2;"),
        {"y"},
    ),
    "barrier": (
        "int x, y; pthread_barrier_t b;",
        ("x = 1; pthread_barrier_wait(&b); y++;", "pthread_barrier_wait(&b); x++; y++;"),
        {"y"},
    ),
    "once": (
        "int x, y; pthread_once_t o = PTHREAD_ONCE_INIT; static void init(void) { x = 1; }",
        ("pthread_once(&o, init); int a = x; (void)a; y = a;",) * 2,
        {"y"},
    ),
    "condition-variable": (
        "int x, ready; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER;",
        (
            "x = 1; pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);x++;",
        ),
        set(),
    ),
    "condition-without-mutex": (
        "int ready; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER;",
        (
            "ready = 1; pthread_cond_signal(&c);",
            "pthread_mutex_lock(&m); norn_assume(!ready); pthread_cond_wait(&c, &m);"
            "pthread_mutex_unlock(&m);",
        ),
        {"ready"},
    ),
    "relaxed-flag": (
        "int x; atomic_int f;",
        (
            "x = 1; atomic_store_explicit(&f, 1, memory_order_relaxed);",
            "if (atomic_load_explicit(&f, memory_order_relaxed)) x++;",
        ),
        {"x"},
    ),
    "volatile-flag": (  # volatile is not atomic
        "int x; volatile int f;",
        ("x = 1; f = 1;", "if (f) x++;"),
        {"x", "f"},
    ),
    "consume": (
        "int x; atomic_int f;",
        (
            "x = 1; atomic_store_explicit(&f, 1, memory_order_release);",
            "if (atomic_load_explicit(&f, memory_order_consume)) x++;",
        ),
        set(),
    ),
    "fences": (
        "int x; atomic_int f;",
        (
            "x = 1; atomic_thread_fence(memory_order_release);"
            "atomic_store_explicit(&f, 1, memory_order_relaxed);",
            "if (atomic_load_explicit(&f, memory_order_relaxed)) {"
            "  atomic_thread_fence(memory_order_acquire); x++; }",
        ),
        set(),
    ),
    "fence-too-late": (
        "int x; atomic_int f;",
        (
            "x = 1; atomic_store_explicit(&f, 1, memory_order_relaxed);"
            "atomic_thread_fence(memory_order_release);",
            "if (atomic_load_explicit(&f, memory_order_acquire)) x++;",
        ),
        {"x"},
    ),
    "fence-before-the-load": (
        "int x; atomic_int f;",
        (
            "x = 1; atomic_store_explicit(&f, 1, memory_order_release);",
            "atomic_thread_fence(memory_order_acquire);"
            "if (atomic_load_explicit(&f, memory_order_relaxed)) x++;",
        ),
        {"x"},
    ),
    "fence-and-acquire": (
        "int x; atomic_int f;",
        (
            "x = 1; atomic_thread_fence(memory_order_seq_cst);"
            "atomic_store_explicit(&f, 1, memory_order_relaxed);",
            "if (atomic_load_explicit(&f, memory_order_acquire)) x++;",
        ),
        set(),
    ),
    "signal-fence": (
        "int x; atomic_int f;",
        (
            "x = 1; atomic_signal_fence(memory_order_release);"
            "atomic_store_explicit(&f, 1, memory_order_relaxed);",
            "if (atomic_load_explicit(&f, memory_order_acquire)) x++;",
        ),
        {"x"},
    ),
    "release-sequence": (  # a read-modify-write of another thread continues it, whatever its order
        "int x; atomic_int f;",
        (
            "x = 1; atomic_store_explicit(&f, 1, memory_order_release);",
            "if (atomic_load_explicit(&f, memory_order_relaxed) == 1)"
            "  atomic_fetch_add_explicit(&f, 1, memory_order_relaxed);",
            "if (atomic_load_explicit(&f, memory_order_acquire) == 2) x++;",
        ),
        set(),
    ),
    "release-sequence-broken": (  # since C++20 a store does not, not even one of the same thread
        "int x; atomic_int f;",
        (
            "x = 1; atomic_store_explicit(&f, 1, memory_order_release);"
            "atomic_store_explicit(&f, 2, memory_order_relaxed);",
            "if (atomic_load_explicit(&f, memory_order_acquire) == 2) x++;",
        ),
        {"x"},
    ),
    "sequentially-consistent-without-reading": (  # an order that no read shows is no happens-before
        "int x; atomic_int f, g;",
        ("x = 1; f = 1; if (!g) x = 2;", "g = 1; if (!f) x = 3;"),
        {"x"},
    ),
    "compare-exchange-fails": (
        "int x; atomic_int f;",
        (
            "x = 1; atomic_store_explicit(&f, 1, memory_order_release);",
            "int none = 0; if (!atomic_compare_exchange_strong_explicit(&f, &none, 5, memory_order_acq_rel,"
            "  memory_order_relaxed)) x++;",
        ),
        {"x"},
    ),
    "compare-exchange-fails-and-acquires": (
        "int x; atomic_int f;",
        (
            "x = 1; atomic_store_explicit(&f, 1, memory_order_release);",
            "int none = 0; if (!atomic_compare_exchange_strong_explicit(&f, &none, 5, memory_order_relaxed,"
            "  memory_order_acquire)) x++;",
        ),
        set(),
    ),
    "flag-as-lock": (
        "int x; atomic_flag f = ATOMIC_FLAG_INIT;",
        (
            "norn_assume(!atomic_flag_test_and_set_explicit(&f, memory_order_acquire)); x++;"
            "atomic_flag_clear_explicit(&f, memory_order_release);",
        )
        * 2,
        set(),
    ),
    "flag-as-lock-relaxed": (
        "int x; atomic_flag f = ATOMIC_FLAG_INIT;",
        (
            "norn_assume(!atomic_flag_test_and_set_explicit(&f, memory_order_relaxed)); x++;"
            "atomic_flag_clear_explicit(&f, memory_order_release);",
        )
        * 2,
        {"x"},
    ),
    "double-checked": (
        "int x; int* _Atomic p; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        (
            "if (!atomic_load_explicit(&p, memory_order_acquire)) { pthread_mutex_lock(&m);"
            "  if (!atomic_load_explicit(&p, memory_order_relaxed)) { x = 1;"
            "    atomic_store_explicit(&p, &x, memory_order_release); } pthread_mutex_unlock(&m); }"
            "int a = *atomic_load_explicit(&p, memory_order_acquire); (void)a;",
        )
        * 2,
        set(),
    ),
    "double-checked-wrong": (
        "int x; int* p; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        (
            "if (!p) { pthread_mutex_lock(&m); if (!p) { x = 1; p = &x; } pthread_mutex_unlock(&m); }"
            "int a = *p; (void)a;",
        )
        * 2,
        {"p", "x"},
    ),
    "published-relaxed": (
        "int* _Atomic p; int dummy;",
        (
            "int* q = malloc(4); *q = 1; atomic_store_explicit(&p, q, memory_order_relaxed);",
            "int* q = atomic_load_explicit(&p, memory_order_relaxed); if (q) { int a = *q; (void)a; }",
        ),
        {"heap of T1"},
    ),
    "published": (
        "int* _Atomic p; int dummy;",
        (
            "int* q = malloc(4); *q = 1; atomic_store_explicit(&p, q, memory_order_release);",
            "int* q = atomic_load_explicit(&p, memory_order_acquire); if (q) { int a = *q; (void)a; }",
        ),
        set(),
    ),
    "free": (  # the release of the block is a write to it
        "atomic_int f; int* p;",
        (
            "int a = *p; (void)a; atomic_store_explicit(&f, 1, memory_order_relaxed);",
            "if (atomic_load_explicit(&f, memory_order_relaxed)) free(p);",
        ),
        {"heap of T0"},
    ),
    "free-in-order": (
        "atomic_int f; int* p;",
        (
            "int a = *p; (void)a; atomic_store_explicit(&f, 1, memory_order_release);",
            "if (atomic_load_explicit(&f, memory_order_acquire)) free(p);",
        ),
        set(),
    ),
    "bytes-of-a-word": ("char x[4];", ("x[0]++;", "x[1]++;", "x[3]++;"), set()),
    "bytes-and-the-word": (
        "union { char b[4]; int w; } x; int y;",
        ("x.b[1] = 1;", "y = x.w;"),
        {"x"},
    ),
    "bit-fields": ("struct { unsigned a : 3, b : 5; } x;", ("x.a = 1;", "x.b = 2;"), {"x"}),
    "members": ("struct { int a, b; } x;", ("x.a = 1;", "x.b = 2;"), set()),
    "memcpy": ("char x[64], y[64];", ("memcpy(x, y, 64);", "x[63] = 1;"), {"x"}),
    "memcpy-beside": ("char x[64], y[64];", ("memcpy(x, y, 63);", "x[63] = 1;"), set()),
    "struct-copy": ("struct { int a[4]; } x, y;", ("x = y;", "y.a[2] = 1;"), {"y"}),
    "atomic-and-plain": (
        "int x; int y;",
        ("__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);", "y = x;"),
        {"x"},
    ),
    "initialised-meanwhile": (
        "pthread_mutex_t m; int x;",
        ("pthread_mutex_init(&m, 0);", "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"),
        {"m"},
    ),
}


def source_of(variables: str, threads: tuple[str, ...]) -> str:
    functions = "\n".join(
        f"static void* t{i}(void* unused) {{\n  {text}\n  return unused;\n}}"
        for i, text in enumerate(threads, 1)
    )
    setup = [
        ("sem_t s", "sem_init(&s, 0, 0);"),
        ("pthread_spinlock_t s", "pthread_spin_init(&s, 0);"),
        ("pthread_barrier_t b", "pthread_barrier_init(&b, 0, 2);"),
        ("int* p;", "p = malloc(sizeof *p);" if "free(p)" in threads[1] else ""),
    ]
    begin = "".join(statement for declaration, statement in setup if declaration in variables)
    number = len(threads)
    create = "".join(f"pthread_create(&t[{i}], 0, t{i + 1}, 0);" for i in range(number))
    join = "".join(f"pthread_join(t[{i}], 0);" for i in range(number))
    return (
        f"{PRELUDE}\n{variables}\n{functions}\n"
        f"int main(void) {{\n  pthread_t t[{number}];\n  {begin}\n  {create}\n  {join}\n  return 0;\n}}\n"
    )


def variables_of(result: norn.Result) -> set[str]:
    return {re.split(r"[.+\[]", race.location)[0] for race in result.races}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, program: Callable[..., Path]) -> None:
    variables, threads, racy = PROGRAMS[name]
    path = program(source_of(variables, threads))
    result = norn.check(path, equivalence="reads-from", keep_going=True)
    assert variables_of(result) == racy, [str(race) for race in result.races]
    assert result.complete
