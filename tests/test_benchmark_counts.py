"""The benchmark programs have the published numbers of classes.

`mazurkiewicz`, `reads-from` and `observation` explore each class exactly once. For `reads-value-from` there
are bounds: it must neither miss a combination of values nor explore more than the published algorithm, more
than there are classes by definition, or more than `reads-from`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

import norn
from norn.model import Verdict
from tests.conftest import ROOT

BENCHMARKS = ROOT / "benchmarks"
MOST_CLASSES = 3500  # more only where a figure is published for the equivalence itself
SIZES = {"maz": 2, "rf": 2, "obs": 2, "rvf": 4}  # of each program, the largest
PUBLISHED = {
    "maz": {
        ("lastzero", 9): 1536,
        ("lastzero", 11): 7168,
        ("readers", 9): 512,
        ("readers", 11): 2048,
        ("circular-buffer", 7): 3432,
        ("race-parametric", 4): 3334,
        ("sigma", 5): 945,
        ("lastwrite", 7): 5040,
        ("fib-bench", 4): 19605,
    },
    "rf": {
        ("lastzero", 13): 32768,
        ("readers", 13): 8192,
        ("circular-buffer", 9): 48620,
        ("casrot", 10): 38486,
        ("fib-bench", 4): 19605,
        ("sigma", 8): 40320,
        ("lastwrite", 9): 9,
        ("floating-read", 16): 17,
        ("control-flow", 13): 8219,
        ("opt-lock", 1000): 11995,
        ("race-parametric", 6): 73789,
        ("exponential-bug", 7): 22694,
        ("parker", 16): 21195,
        ("lamport", 3): 8175,
        ("approxds-append", 6): 198936,
        ("reorder-good", 10): 1540,
    },
    "obs": {
        ("alternate-write-read", 4): 1107,
        ("alternate-write-read", 5): 8953,
        ("alternate-write-read", 6): 73789,
        ("pipeline", 9): 6561,
        ("pipeline", 10): 19683,
        ("pipeline", 12): 177147,
        ("commits", 2): 293,
        ("commits", 3): 16401,
        ("eratosthenes", 5): 116,
        ("eratosthenes", 7): 532,
        ("keyrotation", 2): 181,
        ("keyrotation", 3): 5503,
    },
    "rvf": {
        ("rvf-fig1", None): 1,
        ("monabsex1", 7): 1,
        ("monabsex1", 8): 1,
        ("monabsex1", 12): 1,
        ("reorder_5", 9): 4,
        ("reorder_5", 30): 4,
        ("singleton", 20): 2,
        ("singleton", 30): 2,
        ("scull_loop", 2): 3908,
        ("unverif", 5): 14400,
        ("approxds-append", 6): 50897,
        ("linuxrwlocks-rvf", 1): 56,
        ("linuxrwlocks-rvf", 2): 62018,
        ("pgsql-rvf", 3): 3906,
    },
}

Row = dict[str, Any]


def macros(row: Row) -> list[str]:
    return [f"-D{name}={value}" for name, value in row["macros"].items()]


def read_rows() -> Iterator[tuple[str, list[Row]]]:
    yield from tomllib.loads((BENCHMARKS / "expected.toml").read_text()).items()


def most(row: Row, equivalence: str) -> int | None:
    """The number of classes, or for reads-value-from the least of its upper bounds; nothing if not known."""
    names = ("rvf_explored", "rvf", "rf") if equivalence == "rvf" else (equivalence,)
    return min((row[name] for name in names if name in row), default=None)


def chosen_rows(equivalence: str) -> Iterator[tuple[str, Row]]:
    """Some sizes of each program, the published ones if there are any."""
    for program, rows in read_rows():
        published = [row for row in rows if (program, row["macros"].get("N")) in PUBLISHED[equivalence]]
        small = [row for row in rows if (most(row, equivalence) or MOST_CLASSES + 1) <= MOST_CLASSES]
        largest = [row for row in reversed(small) if row not in published]
        for row in [*published, *largest[: SIZES[equivalence] - len(published)]]:
            yield program, row


def failing_rows(equivalence: str) -> Iterator[tuple[str, Row]]:
    """One size of each program that fails, and those in which the failure must be found soon."""
    for program, rows in read_rows():
        failing = [row for row in rows if "finding" in row]
        soon = [row for row in failing[1:] if f"{equivalence}_within" in row]
        for row in [*failing[:1], *soon]:
            yield program, row


def cases(choose: Any) -> list[Any]:
    return [
        pytest.param(equivalence, program, row, id=" ".join([equivalence, program, *macros(row)]))
        for equivalence in PUBLISHED
        for program, row in choose(equivalence)
    ]


def check(equivalence: str, program: str, row: Row) -> norn.Result:
    source = BENCHMARKS / "programs" / f"{program}.c"
    result = norn.check(source, flags=macros(row), equivalence=equivalence)
    assert not result.problems
    assert result.redundant == 0 or equivalence == "rvf"
    return result


@pytest.mark.parametrize("equivalence", PUBLISHED)
def test_the_published_counts_are_among_them(equivalence: str) -> None:
    # (Rows may differ in other macros only.)
    rows = {
        ((program, row["macros"].get("N")), most(row, equivalence))
        for program, row in chosen_rows(equivalence)
    }
    assert PUBLISHED[equivalence].items() <= rows


def test_the_bounds_fit_each_other() -> None:
    for program, rows in read_rows():
        for row in rows:
            bounds = [
                row[name] for name in ("values", "rvf_explored", "rvf", "rf", "obs", "maz") if name in row
            ]
            assert bounds == sorted(bounds), (program, row)


@pytest.mark.parametrize(("equivalence", "program", "row"), cases(chosen_rows))
def test_counts(equivalence: str, program: str, row: Row) -> None:
    result = check(equivalence, program, row)
    assert result.verdict is Verdict.VERIFIED, result.findings
    explored = result.executions + result.blocked
    if equivalence == "rvf":
        assert row.get("values", 1) <= explored <= most(row, "rvf")
    else:
        assert explored == row[equivalence]
        assert result.blocked == row.get(f"{equivalence}_blocked", 0)


@pytest.mark.parametrize(("equivalence", "program", "row"), cases(failing_rows))
def test_failures(equivalence: str, program: str, row: Row) -> None:
    result = check(equivalence, program, row)
    assert [finding.kind for finding in result.findings] == [row["finding"]]
    assert result.findings[0].unconfirmed is None
    explored = result.executions + result.blocked
    assert explored <= row.get(f"{equivalence}_within", explored)
