"""What the pictures and the page of `bench` have in common: how equivalences look, and records by program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from records import Record
from svg import Style

from norn.model import EQUIVALENCES

SHORT = tuple(EQUIVALENCES.values())  # the coarsest first
NAMES = {short: name for name, short in EQUIVALENCES.items()}
STYLES = {
    "rvf": Style("#0072b2", "circle"),
    "rf": Style("#009e73", "square"),
    "obs": Style("#e69f00", "diamond"),
    "maz": Style("#d55e00", "triangle"),
}


def by_row(records: Iterable[Record]) -> dict[str, dict[tuple[str, str], dict[str, Record]]]:
    """By program, then by size and its name, then by equivalence; in the order of the records."""
    programs: dict[str, dict[tuple[str, str], dict[str, Record]]] = defaultdict(dict)
    for each in records:
        programs[each.program].setdefault((each.size, each.name), {})[each.equivalence] = each
    return dict(programs)
