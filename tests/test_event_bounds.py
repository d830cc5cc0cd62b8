"""`--max-events` and `--max-thread-events`: what is cut, what is still explored, and what is said of it."""

from __future__ import annotations

import random

import pytest

import norn as package
from norn import _engine
from norn.model import EQUIVALENCES as NAMES
from tests.bounded_oracle import class_of_prefix, classes_within, has_cut_thread
from tests.conftest import check
from tests.litmus_programs import random_program
from tests.oracle import Oracle

PROGRAMS = 150
EQUIVALENCES = _engine.equivalences()

SPIN = """
    #include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    static atomic_int ready, data;
    static void *wait(void *p) { for (unsigned n = 0; !ready; ++n) { } return p; }
    static void *set(void *p) { data = 1; assert(data == 1 || BUG); data = 0; return p; }
    int main(void) {
        pthread_t a, b, c;
        pthread_create(&a, 0, wait, 0);
        pthread_create(&b, 0, set, 0);
        pthread_create(&c, 0, set, 0);
        pthread_join(b, 0);
        pthread_join(c, 0);
        return ready;
    }"""


@pytest.mark.parametrize("most", [1, 2, 3])
def test_threads_that_stop_have_the_classes_that_brute_force_finds(most: int) -> None:
    source = random.Random(f"thread events/{most}")
    for _ in range(PROGRAMS):
        program = random_program(source)
        oracle = Oracle(program)
        within = classes_within(oracle, most)
        cut = [each for each in within if has_cut_thread(each, most)]
        result = _engine.explore(program, "mazurkiewicz", keep_traces=True, max_thread_events=most)
        classes = [class_of_prefix(oracle, trace) for trace in result.traces]
        assert set(classes) == within, program
        assert len(classes) == len(within), program
        assert (result.cut, result.redundant) == (len(cut), 0), program
        assert result.complete == (not cut), program

        sources = {oracle.name("reads-from", each) for each in within}
        result = _engine.explore(program, "reads-from", keep_traces=True, max_thread_events=most)
        seen = [oracle.name("reads-from", class_of_prefix(oracle, trace)) for trace in result.traces]
        assert set(seen) == sources, program
        assert len(seen) == len(sources), program

        states = {oracle.state_of(each) for each in within}
        for equivalence in EQUIVALENCES:
            result = _engine.explore(program, equivalence, max_thread_events=most)
            assert result.states == states, f"{equivalence}: {program}"
            assert result.complete == (not cut), f"{equivalence}: {program}"

        result = _engine.explore_bounded(program, 1000, keep_traces=True, max_thread_events=most)
        assert {class_of_prefix(oracle, trace) for trace in result.traces} == within, program


@pytest.mark.parametrize("equivalence", EQUIVALENCES)
def test_after_a_cut_the_exploration_goes_on_with_real_executions(equivalence: str) -> None:
    source = random.Random(f"events/{equivalence}")
    for _ in range(PROGRAMS):
        program = random_program(source)
        oracle = Oracle(program)
        everything = _engine.explore(program, equivalence, keep_traces=True)
        longest = max(len(trace) for trace in everything.traces)
        for most in {1, longest // 2, longest - 1} & set(range(1, longest)):
            result = _engine.explore(program, equivalence, keep_traces=True, max_events=most)
            for trace in result.traces:
                class_of_prefix(oracle, trace)
            assert result.cut > 0, program
            assert not result.complete, program
        if longest > 0:
            result = _engine.explore(program, equivalence, max_events=longest)
            assert result.complete, program
            assert result.executions == everything.executions, program


def test_an_endless_thread_does_not_hide_the_others(program) -> None:
    path = program(SPIN)
    result = check(path, flags=["-DBUG=1"], max_thread_events=20)
    assert result.verdict is package.Verdict.INCOMPLETE
    assert result.bounds == ("max-thread-events",)
    assert result.cut > 1
    assert result.executions == 0
    result = check(path, flags=["-DBUG=0"], max_thread_events=20)
    assert result.verdict is package.Verdict.FAILED
    (finding,) = result.findings
    assert finding.unconfirmed is None


def test_a_limit_on_events_cuts_executions_and_is_not_the_end(program) -> None:
    text = """
        #include <assert.h>
        #include <pthread.h>
        static _Atomic int ready;
        static void *set(void *p) { ready = 1; return p; }
        int main(void) {
            pthread_t t;
            int rounds = 0;
            pthread_create(&t, 0, set, 0);
            while (!ready) ++rounds;
            assert(rounds != 7 || !BUG);
            return 0;
        }"""
    path = program(text)
    for equivalence in NAMES:
        result = package.check(path, flags=["-DBUG=0"], max_events=30, equivalence=equivalence)
        assert result.verdict is package.Verdict.INCOMPLETE
        assert result.bounds == ("max-events",)
        assert result.cut > 0
        assert result.executions > 7
        result = package.check(path, flags=["-DBUG=1"], max_events=30, equivalence=equivalence)
        assert result.verdict is package.Verdict.FAILED


def test_an_execution_as_long_as_the_limit_is_not_cut(program) -> None:
    text = """
        #include <pthread.h>
        static int x;
        static void *w(void *p) { x = 1; return p; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, w, 0);
            pthread_join(t, 0);
            return x == 0;
        }"""
    path = program(text)
    length = check(path).longest
    assert check(path, max_events=length).verdict is package.Verdict.VERIFIED
    assert check(path, max_events=length - 1).bounds == ("max-events",)


def test_it_says_what_was_cut(norn, program) -> None:
    done = norn("check", program(SPIN), "-DBUG=1", "-e", "rf", "--max-thread-events", "5")
    assert done.returncode == 3
    assert done.stdout.startswith(
        "incomplete: a thread met the limit on its events (--max-thread-events); nothing failed in the "
        "0 executions (reads-from) explored so far, nor in "
    )


def test_a_limit_must_be_positive(norn, program) -> None:
    done = norn("check", program(SPIN), "-DBUG=1", "--max-thread-events", "0")
    assert done.returncode == 2
    assert "--max-thread-events must be positive" in done.stderr


@pytest.mark.parametrize("operation", ["atomic_fetch_add(&shared, 1)", "shared = 1"])
def test_threads_that_write_for_ever_meet_each_other(program, operation: str) -> None:
    """What they write is nobody else's until one has given way."""
    path = program(f"""
        #include <pthread.h>
        #include <stdatomic.h>
        static atomic_int shared;
        static void *write_on(void *unused) {{
            for (;;) {operation};
            return unused;
        }}
        int main(void) {{
            pthread_t a, b;
            pthread_create(&a, NULL, write_on, NULL);
            pthread_create(&b, NULL, write_on, NULL);
            pthread_join(a, NULL);
            return 0;
        }}""")
    result = package.check(path, equivalence="reads-from", max_thread_events=3)
    assert result.bounds == ("max-thread-events",)


# ---- threads: norn has ids for 512, over all interleavings

MANY = """
    #include <assert.h>
    #include <pthread.h>
    static int n;
    static void *count(void *p) { assert(++n != BUG); return p; }
    int main(void) {
        for (int i = 0; i < THREADS; ++i) {
            pthread_t t;
            pthread_create(&t, 0, count, 0);
            pthread_join(t, 0);
        }
        return 0;
    }"""


@pytest.mark.parametrize("equivalence", NAMES)
def test_more_threads_than_norn_follows_are_a_bound(program, equivalence: str) -> None:
    path = program(MANY.replace("BUG", "0").replace("THREADS", "600"))
    result = package.check(path, equivalence=equivalence)
    assert result.bounds == ("threads",) and result.exit_code == 3
    assert not result.problems and not result.unusable


def test_a_failure_before_that_is_one(program) -> None:
    path = program(MANY.replace("BUG", "300").replace("THREADS", "600"))
    assert package.check(path).verdict is package.Verdict.FAILED


def test_as_many_threads_as_norn_follows(program) -> None:
    path = program(MANY.replace("BUG", "0").replace("THREADS", "511"))
    assert package.check(path).verdict is package.Verdict.VERIFIED


def test_the_bound_on_threads_is_named(norn, program) -> None:
    done = norn("check", program(MANY.replace("BUG", "0").replace("THREADS", "512")))
    assert done.returncode == 3
    assert done.stdout.startswith("incomplete: the program creates more than 511 threads")


def test_the_search_goes_on_beyond_executions_with_too_many_threads(program) -> None:
    """As after any cut that somebody has asked for."""
    path = program(
        """
    #include <assert.h>
    #include <pthread.h>
    static _Atomic int few;
    static void *none(void *p) { return p; }
    static void *set(void *p) { few = 1; return p; }
    int main(void) {
        pthread_t one, t;
        pthread_create(&one, 0, set, 0);
        int n = few ? 1 : 600;
        for (int i = 0; i < n; ++i) { pthread_create(&t, 0, none, 0); pthread_join(t, 0); }
        pthread_join(one, 0);
        assert(n != 1);
        return 0;
    }"""
    )
    result = package.check(path, equivalence="reads-from", max_events=50_000)
    assert result.verdict is package.Verdict.FAILED
