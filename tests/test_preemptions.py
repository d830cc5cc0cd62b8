"""`--preemptions K`: all executions with few preemptions, against brute force; and as a user sees it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import norn as package
from norn import _engine
from norn.model import PreemptionBound
from tests.bounded_oracle import fewest_preemptions
from tests.conftest import ROOT
from tests.litmus_programs import random_program
from tests.oracle import Oracle

PROGRAMS = 150

LOST_UPDATE = [[("read", 0, 0), ("write", 0, 1)], [("read", 0, 0), ("write", 0, 2)]]


@pytest.mark.parametrize("seed", range(4))
def test_random_programs_have_the_classes_that_brute_force_finds(seed: int) -> None:
    source = random.Random(f"preemptions/{seed}")
    for _ in range(PROGRAMS):
        program = random_program(source)
        oracle = Oracle(program)
        fewest = fewest_preemptions(oracle)
        for bound in (0, 1, 2, 3):
            result = _engine.explore_bounded(program, bound, keep_traces=True)
            classes = [oracle.class_of(trace) for trace in result.traces]
            within = {each for each, preemptions in fewest.items() if preemptions <= bound}
            assert set(classes) == within, f"{bound} preemptions: {program}"
            assert len(classes) == len(within), f"a class twice: {program}"
            assert result.executions + result.blocked == result.orders_seen == len(within)
            assert result.sources_seen == len({oracle.name("reads-from", each) for each in within})
            if result.complete:
                assert within == set(fewest), f"complete with {bound} preemptions: {program}"


@pytest.mark.parametrize("seed", range(2))
def test_without_a_bound_that_matters_every_class_is_explored(seed: int) -> None:
    source = random.Random(f"all/{seed}")
    for _ in range(PROGRAMS):
        program = random_program(source)
        result = _engine.explore_bounded(program, 1000)
        everything = _engine.explore(program, "mazurkiewicz")
        assert result.complete, program
        assert (result.executions, result.blocked) == (everything.executions, everything.blocked), program
        assert (result.failed, result.deadlocks) == (everything.failed, everything.deadlocks), program
        assert result.states == everything.states, program


def test_a_lost_update_needs_one_preemption() -> None:
    assert [_engine.explore_bounded(LOST_UPDATE, bound).executions for bound in (0, 1, 2)] == [2, 4, 4]
    assert not _engine.explore_bounded(LOST_UPDATE, 0).complete


def test_switches_away_from_a_thread_that_waits_cost_nothing() -> None:
    """Two threads hand a turn to each other by semaphores: one interleaving, without any preemption."""
    turns = 5
    program = [
        [("sem_wait", 0), ("write", 0, 1), ("sem_post", 1)] * turns,
        [("sem_post", 0), *[("sem_wait", 1), ("write", 0, 2), ("sem_post", 0)] * turns],
    ]
    result = _engine.explore_bounded(program, 0)
    assert result.complete
    assert (result.executions, result.deadlocks) == (1, 0)


def test_what_main_does_before_and_after_its_threads_is_no_place_to_preempt() -> None:
    worker = [("read", 0, 0), ("write", 1, 1)]
    alone = [("write", 0, 1), *[("read", 0, 0)] * 20, ("spawn", 1), ("join", 1), *[("read", 0, 1)] * 20]
    result = _engine.explore_bounded([alone, worker], 5)
    assert result.complete
    assert (result.executions, result.redundant, result.preemptions) == (1, 0, 0)


def test_a_location_that_is_contended_only_later_makes_the_search_begin_again() -> None:
    """Only if thread 0 comes second does it write what thread 1 writes."""
    program = [
        [("read", 0, 0), ("branch", 0, "==", 0, 1), ("write", 1, 1)],
        [("write", 0, 1), ("write", 1, 2), ("write", 2, 1)],
    ]
    oracle = Oracle(program)
    for bound, within in ((0, 2), (1, 3), (2, 3)):
        result = _engine.explore_bounded(program, bound, keep_traces=True)
        expected = {each for each, fewest in fewest_preemptions(oracle).items() if fewest <= bound}
        assert {oracle.class_of(trace) for trace in result.traces} == expected
        assert len(expected) == within


# --- of compiled programs

VERIFIED = ("bounded_buffer", "dining_philosophers", "lost_update_fixed", "message_passing", "peterson")

# The fewest preemptions with which an example fails.
NEEDED = {
    "aba_stack": 1,
    "barrier_misuse": 0,
    "bounded_buffer_wrong": 2,
    "check_then_act": 1,
    "dining_philosophers_wrong": 1,
    "double_checked_locking": 1,
    "lock_order_deadlock": 1,
    "lost_update": 1,
    "lost_wakeup": 1,
    "use_after_free": 1,
    "work_queue_wrong": 1,
}


def example(name: str) -> Path:
    return ROOT / "examples" / f"{name}.c"


@pytest.mark.parametrize("name", VERIFIED)
def test_without_a_bound_that_matters_it_is_verified(name: str) -> None:
    result = package.check(example(name), preemptions=1000)
    everything = package.check(example(name), equivalence="mazurkiewicz")
    assert result.verdict is package.Verdict.VERIFIED
    assert (result.executions, result.blocked) == (everything.executions, everything.blocked)
    assert result.bounds == ()


@pytest.mark.parametrize("name", NEEDED)
def test_examples_fail_with_as_few_preemptions_as_they_need(name: str) -> None:
    needed = NEEDED[name]
    if needed > 0:
        result = package.check(example(name), preemptions=needed - 1)
        assert result.verdict is package.Verdict.INCOMPLETE
        assert result.bounds == ("preemptions",)
        assert result.coverage == PreemptionBound(
            needed - 1, needed - 1, result.coverage.sources, result.coverage.orders
        )
    result = package.check(example(name), preemptions=5)
    assert result.verdict is package.Verdict.FAILED
    assert result.coverage.reached == needed
    (finding,) = result.findings
    assert finding.unconfirmed is None


def test_every_execution_in_a_process_of_its_own() -> None:
    shared = package.check(example("trylock_backoff"), preemptions=2)
    forked = package.check(example("trylock_backoff"), preemptions=2, isolate="fork")
    assert (forked.executions, forked.redundant) == (shared.executions, shared.redundant)
    assert forked.verdict is package.Verdict.INCOMPLETE


def test_what_it_says(norn) -> None:
    done = norn("check", example("trylock_backoff"), "--preemptions", "1")
    assert done.returncode == 3
    assert done.stdout.startswith(
        "incomplete: every execution with at most 1 preemption was explored, 6 classes (mazurkiewicz); "
        "nothing failed\n"
    )
    done = norn("check", example("lost_update"), "--preemptions", "3")
    assert done.returncode == 1
    assert "the first finding, which has at most 1 preemption: there is none with fewer" in done.stdout


def test_the_json_says_what_was_covered(norn) -> None:
    done = norn("check", example("trylock_backoff"), "--preemptions", "1", "--json", "-")
    value = json.loads(done.stdout)
    assert value["bounds"] == ["preemptions"]
    assert value["equivalence"] == "mazurkiewicz"
    assert value["coverage"] == {"by": "preemptions", "wanted": 1, "reached": 1, "sources": 6, "orders": 6}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--preemptions", "1", "-e", "rf"), "leave -e out"),
        (("--preemptions", "1", "--sample", "3"), "give one of them"),
        (("--preemptions", "-1"), "must not be negative"),
        (("--preemptions", "1", "--seed", "3"), "add --sample N"),
    ],
)
def test_what_makes_no_sense_is_refused(norn, options: tuple[str, ...], said: str) -> None:
    done = norn("check", example("lost_update"), *options)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_thread_that_writes_memory_of_its_own_until_another_one_stops_it(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(
        """
        #include <pthread.h>
        static int stop, cells[100];
        static void *work(void *unused) {
            for (int i = 0; !stop; i = (i + 1) % 100) cells[i]++;
            return unused;
        }
        static void *end(void *unused) { stop = 1; return unused; }
        int main(void) {
            pthread_t worker, ender;
            pthread_create(&worker, 0, work, 0);
            pthread_create(&ender, 0, end, 0);
            pthread_join(worker, 0);
            pthread_join(ender, 0);
        }
        """
    )
    result = package.check(source, preemptions=0, max_events=500, races="off")
    assert result.refusal is None
    assert result.restarts > 0
    assert result.executions > 0
