"""Which equivalence to explore with: names as people give them, and what the other wishes demand of it.

name given ──► canonical_equivalence ──► leaks and races may need a finer one ──► explored with
"""

from __future__ import annotations

from collections.abc import Sequence

from norn import leaks as lost
from norn import races as data_races
from norn.errors import UsageError
from norn.model import AUTO, EQUIVALENCES

# Techniques that can be left out to measure what they buy, and the equivalence that has them.
TECHNIQUES = ("signals", "closure")
_WITH_TECHNIQUES = "reads-value-from"

# `reads-from (rf), mazurkiewicz (maz)`: for messages and help.
NAMES = ", ".join(f"{name} ({short})" for name, short in EQUIVALENCES.items())


def canonical_equivalence(name: str) -> str:
    """The full name of an equivalence given by full or short name, or "auto"."""
    known = _full_name(name)
    if known is None:
        raise UsageError(f"unknown equivalence “{name}”; there are: {NAMES}, {AUTO}")
    return known


def comparable_equivalences(names: Sequence[str]) -> list[str]:
    """Those to compare, the coarsest first, each once; all if none are named."""
    for name in names:
        if _full_name(name) in (None, AUTO):
            wrong = f"unknown equivalence “{name}”"
            if name == AUTO:
                wrong = f"“{AUTO}” is no equivalence to compare but a choice between two"
            raise UsageError(f"{wrong}; norn compare takes: {NAMES}")
    wanted = {_full_name(name) for name in names} or set(EQUIVALENCES)
    return [name for name in EQUIVALENCES if name in wanted]


def equivalence_to_explore(name: str, leaks: Sequence[str], races: str, without: Sequence[str]) -> str:
    """The one that can answer all that is asked."""
    chosen = data_races.equivalence_for(races, lost.equivalence_for(leaks, name))
    for technique in without:
        if technique not in TECHNIQUES:
            raise UsageError(f"unknown technique “{technique}”; there are: {', '.join(TECHNIQUES)}")
    if without and chosen != _WITH_TECHNIQUES:
        raise UsageError(f"only {_WITH_TECHNIQUES} can do without {' and '.join(without)}, not {chosen}")
    return chosen


def _full_name(name: str) -> str | None:
    if name == AUTO:
        return AUTO
    return next((full for full, short in EQUIVALENCES.items() if name in (full, short)), None)
