"""The estimate of what is left of a search: how good it is on the benchmarks, and what it never says."""

from __future__ import annotations

import json
import os
import pty
import random
import subprocess
from collections.abc import Callable, Iterator

import pytest

import norn as package
from norn._engine import Coverage
from norn.model import Estimate
from norn.report import estimate
from tests.conftest import ROOT, norn_command

PROGRAMS = ROOT / "benchmarks" / "programs"
# Of varied shape, with the number of their executions by equivalence.
BENCHMARKS = {
    "reads-from": {
        ("lastzero", 11): 7168,
        ("readers", 13): 8192,
        ("fib-bench", 4): 19605,
        ("circular-buffer", 8): 12870,
        ("casrot", 9): 8597,
        ("sigma", 7): 5040,
        ("control-flow", 13): 8219,
        ("race-parametric", 5): 8953,
        ("parker", 12): 9407,
        ("approxds-append", 5): 9945,
    },
    "mazurkiewicz": {
        ("lastzero", 11): 7168,
        ("readers", 13): 8192,
        ("fib-bench", 4): 19605,
        ("circular-buffer", 8): 12870,
        ("casrot", 9): 8597,
        ("sigma", 6): 10395,
        ("opt-lock", 8): 16714,
        ("race-parametric", 5): 34904,
        ("parker", 12): 10541,
        ("lastwrite", 7): 5040,
    },
}


def covered_after(name: str, size: int, equivalence: str, executions: int) -> Estimate | None:
    result = package.check(
        PROGRAMS / f"{name}.c",
        flags=[f"-DN={size}"],
        equivalence=equivalence,
        races="off",
        max_executions=executions,
    )
    assert result.bounds == ("max-executions",) and result.runs == executions
    assert result.coverage is None or isinstance(result.coverage, Estimate)
    return result.coverage


@pytest.mark.parametrize("equivalence", BENCHMARKS)
def test_it_is_within_a_factor_of_3_after_a_tenth_of_the_work(equivalence):
    factors = {}
    for (name, size), total in BENCHMARKS[equivalence].items():
        covered = covered_after(name, size, equivalence, total // 10)
        assert covered is not None
        factors[name] = covered.likely / total
    assert sum(1 / 3 <= factor <= 3 for factor in factors.values()) >= 8, factors


@pytest.mark.parametrize("equivalence", ["reads-from", "reads-value-from", "observation", "mazurkiewicz"])
def test_never_more_than_everything_and_in_order(equivalence):
    for executions in (99, 100, 101, 500, 848, 849, 850, 1500, 1690, 1697):
        covered = covered_after("fib-bench", 3, equivalence, executions)
        if executions < 100:
            assert covered is None
            continue
        assert covered is not None and covered.explored == executions
        assert executions <= covered.low <= covered.likely <= covered.high
        assert all(0 < part <= 1 for part in covered.parts)


def test_the_same_search_has_the_same_estimate():
    assert covered_after("casrot", 8, "reads-from", 700) == covered_after("casrot", 8, "reads-from", 700)


def test_what_is_complete_is_not_estimated():
    whole = package.check(PROGRAMS / "fib-bench.c", flags=["-DN=3"], equivalence="reads-from", races="off")
    assert whole.complete and whole.coverage is None


def test_a_sample_and_a_bounded_search_are_not_estimated(norn):
    for options in (("--sample", "500", "--seed", "1"), ("--preemptions", "2", "--max-executions", "300")):
        done = norn("check", PROGRAMS / "fib-bench.c", "-DN=4", *options, "--json", "-")
        assert json.loads(done.stdout)["coverage"]["by"] != "estimate"


# --- the engine's part, on trees made up for it

Children = Callable[[tuple[int, ...]], int]  # of the node that is reached this way; 0: it is a leaf


def search(tree: Children) -> Iterator[tuple[int, Coverage]]:
    """Goes through a tree depth first, as explorers do. After each leaf but the last: how many there were."""
    coverage, leaves = Coverage(), 0
    path: list[int] = []
    while True:
        while tree(tuple(path)) > 0:
            path.append(0)
        leaves += 1
        if coverage.executed(len(path)):
            for node in range(len(path)):
                coverage.look(node, tree(tuple(path[:node])) - 1 - path[node])
        while path and path[-1] + 1 == tree(tuple(path[:-1])):
            path.pop()
        if not path:
            return
        coverage.next_child(len(path) - 1)
        path[-1] += 1
        yield leaves, coverage


def complete(children: int, depth: int) -> Children:
    return lambda path: children if len(path) < depth else 0


def skewed(depth: int) -> Children:
    """The first child of each node is a leaf."""
    return lambda path: 2 if len(path) < depth and 0 not in path else 0


def by_chance(seed: int, depth: int) -> Children:
    def children(path: tuple[int, ...]) -> int:
        return random.Random(f"{seed}{path}").randrange(1, 4) if len(path) < depth else 0

    return children


TREES = {
    "binary": complete(2, 12),
    "ternary": complete(3, 7),
    "skewed": skewed(2000),
    **{f"by chance, {seed}": by_chance(seed, 10) for seed in range(8)},
}


@pytest.mark.parametrize("name", TREES)
def test_estimates_of_a_tree_are_possible(name):
    for leaves, coverage in search(TREES[name]):
        left = coverage.left()
        if leaves < 100:
            assert left is None
            continue
        assert left is not None
        low, likely, high = left
        assert 0 <= low <= likely <= high < 1e16


@pytest.mark.parametrize("name", [name for name in TREES if name != "skewed"])
def test_estimates_of_a_tree_are_good(name):
    """At 20, 50 and 80 % of a tree whose nodes are alike. (Of the skewed one nothing can be known.)"""
    total = 1 + sum(1 for _ in search(TREES[name]))
    wanted = {total // 5, total // 2, total * 4 // 5}
    for leaves, coverage in search(TREES[name]):
        if leaves in wanted and leaves >= 100:
            left = coverage.left()
            assert left is not None
            assert 1 / 3 <= leaves * (1 + left[1]) / total <= 3, (leaves, total)


def test_a_node_in_its_last_child_has_hardly_anything_left():
    coverage = Coverage()
    for _ in range(200):
        if coverage.executed(1):
            coverage.look(0, 0)
        coverage.next_child(0)
    left = coverage.left()
    assert left is not None and left[1] * 200 < 5  # executions: the child that has begun has one


# --- in words


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (40_123, 91_234, "40 k–91 k executions"),
        (1234, 9876, "1,200–9,900 executions"),
        (999_999, 1_500_000, "1 M–1.5 M executions"),
        (2_000_000_000, 3e15, "2 G–more than 1000 T executions"),
        (120_400, 120_000, "120 k executions"),
    ],
)
def test_numbers_of_executions(low, high, said):
    assert estimate.in_all(low, high) == said


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [
        (120, 300, "2–5 min left"),
        (3, 41, "3–41 s left"),
        (0.2, 5, "up to 5 s left"),
        (0.2, 0.4, "up to 1 s left"),
        (60, 90_000, "up to 25 h left"),
        (7200, 9e6, "up to 100 days left"),
        (1, 4e7, "perhaps more than a year left"),
        (4e7, 4e9, "more than a year left"),
    ],
)
def test_time_left(least, most, said):
    assert estimate.time_left(least, most) == said


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (3300, 8300, "about 10–30 % of all"),
        (2000, 100_000, "about 1–50 % of all"),
        (1000, 1000, "about 95 % of all"),
        (20_000, 200_000, "about 0.5–5 % of all"),
        (20_000, 20_000_000, "less than 5 % of all"),
        (10_000_000, 20_000_000, "less than 0.1 % of all"),
    ],
)
def test_the_part_explored(low, high, said):
    assert estimate.explored(Estimate(1000, low, (low + high) // 2, high)) == said


# --- as users see it


def test_a_limited_result_says_how_much_was_covered(norn, tmp_path):
    file = tmp_path / "result.json"
    done = norn(
        "check",
        "-e",
        "rf",
        PROGRAMS / "fib-bench.c",
        "-DN=4",
        "--max-executions",
        "2000",
        "-v",
        "--json",
        file,
    )
    assert done.returncode == 3
    assert "(reads-from) explored so far, about " in done.stdout and " % of all" in done.stdout
    assert "executions, estimated" in done.stdout
    covered = json.loads(file.read_text())["coverage"]
    assert covered["by"] == "estimate" and covered["explored"] == 2000
    assert covered["low"] <= 19605 <= covered["high"]
    assert covered["parts"] == [
        pytest.approx(2000 / covered["high"], abs=1e-6),
        pytest.approx(2000 / covered["low"], abs=1e-6),
    ]


def shown_on_a_terminal(*arguments: object) -> str:
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": "40"}
    with subprocess.Popen(
        norn_command(*map(str, arguments)),
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        cwd=ROOT,
        env=environment,
    ):
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
    os.close(ours)
    return shown.decode(errors="replace")


def test_progress_on_a_terminal():
    shown = shown_on_a_terminal("check", PROGRAMS / "fib-bench.c", "-DN=6", "--time-limit", "1.5", "-e", "rf")
    assert "no estimate yet" in shown or "in all" in shown
    assert "executions in all; " in shown and " left" in shown


def test_progress_of_two_explorers_and_of_a_sample():
    shown = shown_on_a_terminal("check", PROGRAMS / "fib-bench.c", "-DN=6", "--time-limit", "1.5")
    assert "reads-from: " in shown and "reads-value-from: " in shown
    shown = shown_on_a_terminal(
        "check", PROGRAMS / "fib-bench.c", "-DN=6", "--sample", "60000", "--seed", "1"
    )
    assert "sample: " in shown and "in all" not in shown


def test_no_progress_where_there_is_no_terminal(norn):
    done = norn("check", PROGRAMS / "fib-bench.c", "-DN=6", "--time-limit", "0.5", "-e", "rf")
    assert done.stderr == ""
