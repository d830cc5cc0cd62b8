"""Realization: sources are realized by a formula of two-literal clauses, against brute force.

Whatever it answers must be right. Where the threads communicate without cycles it must not leave it open.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest

from tests.test_consistency import (
    CONTRADICTION,
    FIGURE_5,
    FIGURE_5_EXTENDED,
    HIDDEN_ORDER,
    Event,
    Executions,
    Shape,
    Trace,
    disturbed,
    is_witness,
    pushed,
    random_trace,
    seed,
)

__all__ = ["seed"]  # a fixture

SMALL = Shape(threads=(2, 3, 4), events=(4, 6, 8, 10), cells=(1, 2, 3), wide=0.1, open=0.05, causes=0.1)


def communication(trace: Trace) -> set[tuple[int, int]]:
    """Pairs of threads with conflicting accesses to one cell, or of which one causes events of the other."""
    pairs = set()
    for late, event in enumerate(trace):
        for other in trace[:late]:
            shared = {cell for cell, _ in event.cells} & {cell for cell, _ in other.cells}
            if shared and (event.writes or other.writes):
                pairs.add((min(event.thread, other.thread), max(event.thread, other.thread)))
        if event.cause is not None:
            threads = sorted((event.thread, trace[event.cause].thread))
            pairs.add((threads[0], threads[1]))
    return {(a, b) for a, b in pairs if a != b}


def is_acyclic(pairs: set[tuple[int, int]]) -> bool:
    component: dict[int, int] = {}

    def root(thread: int) -> int:
        while component.setdefault(thread, thread) != thread:
            thread = component[thread]
        return thread

    for a, b in pairs:
        if root(a) == root(b):
            return False
        component[root(a)] = root(b)
    return True


def random_tree_trace(source: random.Random) -> list[Event]:
    """Each thread shares cells with one of those before it, and nobody else touches these."""
    threads = source.choice((2, 2, 3, 3, 4, 5))
    owners = [
        (thread, source.randrange(thread))
        for thread in range(1, threads)
        for _ in range(source.choice((1, 2)))
    ]
    trace: list[Event] = []
    for _ in range(source.choice((6, 8, 10, 12, 14))):
        cell = source.randrange(len(owners))
        access = source.choice(("read", "read", "read", "write", "write", "write", "rmw"))
        writes = [index for index, event in enumerate(trace) if event.writes and event.cells[0][0] == cell]
        read_from = source.choice([None, *writes]) if access != "write" else None
        if writes and access != "write" and source.random() < 0.5:
            read_from = source.choice(writes[-2:])
        trace.append(Event(source.choice(owners[cell]), access, ((cell, read_from),), None))
    return trace


def check(trace: Trace, counts: Counter[str]) -> None:
    consistency = pushed(trace)
    if not consistency.advance(len(trace)):
        counts["cycle"] += 1
        return
    before = consistency.order()
    answer, realized = consistency.realize()
    exists = Executions(trace).exist
    if answer == "open":
        assert not is_acyclic(communication(trace))
    else:
        assert (answer == "yes") == exists
    assert (realized is not None) == (answer == "yes")
    assert realized is None or is_witness(trace, realized)
    assert consistency.order() == before
    counts[f"{answer}, in truth {'yes' if exists else 'no'}"] += 1


def check_all(capsys: pytest.CaptureFixture[str], traces: Iterable[Trace]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for trace in traces:
        try:
            check(trace, counts)
        except AssertionError as error:
            error.add_note(f"trace: {trace}")
            raise
    with capsys.disabled():
        print(dict(sorted(counts.items())), end=" ")
    return counts


def test_random_traces(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    source = random.Random(seed)
    counts = check_all(capsys, (random_trace(source, SMALL) for _ in range(2000)))
    assert counts["yes, in truth yes"] > 0


def test_random_traces_on_trees(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    source = random.Random(seed)
    counts = check_all(capsys, (random_tree_trace(source) for _ in range(3000)))
    assert counts["yes, in truth yes"] > 0
    assert counts.total() == counts["cycle"] + counts["yes, in truth yes"] + counts["no, in truth no"]


def test_random_traces_for_which_saturation_is_not_enough(
    capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    source = random.Random(seed)
    hard = [HIDDEN_ORDER, HIDDEN_ORDER, FIGURE_5, FIGURE_5, CONTRADICTION, CONTRADICTION, FIGURE_5_EXTENDED]
    counts = check_all(capsys, (disturbed(source, source.choice(hard)) for _ in range(500)))
    assert counts["yes, in truth yes"] > 0
    assert counts["no, in truth no"] > 0


@pytest.mark.parametrize(
    ("trace", "expected"),
    [(HIDDEN_ORDER, "open"), (FIGURE_5, "open"), (CONTRADICTION, "no"), (FIGURE_5_EXTENDED, "no")],
)
def test_where_threads_communicate_in_cycles_it_may_be_left_open(trace: Trace, expected: str) -> None:
    assert not is_acyclic(communication(trace))
    consistency = pushed(trace)
    assert consistency.advance(len(trace))
    assert consistency.realize()[0] == expected
