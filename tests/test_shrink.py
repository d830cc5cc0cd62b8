"""Shrinking: the failure is never lost, never longer, always replayed, and always the same."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import norn as package
from norn import _engine, explore
from norn.model import Effort, Finding
from tests.bounded_oracle import fewest_preemptions
from tests.conftest import ROOT
from tests.expectation import read_expectation
from tests.litmus_programs import random_program
from tests.oracle import Oracle

PROGRAMS = 400


def of(effort: Effort) -> tuple[int, int, int, int]:
    return effort.preemptions, effort.switches, effort.events, effort.choices


def only_finding(source: Path, **how: object) -> Finding:
    result = package.check(source, **how)
    (finding,) = result.findings
    assert finding.unconfirmed is None
    return finding


# --- litmus programs, without a compiler


@pytest.mark.parametrize("seed", range(3))
def test_random_failures_are_neither_lost_nor_made_longer(seed: int) -> None:
    source = random.Random(f"shrink/{seed}")
    shrunk = 0
    for _ in range(PROGRAMS):
        program = random_program(source)
        how = {"seed": source.randrange(1 << 30)}
        result = _engine.shrink(program, **how)
        if result is None:
            continue
        assert result["replayed"], program
        assert result["after"] <= result["before"], program
        assert not result["met_budget"], program
        assert result == _engine.shrink(program, **how), f"not the same twice: {program}"
        shrunk += result["after"] < result["before"]
    assert shrunk > 10


@pytest.mark.parametrize("seed", range(2))
def test_no_execution_that_fails_has_fewer_preemptions(seed: int) -> None:
    """Brute force knows the least number."""
    source = random.Random(f"least/{seed}")
    tried = 0
    while tried < 30:
        program = random_program(source)
        result = _engine.shrink(program, seed=source.randrange(1 << 30))
        if result is None or not result["failed"]:
            continue
        tried += 1
        assert result["least"], program
        fewest = fewest_preemptions(Oracle(program))
        failing = [number for each, number in fewest.items() if any(event.local.failed for event in each)]
        assert result["after"][0] == min(failing), program


@pytest.mark.parametrize("executions", [1, 2, 5, 20])
def test_whatever_the_budget_the_failure_is_kept(executions: int) -> None:
    turns = [("read", 0, 0), ("write", 0, 1)] * 6
    program = [[*turns, ("assert", 0, "==", 7)], turns, turns]
    for seed in range(20):
        try:
            result = _engine.shrink(program, seed=seed, executions=executions)
        except RuntimeError:
            assert executions == 1  # not even the first one could be run again
            continue
        assert result is not None
        assert result["replayed"]
        assert result["after"] <= result["before"]
        assert result["executions"] <= executions


# --- real programs


def programs_that_fail() -> list[Path]:
    """One for each kind of failure."""
    by_kind: dict[str, Path] = {}
    for path in sorted((ROOT / "tests" / "programs").glob("*.c")):
        expected = read_expectation(path)
        if expected.verdict == "failed" and not expected.flags and not expected.keywords:
            by_kind.setdefault(expected.subject, path)
    return list(by_kind.values())


@pytest.mark.parametrize("path", programs_that_fail(), ids=lambda path: path.stem)
def test_every_kind_of_failure_shrinks(path: Path) -> None:
    finding = only_finding(path, equivalence="rf")
    assert finding.kind == read_expectation(path).subject
    assert finding.shrunk is not None
    assert of(finding.shrunk.after) <= of(finding.shrunk.before)
    (again,) = package.replay(finding.token, path).findings
    assert (again.kind, again.message) == (finding.kind, finding.message)


LOST_UPDATE = """#include <assert.h>
#include <pthread.h>
static int balance = 100;
static void *deposit(void *amount) { for (int i = 0; i < ROUNDS; ++i) balance += 10; return amount; }
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, deposit, 0);
    pthread_create(&second, 0, deposit, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(balance == 100 + 20 * ROUNDS);
}
"""


@pytest.mark.parametrize(
    "how",
    [
        {"equivalence": "maz"},
        {"equivalence": "rf"},
        {"equivalence": "rvf"},
        {"equivalence": "obs"},
        {"sample": 300, "seed": 7},
        {"sample": 300, "seed": 7, "scheduler": "pct"},
        {"preemptions": 3},
        {"equivalence": "rf", "keep_going": True},
        {"equivalence": "rf", "isolate": "fork"},
        {"equivalence": "rf", "max_thread_events": 30},
        {},
    ],
    ids=str,
)
def test_the_same_lost_update_however_it_was_found(how: dict[str, object], program) -> None:
    source = program(LOST_UPDATE)
    finding = only_finding(source, flags=["-DROUNDS=2"], **how)
    assert finding.kind == "assertion"
    assert finding.shrunk is not None
    assert finding.shrunk.after.preemptions == 1
    assert finding.shrunk.least
    again = package.replay(
        finding.token, source, flags=["-DROUNDS=2"], isolate=str(how.get("isolate", "memory"))
    )
    assert again.findings[0].message == finding.message


def test_a_failure_is_shown_as_found_if_wanted(program) -> None:
    finding = only_finding(program(LOST_UPDATE), flags=["-DROUNDS=2"], equivalence="rf", shrink=False)
    assert finding.shrunk is None


def test_the_same_outcome_each_time(program) -> None:
    source = program(LOST_UPDATE)
    tokens = {only_finding(source, flags=["-DROUNDS=2"], equivalence="rf").token for _ in range(3)}
    assert len(tokens) == 1


def test_a_race_shrinks(program) -> None:
    result = package.check(program(LOST_UPDATE), flags=["-DROUNDS=3"], races="error", sample=5, seed=3)
    races = [finding for finding in result.findings if finding.kind == "data-race"]
    assert races
    for race in races:
        assert race.unconfirmed is None
        assert race.shrunk is not None
        assert of(race.shrunk.after) <= of(race.shrunk.before)
    assert any(race.shrunk.after.preemptions == 0 for race in races if race.shrunk is not None)


def test_long_schedules_stay_within_the_budget(program) -> None:
    """Thousands of switches: what can be tried is little, but what comes out is confirmed and no longer."""
    finding = only_finding(program(LOST_UPDATE), flags=["-DROUNDS=3000"], sample=1, seed=1)
    assert finding.shrunk is not None
    assert finding.shrunk.before.switches > 5000
    assert of(finding.shrunk.after) < of(finding.shrunk.before)
    assert finding.shrunk.after.switches < 100
    assert finding.shrunk.executions <= 20_000


def test_memory_that_is_found_to_be_shared_only_meanwhile(program) -> None:
    """The failing execution ends before main looks at the results; those that do not fail go on to that."""
    source = program("""#include <assert.h>
        #include <pthread.h>
        static int balance, results[4], done;
        static void *work(void *unused) {
            for (int i = 0; i < 4; ++i) results[i]++;
            int seen = balance;
            balance = seen + 1;
            assert(balance == seen + 1);
            done++;
            return unused;
        }
        int main(void) {
            pthread_t s, t;
            pthread_create(&s, 0, work, 0);
            pthread_create(&t, 0, work, 0);
            pthread_join(s, 0);
            pthread_join(t, 0);
            int sum = done;
            for (int i = 0; i < 4; ++i) sum += results[i];
            return sum == 0;
        }""")
    for seed in range(5):
        finding = only_finding(source, sample=200, seed=seed)
        assert finding.shrunk is not None
        assert of(finding.shrunk.after) <= of(finding.shrunk.before)
        assert finding.shrunk.after.preemptions == 1


def test_distinct_findings_stay_distinct(program) -> None:
    source = program("""#include <assert.h>
        #include <pthread.h>
        static int x;
        static void *work(void *unused) {
            int a = x;
            x = a + 1;
            assert(x == a + 1);
            return unused;
        }
        int main(void) {
            pthread_t s, t;
            pthread_create(&s, 0, work, 0);
            pthread_create(&t, 0, work, 0);
            pthread_join(s, 0);
            pthread_join(t, 0);
            assert(x == 2);
        }""")
    found = package.check(source, equivalence="rf", keep_going=True).findings
    assert len({finding.location for finding in found}) == 2
    assert all(finding.shrunk is not None and finding.unconfirmed is None for finding in found)


def test_what_a_replay_does_not_confirm_is_shown_as_it_was_found(
    program, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = program(LOST_UPDATE)
    how = {"flags": ["-DROUNDS=2"], "equivalence": "rf"}
    as_found = only_finding(source, shrink=False, **how)
    replayed = explore._replayed_finding
    tried = []

    def doubtful(*arguments: Any) -> Finding:
        finding = replayed(*arguments)
        tried.append(finding.token)
        return finding if finding.token == as_found.token else replace(finding, unconfirmed="it ended well")

    monkeypatch.setattr(explore, "_replayed_finding", doubtful)
    finding = only_finding(source, **how)
    assert len(tried) == 2
    assert (finding.token, finding.shrunk) == (as_found.token, None)


def test_the_option_and_what_verbose_says(norn, program) -> None:
    source = program(LOST_UPDATE)
    told = norn("check", source, "-e", "rf", "-DROUNDS=2", "-v").stdout
    assert "shrunk: " in told
    assert "no execution with fewer preemptions fails this way" in " ".join(told.split())
    plain = norn("check", source, "-e", "rf", "-DROUNDS=2", "-v", "--no-shrink").stdout
    assert "shown as it was found" in plain
