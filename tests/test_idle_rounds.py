"""Loops that wait are recognised, and nothing is lost by it: random programs against an exhaustive search.

Each program writes its outcome to a file, so that the outcomes norn has seen can be compared; and it must
find livelocks and deadlocks where there are some and nowhere else. Further seeds can be tried at any time.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import norn
from norn.model import EQUIVALENCES
from tests.waiting_programs import Behaviour, Program, explore, interesting_program


def behaviour_of(program: Program, equivalence: str, folder: Path) -> tuple[norn.Result, Behaviour]:
    """What norn finds, and the outcomes that the program has written meanwhile."""
    source = folder / "program.c"
    source.write_text(program.source())
    outcomes = folder / f"outcomes-{equivalence}"
    outcomes.write_text("")
    result = norn.check(
        source,
        flags=["-std=gnu17"],
        arguments=[str(outcomes)],
        equivalence=equivalence,
        keep_going=True,
        time_limit=20,
    )
    kinds = frozenset(finding.kind for finding in result.findings)
    return result, Behaviour(frozenset(outcomes.read_text().splitlines()), kinds)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_random_program(seed: int, tmp_path: Path) -> None:
    program = interesting_program(seed)
    expected = explore(program)
    for equivalence in EQUIVALENCES:
        result, seen = behaviour_of(program, equivalence, tmp_path)
        assert seen == expected, (equivalence, seed, result.bounds, result.problems)
        assert result.bounds == (), (equivalence, seed)
        assert all(finding.unconfirmed is None for finding in result.findings)
