"""The benchmark programs have the published numbers of classes, each explored exactly once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

import norn
from norn.model import Verdict
from tests.conftest import ROOT

BENCHMARKS = ROOT / "benchmarks"
MOST_CLASSES = 3500  # more only where a figure is published for `mazurkiewicz` itself
PUBLISHED = {
    ("lastzero", 9): 1536,
    ("lastzero", 11): 7168,
    ("readers", 9): 512,
    ("readers", 11): 2048,
    ("circular-buffer", 7): 3432,
    ("race-parametric", 4): 3334,
    ("sigma", 5): 945,
    ("lastwrite", 7): 5040,
    ("fib-bench", 4): 19605,
}

Row = dict[str, Any]


def macros(row: Row) -> list[str]:
    return [f"-D{name}={value}" for name, value in row["macros"].items()]


def chosen_rows() -> Iterator[tuple[str, Row]]:
    """Two sizes of each program, the published ones if there are any; and one that fails."""
    table = tomllib.loads((BENCHMARKS / "expected.toml").read_text())
    for program, rows in table.items():
        published = [row for row in rows if (program, row["macros"].get("N")) in PUBLISHED]
        small = [row for row in rows if row.get("maz", MOST_CLASSES + 1) <= MOST_CLASSES]
        failing = [row for row in rows if "finding" in row]
        largest = [row for row in reversed(small) if row not in published]
        for row in [*published, *largest[: 2 - len(published)], *failing[:1]]:
            yield program, row


def cases() -> list[Any]:
    return [
        pytest.param(program, row, id=" ".join([program, *macros(row)])) for program, row in chosen_rows()
    ]


def test_the_published_counts_are_among_them() -> None:
    rows = {(program, row["macros"].get("N")): row.get("maz") for program, row in chosen_rows()}
    assert PUBLISHED.items() <= rows.items()


@pytest.mark.parametrize(("program", "row"), cases())
def test_counts(program: str, row: Row) -> None:
    result = norn.check(BENCHMARKS / "programs" / f"{program}.c", flags=macros(row), equivalence="maz")
    assert not result.problems
    if "finding" in row:
        assert [finding.kind for finding in result.findings] == [row["finding"]]
        assert result.findings[0].unconfirmed is None
        return
    assert result.verdict is Verdict.VERIFIED, result.findings
    assert result.executions + result.blocked == row["maz"]
    assert result.blocked == row.get("maz_blocked", result.blocked)
    assert result.redundant == 0
