"""Every program of `tests/programs` is judged as its first lines claim, with every equivalence.

A small program for each use and misuse of each primitive. `expectation.py` describes the first lines; where
they give a number of classes, it follows from the reasons beside it, not from a run.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import norn
from norn.model import EQUIVALENCES, Comparison
from tests.conftest import ROOT
from tests.expectation import Expectation, read_expectation

PROGRAMS = sorted((ROOT / "tests" / "programs").glob("*.c*"))
# These explore each class exactly once.
WITHOUT_REDUNDANT = ("mazurkiewicz", "reads-from")
# Some compilers still take older ones by default.
STANDARDS = {".c": "-std=gnu17", ".cpp": "-std=gnu++17"}


def require_expected(result: norn.Result, path: Path, expected: Expectation) -> None:
    if expected.verdict == "verified":
        assert result.verdict is norn.Verdict.VERIFIED, (result.findings, result.problems, result.bounds)
        assert result.redundant == 0 or result.equivalence not in WITHOUT_REDUNDANT
        short = EQUIVALENCES[result.equivalence]
        assert result.classes == expected.classes.get(short, result.classes)
    elif expected.verdict == "failed":
        (finding,) = result.findings
        assert finding.kind == expected.subject, finding.message
        assert finding.unconfirmed is None
        assert finding.location is not None
        file, _, line = finding.location.rpartition(":")
        assert Path(file).name == path.name
        assert int(line) == (expected.line or int(line))
    else:
        assert result.exit_code == 2 and result.refusal is not None
        assert f" {expected.subject}," in result.refusal.message
        frame = result.refusal.frame
        assert frame is not None and frame.file is not None and Path(frame.file).name == path.name
        assert frame.line is not None


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_program(path: Path) -> None:
    expected = read_expectation(path)
    results = []
    for equivalence in EQUIVALENCES:
        result = norn.check(
            path,
            flags=[STANDARDS[path.suffix], *expected.flags],
            equivalence=equivalence,
            spurious=expected.spurious,
        )
        require_expected(result, path, expected)
        results.append(result)
    assert Comparison(tuple(results)).contradictions == ()
