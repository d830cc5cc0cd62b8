"""`--sample N`: every execution is a real one, a seed always gives the same ones, classes are counted."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest

import norn as package
from norn import _engine
from norn.model import Sample
from tests.conftest import ROOT
from tests.litmus_programs import random_program
from tests.oracle import Oracle

PROGRAMS = 200
EXECUTIONS = 40
SCHEDULERS = ("random", "pct")


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_samples_of_random_programs_are_executions_of_theirs(scheduler: str) -> None:
    source = random.Random(f"sample/{scheduler}")
    for _ in range(PROGRAMS):
        program = random_program(source)
        seed, depth = source.randrange(2**64), source.randrange(1, 5)
        result = _engine.sample(
            program, EXECUTIONS, scheduler=scheduler, seed=seed, depth=depth, keep_traces=True
        )
        oracle = Oracle(program)
        classes = [oracle.class_of(trace) for trace in result.traces]
        assert len(classes) == result.executions + result.blocked == EXECUTIONS
        assert result.orders_seen == len(set(classes)), program
        assert result.sources_seen == len({oracle.name("reads-from", each) for each in classes}), program
        assert not result.complete


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_the_same_seed_gives_the_same_executions(scheduler: str) -> None:
    program = [[("rmw_add", 0, 0, 1)] * 3] * 3

    def traces(seed: int) -> object:
        return _engine.sample(program, 30, scheduler=scheduler, seed=seed, keep_traces=True).traces

    assert traces(1) == traces(1)
    assert traces(1) != traces(2)
    # The beginning of a sample does not depend on how long it is.
    assert _engine.sample(program, 10, scheduler=scheduler, seed=1, keep_traces=True).traces == traces(1)[:10]


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_small_program_is_soon_seen_as_a_whole(scheduler: str) -> None:
    program = [[("read", 0, 0), ("write", 0, t), ("choose", 1, 2)] for t in range(3)]
    everything = _engine.explore(program, "mazurkiewicz")
    result = _engine.sample(program, 20_000, scheduler=scheduler, depth=4)
    assert result.orders_seen == everything.executions
    assert result.states == everything.states


def test_a_random_walk_takes_each_thread_and_alternative_as_often() -> None:
    program = [[("choose", 0, 3)], [("write", 0, 1)], [("write", 0, 2)], [("write", 0, 3)]]
    runs = 12_000
    traces = _engine.sample(program, runs, seed=5, keep_traces=True).traces
    first = Counter(trace[0][0] for trace in traces)
    chosen = Counter(event[6] for trace in traces for event in trace if event[1] == "choose")
    assert sorted(first) == [0, 1, 2, 3]
    assert sorted(chosen) == [0, 1, 2]
    for number in first.values():
        assert number == pytest.approx(runs / 4, rel=0.1)
    for number in chosen.values():
        assert number == pytest.approx(runs / 3, rel=0.1)


def long_wait(events: int) -> list[list[tuple[str | int, ...]]]:
    """Fails only if thread 1 does all it has to do between two events of thread 0: a bug of depth 2."""
    return [
        [
            ("read", 0, 0),
            ("read", 1, 1),
            ("branch", 0, "!=", 0, 2),
            ("branch", 1, "==", 0, 1),
            ("assert", 1, "==", 0),
        ],
        [*[("write", 2, 1)] * events, ("write", 0, 1), ("write", 1, 1)],
    ]


def test_pct_keeps_its_promise_where_a_random_walk_fails() -> None:
    """With n threads, k events and depth d: at least one execution in n k^(d-1)."""
    program = long_wait(60)
    runs = 20_000
    longest = 2 + 1 + 62 + 1
    pct = _engine.sample(program, runs, scheduler="pct", depth=2)
    assert pct.failed / runs == pytest.approx(1 / (2 * longest), rel=0.3)  # here it is exactly that
    assert _engine.sample(program, runs, scheduler="random").failed == 0


def test_depth_1_has_no_change_points() -> None:
    """Threads then run one after the other: as many orders as there are orders of threads."""
    program = [[("read", 0, 0), ("write", 0, 1)]] * 3
    assert _engine.sample(program, 2000, scheduler="pct", depth=1).orders_seen == 6


# --- of compiled programs


def example(name: str) -> Path:
    return ROOT / "examples" / f"{name}.c"


@pytest.mark.parametrize("scheduler", SCHEDULERS)
@pytest.mark.parametrize("name", ["bounded_buffer", "message_passing"])
def test_a_long_sample_of_a_small_program_sees_all_its_classes(name: str, scheduler: str) -> None:
    result = package.check(example(name), sample=20_000, scheduler=scheduler, seed=1)
    assert result.verdict is package.Verdict.INCOMPLETE
    assert result.bounds == ("sample",)
    assert result.exit_code == 3
    assert result.runs == 20_000
    assert result.choice is None  # nothing was run beside it
    everything = {
        equivalence: package.check(example(name), equivalence=equivalence) for equivalence in ("maz", "rf")
    }
    assert result.coverage.orders <= everything["maz"].executions + everything["maz"].blocked
    assert result.coverage.sources == everything["rf"].executions + everything["rf"].blocked


@pytest.mark.parametrize("isolate", ["memory", "fork"])
@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_finding_of_a_sample_can_be_replayed_and_found_again(scheduler: str, isolate: str) -> None:
    first = package.check(example("check_then_act"), sample=1000, scheduler=scheduler, isolate=isolate)
    assert first.verdict is package.Verdict.FAILED
    (finding,) = first.findings
    assert finding.unconfirmed is None
    seed = first.coverage.seed
    again = package.check(example("check_then_act"), sample=1000, scheduler=scheduler, seed=seed)
    assert [each.token for each in again.findings] == [finding.token]
    assert again.runs == first.runs
    replayed = package.replay(finding.token, example("check_then_act"))
    assert [each.kind for each in replayed.findings] == [finding.kind]


def test_failing_executions_are_counted_by_kind() -> None:
    result = package.check(example("lock_order_deadlock"), sample=2000, seed=4, keep_going=True)
    assert result.verdict is package.Verdict.FAILED
    assert result.runs == 2000
    ((kind, number),) = result.failures
    assert kind == "deadlock"
    assert 0 < number < 2000
    assert "finding" not in result.bounds


def test_executions_that_are_too_long_are_cut_and_do_not_end_the_sample(program) -> None:
    text = """
        #include <pthread.h>
        static _Atomic int ready;
        static void *set(void *p) { ready = 1; return p; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, set, 0);
            for (unsigned rounds = 0; !ready; ++rounds) { }
            pthread_join(t, 0);
            return 0;
        }"""
    path = program(text)
    result = package.check(path, sample=300, seed=2, max_events=8)
    assert result.runs == 300
    assert 0 < result.cut < 300
    assert set(result.bounds) == {"max-events", "sample"}
    # Also where a thread with the highest priority waits for another one.
    result = package.check(path, sample=50, scheduler="pct", seed=2)
    assert (result.runs, result.cut, result.bounds) == (50, 0, ("sample",))
    assert result.executions > 0


def test_what_it_says(norn) -> None:
    done = norn("check", example("message_passing"), "--sample", "500", "--scheduler", "pct", "--seed", "17")
    assert done.returncode == 3
    assert re.match(
        r"incomplete: 500 executions sampled \(pct, depth 3, seed 17\), 9 classes \(reads-from\) seen, no "
        r"failure; that proves nothing about the others\n",
        done.stdout,
    )
    assert "with a probability of at least 1 in 1,600" in done.stdout  # 4 threads, 20 events
    done = norn("check", example("lost_update"), "--sample", "500", "--seed", "17")
    assert done.returncode == 1
    assert re.search(r"sampled \(random, seed 17\); --keep-going runs the rest", done.stdout)


def test_a_seed_that_nobody_has_chosen_is_said(norn) -> None:
    seeds = set()
    for _ in range(2):
        done = norn("check", example("message_passing"), "--sample", "10", "--json", "-")
        value = json.loads(done.stdout)
        assert value["coverage"]["by"] == "sample"
        assert (value["equivalence"], value["executions"]) == ("sample", 10)
        seeds.add(value["coverage"]["seed"])
    assert len(seeds) == 2


def test_the_coverage_has_what_was_asked_for() -> None:
    result = package.check(example("lost_update_fixed"), sample=7, scheduler="pct", depth=2, seed=2**64 - 1)
    assert result.coverage == Sample("pct", 2**64 - 1, 7, 2, sources=2, orders=2) or (
        result.coverage.sources == 1  # seven executions by chance need not see both
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--sample", "0"), "--sample must be positive"),
        (("--sample", "5", "-e", "rf"), "leave -e out"),
        (("--sample", "5", "--scheduler", "fair"), "unknown scheduler “fair”; there are: random, pct"),
        (("--sample", "5", "--depth", "2"), "--depth is for --scheduler pct"),
        (("--sample", "5", "--scheduler", "pct", "--depth", "0"), "--depth must be from 1"),
        (("--sample", "5", "--seed", "-1"), "--seed must be from 0"),
        (("--seed", "1"), "add --sample N"),
        (("--scheduler", "pct"), "add --sample N"),
    ],
)
def test_what_makes_no_sense_is_refused(norn, options: tuple[str, ...], said: str) -> None:
    done = norn("check", example("lost_update"), *options)
    assert done.returncode == 2
    assert said in done.stderr
