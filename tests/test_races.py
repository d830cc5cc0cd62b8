"""Data races: the engine's answer against the definition, and programs with and without them."""

from __future__ import annotations

import json
import random
import re
import subprocess
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

SECTIONS = """
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#define BEGIN __VERIFIER_atomic_begin();
#define END __VERIFIER_atomic_end();
"""

# name: (globals, threads, variables that race)
PROGRAMS: dict[str, tuple[str, tuple[str, ...], set[str]]] = {
    "plain": ("int x;", ("x++;", "x++;"), {"x"}),
    "sections": (SECTIONS + "int x;", ("BEGIN x++; END",) * 2, set()),
    "section-and-plain": (SECTIONS + "int x;", ("BEGIN x++; END", "x = 1;"), {"x"}),
    "section-and-read": (SECTIONS + "int x;", ("BEGIN x++; END", "int a = x; (void)a;"), {"x"}),
    "reading-section-and-plain": (SECTIONS + "int x;", ("BEGIN int a = x; (void)a; END", "x = 1;"), {"x"}),
    "section-function-and-plain": (
        "int x; void __VERIFIER_atomic_inc(void) { x++; }",
        ("__VERIFIER_atomic_inc();", "x = 1;"),
        {"x"},
    ),
    "section-and-mutex": (
        SECTIONS + "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        ("BEGIN x++; END", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"),
        {"x"},
    ),
    "section-and-atomic": (
        SECTIONS + "int x;",
        ("BEGIN x++; END", "__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);"),
        set(),
    ),
    "sections-order": (
        SECTIONS + "int x, flag;",
        ("x = 1; BEGIN flag = 1; END", "int f; BEGIN f = flag; END if (f) x = 2;"),
        set(),
    ),
    "sections-order-only-what-they-find": (
        SECTIONS + "int x, flag;",
        ("x = 1; BEGIN flag = 1; END", "int f; BEGIN f = flag; END x = 2 + f;"),
        {"x"},
    ),
    "section-and-atomic-order": (
        SECTIONS + "int x, flag;",
        ("x = 1; BEGIN flag = 1; END", "if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) x = 2;"),
        set(),
    ),
    "keeping-out-orders-nothing": (
        SECTIONS + "int x, y, z;",
        ("BEGIN z = 1; END BEGIN y = 1; END", "x = 1; y = 2;", "z = 2; x = 2;"),
        {"x", "y", "z"},
    ),
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


# ---- C++


CXX_PROGRAMS = {
    "static-local": (
        "struct S { int v = 1; }; static int use() { static S s; return s.v; }",
        "use();",
        set(),
    ),
    "shared-mutex": (
        "static std::shared_mutex m; static int x, y;",
        "{ std::shared_lock l(m); (void)(y = x); } { std::unique_lock l(m); x++; }",
        {"y"},
    ),
    "call-once": (
        "static std::once_flag f; static int x;",
        "std::call_once(f, [] { x = 1; }); int a = x; (void)a;",
        set(),
    ),
    "shared-ptr": (
        "static std::shared_ptr<int> p = std::make_shared<int>(1);",
        "{ std::shared_ptr<int> q = p; int a = *q; (void)a; }",
        set(),
    ),
    "shared-ptr-itself": (
        "static std::shared_ptr<int> p = std::make_shared<int>(1);",
        "{ std::shared_ptr<int> q = p; } if (norn_choose(2)) p.reset();",
        {"p", "heap of T0"},  # and the count that both give up
    ),
    "thread-local": ("static thread_local int x;", "x++;", set()),
    "atomic-ref": (
        "static int x; static int y;",
        "std::atomic_ref<int>(x).fetch_add(1, std::memory_order_relaxed);",
        set(),
    ),
}


@pytest.mark.parametrize("name", CXX_PROGRAMS)
def test_cxx_program(name: str, program: Callable[..., Path]) -> None:
    variables, text, racy = CXX_PROGRAMS[name]
    headers = ("atomic", "memory", "mutex", "shared_mutex", "thread")
    includes = "".join(f"#include <{header}>\n" for header in headers)
    path = program(
        f"{includes}#include <norn.h>\n{variables}\nstatic void run() {{\n  {text}\n}}\n"
        "int main() { std::thread a(run), b(run); a.join(); b.join(); }\n",
        "program.cpp",
    )
    result = norn.check(path, flags=["-std=gnu++20"], equivalence="reads-from", keep_going=True)
    assert variables_of(result) == racy, [str(race) for race in result.races]


# ---- as a user sees them

RACY = """#include <pthread.h>
static int counter, hits;
static void bump(void) {
    counter++;  // here
}
static void* worker(void* a) {
    bump();
    hits++;  /* norn: benign race */
    // norn: benign race
    hits--;
    return a;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
"""
LINE = 4


@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_race_has_both_stacks(isolate: str, program: Callable[..., Path]) -> None:
    path = program(RACY)
    result = norn.check(path, equivalence="reads-from", isolate=isolate)
    assert result.verdict is norn.Verdict.VERIFIED and not result.findings
    (race,) = result.races
    assert race.location == "counter" and result.benign_races > 0
    assert [access.name for access in race.accesses] == ["T1 worker", "T2 worker"]
    for access in race.accesses:
        assert [frame.function for frame in access.stack] == ["bump", "worker"]
        assert access.place is not None and access.place.endswith(f"program.c:{LINE}")
    assert any(access.writes for access in race.accesses)
    (again,) = norn.replay(race.token, path, isolate=isolate).races
    assert again == race


@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_race_as_error(isolate: str, program: Callable[..., Path]) -> None:
    path = program(RACY)
    result = norn.check(path, races="error", isolate=isolate)
    assert result.verdict is norn.Verdict.FAILED and result.exit_code == 1
    assert result.equivalence == "reads-from" and result.choice is None and result.races == ()
    (finding,) = result.findings
    assert finding.kind == "data-race" and finding.unconfirmed is None and finding.trace is not None
    assert "counter" in finding.message and finding.message.count(f"program.c:{LINE}") == 2
    assert {thread.name for thread in finding.threads} == {"T1 worker", "T2 worker"}
    assert all(len(thread.stack) == 2 for thread in finding.threads)
    (again,) = norn.replay(finding.token, path, races="error", isolate=isolate).findings
    assert again.message == finding.message


def test_race_as_error_goes_on(program: Callable[..., Path]) -> None:
    result = norn.check(program(RACY.replace("norn: benign race", "")), races="error", keep_going=True)
    assert result.complete and {finding.kind for finding in result.findings} == {"data-race"}
    assert {finding.message.partition(":")[0] for finding in result.findings} == {"counter", "hits"}
    assert all(finding.unconfirmed is None for finding in result.findings)


@pytest.mark.parametrize("pattern", ["counter", "c?unt*", "bump", f"program.c:{LINE}", f"*.c:{LINE}"])
def test_benign_by_name(pattern: str, program: Callable[..., Path]) -> None:
    result = norn.check(program(RACY), races="error", benign_races=[pattern])
    assert result.verdict is norn.Verdict.VERIFIED and result.warnings == ()


def test_benign_name_of_nothing(program: Callable[..., Path]) -> None:
    result = norn.check(program(RACY), benign_races=["worke"], equivalence="rf")
    assert len(result.races) == 1
    assert any("worke" in warning for warning in result.warnings)


def test_benign_site_may_race_elsewhere(program: Callable[..., Path]) -> None:
    """The same line races on two variables, one of which is harmless: the other one is told."""
    text = RACY.replace("counter++", "int* p = norn_choose(2) ? &counter : &hits; (*p)++")
    result = norn.check(program('#include "norn.h"\n' + text), benign_races=["hits"], equivalence="rf")
    assert [race.location for race in result.races] == ["counter"]


def test_races_off(program: Callable[..., Path]) -> None:
    assert norn.check(program(RACY), races="off", equivalence="rf").races == ()


def test_equivalence_without_sources_is_refused(program: Callable[..., Path]) -> None:
    with pytest.raises(norn.NornError, match="-e rf"):
        norn.check(program(RACY), races="error", equivalence="rvf")
    with pytest.raises(norn.NornError, match="warn, error, off"):
        norn.check(program(RACY), races="maybe")


# The flag is stored twice with the same value, once as a release. Which of the two is read decides whether
# there is a race, and values do not tell.
EQUAL_VALUES = (
    "int x; atomic_int f;",
    (
        "x = 1; atomic_store_explicit(&f, 1, memory_order_release);",
        "atomic_store_explicit(&f, 1, memory_order_relaxed);",
        "if (atomic_load_explicit(&f, memory_order_acquire)) x++;",
    ),
)


@pytest.mark.parametrize("equivalence", ["reads-from", "observation", "mazurkiewicz", "auto"])
def test_sources_of_equal_values(equivalence: str, program: Callable[..., Path]) -> None:
    result = norn.check(program(source_of(*EQUAL_VALUES)), equivalence=equivalence, races="error")
    (finding,) = result.findings
    assert finding.kind == "data-race" and finding.unconfirmed is None


def test_command_line(norn: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(RACY)
    done = norn("check", path, "-e", "rf", "--json", tmp_path / "result.json")
    assert done.returncode == 0
    assert done.stderr.count("warning: data race: counter: ") == 1 and "hits" not in done.stderr
    result = json.loads((tmp_path / "result.json").read_text())
    (race,) = result["races"]
    assert race["location"] == "counter" and len(race["accesses"]) == 2 and result["benign_races"] > 0
    assert race["accesses"][0]["stack"][0]["line"] == LINE
    failed = norn("check", path, "--races=error")
    assert failed.returncode == 1 and "failed: data-race: counter: " in failed.stdout
    (command,) = re.findall(r"^  norn (replay .*)$", failed.stdout, re.MULTILINE)
    again = norn(*command.split())
    assert again.returncode == 1 and "reproduced: data-race: counter" in again.stdout
