"""Writes the pictures of docs/equivalences.md: every interleaving of two tiny programs, divided into classes.

Two sources that know nothing of each other: the oracle of the tests goes through all interleavings and names
the class of each by the definitions, and norn explores the program. A picture is drawn only if norn has run
exactly one interleaving of each class; which one is marked. `make docs-pictures` refreshes them, and a test
fails if they are out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from equivalence_svg import Picture, Row, Step, draw
from generated import ROOT, write_or_check

from norn import _engine

sys.path.insert(0, str(ROOT))  # the oracle is part of the tests

from tests.oracle import Class, Oracle, Prefix, Program, TraceEvent

# The coarsest first: each of them divides what those before it leave together.
EQUIVALENCES = ("reads-value-from", "reads-from", "observation", "mazurkiewicz")


@dataclass(frozen=True)
class Tiny:
    """A program with all its accesses to one variable."""

    file: str
    title: str
    variable: str
    threads: Program
    lanes: tuple[int, ...]


PROGRAMS = (
    # As benchmarks/programs/monabsex1.c with N=2.
    Tiny(
        file="equivalences-write-read.svg",
        title="T1 and T2 each do: x = 1; read x. All 6 interleavings:",
        variable="x",
        threads=[[], *[[("write", 0, 1), ("read", 0, 0)]] * 2],
        lanes=(1, 2),
    ),
    # As benchmarks/programs/lastwrite.c with N=3.
    Tiny(
        file="equivalences-last-write.svg",
        title="T1, T2 and T3 write 1, 2 and 3 to v; T0 waits for their end and reads v. All 6 orders:",
        variable="v",
        threads=[
            [("join", 1), ("join", 2), ("join", 3), ("read", 0, 0)],
            *[[("write", 0, value)] for value in (1, 2, 3)],
        ],
        lanes=(1, 2, 3, 0),
    ),
)


def interleavings_of(oracle: Oracle) -> dict[tuple[TraceEvent, ...], Class]:
    """All orders of the accesses to memory, each with its class by the order of conflicting events."""

    def paths(
        prefix: Prefix, so_far: tuple[TraceEvent, ...]
    ) -> Iterator[tuple[tuple[TraceEvent, ...], Class]]:
        if not prefix.following:
            yield accesses_of(so_far), prefix.threads
        for event, after in prefix.following:
            yield from paths(after, (*so_far, event.label))

    return dict(paths(oracle.start, ()))


def accesses_of(trace: tuple[TraceEvent, ...]) -> tuple[TraceEvent, ...]:
    """Where a join stands between them makes no difference."""
    return tuple(event for event in trace if event[3] == "v0")


def picture_of(tiny: Tiny) -> Picture:
    oracle = Oracle(tiny.threads)
    found = interleavings_of(oracle)
    explored = {name: _engine.explore(tiny.threads, name, keep_traces=True) for name in EQUIVALENCES}
    ordered = explored["observation"].ordered
    names: dict[str, dict[tuple[TraceEvent, ...], object]] = {
        equivalence: {
            trace: oracle.observation_name(its_class, ordered)
            if equivalence == "observation"
            else oracle.name(equivalence, its_class)
            for trace, its_class in found.items()
        }
        for equivalence in EQUIVALENCES
    }
    # Next to each other what some equivalence takes for the same, the coarsest first.
    first_seen = {name: list(dict.fromkeys(its.values())) for name, its in names.items()}
    order = sorted(
        found, key=lambda trace: [first_seen[name].index(names[name][trace]) for name in EQUIVALENCES]
    )

    rows = []
    for equivalence in reversed(EQUIVALENCES):
        classes: dict[object, list[int]] = {}
        for number, trace in enumerate(order):
            classes.setdefault(names[equivalence][trace], []).append(number)
        run = [order.index(accesses_of(tuple(trace))) for trace in explored[equivalence].traces]
        if len(run) != len(classes) or {names[equivalence][order[number]] for number in run} != set(classes):
            sys.exit(f"{tiny.file}: {equivalence} ran {run}, not one of each of {list(classes.values())}")
        title = f"{equivalence}: {len(classes)} class{'es' if len(classes) > 1 else ''}"
        rows.append(Row(title, list(classes.values()), frozenset(run)))
    return Picture(
        title=tiny.title,
        lanes=tiny.lanes,
        interleavings=[steps_of(trace, tiny.variable) for trace in order],
        rows=rows,
        legend=[
            "green: a class; dot: the execution of it that norn ran",
            "arrow: from a write to a read that finds its value",
        ],
    )


def steps_of(trace: tuple[TraceEvent, ...], variable: str) -> list[Step]:
    steps = []
    written = None
    for number, (thread, _, access, _, _, after, _) in enumerate(trace):
        if access == "read":
            steps.append(Step(thread, "read", written))
        else:
            steps.append(Step(thread, f"{variable}={after}", None))
            written = number
    return steps


if __name__ == "__main__":
    write_or_check(
        "Writes the pictures of equivalences, from explorations and from the oracle.",
        {ROOT / "docs" / "pictures" / tiny.file: draw(picture_of(tiny)) for tiny in PROGRAMS},
        "docs-pictures",
    )
