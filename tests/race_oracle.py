"""Data races by their definition, for `test_races.py`: the happens-before relation as a set of edges, closed
by brute force. Nothing here knows of clocks.

Events are what the engine's `RaceFinder.find` takes. Fences become nodes of their own, so that the rules of
the standard can be read off.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

# As in engine/graph/event.h.
OPERATIONS = [
    "load",
    "store",
    "rmw",
    "compare_exchange",
    "lock",
    "trylock",
    "unlock",
    "mutex_init",
    "mutex_destroy",
    "wait",
    "wake_lock",
    "signal",
    "broadcast",
    "cond_init",
    "cond_destroy",
    "spawn",
    "join",
    "end",
    "choose",
    "free",
    "sem_wait",
    "sem_trywait",
    "sem_post",
    "rwlock_read",
    "rwlock_write",
    "rwlock_try_read",
    "rwlock_try_write",
    "rwlock_unlock",
    "barrier_wait",
    "barrier_wake",
    "once_begin",
    "once_end",
    "object_init",
    "object_destroy",
    "key_create",
]
NONE, READ, WRITE, RMW = range(4)
NATURAL, RELAXED, ACQUIRE, RELEASE, BOTH, NOTHING = range(6)
ACQUIRE_FENCE, RELEASE_FENCE, LATE_ACQUIRE_FENCE = 1, 2, 4
WRITER = 0x8000_0000

_PLAIN = frozenset({"load", "store", "free", "mutex_init", "mutex_destroy", "cond_init", "cond_destroy"}) | {
    "object_init",
    "object_destroy",
}
_ATOMIC = frozenset({"load", "store", "rmw", "compare_exchange"})
_ACQUIRES = frozenset({"lock", "trylock", "wake_lock", "sem_wait", "sem_trywait", "once_begin", "join"})
_RELEASES = frozenset({"unlock", "sem_post", "once_end", "end"})

Given = tuple[int, int, int, int, int, int, int, int, int, int, int]


@dataclass(frozen=True)
class Event:
    thread: int
    operation: str
    access: int = NONE
    location: int = 0
    address: int = 0
    size: int = 4
    order: int = NATURAL
    fences: int = 0
    cause: int = -1
    before: int = 0
    after: int = 0

    def given(self) -> Given:
        return (
            self.thread,
            OPERATIONS.index(self.operation),
            self.access,
            self.location,
            self.address,
            self.size,
            self.order,
            self.fences,
            self.cause,
            self.before,
            self.after,
        )

    @property
    def reads(self) -> bool:
        return self.access in (READ, RMW)

    @property
    def writes(self) -> bool:
        return self.access in (WRITE, RMW)

    @property
    def is_plain(self) -> bool:
        return self.order == NATURAL and self.operation in _PLAIN

    @property
    def is_atomic(self) -> bool:
        return not self.is_plain and self.operation in _ATOMIC

    @property
    def real_order(self) -> int:
        return BOTH if self.order == NATURAL else self.order

    def bytes(self) -> range:
        return range(self.address, self.address + self.size)


# ---- the definition

Node = tuple[int, int]  # the number of an event, and 3 for itself; 0 to 2 for fences before it


def happens_before(events: list[Event]) -> set[tuple[int, int]]:
    """All pairs of events of which the first happens before the second."""
    nodes, edges = _program_order(events)
    edges |= {((event.cause, 3), (i, 3)) for i, event in enumerate(events) if event.cause >= 0}
    for release, acquire in _synchronises(events):
        edges |= {(a, b) for a in release for b in acquire}
    return _closed(nodes, edges)


def _program_order(events: list[Event]) -> tuple[list[Node], set[tuple[Node, Node]]]:
    last: dict[int, Node] = {}
    nodes: list[Node] = []
    edges: set[tuple[Node, Node]] = set()
    for i, event in enumerate(events):
        bits = (ACQUIRE_FENCE, RELEASE_FENCE, LATE_ACQUIRE_FENCE)
        for node in [*((i, k) for k, bit in enumerate(bits) if event.fences & bit), (i, 3)]:
            nodes.append(node)
            if event.thread in last:
                edges.add((last[event.thread], node))
            last[event.thread] = node
    return nodes, edges


def _closed(nodes: list[Node], edges: set[tuple[Node, Node]]) -> set[tuple[int, int]]:
    """Edges go forward in the order of the nodes, so that one look from the end is enough."""
    place = {node: k for k, node in enumerate(nodes)}
    after = [0] * len(nodes)  # as bits
    successors: dict[Node, list[Node]] = {}
    for a, b in edges:
        assert place[a] < place[b]
        successors.setdefault(a, []).append(b)
    for k in range(len(nodes) - 1, -1, -1):
        for b in successors.get(nodes[k], ()):
            after[k] |= after[place[b]] | 1 << place[b]
    return {
        (nodes[a][0], nodes[b][0])
        for a in range(len(nodes))
        for b in range(len(nodes))
        if after[a] >> b & 1 and nodes[a][1] == nodes[b][1] == 3
    }


def _synchronises(events: list[Event]) -> Iterator[tuple[list[Node], list[Node]]]:
    """Release sides and acquire sides: each node of the one comes before each of the other."""
    for j, reader in enumerate(events):
        for byte in reader.bytes() if reader.access != NONE else ():
            earlier = [i for i in range(j) if events[i].access != NONE and byte in events[i].bytes()]
            if reader.is_atomic and reader.reads:
                acquire = _acquire_side(events, j)
                for head in _heads(events, earlier):
                    yield _release_side(events, head), acquire
            elif not reader.is_plain and not reader.is_atomic:
                for i in _objects_release(events, earlier, j):
                    yield [(i, 3)], [(j, 3)]


def _heads(events: list[Event], earlier: list[int]) -> Iterator[int]:
    """Of the release sequences that what is read from is in: that write, and back over read-modify-writes."""
    for i in reversed([i for i in earlier if events[i].writes]):
        if events[i].is_plain:
            return
        yield i
        if events[i].access != RMW:
            return


def _release_side(events: list[Event], i: int) -> list[Node]:
    event = events[i]
    if not event.is_atomic:
        return []
    if event.real_order in (RELEASE, BOTH):
        return [(i, 3)]
    return [
        (k, 1) for k in range(i + 1) if events[k].thread == event.thread and events[k].fences & RELEASE_FENCE
    ]


def _acquire_side(events: list[Event], j: int) -> list[Node]:
    event = events[j]
    if event.real_order in (ACQUIRE, BOTH):
        return [(j, 3)]
    later = [k for k in range(j + 1, len(events)) if events[k].thread == event.thread]
    return [
        (k, which)
        for k in later
        for which, bit in ((0, ACQUIRE_FENCE), (2, LATE_ACQUIRE_FENCE))
        if events[k].fences & bit
    ]


def _objects_release(events: list[Event], earlier: list[int], j: int) -> list[int]:
    """The operations on the same object that synchronise with an operation on it.

    After an initialisation it is a new object.
    """
    event = events[j]
    first = max((i for i in earlier if events[i].is_plain and events[i].writes), default=-1)
    earlier = [i for i in earlier if i > first]
    earlier = [i for i in earlier if events[i].order != NOTHING]
    if event.order == NOTHING:
        return []  # a step of norn's own, which keeps an access out of atomic sections
    if event.access == READ and event.operation != "join":
        return []  # it has failed
    if event.operation in _ACQUIRES:
        return [i for i in earlier if events[i].operation in _RELEASES]
    unlocks = [i for i in earlier if events[i].operation == "rwlock_unlock"]
    if event.operation in ("rwlock_read", "rwlock_try_read"):
        return [i for i in unlocks if events[i].before & WRITER]
    if event.operation in ("rwlock_write", "rwlock_try_write"):
        return unlocks
    if event.operation == "barrier_wait" and event.after == 0:
        arrived = [i for i in earlier if events[i].operation == "barrier_wait"]
        # Back to the first one of this round.
        return arrived[len(arrived) - event.before :] if event.before else []
    return []


def races(events: list[Event]) -> set[tuple[int, int]]:
    """All pairs of accesses that race, the earlier one first."""
    before = happens_before(events)
    return {
        (i, j)
        for j in range(len(events))
        for i in range(j)
        if _conflict(events[i], events[j]) and (i, j) not in before
    }


def _conflict(a: Event, b: Event) -> bool:
    return (
        a.thread != b.thread
        and NONE not in (a.access, b.access)
        and (a.writes or b.writes)
        and (a.is_plain or b.is_plain)
        and a.address < b.address + b.size
        and b.address < a.address + a.size
    )


def last_races(events: list[Event]) -> set[tuple[int, int]]:
    """Those that are to be reported: without those whose first access happens before another one, of at least
    its kind, with the same bytes, that comes before the second."""
    before = happens_before(events)
    found = set()
    for i, j in races(events):
        for byte in set(events[i].bytes()) & set(events[j].bytes()):
            covering = [
                k
                for k in range(i + 1, j)
                if events[k].access != NONE
                and byte in events[k].bytes()
                and (i, k) in before
                and events[k].writes >= events[i].writes
                and events[k].is_plain >= events[i].is_plain
            ]
            if not covering:
                found.add((i, j))
    return found


# ---- random executions


class Simulation:
    """Threads that do whatever they may, with objects whose rules they keep."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self.events: list[Event] = []
        self.threads = dice.randint(2, 4)
        self._owner: int | None = None
        self._readers: set[int] = set()
        self._writer: int | None = None
        self._posts = 0
        self._arrived: list[int] = []
        self._waiting: set[int] = set()
        self._signalled: dict[int, int] = {}
        self._woken: dict[int, int] = {}
        self._ended: set[int] = set()
        self._probes = 0
        self._spawned = {0: -1} if dice.random() < 0.5 else dict.fromkeys(range(self.threads), -1)
        self._memory_only = dice.random() < 0.3
        self._with_fences = dice.random() < 0.5
        # With everything at once hardly anything is ordered: mostly few kinds of objects and of memory.
        kinds = [[0, 1, 2], [0, 2, 3, 4], [5], [6, 7], [8], [9], [10], [11]]
        few = [kind for group in dice.sample(kinds, 2) for kind in group]
        self._objects = few if dice.random() < 0.8 else list(range(12))
        self._locations = dice.choice((1, 1, 2, 3))
        self._sizes = dice.choice(((4,), (4, 4, 4, 1, 2, 8)))
        self._atomic = dice.choice(((0.0, 0.0, 0.0), (0.2, 0.5, 0.9)))
        self._has_sections = dice.random() < 0.3
        self._inside: int | None = None  # of an atomic section
        if self._memory_only:
            self._atomic = dice.choice(((1.0, 1.0, 1.0), (0.2, 0.5, 0.9)))

    def run(self, length: int) -> list[Event]:
        while len(self.events) < length:
            alive = [t for t in self._spawned if t not in self._ended and t not in self._waiting]
            alive = [t for t in alive if t not in self._arrived]
            if not alive:
                break
            self._step(self._dice.choice(alive))
        return self.events

    def _add(self, event: Event) -> None:
        fences = 0
        if self._with_fences and self._dice.random() < 0.3:
            fences = self._dice.choice((1, 2, 3, 6, 6))
        cause = event.cause
        if event.thread in self._woken:
            cause = self._woken.pop(event.thread)
        elif self._spawned[event.thread] >= 0:
            cause = self._spawned[event.thread]
        self._spawned[event.thread] = -1
        self.events.append(replace(event, fences=fences, cause=cause))

    def _step(self, t: int) -> None:
        dice = self._dice
        if t in self._woken:  # its next event is that it goes on
            if t in self._signalled:
                if self._owner is not None:
                    return
                self._owner = t
                del self._signalled[t]
                self._add(Event(t, "wake_lock", RMW, 10, 1000))
            else:
                self._add(Event(t, "barrier_wake"))
            return
        kind = dice.random()
        if self._has_sections and (self._inside == t or (self._inside is None and kind < 0.2)):
            self._section(t)
        elif dice.random() < 0.4:
            self._probe(t)
        elif kind < 0.4 or self._memory_only:
            self._memory(t)
        else:
            self._object(t)

    def _section(self, t: int) -> None:
        """Begins one, goes on inside of it, or ends it."""
        if self._inside is None:
            self._inside = t
            self._add(Event(t, "lock", RMW, 40, 4000))
        elif self._dice.random() < 0.5:
            self._memory(t)
        else:
            self._inside = None
            self._add(Event(t, "unlock", RMW, 40, 4000))

    def _access(self, access: Event) -> None:
        """As it is if there are no sections; atomic inside of one, kept apart from them outside."""
        t = access.thread
        if self._inside == t:
            is_plain = access.order == NATURAL and access.operation in ("load", "store")
            self._add(replace(access, order=BOTH) if is_plain else access)
        elif not self._has_sections:
            self._add(access)
        elif self._inside is None:
            self._add(Event(t, "lock", RMW, 40, 4000, order=NOTHING))
            self._add(access)
            self._add(Event(t, "unlock", RMW, 40, 4000, order=NOTHING))

    def _probe(self, t: int) -> None:
        """Each is written once, and read by whoever comes by: a race tells whether these are ordered."""
        if self._probes == 0 or self._dice.random() < 0.3:
            self._add(Event(t, "store", WRITE, 50 + self._probes, 5000 + 10 * self._probes))
            self._probes += 1
        else:
            probe = self._dice.randrange(self._probes)
            self._add(Event(t, "load", READ, 50 + probe, 5000 + 10 * probe))

    def _memory(self, t: int) -> None:
        dice = self._dice
        location = dice.randrange(self._locations)
        size = dice.choice(self._sizes)
        address = 100 * location + dice.randrange(0, 9 - size, size)
        operation, access = dice.choice(
            (("load", READ), ("store", WRITE), ("rmw", RMW), ("compare_exchange", READ), ("load", READ))
            + ((("free", WRITE),) if dice.random() < 0.1 else ())
        )
        is_atomic = dice.random() < self._atomic[location]
        if not is_atomic and operation in ("rmw", "compare_exchange"):
            operation, access = "store", WRITE
        order = NATURAL
        if operation != "free" and is_atomic:
            order = dice.choice((RELAXED, RELAXED, ACQUIRE, RELEASE, BOTH))
            if operation == "rmw" and dice.random() < 0.1:
                order = NATURAL
        self._access(Event(t, operation, access, location, address, size, order))

    def _object(self, t: int) -> None:
        dice = self._dice
        what = dice.choice(self._objects)
        if what == 0 and self._owner is None:
            self._owner = t
            self._add(Event(t, dice.choice(("lock", "trylock")), RMW, 10, 1000))
        elif what == 1 and self._owner not in (None, t):
            self._add(Event(t, "trylock", READ, 10, 1000))
        elif what in (0, 1, 2) and self._owner == t:
            self._owner = None
            self._add(Event(t, "unlock", RMW, 10, 1000))
        elif what == 3 and self._owner == t:
            self._add(Event(t, "wait", RMW, 11, 1100))
            self._owner = None
            self._add(Event(t, "unlock", RMW, 10, 1000))
            self._waiting.add(t)
        elif what == 4:
            self._signal(t)
        elif what == 5:
            self._rwlock(t)
        elif what == 6:
            self._posts += 1
            self._add(Event(t, "sem_post", RMW, 13, 1300))
        elif what == 7:
            if self._posts:
                self._posts -= 1
                self._add(Event(t, dice.choice(("sem_wait", "sem_trywait")), RMW, 13, 1300))
            else:
                self._add(Event(t, "sem_trywait", READ, 13, 1300))
        elif what == 8:
            self._barrier(t)
        elif what == 9:
            new = [u for u in range(self.threads) if u not in self._spawned]
            if new:
                self._add(Event(t, "spawn"))
                self._spawned[new[0]] = len(self.events) - 1
        elif what == 10:
            if self._ended:
                self._join(t, dice.choice(sorted(self._ended)))
            elif dice.random() < 0.3 and self._owner != t and t not in self._readers and self._writer != t:
                self._ended.add(t)
                self._add(Event(t, "end", WRITE, 20 + t, 2000 + 10 * t))
        else:
            self._once(t)

    def _join(self, t: int, ended: int) -> None:
        self._add(Event(t, "join", READ, 20 + ended, 2000 + 10 * ended))

    def _signal(self, t: int) -> None:
        woken = sorted(self._waiting)
        if not woken:
            self._add(Event(t, "signal", READ, 11, 1100))
            return
        is_broadcast = self._dice.random() < 0.4
        self._add(Event(t, "broadcast" if is_broadcast else "signal", RMW, 11, 1100))
        for u in woken if is_broadcast else [self._dice.choice(woken)]:
            self._waiting.remove(u)
            self._woken[u] = self._signalled[u] = len(self.events) - 1

    def _rwlock(self, t: int) -> None:
        if t in self._readers:
            self._readers.remove(t)
            self._add(Event(t, "rwlock_unlock", RMW, 12, 1200, before=len(self._readers) + 1))
        elif self._writer == t:
            self._writer = None
            self._add(Event(t, "rwlock_unlock", RMW, 12, 1200, before=WRITER + t))
        elif self._writer is not None:
            self._add(Event(t, "rwlock_try_read", READ, 12, 1200))
        elif not self._readers and self._dice.random() < 0.5:
            self._writer = t
            self._add(Event(t, self._dice.choice(("rwlock_write", "rwlock_try_write")), RMW, 12, 1200))
        elif self._readers and self._dice.random() < 0.2:
            self._add(Event(t, "rwlock_try_write", READ, 12, 1200))
        else:
            self._readers.add(t)
            self._add(Event(t, self._dice.choice(("rwlock_read", "rwlock_try_read")), RMW, 12, 1200))

    def _barrier(self, t: int) -> None:
        before = len(self._arrived)
        if before < 1:
            self._arrived.append(t)
            self._add(Event(t, "barrier_wait", RMW, 14, 1400, before=before, after=before + 1))
            return
        self._add(Event(t, "barrier_wait", RMW, 14, 1400, before=before, after=0))
        self._woken.update(dict.fromkeys(self._arrived, len(self.events) - 1))
        self._arrived = []

    def _once(self, t: int) -> None:
        operation = self._dice.choice(("once_begin", "once_end", "object_init", "object_destroy"))
        self._add(Event(t, operation, RMW, 15, 1500))
