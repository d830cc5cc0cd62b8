"""What an execution can leave behind, and which equivalence can tell: `--leaks`."""

from __future__ import annotations

from collections.abc import Sequence

from norn.errors import UsageError
from norn.model import AUTO, MAZURKIEWICZ

LEAKS = ("memory", "threads", "locks")
ALL = "all"


def require_leaks(wanted: Sequence[str]) -> tuple[str, ...]:
    """The kinds of leaks to look for: of `LEAKS`, or "all"."""
    for name in wanted:
        if name not in (*LEAKS, ALL):
            raise UsageError(f"unknown kind of leak “{name}”; there are: {', '.join(LEAKS)}, {ALL}")
    return LEAKS if ALL in wanted else tuple(name for name in LEAKS if name in wanted)


def equivalence_for(leaks: Sequence[str], equivalence: str) -> str:
    """Which memory is lost depends on what was written last, which only mazurkiewicz tells apart."""
    if "memory" not in leaks or equivalence == MAZURKIEWICZ:
        return equivalence
    if equivalence == AUTO:
        return MAZURKIEWICZ
    raise UsageError(
        f"{equivalence} does not tell apart which write came last, and that decides which memory is lost: "
        f"leave -e away or use -e {MAZURKIEWICZ}; --leaks=threads,locks can do with any"
    )
