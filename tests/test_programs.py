"""Every program of `tests/programs` is judged as its first lines claim, with every equivalence.

A small program for each use and misuse of each primitive. `expectation.py` describes the first lines; where
they give a number of classes, it follows from the reasons beside it, not from a run. Where clang is installed
too, some are checked once more with it, with two equivalences: what differs is what the engine sees. With
NORN_TEST_ALL=1 in the environment (`make test-all`) all are.
"""

from __future__ import annotations

import os
import shutil
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
HAS_CLANG_TOO = all(shutil.which(name) for name in ("gcc", "clang", "clang++"))
COMPILERS = {"default": tuple(EQUIVALENCES), "clang": ("reads-from", "mazurkiewicz")}  # the coarsest first

# A check that hangs is a failure, and must not hold up the others. (All take a few seconds at most.)
MOST_SECONDS = 120


def check_with_all(path: Path, compiler: str) -> list[norn.Result]:
    expected = read_expectation(path)
    return [
        norn.check(
            path,
            flags=[STANDARDS[path.suffix], *expected.flags],
            **{"equivalence": equivalence, "time_limit": MOST_SECONDS, **expected.keywords},
        )
        for equivalence in COMPILERS[compiler]
        if equivalence in expected.equivalences
    ]


def require_expected(
    result: norn.Result, path: Path, expected: Expectation, compiler: str = "default"
) -> None:
    if expected.verdict == "verified":
        assert result.verdict is norn.Verdict.VERIFIED, (result.findings, result.problems, result.bounds)
        assert result.redundant == 0 or result.equivalence not in WITHOUT_REDUNDANT
        # Rounds of a loop that waits differ by what the compiler leaves on the stack, too.
        if compiler == "default" or result.blocked == 0:
            short = EQUIVALENCES[result.equivalence]
            assert result.classes == expected.classes.get(short, result.classes)
    elif expected.verdict == "failed":
        assert result.verdict is norn.Verdict.FAILED, (result.problems, result.bounds)
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


needs_clang_too = pytest.mark.skipif(not HAS_CLANG_TOO, reason="needs clang beside gcc")


# The whole suite has to be done in ten minutes. What lies on a stack is where the compilers differ most.
ON_STACKS = [path for path in PROGRAMS if "stack_" in path.name or path.name.startswith("loop_mcs")]
WITH_CLANG = PROGRAMS if os.environ.get("NORN_TEST_ALL") == "1" else sorted({*PROGRAMS[::12], *ON_STACKS})
CASES = [
    *(pytest.param(path, "default", id=path.name) for path in PROGRAMS),
    *(pytest.param(path, "clang", id=f"{path.name}-clang", marks=needs_clang_too) for path in WITH_CLANG),
]


@pytest.mark.parametrize(("path", "compiler"), CASES)
def test_program(path: Path, compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if compiler == "clang":
        monkeypatch.setenv("CC", "clang")
        monkeypatch.setenv("CXX", "clang++")
    else:
        monkeypatch.delenv("CC", raising=False)
        monkeypatch.delenv("CXX", raising=False)
    results = check_with_all(path, compiler)
    expected = read_expectation(path)
    for result in results:
        require_expected(result, path, expected, compiler)
    assert Comparison(tuple(results)).contradictions == ()
