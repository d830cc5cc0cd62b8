"""What threads did to shared memory while another one did not run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from norn.model import Step
from norn.report.explanation.history import is_told
from norn.report.explanation.sentence import Places, enumerated


@dataclass(frozen=True)
class Change:
    """One location: the value it had, and each that was written then."""

    values: tuple[str, ...]
    writes: tuple[Step, ...]

    @property
    def location(self) -> Step:
        """Any step there."""
        return self.writes[0]

    @property
    def name(self) -> str:
        return self.location.location

    @property
    def frees(self) -> bool:
        return self.location.operation == "free"

    @property
    def last(self) -> str:
        return self.values[-1]

    @property
    def threads(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(step.thread for step in self.writes))


# A value that goes to and fro is told by its first and its last steps.
_MOST_VALUES = 5


def changes_by(steps: Iterable[Step]) -> list[Change]:
    """Of each location that somebody wrote, in the order of the first write; not where all was as before."""
    found: dict[tuple[int, int, bool], list[Step]] = {}
    for step in steps:
        if step.writes and is_told(step):
            found.setdefault((step.address, step.size, step.operation == "free"), []).append(step)
    changes = [Change(_values(writes), tuple(writes)) for writes in found.values()]
    return [change for change in changes if change.frees or len(change.values) > 1]


def _values(writes: Sequence[Step]) -> tuple[str, ...]:
    values = [writes[0].before]
    for step in writes:
        if step.after != values[-1]:
            values.append(step.after)
    return tuple(values)


def cited_by(changes: Iterable[Change]) -> tuple[int, ...]:
    return tuple(step.number for change in changes for step in change.writes)


def tell_changes(changes: Sequence[Change], places: Places) -> str:
    """`T2 changed balance: 100 → 120 (line 14) and freed node (line 17)`."""
    clauses: list[str] = []
    by_threads: dict[tuple[int, ...], list[Change]] = {}
    for change in changes:
        by_threads.setdefault(change.threads, []).append(change)
    for threads, own in by_threads.items():
        who = enumerated([f"T{thread}" for thread in threads])
        changed = [tell_change(change, places) for change in own if not change.frees]
        freed = [f"{change.name}{places.behind(change.location)}" for change in own if change.frees]
        parts = [f"changed {enumerated(changed)}"] if changed else []
        parts += [f"freed {enumerated(freed)}"] if freed else []
        clauses.append(f"{who} {enumerated(parts)}")
    return enumerated(clauses)


def tell_change(change: Change, places: Places) -> str:
    """`balance: 100 → 120 (line 14)`."""
    values = list(change.values)
    if len(values) > _MOST_VALUES:
        values[2:-2] = ["…"]
    lines = {places.of(step) for step in change.writes}
    where = places.behind(change.location) if len(lines) == 1 else ""
    return f"{change.name}: {' → '.join(values)}{where}"
