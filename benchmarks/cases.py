"""Which explorations a run of `bench` makes: each row of expected.toml with each equivalence, if feasible.

What is left out is a record, too, and says why: a table without it would claim more than was checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from records import Record
from rows import Row, has_bounds

from norn.model import EQUIVALENCES

# Of an exploration that is not left out: what is published is worth more time.
MOST_CLASSES = 100_000
MOST_PUBLISHED = 5_000_000
QUICK_CLASSES = 2_000


@dataclass(frozen=True)
class Case:
    """One exploration."""

    row: Row
    equivalence: str

    @property
    def expected(self) -> str:
        if self.row.finding is not None:
            return f"fails: {self.row.finding}"
        return self.row.expectation(self.equivalence)

    @property
    def origin(self) -> str:
        """Where the number comes from; "bounds" if there is no number, only what it must lie between."""
        if self.row.is_published(self.equivalence):
            return "published"
        row = self.row
        is_exact = row.finding is not None or row.least(self.equivalence) == row.most(self.equivalence)
        return "counted" if is_exact and not self._is_only_bounded else "bounds"

    @property
    def _is_only_bounded(self) -> bool:
        return has_bounds(self.equivalence) and "values" not in self.row.expected and self.row.finding is None

    def record(self, note: str = "") -> Record:
        """One of which nothing is known but what is expected."""
        return Record(
            self.row.program,
            self.row.size,
            EQUIVALENCES[self.equivalence],
            expected=self.expected,
            origin=self.origin,
            note=note,
        )

    def why_not(self, most_classes: int | None) -> str | None:
        """Why it is left out; nothing if it is not. `most_classes`: instead of the usual limits."""
        if EQUIVALENCES[self.equivalence] in self.row.expected.get("out_of_reach", []):
            return "out of reach"
        usual = MOST_PUBLISHED if self.origin == "published" else MOST_CLASSES
        limit = most_classes if most_classes is not None else usual
        most = self.row.most(self.equivalence)
        if most is not None and most > limit:
            return f"more than {limit:,} classes"
        return None


def cases(rows: Sequence[Row], equivalences: Sequence[str]) -> Iterator[Case]:
    """All of which anything is known."""
    for row in rows:
        for equivalence in equivalences:
            if row.finding is not None or row.most(equivalence) is not None:
                yield Case(row, equivalence)


def is_wanted(row: Row, names: Sequence[str]) -> bool:
    """Whether a row is among those that were named: `lastzero`, `lastzero:13`, `peterson:R=1,L=2`."""
    return not names or row.program in names or f"{row.program}:{row.size}" in names


def unknown_names(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    return [name for name in names if not any(is_wanted(row, [name]) for row in rows)]
