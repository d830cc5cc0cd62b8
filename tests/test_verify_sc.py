"""VerifySC and the closure (engine/consistency/verify_sc.h, saturate_open.cpp) against brute force.

An instance is given as data: events, each with the good writes of what it reads. Brute force performs the
events in every order that respects the threads and causes and in which each read finds a good write
(`Executions`). Random instances come from a random execution, so that they have a witness, and are then
disturbed, so that many have none. They count which step gave which answer, so that none goes untested
unnoticed. NORN_FUZZ_SEED repeats them.
"""

from __future__ import annotations

import os
import random
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, product
from typing import NamedTuple

import pytest

from norn import _engine
from norn._engine import Consistency, Verification
from tests.test_consistency import CONTRADICTION, FIGURE_5, HIDDEN_ORDER

ANY = -1  # as a source: whatever is there

Pairs = set[tuple[int, int]]
Contents = tuple[int | None, ...]  # of each cell: the event that wrote it last


class Event(NamedTuple):
    thread: int
    access: str  # "none", "read", "write" or "rmw"
    cells: tuple[tuple[int, _engine.Source], ...] = ()  # with a source of each, or good writes
    cause: int | None = None

    @property
    def reads(self) -> bool:
        return self.access in ("read", "rmw")

    @property
    def writes(self) -> bool:
        return self.access in ("write", "rmw")


Instance = Sequence[Event]


def goods_of(source: _engine.Source) -> tuple[int | None, ...]:
    """The good writes, where there are any."""
    return (source,) if source is None or isinstance(source, int) else tuple(source)


def may_read(source: _engine.Source, write: int | None) -> bool:
    return source == ANY or write in goods_of(source)


def writes_of(instance: Instance, cell: int) -> list[int]:
    return [
        index
        for index, event in enumerate(instance)
        if event.writes and any(cell == touched for touched, _ in event.cells)
    ]


def pushed(instance: Instance) -> Consistency:
    consistency = Consistency()
    for event in instance:
        consistency.push(*event)
    return consistency


# ---- brute force


class Executions:
    """All executions of an instance that respect some edges, as a graph.

    A node is a set of performed events together with the event that wrote each cell last: what can follow
    depends on nothing else. `kept` says of each node whether all events can be performed from there.
    """

    def __init__(self, instance: Instance, edges: Iterable[tuple[int, int]] = ()) -> None:
        self.instance = instance
        self.before = [0] * len(instance)  # as bits: the events without which one is not possible
        self.all = (1 << len(instance)) - 1
        last: dict[int, int] = {}
        for index, event in enumerate(instance):
            for needed in (last.get(event.thread), event.cause):
                if needed is not None:
                    self.before[index] |= 1 << needed
            last[event.thread] = index
        for early, late in edges:
            self.before[late] |= 1 << early
        self.good = [
            [(cell, {*goods_of(source)}) for cell, source in event.cells if event.reads and source != ANY]
            for event in instance
        ]
        self.written = [[cell for cell, _ in event.cells if event.writes] for event in instance]
        cells = 1 + max((cell for event in instance for cell, _ in event.cells), default=0)
        self.start: Contents = (None,) * cells
        self.kept: dict[tuple[int, Contents], bool] = {}
        self.exist = self._can_end(0, self.start)

    def _steps(self, done: int, contents: Contents) -> Iterator[tuple[int, int, Contents]]:
        """Each event that can come next, and the node after it."""
        for index, needed in enumerate(self.before):
            if done >> index & 1 or needed & ~done:
                continue
            if any(contents[cell] not in good for cell, good in self.good[index]):
                continue
            after = contents
            if self.written[index]:
                changed = list(contents)
                for cell in self.written[index]:
                    changed[cell] = index
                after = tuple(changed)
            yield index, done | 1 << index, after

    def _can_end(self, done: int, contents: Contents) -> bool:
        known = self.kept.get((done, contents))
        if known is not None:
            return known
        can_end = done == self.all
        for _, done_then, contents_then in self._steps(done, contents):
            can_end |= self._can_end(done_then, contents_then)
        self.kept[done, contents] = can_end
        return can_end

    def any(self, source: random.Random) -> list[int]:
        """One of them."""
        order: list[int] = []
        done, contents = 0, self.start
        while done != self.all:
            following = [step for step in self._steps(done, contents) if self.kept[step[1:]]]
            index, done, contents = source.choice(following)
            order.append(index)
        return order

    def common_order(self) -> Pairs:
        """The pairs that have the same order in every execution."""
        size = len(self.instance)
        not_always_before = [0] * size  # as bits: the events that can be performed before this one
        for (done, _), can_end in self.kept.items():
            if can_end:
                for index in range(size):
                    if not done >> index & 1:
                        not_always_before[index] |= done
        return {
            (early, late)
            for early, late in product(range(size), repeat=2)
            if early != late and not not_always_before[early] >> late & 1
        }

    def longest_beginning(self, order: Sequence[int]) -> int:
        """How many events at the beginning of an order some execution begins with."""
        done, contents = 0, self.start
        for length, wanted in enumerate(order):
            for index, done_then, contents_then in self._steps(done, contents):
                if index == wanted and self.kept[done_then, contents_then]:
                    done, contents = done_then, contents_then
                    break
            else:
                return length
        return len(order)


def is_witness(instance: Instance, order: Sequence[int]) -> bool:
    if sorted(order) != list(range(len(instance))):
        return False
    done: set[int] = set()
    contents: dict[int, int] = {}
    last: dict[int, int] = {}
    for index in order:
        event = instance[index]
        if index < last.get(event.thread, -1) or (event.cause is not None and event.cause not in done):
            return False
        for cell, source in event.cells:
            if event.reads and not may_read(source, contents.get(cell)):
                return False
        if event.writes:
            contents.update((cell, index) for cell, _ in event.cells)
        last[event.thread] = index
        done.add(index)
    return True


def unmet_conditions(instance: Instance, order: Pairs) -> list[str]:
    """What an order lacks to be a closure by the definition of the paper, section 4.2."""
    unmet: list[str] = []
    before = set(order)
    initial = -1  # as an event, before all others
    before |= {(initial, index) for index in range(len(instance))}
    last: dict[int, int] = {}
    for index, event in enumerate(instance):
        for needed in (last.get(event.thread), event.cause):
            if needed is not None and (needed, index) not in before:
                unmet.append(f"{needed} is needed by {index}")
        last[event.thread] = index
    unmet += [
        f"{early} before {middle} before {late}"
        for early, middle in order
        for late in range(len(instance))
        if (middle, late) in order and (early, late) not in order
    ]
    for index, event in enumerate(instance):
        for cell, source in event.cells if event.reads else ():
            if source == ANY:
                continue
            writes = [initial, *(write for write in writes_of(instance, cell) if write != index)]
            good = {initial if write is None else write for write in goods_of(source)}
            visible = [
                write
                for write in good
                if (index, write) not in before
                and not any((write, other) in before and (other, index) in before for other in writes)
            ]
            if not visible:
                unmet.append(f"1: {index} has no visible good write")
            for write in visible:
                is_least = all(write == other or (write, other) in before for other in visible)
                if is_least and (write, index) not in before:
                    unmet.append(f"2: the least, {write}, comes not before {index}")
                if all(write == other or (other, write) in before for other in visible):
                    unmet += [
                        f"3: {bad} comes before {index} and not before the greatest, {write}"
                        for bad in writes
                        if bad not in good and (bad, index) in before and (bad, write) not in before
                    ]
            unmet += [
                f"4: {bad} comes after all good ones and not after {index}"
                for bad in writes
                if bad not in good
                and all((write, bad) in before for write in visible)
                and (index, bad) not in before
            ]
    return unmet


# ---- random instances


class Shape(NamedTuple):
    """What random instances are like."""

    threads: tuple[int, ...] = (2, 3, 4)
    events: tuple[int, ...] = (4, 6, 8, 9, 10)
    cells: tuple[int, ...] = (1, 2, 3, 4)
    accesses: tuple[str, ...] = ("read", "read", "read", "write", "write", "write", "rmw", "none")
    wide: float = 0.2  # how likely an event touches several cells
    causes: float = 0.1  # how likely an event has a cause in another thread
    mutex: float = 0.2  # how likely there is one
    more: tuple[float, ...] = (0.1, 0.2, 0.4, 0.7)  # how likely a further write is good
    any: float = 0.03  # how likely all are
    spread: int = 1  # of the numbers of the threads


SMALL = Shape()
# Many threads and reads on few cells.
CROWDED = Shape(
    threads=(3, 4, 5), events=(12, 13, 14), cells=(2, 3), accesses=("read", "read", "write"), mutex=0.0
)
# The clocks have whole vector registers, and sets of threads are 64 bits.
SPREAD = Shape(spread=23)


def random_execution(source: random.Random, shape: Shape) -> list[Event]:
    """Events in the order in which they were performed, each read with what it found as its source."""
    threads, cells = source.choice(shape.threads), source.choice(shape.cells)
    mutex = cells if source.random() < shape.mutex else None
    holder: int | None = None
    contents: dict[int, int] = {}
    execution: list[Event] = []
    for index in range(source.choice(shape.events)):
        thread = source.randrange(threads)
        access = source.choice(shape.accesses)
        touched = [source.randrange(cells)]
        if cells > 1 and source.random() < shape.wide:
            touched = sorted(source.sample(range(cells), source.randint(2, min(3, cells))))
        if mutex is not None and holder in (None, thread) and source.random() < 0.4:
            access, touched = "rmw", [mutex]
            holder = thread if holder is None else None
        if access == "none":
            touched = []
        cause = source.randrange(index) if index > 0 and source.random() < shape.causes else None
        execution.append(
            Event(
                thread * shape.spread,
                access,
                tuple((cell, contents.get(cell) if access != "write" else None) for cell in touched),
                cause,
            )
        )
        if access in ("write", "rmw"):
            contents.update((cell, index) for cell in touched)
    return execution


def renumbered(source: random.Random, execution: Instance) -> list[Event]:
    """The events in another order, each after all that it depends on: that in which they become known."""
    needed: list[set[int]] = []
    last: dict[int, int] = {}
    for index, event in enumerate(execution):
        sources = [write for _, write in event.cells] if event.reads else []
        needs = (last.get(event.thread), event.cause, *sources)
        needed.append({each for each in needs if isinstance(each, int)})
        last[event.thread] = index
    place: dict[int, int] = {}
    result: list[Event] = []
    while len(result) < len(execution):
        index = source.choice(
            [i for i in range(len(execution)) if i not in place and needed[i] <= place.keys()]
        )
        event = execution[index]
        place[index] = len(result)
        result.append(
            event._replace(
                cells=tuple(
                    (cell, place[write] if isinstance(write, int) else None) for cell, write in event.cells
                ),
                cause=None if event.cause is None else place[event.cause],
            )
        )
    return result


def with_more_good_writes(source: random.Random, shape: Shape, instance: Instance) -> list[Event]:
    """What has a witness keeps it."""
    more = source.choice(shape.more)
    result: list[Event] = []
    for index, event in enumerate(instance):
        cells: list[tuple[int, _engine.Source]] = []
        for cell, write in event.cells:
            chosen: _engine.Source = write
            if event.reads and source.random() < shape.any:
                chosen = ANY
            elif event.reads:
                others: list[int | None] = [None, *writes_of(result[:index], cell)]
                good = [other for other in others if other == write or source.random() < more]
                source.shuffle(good)
                if len(good) > 1 or source.random() < 0.5:
                    chosen = tuple(good)
            cells.append((cell, chosen))
        result.append(event._replace(cells=tuple(cells)))
    return result


def disturbed(source: random.Random, instance: Instance) -> list[Event]:
    """The instance with other good writes of some reads."""
    result = list(instance)
    reads = [index for index, event in enumerate(instance) if event.reads]
    for index in source.sample(reads, min(len(reads), source.choice((1, 2, 3)))):
        cells = list(result[index].cells)
        position = source.randrange(len(cells))
        cell = cells[position][0]
        others: list[int | None] = [None, *writes_of(result[:index], cell)]
        good = source.sample(others, min(len(others), source.choice((1, 1, 2, 2, 3))))
        cells[position] = (cell, good[0] if len(good) == 1 and source.random() < 0.5 else tuple(good))
        result[index] = result[index]._replace(cells=tuple(cells))
    return result


def random_instance(source: random.Random, shape: Shape) -> list[Event]:
    instance = with_more_good_writes(source, shape, renumbered(source, random_execution(source, shape)))
    return disturbed(source, instance) if source.random() < 0.8 else instance


# Instances for which no closure is enough, without and with a witness.
UNFORESEEN = [[Event(*event) for event in trace] for trace in (HIDDEN_ORDER, FIGURE_5, CONTRADICTION)]
BARELY_MORE = SMALL._replace(more=(0.05, 0.1, 0.3))


def random_unforeseen(source: random.Random) -> list[Event]:
    instance = with_more_good_writes(source, BARELY_MORE, source.choice(UNFORESEEN))
    return disturbed(source, instance) if source.random() < 0.5 else instance


def random_guide(source: random.Random, instance: Instance) -> tuple[list[int], int]:
    """An execution of the first events with some that are not there any more, and how many it knows."""
    known = source.choice((0, len(instance), *range(max(0, len(instance) - 5), len(instance))))
    while not (executions := Executions(instance[:known])).exist:
        known -= 1
    guide = executions.any(source)
    while source.random() < 0.3:
        guide.insert(source.randint(0, len(guide)), known + source.randrange(8))
    return guide, known


@pytest.fixture
def seed(capsys: pytest.CaptureFixture[str]) -> int:
    value = int(os.environ.get("NORN_FUZZ_SEED", secrets.randbelow(2**32)))
    with capsys.disabled():
        print(f"\nNORN_FUZZ_SEED={value}", end=" ")
    return value


# ---- every step on one instance


def check_answer(instance: Instance, found: Verification, expected: bool) -> None:
    assert found.answer == ("yes" if expected else "no")
    assert (found.witness is not None) == expected
    assert found.witness is None or is_witness(instance, found.witness)
    assert (found.states > 0) <= (found.step == "search")


def happens_before(instance: Instance) -> Pairs:
    """What follows from threads, causes and sources. Of good writes: what happens before all of them."""
    past: list[set[int]] = []  # of each event, which is there, too
    last: dict[int, int] = {}
    for index, event in enumerate(instance):
        past.append({index})
        for needed in (last.get(event.thread), event.cause):
            past[index] |= set() if needed is None else past[needed]
        last[event.thread] = index
        for _, source in event.cells if event.reads else ():
            if source != ANY:
                pasts = [set() if good is None else past[good] for good in goods_of(source)]
                past[index] |= set.intersection(*pasts)
    return {(early, late) for late, events in enumerate(past) for early in events if early != late}


def check_closure(instance: Instance, executions: Executions) -> bool:
    """False: the closure has a cycle."""
    consistency = pushed(instance)
    assert consistency.happens_before() == happens_before(instance)
    if not consistency.advance(len(instance)):
        assert not executions.exist
        return False
    order = consistency.order()
    assert order >= happens_before(instance)
    assert not any((late, early) in order for early, late in order)
    assert unmet_conditions(instance, order) == []
    if executions.exist:
        assert order <= executions.common_order()
    for late in range(len(instance)):
        clock = consistency.clock(late)
        of_thread: Counter[int] = Counter()
        for early, event in enumerate(instance):
            of_thread[event.thread] += 1
            assert (clock[event.thread] >= of_thread[event.thread]) == (
                early == late or (early, late) in order
            )
    return True


def check_limits(instance: Instance, executions: Executions) -> None:
    """The search visits no more states than there are; and is given up if it may not visit so many."""
    free = pushed(instance).verify(search_only=True)
    assert free.states <= len(executions.kept)
    assert pushed(instance).verify(search_only=True, limit=free.states + 1).answer == free.answer
    if free.states > 0:
        bounded = pushed(instance).verify(search_only=True, limit=free.states - 1)
        assert bounded.answer == "too_hard"
        assert bounded.witness is None
        assert bounded.states == free.states - 1


def check_edges(source: random.Random, instance: Instance) -> str:
    """A witness that respects edges of its own."""
    consistency = pushed(instance)
    assert consistency.advance(len(instance))
    order = consistency.order()
    guide = random_guide(source, instance)
    edges = [
        (early, late)
        for early, late in (
            source.sample(range(len(instance)), 2) for _ in range(source.choice((0, 1, 2, 3)))
        )
    ]
    executions = Executions(instance, edges)
    outcome = "cyclic edges"
    if all(consistency.add_edge(early, late) for early, late in edges):
        search_only = source.random() < 0.2
        found = consistency.verify(*guide, respect_order=True, search_only=search_only)
        check_answer(instance, found, executions.exist)
        if found.witness is not None:
            place = {event: position for position, event in enumerate(found.witness)}
            assert all(place[early] < place[late] for early, late in edges)
        outcome = f"edges, {found.step}: {found.answer}"
    else:
        assert not executions.exist
    consistency.forget_edges()
    assert consistency.order() == order
    return outcome


def check(source: random.Random, instance: Instance, counts: Counter[str]) -> None:
    """What each is counted under says which step gave the answer, and which one."""
    executions = Executions(instance)
    acyclic = check_closure(instance, executions)
    consistency = pushed(instance)
    taken_in = source.choice((0, len(instance), source.randint(0, len(instance))))
    if not consistency.advance(taken_in):
        consistency.retract(consistency.size - 1)
    guide, known = random_guide(source, instance)
    found = consistency.verify(guide, known)
    check_answer(instance, found, executions.exist)
    assert found.step != "closure" or not acyclic
    if found.witness is not None:
        same = [a == b and a < known for a, b in zip(guide, found.witness, strict=False)]
        assert found.kept == [*same, False].index(False)
        if found.step == "descent" and known + 1 == len(instance) and instance[known].reads:
            # Of a guide that knows all but a read nothing is given up that could be kept.
            assert found.kept >= min(
                executions.longest_beginning([event for event in guide if event < known]),
                [*(event < known for event in guide), False].index(False),
            )
            counts["guided"] += 1
    counts[f"{found.step}: {found.answer}"] += 1
    check_answer(instance, pushed(instance).verify(guide, known, search_only=True), executions.exist)
    if len(instance) > 1 and acyclic:
        counts[check_edges(source, instance)] += 1
    check_limits(instance, executions)


def check_all(
    capsys: pytest.CaptureFixture[str], source: random.Random, instances: Iterable[Instance]
) -> Counter[str]:
    counts: Counter[str] = Counter()
    for instance in instances:
        try:
            check(source, instance, counts)
        except AssertionError as error:
            error.add_note(f"instance: {list(instance)}")
            raise
    with capsys.disabled():
        print(dict(sorted(counts.items())), end=" ")
    return counts


def test_random_instances(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    source = random.Random(seed)
    counts = check_all(
        capsys,
        source,
        (random_instance(source, source.choice((SMALL, SMALL, SPREAD))) for _ in range(1500)),
    )
    for answer in ("descent: yes", "closure: no", "ordered_descent: yes", "guided", "cyclic edges"):
        assert counts[answer] > 0, answer


def test_crowded_random_instances(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    source = random.Random(seed)
    counts = check_all(capsys, source, (random_instance(source, CROWDED) for _ in range(100)))
    for answer in ("descent: yes", "closure: no"):
        assert counts[answer] > 0, answer


def test_random_instances_for_which_the_closure_is_not_enough(
    capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    source = random.Random(seed)
    counts = check_all(capsys, source, (random_unforeseen(source) for _ in range(300)))
    for answer in ("descent: yes", "search: yes", "search: no", "edges, search: yes"):
        assert counts[answer] > 0, answer


def test_what_comes_from_an_execution_has_a_witness(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(1000):
        shape = source.choice((SMALL, CROWDED, SPREAD))
        instance = with_more_good_writes(source, shape, renumbered(source, random_execution(source, shape)))
        for search_only in (False, True):
            check_answer(instance, pushed(instance).verify(search_only=search_only), True)


# ---- as the graph grows and shrinks


def random_event(source: random.Random, shape: Shape, threads: int, cells: int, instance: Instance) -> Event:
    access = source.choice(shape.accesses)
    touched = [source.randrange(cells)]
    if cells > 1 and source.random() < shape.wide:
        touched = sorted(source.sample(range(cells), 2))
    sources: list[tuple[int, _engine.Source]] = []
    for cell in touched if access != "none" else ():
        good: list[int | None] = [None, *writes_of(instance, cell)]
        if source.random() < 0.4:
            good = good[-2:]
        good = source.sample(good, min(len(good), source.choice((1, 1, 2, 3))))
        sources.append((cell, good[0] if len(good) == 1 and source.random() < 0.5 else tuple(good)))
    cause = source.randrange(len(instance)) if instance and source.random() < shape.causes else None
    return Event(shape.spread * source.randrange(threads), access, tuple(sources), cause)


class Script:
    """Random steps with one graph and its order, questions among them, as an explorer takes them.

    After each step the clocks are those of a graph that has come there straight.
    """

    def __init__(self, source: random.Random, shape: Shape) -> None:
        self.source = source
        self.shape = shape
        self.threads, self.cells = source.choice(shape.threads), source.choice(shape.cells)
        self.instance: list[Event] = []
        self.consistency = Consistency()
        self.execution: list[int] = []  # of the first `known` events
        self.known = 0
        self.counts: Counter[str] = Counter()

    def step(self) -> None:
        self.source.choice(
            3 * [self.push, self.push_and_ask]
            + 2 * [self.advance]
            + [self.retract, self.truncate, self.add_edges]
        )()
        assert self.clocks(self.consistency) == self.clocks(self.straight(self.consistency.size))

    def straight(self, size: int) -> Consistency:
        consistency = pushed(self.instance[:size])
        assert consistency.advance(size)
        return consistency

    def clocks(self, consistency: Consistency) -> list[list[int]]:
        """Without the entries of threads that are not there any more."""
        width = 1 + max((event.thread for event in self.instance[: consistency.size]), default=-1)
        return [consistency.clock(event)[:width] for event in range(consistency.size)]

    def push(self) -> None:
        event = random_event(self.source, self.shape, self.threads, self.cells, self.instance)
        assert self.consistency.push(*event) == len(self.instance)
        self.instance.append(event)

    def remove(self, size: int) -> None:
        self.consistency.truncate(size)
        del self.instance[size:]
        self.known = min(self.known, size)

    def advance(self) -> None:
        before = self.consistency.size
        wanted = self.source.choice((len(self.instance), self.source.randint(before, len(self.instance))))
        if self.consistency.advance(wanted):
            assert self.consistency.size == wanted
            self.counts["advanced"] += wanted > before
            return
        self.counts["cycle"] += 1
        reached = self.consistency.size
        assert not pushed(self.instance[:reached]).advance(reached)
        self.consistency.retract(self.source.choice((before, reached - 1)))
        # What cannot be taken in must go, or the script would be stuck.
        self.remove(reached - 1)

    def retract(self) -> None:
        size = self.source.randint(0, self.consistency.size)
        self.counts["retracted"] += size < self.consistency.size
        self.consistency.retract(size)

    def truncate(self) -> None:
        self.remove(self.source.randint(max(0, len(self.instance) - 4), len(self.instance)))

    def add_edges(self) -> None:
        if (size := self.consistency.size) < 2:
            return
        for _ in range(3):
            if not self.consistency.add_edge(*self.source.sample(range(size), 2)):
                break
        self.counts["edges"] += 1
        self.consistency.forget_edges()

    def push_and_ask(self) -> None:
        self.push()
        expected = Executions(self.instance).exist
        found = self.consistency.verify(self.execution, self.known)
        check_answer(self.instance, found, expected)
        self.counts[f"{found.step}: {found.answer}"] += 1
        if found.witness is None:
            # The last event at which there was an execution: what comes after it must go.
            self.remove(self.known)
        else:
            self.execution = found.witness
            self.known = len(self.instance)


def test_the_closure_is_exact_whatever_was_taken_in_and_given_up_before(
    capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    source = random.Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(100):
        script = Script(source, source.choice((SMALL, SPREAD, CROWDED)))
        for _ in range(40):
            script.step()
            if len(script.instance) > 11:
                script.remove(5)
        counts += script.counts
    with capsys.disabled():
        print(dict(sorted(counts.items())), end=" ")
    for what in ("advanced", "retracted", "edges", "descent: yes", "closure: no"):
        assert counts[what] > 0, what


# ---- the four conditions of the closure, one by one


def write(thread: int, *cells: int, cause: int | None = None) -> Event:
    return Event(thread, "write", tuple((cell, None) for cell in cells), cause)


def read(thread: int, cell: int, good: _engine.Source, cause: int | None = None) -> Event:
    return Event(thread, "read", ((cell, good),), cause)


def rmw(thread: int, cell: int, good: _engine.Source) -> Event:
    return Event(thread, "rmw", ((cell, good),))


X, Y = 0, 1

# Instances without any visible good write of the last read, so that there is a cycle.
NOTHING_VISIBLE = {
    "overwritten": [write(0, X), write(0, X), read(0, X, (None, 0))],
    "overwritten before what it depends on": [
        *(write(0, X), write(0, X), write(0, Y)),
        *(read(1, Y, 2), read(1, X, (None, 0))),
    ],
    # The first read demands that 1 comes before 0.
    "found out by the other conditions": [
        *(write(0, X), write(1, X)),
        *(read(1, X, (None, 0)), read(1, X, (None, 1))),
    ],
}

# Instances with the pairs that are in their closure although they do not follow from the threads and causes.
ORDERED = {
    "2: the least comes before the read": ([write(0, X), write(0, X), read(1, X, (0, 1))], {(0, 2)}),
    "2: the only one that is not overwritten": (
        [write(0, X), write(1, X), write(1, X), read(1, X, (0, 1))],
        {(0, 3), (1, 0), (2, 0)},
    ),
    "2: what comes before all of them": (
        # 3 is good, too, but overwritten.
        [
            *(Event(0, "none"), write(1, X, cause=0), write(2, X, cause=0)),
            *(write(3, X), write(3, X), read(3, X, (1, 2, 3))),
        ],
        {(0, 5)},
    ),
    "2: a read in between that does not find one": (
        [write(0, X), write(1, X), write(2, X), read(0, X, (1, 2)), read(0, X, (0, 1))],
        {(0, 1), (1, 4)},
    ),
    "3: a bad write before the read comes before the greatest": (
        [write(0, X), write(0, X), write(1, X), read(1, X, (0, 1))],
        {(2, 1), (0, 3)},
    ),
    "3: after the initial value": ([write(0, X), write(1, X), read(1, X, (None, 0))], {(1, 0), (0, 2)}),
    "4: a bad write after all good ones comes after the read": (
        [write(0, X), write(0, X), write(0, X), read(1, X, (0, 1))],
        {(0, 3), (3, 2)},
    ),
    "4: after the initial value": ([write(0, X), write(0, X), read(1, X, (None, 0))], {(2, 1)}),
    "4: only the initial value": ([write(0, X), write(1, X), read(2, X, (None,))], {(2, 0), (2, 1)}),
    "compare-exchanges": (
        [rmw(0, X, (None,)), rmw(1, X, (None, 0)), rmw(2, X, (0, 1))],
        {(0, 1), (0, 2), (1, 2)},
    ),
    "critical sections": (
        [rmw(0, X, None), rmw(0, X, 0), rmw(1, X, (1,)), rmw(1, X, (2,)), rmw(2, X, 3)],
        {(early, late) for late in range(5) for early in range(late)} - {(0, 1), (2, 3)},
    ),
    "several cells": (
        [write(0, X, Y), write(0, Y), write(0, X), Event(1, "read", ((X, (None, 0)), (Y, (0, 1))))],
        {(0, 3), (3, 2)},
    ),
    "nothing": ([write(0, X), write(1, X), write(2, X), read(3, X, (0, 1))], set[tuple[int, int]]()),
}


@pytest.mark.parametrize("instance", NOTHING_VISIBLE.values(), ids=NOTHING_VISIBLE.keys())
def test_without_a_visible_good_write_there_is_a_cycle(instance: list[Event]) -> None:
    assert not Executions(instance).exist
    consistency = pushed(instance)
    assert consistency.advance(len(instance) - 1)
    assert not consistency.advance(len(instance))
    found = pushed(instance).verify()
    assert (found.answer, found.step) == ("no", "closure")


@pytest.mark.parametrize(("instance", "expected"), ORDERED.values(), ids=ORDERED.keys())
def test_the_closure_has_what_its_conditions_demand(instance: list[Event], expected: Pairs) -> None:
    consistency = pushed(instance)
    assert consistency.advance(len(instance))
    order = consistency.order()
    by_threads = {
        (early, late)
        for early, late in order
        if instance[early].thread == instance[late].thread or instance[late].cause == early
    }
    assert order - by_threads == expected
    assert unmet_conditions(instance, order) == []
    assert order <= Executions(instance).common_order()


# ---- what the search does


def answers_with_first(instance: Instance, performed: int) -> dict[int, str]:
    """For each event after the first ones: is there a witness in which it is the next?"""
    later = range(performed, len(instance))
    answers: dict[int, str] = {}
    for first in later:
        consistency = pushed(instance)
        assert consistency.advance(len(instance))
        edges = [(first, other) for other in later if other != first]
        answers[first] = "no"
        if all(consistency.add_edge(*edge) for edge in edges):
            answers[first] = consistency.verify(respect_order=True, search_only=True).answer
        assert (answers[first] == "yes") == Executions(instance, edges).exist
    return answers


def test_figure_5_a_held_variable_is_not_overwritten() -> None:
    """After w_x and w_y the variable y is held by r_y, and x is not held: r_x can also read from w'_x."""
    w_x, w_y, other_w_x, bar_w_y, r_x, r_y, bar_r_y = range(7)
    instance = [
        write(0, X),
        write(1, Y, cause=w_x),
        write(2, X, cause=w_y),
        write(3, Y, cause=w_y),
        read(4, X, (w_x, other_w_x), cause=w_y),
        read(5, Y, (w_y,), cause=w_y),
        read(6, Y, (bar_w_y,), cause=w_y),
    ]
    assert answers_with_first(instance, 2) == {
        **{other_w_x: "yes", r_x: "yes", r_y: "yes"},
        **{bar_w_y: "no", bar_r_y: "no"},
    }
    # Nor does the search do so where nothing tells it in advance.
    overwritten = [*instance[:5], instance[r_y]._replace(cause=bar_w_y), instance[bar_r_y]]
    found = pushed(overwritten).verify(search_only=True)
    assert (found.answer, found.step) == ("no", "search")
    assert found.states == 3  # at the beginning, after w_x, and after w_y, r_x and w'_x


def test_the_guide_is_kept_as_far_as_possible() -> None:
    instance = [write(index % 3, X if index % 2 == 0 else Y) for index in range(8)]
    guide = [0, 3, 6, 1, 2, 5, 4, 7]
    assert is_witness(instance, guide)
    for source in (None, 0, 2, 4, 6):
        for good in (source, (source,)):
            trace = [*instance, read(3, X, good)]
            found = pushed(trace).verify(guide, 8)
            assert (found.answer, found.step) == ("yes", "descent")
            # The read comes where its source is about to be overwritten.
            overwritten = {None: 0, 0: 2, 6: 4, 2: 6, 4: 8}[source]
            assert found.witness == [*guide[:overwritten], 8, *guide[overwritten:]]
            assert found.kept == overwritten
    # Of several good writes it is the last.
    found = pushed([*instance, read(3, X, (None, 0, 2))]).verify(guide, 8)
    assert found.witness == [*guide[:6], 8, *guide[6:]]
    assert found.kept == 6
    # Where the guide had something that is gone, it is kept up to there.
    found = pushed([*instance, read(3, X, 6)]).verify([0, 3, 9, 8, *guide[2:]], 8)
    assert found.witness == [0, 3, 6, 8, 1, 2, 5, 4, 7]
    assert found.kept == 2


def test_the_search_does_not_tell_apart_what_nobody_will_read() -> None:
    hard = [Event(*event) for event in CONTRADICTION]
    alone = pushed(hard).verify(search_only=True)
    assert alone.answer == "no"
    threads, cells = 4, 5
    idle = [write(threads + index % 4, cells + index % 3) for index in range(12)]
    idle += [read(threads + 4 + index, cells + 3, None) for index in range(3)]
    found = pushed([*hard, *idle]).verify(search_only=True)
    assert (found.answer, found.states) == ("no", alone.states)
    assert pushed(idle).verify(search_only=True).states == 0


def test_the_search_does_not_tell_apart_what_is_good_for_the_same_reads() -> None:
    hard = [Event(*event) for event in CONTRADICTION]
    threads, cells, pairs = 4, 5, 16
    instance = list(hard)
    for cell in range(cells, cells + pairs):
        # Two threads write the cell, in any order, and only then the next one.
        both = len(instance), len(instance) + 1
        instance += [write(threads, cell), write(threads + 1, cell)]
        instance += [Event(threads, "none", (), both[1]), Event(threads + 1, "none", (), both[0])]
    last = len(instance) - 1
    for cell in range(cells, cells + pairs):
        both = len(hard) + 4 * (cell - cells), len(hard) + 4 * (cell - cells) + 1
        instance.append(read(threads + 2, cell, both, cause=last))
    found = pushed(instance).verify(search_only=True)
    assert found.answer == "no"
    assert found.states < 2**pairs


# ---- hard instances

Literal = tuple[int, bool]  # a variable and its value
Clause = tuple[Literal, ...]


def satisfiability(variables: int, clauses: Sequence[Clause]) -> list[Event]:
    """An instance that has a witness if and only if all clauses can be satisfied.

    Each variable is written by two threads; the last one wins. Only then can the threads of the literals
    begin: each waits for its value and then writes to all clauses that it satisfies. The last thread looks
    for a value in each clause, and then for the initial value of the cell `end`: nobody has written all
    values again by then, after which the other literals find theirs, too.
    """
    threads = count()
    instance: list[Event] = []

    def push(event: Event) -> int:
        instance.append(event)
        return len(instance) - 1

    literals = list(product(range(variables), (False, True)))
    end = variables + len(clauses)
    chosen = {literal: push(write(next(threads), literal[0])) for literal in literals}
    gate = next(threads)
    opened = [push(Event(gate, "none", (), choice)) for choice in chosen.values()][-1]
    cleaner = next(threads)
    push(write(cleaner, end))
    again = {literal: push(write(cleaner, literal[0])) for literal in literals}
    satisfied: dict[Literal, int] = {}
    for literal in literals:
        thread = next(threads)
        push(read(thread, literal[0], (chosen[literal], again[literal]), cause=opened))
        of_it = [variables + number for number, clause in enumerate(clauses) if literal in clause]
        if of_it:
            satisfied[literal] = push(write(thread, *of_it))
    checker = next(threads)
    for number, clause in enumerate(clauses):
        push(read(checker, variables + number, tuple(satisfied[literal] for literal in clause)))
    push(read(checker, end, None))
    return instance


def is_satisfiable(variables: int, clauses: Sequence[Clause]) -> bool:
    return any(
        all(any(values[variable] == value for variable, value in clause) for clause in clauses)
        for values in product((False, True), repeat=variables)
    )


# All clauses of three variables: each is not satisfied by one choice of their values.
ALL_CLAUSES: list[Clause] = [tuple(enumerate(values)) for values in product((False, True), repeat=3)]


def check_formula(variables: int, clauses: Sequence[Clause]) -> Verification:
    instance = satisfiability(variables, clauses)
    expected = is_satisfiable(variables, clauses)
    consistency = pushed(instance)
    # The closure has nothing to say against it, nor has an execution of all but the last event.
    assert consistency.advance(len(instance))
    found = consistency.verify()
    check_answer(instance, found, expected)
    check_answer(instance, pushed(instance).verify(search_only=True), expected)
    all_but_one = pushed(instance[:-1]).verify()
    assert all_but_one.witness is not None
    guided = consistency.verify(all_but_one.witness, len(instance) - 1)
    check_answer(instance, guided, expected)
    return found


def test_the_smallest_formula_that_cannot_be_satisfied() -> None:
    found = check_formula(3, ALL_CLAUSES)
    assert (found.answer, found.step) == ("no", "search")
    for missing in range(8):
        found = check_formula(3, ALL_CLAUSES[:missing] + ALL_CLAUSES[missing + 1 :])
        assert found.answer == "yes"


def test_random_formulas(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    source = random.Random(seed)
    counts: Counter[str] = Counter()
    most = 0
    for variables, formulas in ((2, 20), (3, 40), (4, 40), (5, 6)):
        for _ in range(formulas):
            clauses = [
                tuple(
                    (variable, source.random() < 0.5)
                    for variable in source.sample(range(variables), min(variables, 3))
                )
                for _ in range(source.randint(3 * variables, 7 * variables))
            ]
            found = check_formula(variables, clauses)
            counts[f"{found.step}: {found.answer}"] += 1
            most = max(most, found.states)
    with capsys.disabled():
        print(dict(sorted(counts.items())), f"at most {most} states", end=" ")
    assert counts["search: yes"] > 0
    assert counts["search: no"] > 0


def test_a_search_that_takes_too_long_is_given_up() -> None:
    instance = satisfiability(3, ALL_CLAUSES)
    consistency = pushed(instance)
    whole = consistency.verify()
    assert whole.answer == "no"
    order = consistency.order()
    for limit in (0, 1, 10, whole.states - 1):
        for search_only in (False, True):
            found = consistency.verify(limit=limit, search_only=search_only)
            assert (found.answer, found.step) == ("too_hard", "search")
            assert (found.witness, found.states) == (None, limit)
    assert consistency.order() == order
    assert consistency.verify(limit=whole.states + 1).answer == "no"
    # What needs no search is answered all the same.
    assert pushed(instance[:-1]).verify(limit=0).answer == "yes"


# ---- the binding


def test_the_binding_refuses_what_the_engine_never_does() -> None:
    consistency = pushed([write(0, X), write(1, X)])
    for wrong in (
        read(2, X, ()),  # nothing to read from
        read(2, X, (0, 0)),
        read(2, X, (0, ANY)),
        read(2, X, (0, 2)),  # not there
        read(2, Y, (None, 0)),  # does not write the cell
    ):
        with pytest.raises(ValueError):
            consistency.push(*wrong)
    for guide, known in (([0], 2), ([0, 1, 0], 2), ([0, 1], 3)):
        with pytest.raises(ValueError):
            consistency.verify(guide, known)
    with pytest.raises(ValueError):
        consistency.verify(respect_order=True)  # not taken in
    consistency.push(*read(1, X, (None, 0)))
    assert consistency.advance(3)
    with pytest.raises(ValueError):
        consistency.decide()  # which knows nothing of good writes
    consistency.push(*read(1, X, (None, 1)))
    assert consistency.verify().answer == "no"
    with pytest.raises(ValueError):
        consistency.verify()  # there is a cycle
    consistency.retract(3)
    assert consistency.verify(search_only=True).answer == "no"
