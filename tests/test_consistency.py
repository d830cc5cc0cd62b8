"""The parts of engine/consistency, each against brute force.

A trace is given as data: its events, each with the sources of what it reads. Brute force performs the events
in every order that is an execution with these sources (`Executions`), and computes the saturated order from
its definition (`saturated`). The random tests count how often each step gave the answer, so that none goes
untested unnoticed. NORN_FUZZ_SEED repeats them.
"""

from __future__ import annotations

import os
import random
import re
import secrets
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple

import pytest

from norn import _engine
from norn._engine import Cells, Consistency
from tests.fuzz import first_complaints

ANY = -1  # as a source: whatever is there

Pairs = set[tuple[int, int]]
Contents = tuple[int | None, ...]  # of each cell: the event that wrote it last


class Event(NamedTuple):
    thread: int
    access: str  # "none", "read", "write" or "rmw"
    cells: tuple[tuple[int, int | None], ...] = ()  # with the source of each: an event, None or ANY
    cause: int | None = None

    @property
    def reads(self) -> bool:
        return self.access in ("read", "rmw")

    @property
    def writes(self) -> bool:
        return self.access in ("write", "rmw")


Trace = Sequence[Event]


# ---- brute force


class Executions:
    """All executions of a trace at once, as a graph.

    A node is a set of performed events together with the event that wrote each cell last: what can follow
    depends on nothing else. `kept` says of each node whether all events can be performed from there.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.before = [0] * len(trace)  # as bits: the events without which one is not possible
        last: dict[int, int] = {}
        for index, event in enumerate(trace):
            for needed in (last.get(event.thread), event.cause):
                if needed is not None:
                    self.before[index] |= 1 << needed
            last[event.thread] = index
        cells = 1 + max((cell for event in trace for cell, _ in event.cells), default=0)
        self.start: Contents = (None,) * cells
        self.kept: dict[tuple[int, Contents], bool] = {}
        self.exist = self._can_end(0, self.start)

    def _steps(self, done: int, contents: Contents) -> Iterator[tuple[int, int, Contents]]:
        """Each event that can come next, and the node after it."""
        for index, event in enumerate(self.trace):
            if done >> index & 1 or self.before[index] & ~done:
                continue
            if event.reads and any(source not in (ANY, contents[cell]) for cell, source in event.cells):
                continue
            after = list(contents)
            if event.writes:
                for cell, _ in event.cells:
                    after[cell] = index
            yield index, done | 1 << index, tuple(after)

    def _can_end(self, done: int, contents: Contents) -> bool:
        known = self.kept.get((done, contents))
        if known is not None:
            return known
        can_end = done == (1 << len(self.trace)) - 1
        for _, done_then, contents_then in self._steps(done, contents):
            can_end |= self._can_end(done_then, contents_then)
        self.kept[done, contents] = can_end
        return can_end

    def any(self, source: random.Random) -> list[int]:
        """One of them."""
        order: list[int] = []
        done, contents = 0, self.start
        while len(order) < len(self.trace):
            following = [step for step in self._steps(done, contents) if self.kept[step[1:]]]
            index, done, contents = source.choice(following)
            order.append(index)
        return order

    def common_order(self) -> Pairs:
        """The pairs that have the same order in every execution."""
        not_always_before = [0] * len(self.trace)  # as bits: the events that can be performed before this one
        for (done, _), can_end in self.kept.items():
            if can_end:
                for index in range(len(self.trace)):
                    if not done >> index & 1:
                        not_always_before[index] |= done
        return {
            (early, late)
            for early, late in product(range(len(self.trace)), repeat=2)
            if early != late and not not_always_before[early] >> late & 1
        }


def is_witness(trace: Trace, order: Sequence[int]) -> bool:
    if sorted(order) != list(range(len(trace))):
        return False
    done: set[int] = set()
    contents: dict[int, int] = {}
    last: dict[int, int] = {}
    for index in order:
        event = trace[index]
        if index < last.get(event.thread, -1) or (event.cause is not None and event.cause not in done):
            return False
        for cell, source in event.cells:
            if event.reads and source not in (ANY, contents.get(cell)):
                return False
        if event.writes:
            contents.update((cell, index) for cell, _ in event.cells)
        last[event.thread] = index
        done.add(index)
    return True


def saturated(trace: Trace, edges: Iterable[tuple[int, int]] = (), *, rules: bool = True) -> Pairs | None:
    """The least order with program order, causes, sources and `edges` that obeys R1 and R2; None: a cycle.

    Without the rules it is happens before.
    """
    after = [0] * len(trace)  # as bits: the events after each
    last: dict[int, int] = {}
    sources: list[tuple[int, int | None, int]] = []  # read, source, and as bits all other writes of the cell
    for early, late in edges:
        after[early] |= 1 << late
    writers: Counter[int] = Counter()  # of each cell, as bits
    for index, event in enumerate(trace):
        for cell, _ in event.cells:
            writers[cell] |= event.writes << index
    for index, event in enumerate(trace):
        for needed in (last.get(event.thread), event.cause):
            if needed is not None:
                after[needed] |= 1 << index
        last[event.thread] = index
        for cell, source in event.cells:
            if event.reads and source != ANY:
                others = writers[cell] & ~(1 << index)
                if source is not None:
                    after[source] |= 1 << index
                    others &= ~(1 << source)
                sources.append((index, source, others))
    while True:
        before = list(after)
        for middle, early in product(range(len(trace)), repeat=2):
            if after[early] >> middle & 1:
                after[early] |= after[middle]
        for read, source, others in sources if rules else ():
            if source is None:
                after[read] |= others  # every write comes after the initial value
                continue
            after[read] |= others & after[source]  # R2
            for write in range(len(trace)):
                if others >> write & 1 and after[write] >> read & 1:
                    after[write] |= 1 << source  # R1
        if any(after[event] >> event & 1 for event in range(len(trace))):
            return None
        if after == before:
            break
    return {(early, late) for early, late in product(range(len(trace)), repeat=2) if after[early] >> late & 1}


# ---- random traces


class Shape(NamedTuple):
    """What random traces are like."""

    threads: tuple[int, ...]
    events: tuple[int, ...]
    cells: tuple[int, ...]
    accesses: tuple[str, ...] = ("read", "read", "read", "write", "write", "rmw")
    wide: float = 0.0  # how likely an event touches several cells
    latest: float = 0.6  # how likely a read has the last write pushed as its source
    open: float = 0.0  # how likely a source is left open
    causes: float = 0.0  # how likely an event has a cause in another thread
    spread: int = 1  # of the numbers of the threads


def random_event(source: random.Random, shape: Shape, threads: int, cells: int, trace: Trace) -> Event:
    access = source.choice(shape.accesses)
    touched = [source.randrange(cells)]
    if cells > 1 and source.random() < shape.wide:
        touched = sorted(source.sample(range(cells), source.randint(2, min(3, cells))))
    accesses: list[tuple[int, int | None]] = []
    for cell in touched:
        writes: list[int | None] = [
            index
            for index, event in enumerate(trace)
            if event.writes and any(cell == other for other, _ in event.cells)
        ]
        read_from = source.choice([None, *writes])
        if writes and source.random() < shape.latest:
            read_from = writes[-1]
        if source.random() < shape.open:
            read_from = ANY
        accesses.append((cell, None if access == "write" else read_from))
    cause = source.randrange(len(trace)) if trace and source.random() < shape.causes else None
    if access == "none":
        accesses = []
    return Event(shape.spread * source.randrange(threads), access, tuple(accesses), cause)


def random_trace(source: random.Random, shape: Shape) -> list[Event]:
    threads, cells = source.choice(shape.threads), source.choice(shape.cells)
    trace: list[Event] = []
    for _ in range(source.choice(shape.events)):
        trace.append(random_event(source, shape, threads, cells, trace))
    return trace


def random_guide(source: random.Random, trace: Trace) -> tuple[list[int], int]:
    """An execution of the first events with some that are not there any more, and how many it knows."""
    known = source.choice((0, len(trace), *range(max(0, len(trace) - 5), len(trace))))
    while not (executions := Executions(trace[:known])).exist:
        known -= 1
    guide = executions.any(source)
    while source.random() < 0.3:
        guide.insert(source.randint(0, len(guide)), known + source.randrange(8))
    return guide, known


def pushed(trace: Trace) -> Consistency:
    consistency = Consistency()
    for event in trace:
        consistency.push(*event)
    return consistency


# Everything there is, in traces so small that all of it meets.
SMALL = Shape(
    threads=(2, 3, 4),
    events=(4, 6, 8, 9, 10),
    cells=(1, 2, 3),
    accesses=("read", "read", "read", "write", "write", "write", "rmw", "none"),
    wide=0.2,
    latest=0.5,
    open=0.05,
    causes=0.1,
)
# Many threads and reads on few cells.
CROWDED = Shape(
    threads=(3, 4, 5), events=(12, 14, 16), cells=(2, 3), accesses=("read", "read", "write"), latest=0.4
)
# The clocks have whole vector registers, and sets of threads are 64 bits.
SPREAD = SMALL._replace(spread=23)
# What is put into the traces below, for which the complete search is needed.
DISTURBANCE = SMALL._replace(latest=0.3)


def with_event(trace: Trace, position: int, event: Event) -> list[Event]:
    """The trace with another event, which comes before those from `position` on."""

    def moved(index: int | None) -> int | None:
        return index if index is None or index < position else index + 1

    later = [
        other._replace(
            cells=tuple((cell, moved(source)) for cell, source in other.cells), cause=moved(other.cause)
        )
        for other in trace[position:]
    ]
    return [*trace[:position], event, *later]


def disturbed(source: random.Random, trace: Trace) -> list[Event]:
    """The trace with a few other events in it, and sometimes another source of some read."""
    threads = 1 + max(event.thread for event in trace)
    cells = 1 + max(cell for event in trace for cell, _ in event.cells)
    result = list(trace)
    for _ in range(source.choice((0, 1, 1, 2, 3))):
        position = source.randint(0, len(result))
        event = random_event(source, DISTURBANCE, threads, cells, result[:position])
        result = with_event(result, position, event)
    if source.random() < 0.2:
        position = source.choice([index for index, event in enumerate(result) if event.reads])
        ((cell, _), *others) = result[position].cells
        writes = [
            index
            for index, event in enumerate(result[:position])
            if event.writes and cell in dict(event.cells)
        ]
        result[position] = result[position]._replace(
            cells=((cell, source.choice([None, ANY, *writes])), *others)
        )
    return result


# ---- traces for which saturation is not enough


def write(thread: int, cell: int) -> Event:
    return Event(thread, "write", ((cell, None),))


def read(thread: int, cell: int, source: int) -> Event:
    return Event(thread, "read", ((cell, source),))


X, Y, Z, Y2, Z2 = range(5)

# Figure 5 of the paper named in engine/consistency/saturate.h. The values that its events write and read
# there are in the comments.
X3, X4 = 4, 5
FIGURE_5 = [
    write(0, Z),  # z=1
    write(1, Y),  # y=2
    read(2, Z, 0),  # a=1
    read(2, Y, 1),  # b=2
    write(2, X),  # x=3
    write(3, X),  # x=4
    read(4, X, X4),  # c=4
    write(4, Y),  # y=5
    read(4, Z, 0),  # d=1
    read(5, X, X4),  # e=4
    write(5, Z),  # z=6
    read(5, Y, 1),  # f=2
]

# Its extension: with the variables y' and z' the same is done to order x=3 before x=4.
EXTENDED_X3, EXTENDED_X4 = 6, 9
FIGURE_5_EXTENDED = [
    write(0, Z),  # z=1
    write(1, Y),  # y=2
    write(6, Z2),  # z'=1
    write(7, Y2),  # y'=2
    read(2, Z, 0),  # a=1
    read(2, Y, 1),  # b=2
    write(2, X),  # x=3
    read(3, Z2, 2),  # a'=1
    read(3, Y2, 3),  # b'=2
    write(3, X),  # x=4
    read(4, X, EXTENDED_X4),  # c=4
    write(4, Y),  # y=5
    read(4, Z, 0),  # d=1
    read(5, X, EXTENDED_X4),  # e=4
    write(5, Z),  # z=6
    read(5, Y, 1),  # f=2
    read(8, X, EXTENDED_X3),  # c'=3
    write(8, Y2),  # y'=5
    read(8, Z2, 2),  # d'=1
    read(9, X, EXTENDED_X3),  # e'=3
    write(9, Z2),  # z'=6
    read(9, Y2, 3),  # f'=2
]

# The same two with as few events as we could find.
HIDDEN_ORDER = [
    write(0, Y),
    write(1, X),
    write(1, Z),
    write(0, Z),
    read(1, Y, 0),
    write(0, X),
    read(2, X, 1),
    write(2, Y),
    read(2, Z, 3),
]
CONTRADICTION = [
    write(1, Y2),
    write(1, Z2),
    write(0, Y),
    write(0, Z),
    write(0, Y2),
    write(1, X),
    write(1, Y),
    read(0, Z2, 1),
    read(2, X, 5),
    write(2, Z),
    read(1, Z, 3),
    read(3, Z, 3),
    read(2, Y, 2),
    write(3, Z2),
    read(3, Y2, 0),
]


def order_of(trace: Trace) -> Pairs:
    consistency = pushed(trace)
    assert consistency.advance(len(trace))
    return consistency.order()


def guide_with(trace: Trace, early: int, late: int) -> tuple[list[int], int]:
    """An execution of all but the last event, with a given order of two, and how many events it knows."""
    known = len(trace) - 1
    source = random.Random(0)
    executions = Executions(trace[:known])
    assert (late, early) not in executions.common_order()
    while True:
        guide = executions.any(source)
        if guide.index(early) < guide.index(late):
            return guide, known


def test_figure_5_has_an_order_that_saturation_does_not_find() -> None:
    assert order_of(FIGURE_5) == saturated(FIGURE_5, rules=False)
    executions = Executions(FIGURE_5)
    assert executions.exist
    assert (X4, X3) in executions.common_order() - order_of(FIGURE_5)


def test_figure_5_is_decided_where_the_guide_has_the_wrong_order() -> None:
    consistency = pushed(FIGURE_5)
    assert consistency.advance(len(FIGURE_5))
    wrong = guide_with(FIGURE_5, X3, X4)
    assert consistency.witness(*wrong) is None
    step, witness = consistency.find(*wrong)
    assert step == "decision"
    assert witness is not None
    assert is_witness(FIGURE_5, witness)
    step, witness = consistency.find(*guide_with(FIGURE_5, X4, X3))
    assert step in ("witness", "ordered_witness")
    assert witness is not None
    assert is_witness(FIGURE_5, witness)
    assert consistency.order() == saturated(FIGURE_5)
    # Once the two writes are ordered, saturation finds out.
    assert not consistency.add_edge(X3, X4)
    consistency.forget_edges()
    assert consistency.add_edge(X4, X3)


def test_figure_5_extended_is_inconsistent_and_only_the_complete_search_finds_out() -> None:
    trace = FIGURE_5_EXTENDED
    assert order_of(trace) == saturated(trace, rules=False)
    assert not Executions(trace).exist
    consistency = pushed(trace)
    assert consistency.advance(len(trace))
    assert consistency.decide() is None
    for known in range(len(trace)):
        guide = Executions(trace[:known]).any(random.Random(known))
        assert consistency.witness(guide, known) is None
        assert consistency.find(guide, known) == ("realization", None)
    assert consistency.order() == saturated(trace)
    # Without the second half it is Figure 5 again.
    assert Executions(trace[:16]).exist


@pytest.mark.parametrize(("trace", "consistent"), [(HIDDEN_ORDER, True), (CONTRADICTION, False)])
def test_a_small_trace_for_which_saturation_is_not_enough(trace: Trace, consistent: bool) -> None:
    assert Executions(trace).exist == consistent
    consistency = pushed(trace)
    assert consistency.advance(len(trace))
    assert (consistency.decide() is not None) == consistent
    if consistent:
        assert Executions(trace).common_order() > consistency.order()
    else:
        assert consistency.find([]) == ("realization", None)


# ---- against brute force


@pytest.fixture
def seed(capsys: pytest.CaptureFixture[str]) -> int:
    value = int(os.environ.get("NORN_FUZZ_SEED", secrets.randbelow(2**32)))
    with capsys.disabled():
        print(f"\nNORN_FUZZ_SEED={value}", end=" ")
    return value


def check(source: random.Random, trace: Trace, counts: Counter[str]) -> None:
    """Every step on one trace. What each is counted under says which step gave the answer, and which one."""
    executions = Executions(trace)
    expected = saturated(trace)
    consistency = pushed(trace)
    acyclic = consistency.advance(len(trace))
    assert acyclic == (expected is not None)
    if not acyclic:
        assert not executions.exist
        counts["cycle"] += 1
        return
    assert consistency.order() == expected
    if executions.exist:
        assert consistency.order() <= executions.common_order()
    decided = consistency.decide()
    assert (decided is not None) == executions.exist
    assert decided is None or is_witness(trace, decided)
    guide = random_guide(source, trace)
    guided = consistency.witness(*guide)
    assert guided is None or is_witness(trace, guided)
    step, witness = consistency.find(*guide)
    assert (step == "witness") == (guided is not None)
    assert (witness is not None) == executions.exist
    assert witness is None or is_witness(trace, witness)
    assert consistency.order() == expected, "the search for a witness must leave the order as it was"
    counts[f"{step}: {'yes' if executions.exist else 'no'}"] += 1


def check_all(
    capsys: pytest.CaptureFixture[str], source: random.Random, traces: Iterable[Trace]
) -> Counter[str]:
    counts: Counter[str] = Counter()
    for trace in traces:
        try:
            check(source, trace, counts)
        except AssertionError as error:
            error.add_note(f"trace: {trace}")
            raise
    with capsys.disabled():
        print(dict(sorted(counts.items())), end=" ")
    return counts


def test_random_traces(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    source = random.Random(seed)
    counts = check_all(
        capsys, source, (random_trace(source, source.choice((SMALL, SMALL, SPREAD))) for _ in range(6000))
    )
    assert counts["cycle"] > 0
    assert counts["witness: yes"] > 0


def test_crowded_random_traces(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    source = random.Random(seed)
    counts = check_all(capsys, source, (random_trace(source, CROWDED) for _ in range(1000)))
    assert counts["cycle"] > 0
    assert counts["witness: yes"] > 0


def test_random_traces_for_which_saturation_is_not_enough(
    capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    source = random.Random(seed)
    hard = [HIDDEN_ORDER, HIDDEN_ORDER, FIGURE_5, FIGURE_5, CONTRADICTION, CONTRADICTION, FIGURE_5_EXTENDED]
    counts = check_all(capsys, source, (disturbed(source, source.choice(hard)) for _ in range(1000)))
    for step in ("cycle", "witness: yes", "ordered_witness: yes", "realization: no", "decision: yes"):
        assert counts[step] > 0, step


# ---- saturation as the graph grows and shrinks


class Script:
    """Random steps with one graph and its order. After each the order is that of the events taken in."""

    def __init__(self, source: random.Random, shape: Shape) -> None:
        self.source = source
        self.shape = shape
        self.threads, self.cells = source.choice(shape.threads), source.choice(shape.cells)
        self.trace: list[Event] = []
        self.consistency = Consistency()
        self.counts: Counter[str] = Counter()

    def step(self) -> None:
        source, size = self.source, self.consistency.size
        steps = [self.push, self.push, self.advance, self.advance, self.advance, self.retract, self.truncate]
        if size > 1:
            steps += [self.add_edges]
        source.choice(steps)()
        assert self.consistency.order() == saturated(self.trace[: self.consistency.size])

    def push(self) -> None:
        self.threads += self.source.random() < 0.01
        for _ in range(self.source.choice((1, 2, 4))):
            event = random_event(self.source, self.shape, self.threads, self.cells, self.trace)
            assert self.consistency.push(*event) == len(self.trace)
            self.trace.append(event)

    def advance(self) -> None:
        before = self.consistency.size
        wanted = self.source.choice((len(self.trace), self.source.randint(before, len(self.trace))))
        if self.consistency.advance(wanted):
            assert self.consistency.size == wanted
            self.counts["advanced"] += wanted > before
            return
        self.counts["cycle"] += 1
        reached = self.consistency.size
        assert saturated(self.trace[:reached]) is None
        # What cannot be taken in must go, or the script would be stuck.
        self.consistency.retract(self.source.choice((before, reached - 1)))
        assert self.consistency.size < reached
        self.consistency.truncate(reached - 1)
        del self.trace[reached - 1 :]

    def retract(self) -> None:
        size = self.source.randint(0, self.consistency.size)
        self.counts["retracted"] += size < self.consistency.size
        self.consistency.retract(size)

    def truncate(self) -> None:
        kept = self.source.randint(max(0, len(self.trace) - 6), len(self.trace))
        self.consistency.truncate(kept)
        del self.trace[kept:]

    def add_edges(self) -> None:
        size = self.consistency.size
        edges: list[tuple[int, int]] = []
        acyclic = True
        while acyclic and len(edges) < 3:
            early, late = self.source.sample(range(size), 2)
            edges.append((early, late))
            acyclic = self.consistency.add_edge(early, late)
            expected = saturated(self.trace[:size], edges)
            assert acyclic == (expected is not None)
            assert not acyclic or self.consistency.order() == expected
        self.counts["edges" if acyclic else "cyclic edges"] += 1
        if self.source.random() < 0.8:
            self.consistency.forget_edges()
        else:
            self.consistency.retract(self.source.randrange(size))


def test_saturation_is_exact_whatever_was_taken_in_and_given_up_before(
    capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    source = random.Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(250):
        script = Script(source, source.choice((SMALL, SPREAD, CROWDED)))
        for _ in range(60):
            script.step()
        counts += script.counts
    with capsys.disabled():
        print(dict(sorted(counts.items())), end=" ")
    for what in ("advanced", "cycle", "retracted", "edges", "cyclic edges"):
        assert counts[what] > 0, what


def test_a_thread_whose_only_event_is_gone_does_no_harm() -> None:
    trace = [write(index % 2, X) for index in range(6)]
    consistency = pushed(trace)
    assert consistency.advance(6)
    consistency.push(*write(8, X))  # clocks become wider
    consistency.truncate(6)
    decided = consistency.decide()
    assert decided is not None
    assert is_witness(trace, decided)
    assert consistency.find(range(6), 6) == ("witness", list(range(6)))


def test_the_binding_refuses_what_the_engine_never_does() -> None:
    consistency = pushed([write(0, X)])
    for wrong in (
        Event(0, "read", ((X, 1),)),  # a source that is not there
        Event(0, "read", ((Y, 0),)),  # ... that does not write the cell
        Event(0, "write", ((X, None), (X, None))),
        Event(0, "load", ((X, None),)),
        Event(0, "none", (), 7),
    ):
        with pytest.raises(ValueError):
            consistency.push(*wrong)
    with pytest.raises(ValueError):
        consistency.find([])  # not taken in
    assert consistency.advance(1)
    consistency.push(0, "read", [(X, None)])
    assert not consistency.advance(2)
    with pytest.raises(ValueError):
        consistency.order()
    consistency.retract(1)
    assert consistency.order() == set()


# ---- cells


def test_cells_are_the_bytes_that_no_access_tells_apart(seed: int) -> None:
    source = random.Random(seed)
    splits = 0
    for _ in range(400):
        cells = Cells()
        known: list[tuple[int, int, int]] = []
        described: dict[tuple[int, int, int], list[int]] = {}
        for _ in range(source.randint(1, 10)):
            access = (source.randrange(2), source.randrange(12), source.choice((1, 1, 2, 3, 4, 8)))
            whole = cells.learn(*access)
            known.append(access)
            # Nothing was split if and only if all accesses so far are described as before.
            assert whole == all(cells.cells_of(*other) == described[other] for other in described)
            splits += not whole
            described = {other: cells.cells_of(*other) for other in known}
            owners: dict[int, int] = {}
            for (location, address, size), parts in described.items():
                touched = [byte for cell in parts for byte in range(*cells.bytes_of(cell))]
                assert touched == list(range(address, address + size))
                assert all(owners.setdefault(cell, location) == location for cell in parts)
                boundaries = {
                    byte
                    for other, begin, length in known
                    for byte in (begin, begin + length)
                    if other == location and address < byte < address + size
                }
                assert {cells.bytes_of(cell)[0] for cell in parts[1:]} == boundaries
            assert len(owners) == cells.size
    assert splits > 0


# ---- the complete search, reached by programs

# All checks of the explorer are answered by yes here. Whether one of them takes the complete search depends
# on the execution that guides it, and so on the order of the threads.
DECIDED_CONSISTENT: list[list[list[_engine.Instruction]]] = [
    [
        [("write", 0, 1), ("read", 0, 1)],
        [("write", 0, 2), ("write", 1, 2), ("read", 1, 0)],
        [("read", 0, 0), ("read", 1, 1)],
        [("write", 1, 3), ("read", 1, 0)],
    ],
    [
        [("write", 0, 1), ("write", 2, 1), ("read", 0, 1)],
        [("write", 2, 2), ("write", 0, 2), ("write", 1, 2), ("read", 0, 0)],
        [("read", 0, 0), ("write", 1, 3), ("read", 1, 2)],
    ],
]
# Here no guide helps: some of the checks must be answered by no, and only the complete search can. Found,
# like the others, by shrinking CONTRADICTION as a program.
INCONSISTENT: list[list[_engine.Instruction]] = [
    [("read", 0, 0), ("write", 2, 1), ("read", 1, 3)],
    [("write", 1, 1), ("write", 0, 1), ("write", 3, 1), ("read", 0, 2)],
    [("read", 0, 3), ("write", 0, 2), ("read", 1, 1)],
    [("write", 2, 2), ("write", 3, 2), ("write", 1, 2), ("read", 0, 0)],
]


def source_choices(program: Sequence[Sequence[_engine.Instruction]]) -> Iterable[Trace]:
    """Every choice of sources for the reads of a program without branches, as a trace."""
    events: dict[tuple[int, int], tuple[str, int]] = {}  # by thread and number there: access and cell
    for thread, code in enumerate(program):
        for number, (access, first, second) in enumerate(code):
            cell = second if access == "read" else first
            assert isinstance(access, str) and isinstance(cell, int)
            events[thread, number] = (access, cell)
    reads = [name for name, (access, _) in events.items() if access == "read"]
    writes = {
        cell: [None, *(name for name, event in events.items() if event == ("write", cell))]
        for _, cell in events.values()
    }
    for sources in product(*(writes[events[name][1]] for name in reads)):
        chosen = dict(zip(reads, sources, strict=True))
        order: list[
            tuple[int, int]
        ] = []  # each event after its source and after those before it in its thread
        grown = True
        while grown:
            grown = False
            for name in events:
                thread, number = name
                ready = number == 0 or (thread, number - 1) in order
                if name not in order and ready and chosen.get(name) in (None, *order):
                    order.append(name)
                    grown = True
        if len(order) == len(events):
            place: dict[tuple[int, int] | None, int | None] = {name: i for i, name in enumerate(order)}
            place[None] = None
            yield [
                Event(name[0], access, ((cell, place[chosen.get(name)]),))
                for name in order
                for access, cell in [events[name]]
            ]


def outcomes(program: Sequence[Sequence[_engine.Instruction]]) -> Counter[str]:
    """Of all choices of sources, how many there are of each kind."""
    counts: Counter[str] = Counter()
    for trace in source_choices(program):
        consistency = pushed(trace)
        if not consistency.advance(len(trace)):
            counts["cycle"] += 1
        else:
            counts["inconsistent" if consistency.decide() is None else "consistent"] += 1
    return counts


def test_the_explorer_finds_by_the_complete_search_that_a_class_exists() -> None:
    decided = 0
    for threads in DECIDED_CONSISTENT:
        for program in permutations(threads):
            result = _engine.explore(program, "reads-from")
            assert result.checks == result.executions - 1  # so each led to an execution
            assert result.executions == outcomes(program)["consistent"]
            if result.decided > 0:
                assert first_complaints(program) == []
            decided += result.decided
    assert decided > 0


def test_the_explorer_finds_that_a_class_does_not_exist() -> None:
    found = outcomes(INCONSISTENT)
    assert found["inconsistent"] > 0  # although without a cycle
    for program in permutations(INCONSISTENT):
        result = _engine.explore(program, "reads-from")
        assert result.checks > result.executions - 1
        assert result.executions == found["consistent"] == 380
    assert first_complaints(INCONSISTENT) == []


def as_c(program: Sequence[Sequence[_engine.Instruction]]) -> str:
    """A program of reads and writes, one thread of C for each of its threads."""
    threads = len(program)
    lines = ["#include <pthread.h>", "#include <stdatomic.h>", "static atomic_int v[4];"]
    for thread, code in enumerate(program):
        body = " ".join(f"(void)v[{b}];" if name == "read" else f"v[{a}] = {b};" for name, a, b in code)
        lines.append(f"static void *thread_{thread}(void *unused) {{ {body} return unused; }}")
    names = ", ".join(f"thread_{thread}" for thread in range(threads))
    lines += [
        "int main(void) {",
        f"    void *(*const bodies[])(void *) = {{{names}}};",
        f"    pthread_t threads[{threads}];",
        f"    for (int i = 0; i < {threads}; i++) pthread_create(&threads[i], 0, bodies[i], 0);",
        f"    for (int i = 0; i < {threads}; i++) pthread_join(threads[i], 0);",
        "    return 0;",
        "}",
    ]
    return "\n".join(lines) + "\n"


# Natively too, where main starts the threads.
NEEDS_THE_COMPLETE_SEARCH: list[list[_engine.Instruction]] = [
    [("read", 0, 0), ("write", 2, 1), ("read", 1, 3)],
    [("write", 1, 1), ("write", 0, 1), ("write", 3, 1), ("read", 0, 2)],
    [("read", 0, 3), ("write", 0, 2), ("read", 1, 1)],
    [("write", 2, 2), ("write", 3, 2), ("write", 1, 2), ("read", 0, 0)],
]


def test_the_command_line_says_how_often_the_complete_search_was_needed(
    norn: Callable[..., subprocess.CompletedProcess[str]], program: Callable[..., Path]
) -> None:
    done = norn("check", "-v", "-e", "rf", program(as_c(NEEDS_THE_COMPLETE_SEARCH)))
    assert done.returncode == 0, done.stdout + done.stderr
    said = re.search(
        r"consistency checks +([\d,]+); the complete search \(decide\) was needed for (\d+)", done.stdout
    )
    assert said is not None, done.stdout
    assert int(said[2]) > 0


def test_what_nobody_reads_does_not_make_the_complete_search_long() -> None:
    """Many writes before, which are read by nobody: in all orders of these it would not end."""
    for threads in DECIDED_CONSISTENT:
        for code in permutations(threads):
            result = _engine.explore(code, "reads-from")
            if result.decided == 0:
                continue
            longer = [[("write", 50 + t, 1)] * 60 + list(part) for t, part in enumerate(code)]
            again = _engine.explore(longer, "reads-from")
            assert (again.executions, again.decided) == (result.executions, result.decided)
            return
    raise AssertionError("no program needs the complete search")
