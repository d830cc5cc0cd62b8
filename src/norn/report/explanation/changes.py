"""What threads did to shared memory while another one did not run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from norn.model import Step, telling_frame
from norn.report.explanation.sentence import Places, enumerated
from norn.report.library_calls import called_by_user, is_inside_library
from norn.report.memory_history import is_named
from norn.symbolize import short_function
from norn.trace import MEMORY_OPERATIONS


@dataclass(frozen=True)
class Change:
    """One location: the value it had, and each that was written then. Or what a call of a library wrote."""

    values: tuple[str, ...]
    writes: tuple[Step, ...]
    call: str = ""  # "std::deque::pop_front()"

    @property
    def location(self) -> Step:
        """Any step there."""
        return self.writes[0]

    @cached_property
    def places(self) -> tuple[Step, ...]:
        """A step for each piece of memory that was written; a call of a library may write several."""
        return tuple({(step.address, step.size): step for step in self.writes}.values())

    @property
    def name(self) -> str:
        return self.location.location

    @property
    def frees(self) -> bool:
        return self.location.operation == "free" and not self.call

    @property
    def last(self) -> str:
        return self.values[-1]

    @property
    def threads(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(step.thread for step in self.writes))


# A value that goes to and fro is told by its first and its last steps.
_MOST_VALUES = 5
_MOST_CITED = 100


def changes_by(steps: Iterable[Step]) -> list[Change]:
    """Of each location that somebody wrote, in the order of the first write; not where all was as before.

    What a library writes inside is a change by the call of it.
    """
    found: dict[tuple[int, int, bool], list[Step]] = {}
    calls: dict[tuple[int, str, str | None], list[Step]] = {}
    for step in steps:
        if not step.writes or not step.matters or step.operation not in MEMORY_OPERATIONS:
            continue
        if is_named(step):
            found.setdefault((step.address, step.size, step.operation == "free"), []).append(step)
        elif is_inside_library(step) and (called := called_by_user(step.stack)) is not None:
            calls.setdefault((step.thread, f"{short_function(called.function)}()", called.place), []).append(
                step
            )
    changes = [Change(_values(writes), tuple(writes)) for writes in found.values()]
    changes = [change for change in changes if change.frees or len(change.values) > 1]
    return [*changes, *(Change((), tuple(writes), call) for (_, call, _), writes in calls.items())]


def _values(writes: Sequence[Step]) -> tuple[str, ...]:
    values = [writes[0].before]
    for step in writes:
        if step.after != values[-1]:
            values.append(step.after)
    return tuple(values)


def cited_by(changes: Iterable[Change]) -> tuple[int, ...]:
    """Numbers of the writes, where they are few enough to be looked at."""
    return tuple(
        step.number
        for change in changes
        for step in (change.writes[:1] if change.call else change.writes[:_MOST_CITED])
    )


def tell_changes(changes: Sequence[Change], places: Places) -> str:
    """`T2 changed balance: 100 → 120 (line 14) and freed node (line 17)`."""
    clauses: list[str] = []
    by_threads: dict[tuple[int, ...], list[Change]] = {}
    for change in changes:
        by_threads.setdefault(change.threads, []).append(change)
    for threads, own in by_threads.items():
        who = enumerated([f"T{thread}" for thread in threads])
        changed = [tell_change(change, places) for change in own if not change.frees and not change.call]
        freed = [f"{change.name}{places.behind(change.location)}" for change in own if change.frees]
        called = [f"{change.call}{places.behind(change.location)}" for change in own if change.call]
        parts = [f"changed {enumerated(changed)}"] if changed else []
        parts += [f"called {enumerated(called)}"] if called else []
        parts += [f"freed {enumerated(freed)}"] if freed else []
        clauses.append(f"{who} {enumerated(parts)}")
    return enumerated(clauses)


def tell_change(change: Change, places: Places) -> str:
    """`balance: 100 → 120 (line 14)`."""
    values = list(change.values)
    if len(values) > _MOST_VALUES:
        values[2:-2] = ["…"]
    lines = {places.of_frame(frame) for frame in {telling_frame(step.stack) for step in change.writes}}
    where = places.behind(change.location) if len(lines) == 1 else ""
    return f"{change.name}: {' → '.join(values)}{where}"
