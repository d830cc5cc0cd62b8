"""The rows of expected.toml: a program at one size, what is known of it, and how to run it.

Shared by the tools beside it: `bench` and what it is made of, and `ablation`.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import norn
from norn import protocol, session
from norn.build import Program, build
from norn.build.options import sort_options
from norn.model import EQUIVALENCES, OBSERVATION

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
EXPECTED = HERE / "expected.toml"


@dataclass(frozen=True)
class Row:
    """One program at one size, with its line of expected.toml."""

    program: str
    expected: dict[str, Any]

    @property
    def name(self) -> str:
        macros = self.expected["macros"]
        sizes = ", ".join(str(v) if k == "N" else f"{k}={v}" for k, v in macros.items())
        return f"{self.program}({sizes})" if sizes else self.program

    @property
    def source(self) -> Path:
        return HERE / "programs" / f"{self.program}.c"

    @property
    def flags(self) -> list[str]:
        return [f"-D{name}={value}" for name, value in self.expected["macros"].items()]

    @property
    def command(self) -> list[str]:
        return [str(built(self.source, tuple(self.flags)).executable)]

    @property
    def size(self) -> str:
        """The macros as one word: `9`, or `C=1,A=2`; empty where there are none."""
        return ",".join(str(v) if k == "N" else f"{k}={v}" for k, v in self.expected["macros"].items())

    @property
    def finding(self) -> str | None:
        """The kind of failure that the program has; there are no counts then."""
        return self.expected.get("finding")

    def least(self, equivalence: str) -> int | None:
        """The fewest classes that an exploration may report; nothing where that is not known."""
        return self.expected.get(self._bounds(equivalence)[0])

    def most(self, equivalence: str) -> int | None:
        """The most classes that an exploration may report; nothing where that is not known."""
        names = self._bounds(equivalence)[1]
        return min((self.expected[name] for name in names if name in self.expected), default=None)

    def _bounds(self, equivalence: str) -> tuple[str, tuple[str, ...]]:
        """Where the fewest and the most classes are to be found."""
        if has_bounds(equivalence):
            return "values", ("rvf_explored", "rvf", "rf")
        name = EQUIVALENCES[equivalence]
        if equivalence == OBSERVATION and name not in self.expected:
            return "rf", ("maz",)  # it lies between the two
        return name, (name,)

    def expectation(self, equivalence: str) -> str:
        least, most = self.least(equivalence), self.most(equivalence)
        return str(most) if least == most else f"≤ {most}"

    def is_published(self, equivalence: str) -> bool:
        """Whether the literature prints the number that is expected."""
        own = ("rvf_explored", "rvf") if has_bounds(equivalence) else (EQUIVALENCES[equivalence],)
        return any(name in own for name in self.expected.get("published", []))

    def agrees(self, result: norn.Result | protocol.Result, equivalence: str) -> bool:
        """Whether the exploration was complete and found what is expected; see the top of expected.toml."""
        found, most = result.executions + result.blocked, self.most(equivalence)
        if not result.complete or most is None or not (self.least(equivalence) or 1) <= found <= most:
            return False
        blocked = self.expected.get(f"{EQUIVALENCES[equivalence]}_blocked", result.blocked)
        return has_bounds(equivalence) or (result.redundant == 0 and result.blocked == blocked)


def has_bounds(equivalence: str) -> bool:
    """Whether there are bounds for the number of classes instead of the number itself."""
    return equivalence == "reads-value-from"


def read_expected(path: Path = EXPECTED) -> list[Row]:
    with path.open("rb") as file:
        table = tomllib.load(file)
    return [Row(program, entry) for program, entries in table.items() for entry in entries]


def find(expected: Sequence[Row], program: str, size: int | None) -> Row:
    """The row of expected.toml; one without counts, which then are wrong, where there is none."""
    macros = {"N": size} if size is not None else {}
    known = (row for row in expected if row.program == program and row.expected["macros"] == macros)
    return next(known, Row(program, {"macros": macros}))


def explore(row: Row, equivalence: str, **options: int | float) -> protocol.Result:
    """One exploration, with options of the engine that `norn check` does not have."""
    return _outcome(row, equivalence, options)[0]


def explore_again(row: Row, equivalence: str, times: int) -> tuple[protocol.Result, float]:
    """An exploration, and the processor seconds of another one in the same process, the mean of so many."""
    result, again = _outcome(row, equivalence, {"repeat": times})
    assert again is not None
    return result, again.cpu_seconds / again.explorations


def _outcome(
    row: Row, equivalence: str, options: dict[str, int | float]
) -> tuple[protocol.Result, protocol.Again | None]:
    outcome = session.run(row.command, {"equivalence": equivalence, **options})
    if outcome.result is None or outcome.errors or outcome.unsupported:
        sys.exit(f"{row.name}: no figures: {outcome.death or outcome.errors}")
    return outcome.result, outcome.again


@cache
def built(source: Path, flags: tuple[str, ...]) -> Program:
    return build([source], sort_options(flags))
