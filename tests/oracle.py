"""The oracle: what a litmus program can do, by brute force, from the definitions and not from the engine.

It performs every interleaving of a program (`src/norn/_engine.pyi` describes the format) and answers how
many classes each equivalence has, which final local states are reachable, and whether a failure or a
deadlock is.

What is explored
    Depth first over all interleavings, except that two prefixes of one Mazurkiewicz class are continued only
    once. That is exact: they consist of the same events and order all conflicting ones alike, so every
    thread has read the same values and every location holds the same value with the same accesses before it.
    So both have the same continuations, which lead to the same classes, and everything asked of the oracle
    depends on the class of a maximal execution alone.

How a prefix is named
    An `Event` is a label together with its past: the event before it in its thread and the events of other
    threads that must precede it (for a read the last write to each byte of it; for a write also the reads
    since; the end of the joined thread; the spawn or signal that made it possible). Events are interned: two
    are one object if and only if they have the same label and the same past. A class is then named by the
    last event of each thread, for the pasts of those are all its events, with the order of all conflicting
    pairs.

Parts of a variable
    Some accesses touch only some bytes of a variable. It is cut wherever one of them begins or ends, into
    parts that no instruction of the program tells apart; each has its last write and the reads since. A
    variable that is only used as a whole has one part, as every other location.

What is not an event here
    The end of a thread conflicts with nothing but a join of that thread, which cannot come before it. So it
    may always be moved to just after the thread's last event, and is taken as part of that one.

The classes of maximal executions
    mazurkiewicz: the events of each thread (with values and choices) and the order of conflicting pairs.
    reads-from: the events of each thread and the source of each byte of each read. A read-modify-write reads;
        so does all that is done with synchronization objects.
    reads-value-from: the events of each thread with their values, and the causal order (program order, spawn
        and join, signal and wake-up, source and read) between reads. What takes a mutex or changes the queue
        of a condition variable counts with its source, not only with the value found; what releases a mutex
        is no read, for it always finds its own thread. Semaphores and read-write locks are like variables:
        all that is done with them reads, so that the order of it is known anyway.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, TypeVar

T = TypeVar("T")

Instruction = tuple[str | int, ...]
Program = Sequence[Sequence[Instruction]]

ThreadState = tuple[int, ...]  # index of the instruction the thread is at, then its registers

# Thread, operation, access, location, value before, value after, alternative taken: as in `_engine.pyi`.
TraceEvent = tuple[int, str, str, str, int, int, int]

# What a location holds: a variable its value; a mutex 0 or its holder + 1; a condition variable its waiters;
# a semaphore its count; a read-write lock the number of its readers, or WRITER + its writer + 1.
Value = int | tuple[int, ...]

# `observation` is another matter: what its classes are depends on the topology, see `observation_name`.
EQUIVALENCES = ("mazurkiewicz", "reads-from", "reads-value-from")

COMPARE: dict[str | int, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}

# What counts with its source in a reads-value-from class, if it writes.
SYNCHRONIZATION = frozenset({"lock", "trylock", "wake_lock", "wait", "signal", "broadcast"})

# The accesses to variables, with their number of operands; two more say which bytes: the first, and how many.
MEMORY_OPERANDS = {"read": 2, "write": 2, "write_reg": 2, "rmw_add": 3, "xchg": 3, "cas": 4}
WHOLE = (0, 8)

LOCAL = frozenset({"assert", "assume", "branch"})  # instructions that are no events

# Instructions whose first argument is a register.
TRIES = frozenset({"trylock", "sem_trywait", "tryrdlock", "trywrlock"})
REGISTER_FIRST = frozenset({"read", "rmw_add", "xchg", "cas", "choose", *TRIES, *LOCAL})

WRITER = 1 << 31  # in a read-write lock

# What an operation on a read-write lock is called in a trace.
RWLOCK_OPERATIONS = {
    "rdlock": "rwlock_read",
    "wrlock": "rwlock_write",
    "tryrdlock": "rwlock_try_read",
    "trywrlock": "rwlock_try_write",
    "rwunlock": "rwlock_unlock",
}

RUNNING, ENDED, STOPPED, NOT_STARTED = range(4)


class Local:
    """Where a thread is: between two of its events."""

    __slots__ = ("failed", "held", "pc", "phase", "registers", "status")

    def __init__(
        self, pc: int, registers: tuple[int, ...], phase: int, held: frozenset[str], failed: bool, status: int
    ) -> None:
        self.pc = pc
        self.registers = registers
        self.phase = phase  # how many events of a `wait` are done: 0, 1 or 2
        self.held = held  # mutexes of this thread
        self.failed = failed  # an assert failed or a lock was misused so far
        self.status = status


class Action:
    """An instruction whose next event touches at most one location, with all that is known beforehand."""

    __slots__ = (
        "bits",
        "location",
        "name",
        "on_mutex",
        "operands",
        "outcomes",
        "parts",
        "place",
        "shifts",
        "thread",
    )

    def __init__(self, thread: int, instruction: Instruction, location: str, place: int) -> None:
        self.thread = thread
        self.name = str(instruction[0])
        self.operands = tuple(operand for operand in instruction[1:] if isinstance(operand, int))
        self.location = location  # as it is called in a trace
        self.place = place  # of the cell
        self.parts = slice(0, 0)  # those it touches, of a location that has several
        self.shifts = [0]  # of each of these, by how many bits its value is shifted in the accessed one
        self.bits = 64  # of the accessed value
        self.on_mutex: Action | None = None  # of a wait: the same, on its mutex
        self.outcomes = OUTCOMES.get(self.name, no_outcome)

    def found_in(self, parts: Sequence[Cell]) -> int:
        """The value that an access to these parts of a variable finds."""
        found = sum(number_in(part) << shift for part, shift in zip(parts, self.shifts, strict=True))
        return wrapped(found, self.bits)

    def divided(self, written: int) -> list[int]:
        """What a write leaves in each part that it touches."""
        ends = [*self.shifts[1:], self.bits]
        return [
            written >> shift & (1 << end - shift) - 1 for shift, end in zip(self.shifts, ends, strict=True)
        ]


class Event:
    """A label and its past. Interned: compared by identity."""

    __slots__ = (
        "action",
        "cause",
        "extensions",
        "label",
        "local",
        "place",
        "position",
        "previous",
        "reads_from_name",
        "sources",
        "value",
    )

    def __init__(
        self,
        position: tuple[int, int],
        label: TraceEvent | None,
        previous: Event | None,
        local: Local,
        action: Action | None,
    ) -> None:
        self.position = position  # its thread and its number there
        self.label = label  # None: the thread's start
        self.previous = previous  # of the same thread
        self.local = local  # of the thread, after this event and the local instructions that follow it
        self.action = action  # what the thread does next
        self.place = NOWHERE if action is None else action.place
        self.value: Value = 0  # what it left at its location, if it wrote
        self.sources: tuple[Event | None, ...] = ()  # the last write to each part of its location before it
        self.cause: Event | None = None  # the spawn, signal or end of another thread that it needed
        # What can come next, given the cell that this touches.
        self.extensions: dict[Cell, list[tuple[Event, Cell]]] = {}
        self.reads_from_name: int | None = None  # of the thread's events up to this one, with their sources

    def labels(self) -> list[TraceEvent]:
        """Of the thread's events up to this one."""
        before = self.previous.labels() if self.previous is not None else []
        return before if self.label is None else [*before, self.label]


NOWHERE = -1  # the thread has no next event
SPECIAL = -2  # its next event depends on more than one location, or on another thread

NO_READS: frozenset[Event] = frozenset()


class Cell:
    """A location, or a part of one, after some events. Interned: compared by identity."""

    __slots__ = ("parts", "reads", "value", "writer")

    def __init__(
        self, writer: Event | None, reads: frozenset[Event], value: Value, parts: tuple[Cell, ...] = ()
    ) -> None:
        self.writer = writer  # the last write
        self.reads = reads  # those since
        self.value = value
        self.parts = parts  # none, or several, and then the rest is theirs


# A class of prefixes: the last event of each thread. The cells follow from it.
Class = tuple[Event, ...]
Cells = tuple[Cell, ...]


class Prefix:
    """A class of prefixes, with all that can come next."""

    __slots__ = ("cells", "following", "threads")

    def __init__(self, threads: Class, cells: Cells) -> None:
        self.threads = threads
        self.cells = cells
        self.following: list[tuple[Event, Prefix]] = []


class Outcome(NamedTuple):
    """One thing the next instruction of a thread can do."""

    label: TraceEvent
    written: Value | None = None  # what it leaves at its location; None: it does not write
    register: int | None = None  # one that it sets
    found: int = 0  # ... to this
    phase: int = 0  # not 0: the instruction is not over
    held: frozenset[str] | None = None  # mutexes of the thread from now on; None: as before
    misuse: bool = False


@dataclass(slots=True)
class Counts:
    """Classes of one equivalence, counted as `LitmusResult` does."""

    executions: int = 0  # complete or deadlocked
    deadlocks: int = 0
    blocked: int = 0
    failed: int = 0


@dataclass(slots=True)
class Answer:
    counts: dict[str, Counts]
    states: set[tuple[ThreadState, ...]]  # final local states of all maximal executions
    classes: set[Class]  # the Mazurkiewicz classes; compare with `Oracle.class_of`
    names: dict[str, dict[tuple[object, ...], Class]]  # of the classes, each with one of its executions
    prefixes: int  # classes of prefixes visited: the size of the search
    can_fail: bool = field(init=False)
    can_deadlock: bool = field(init=False)

    def __post_init__(self) -> None:
        self.can_fail = self.counts["mazurkiewicz"].failed > 0
        self.can_deadlock = self.counts["mazurkiewicz"].deadlocks > 0


class ImpossibleTrace(Exception):
    """A trace given to the oracle is not a maximal execution of the program."""


class Oracle:
    """One program. `answer` explores it; `class_of` names the class of one of its executions."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.threads = len(program)
        self.register_counts = [1 + max(registers_of(code), default=-1) for code in program]
        self.cuts = cuts_of(program)
        self.places = {location: place for place, location in enumerate(self.cuts)}
        self.nothing = len(self.places)  # a cell for events without a location: it never changes
        self.actions = [[self._action(thread, i) for i in code] for thread, code in enumerate(program)]
        self._prefixes: dict[Class, Prefix] = {}
        self._events: dict[tuple[object, ...], Event] = {}
        self._cells: dict[tuple[object, ...], Cell] = {}
        self._names: dict[tuple[object, ...], int] = {}
        self._reads_before: dict[Event, tuple[int, ...]] = {}
        self._observation_names: dict[tuple[str, ...], dict[Event, int]] = {}  # by ordered locations
        self._ends = [(thread, "end", "write", f"t{thread}", 0, 1, 0) for thread in range(self.threads)]

    def answer(self, equivalences: Sequence[str] = EQUIVALENCES) -> Answer:
        """`mazurkiewicz` must be among the equivalences whose classes are to be counted."""
        self._explore()
        maximal = [prefix.threads for prefix in self._prefixes.values() if not prefix.following]
        names = {
            equivalence: {self.name(equivalence, threads): threads for threads in maximal}
            for equivalence in equivalences
        }
        return Answer(
            counts={equivalence: count(classes.values()) for equivalence, classes in names.items()},
            states={self.state_of(threads) for threads in maximal},
            classes=set(maximal),
            names=names,
            prefixes=len(self._prefixes),
        )

    @property
    def start(self) -> Prefix:
        """The empty prefix: all others can be reached from it by what follows."""
        self._explore()
        return next(iter(self._prefixes.values()))

    def class_of(self, trace: Sequence[TraceEvent]) -> Class:
        """The Mazurkiewicz class of a maximal execution. Every event must be as the definitions say."""
        self._explore()
        prefix = next(iter(self._prefixes.values()))
        has_end = [False] * self.threads
        for number_in_trace, performed in enumerate(trace):
            for event, after in prefix.following:
                if event.label == performed:
                    prefix = after
                    break
            else:
                thread = performed[0]
                is_end = performed == self._ends[thread] and not has_end[thread]
                if not is_end or prefix.threads[thread].local.status != ENDED:
                    raise ImpossibleTrace(f"event {number_in_trace}: {performed} is not possible here")
                has_end[thread] = True
            if performed[1] == "join" and not has_end[int(performed[3][1:])]:
                raise ImpossibleTrace(f"event {number_in_trace}: {performed} before the end")
        for event, _ in prefix.following:
            raise ImpossibleTrace(f"thread {event.position[0]} could go on")
        for thread, event in enumerate(prefix.threads):
            if (event.local.status == ENDED) != has_end[thread]:
                raise ImpossibleTrace(f"thread {thread}: no end event")
        return prefix.threads

    def name(self, equivalence: str, threads: Class) -> tuple[object, ...]:
        """Names the class of a maximal execution, given by its Mazurkiewicz class, in an equivalence."""
        if equivalence == "mazurkiewicz":
            return threads
        if equivalence == "reads-from":
            return tuple([event.reads_from_name or self._name_sources(event) for event in threads])
        if equivalence == "reads-value-from":
            return tuple([self._name_values(event) for event in threads])
        raise ValueError(equivalence)

    def observation_name(self, threads: Class, ordered: Sequence[str]) -> tuple[object, ...]:
        """Names its class in `observation`: the sources of reads, and of writes to an ordered location.

        Ordered locations are called as in a trace. So the order of all writes to these is part of the class.
        """
        if not ordered:
            return self.name("reads-from", threads)
        places = [ordered_bytes(name) for name in ordered]
        names = self._observation_names.setdefault(tuple(ordered), {})
        return tuple([self._name_observed(event, places, names) for event in threads])

    def state_of(self, threads: Class) -> tuple[ThreadState, ...]:
        return tuple([(event.local.pc, *event.local.registers) for event in threads])

    # The search.

    def _explore(self) -> None:
        """Finds every class of prefixes, and what can follow it."""
        if self._prefixes:
            return
        start = self._start()
        seen = self._prefixes
        seen[start.threads] = start
        pending = [start]
        while pending:
            prefix = pending.pop()
            threads, cells, following = prefix.threads, prefix.cells, prefix.following
            for thread, event in enumerate(threads):
                place = event.place
                if place == NOWHERE:
                    continue
                if place == SPECIAL:
                    for next_event, after in self._special_steps(threads, cells, thread):
                        known = seen.setdefault(after.threads, after)
                        if known is after:
                            pending.append(known)
                        following.append((next_event, known))
                    continue
                cell = cells[place]
                steps = event.extensions.get(cell)
                if steps is None:
                    steps = event.extensions[cell] = self._extend(event, cell)
                for next_event, next_cell in steps:
                    extended = (*threads[:thread], next_event, *threads[thread + 1 :])
                    found = seen.get(extended)
                    if found is None:
                        found = Prefix(extended, (*cells[:place], next_cell, *cells[place + 1 :]))
                        seen[extended] = found
                        pending.append(found)
                    following.append((next_event, found))

    def _start(self) -> Prefix:
        spawned = {
            instruction[1] for code in self.program for instruction in code if instruction[0] == "spawn"
        }
        threads = tuple(
            self._not_started(thread) if thread in spawned else self._started(thread, None)
            for thread in range(self.threads)
        )
        cells = []
        for location, cuts in self.cuts.items():
            # The first value of a location, one for each of its parts: they are different cells.
            parts = [Cell(None, NO_READS, () if location[0] == "c" else 0) for _ in cuts[1:]]
            cells.append(parts[0] if len(parts) == 1 else self._composed(tuple(parts)))
        return Prefix(threads, (*cells, Cell(None, NO_READS, 0)))

    def _extend(self, event: Event, cell: Cell) -> list[tuple[Event, Cell]]:
        """The next events of the thread whose last one is `event`, given the location they touch."""
        action = event.action
        assert action is not None
        if cell.parts:
            return [self._extend_parts(event, action, cell)]
        writer = cell.writer
        steps = []
        for outcome in action.outcomes(action, event.local, cell.value):
            written = outcome.written
            if written is not None:
                # Nobody else has this past, or will ever ask for it again.
                next_event = self._new_event(event, outcome, (writer,), None)
                steps.append((next_event, Cell(next_event, NO_READS, written)))
            elif action.place == self.nothing:
                steps.append((self._new_event(event, outcome, (), None), cell))
            else:
                next_event = self._event(event, outcome, (writer,), None, writer)
                steps.append((next_event, self._read_by(next_event, cell)))
        return steps

    def _extend_parts(self, event: Event, action: Action, cell: Cell) -> tuple[Event, Cell]:
        """The same for an access to parts of a variable: what is in the others is no past of it."""
        parts = cell.parts[action.parts]
        sources = tuple([part.writer for part in parts])
        value = action.found_in(parts) if len(parts) > 1 else parts[0].value
        (outcome,) = action.outcomes(action, event.local, value)
        if outcome.written is None:
            next_event = self._event(event, outcome, sources, None, sources)
            after = [self._read_by(next_event, part) for part in parts]
        else:
            assert isinstance(outcome.written, int)
            next_event = self._event(event, outcome, sources, None, parts)
            after = []
            for place, written in enumerate(action.divided(outcome.written)):
                key = (next_event, place)
                part = self._cells.get(key)
                if part is None:
                    part = self._cells[key] = Cell(next_event, NO_READS, written)
                after.append(part)
        changed = list(cell.parts)
        changed[action.parts] = after
        return next_event, self._composed(tuple(changed))

    def _special_steps(self, threads: Class, cells: Cells, thread: int) -> list[tuple[Event, Prefix]]:
        event = threads[thread]
        instruction = self.program[thread][event.local.pc]
        if instruction[0] == "spawn":
            child = number(instruction[1])
            spawn = self._event(event, Outcome((thread, "spawn", "none", "", 0, 0, 0)), (), None, None)
            started = replaced(replaced(threads, thread, spawn), child, self._started(child, spawn))
            return [(spawn, Prefix(started, cells))]
        if instruction[0] == "join":
            last = threads[number(instruction[1])]
            if last.local.status != ENDED:
                return []
            outcome = Outcome((thread, "join", "read", f"t{instruction[1]}", 1, 1, 0))
            join = self._event(event, outcome, (), last, last)
            return [(join, Prefix(replaced(threads, thread, join), cells))]
        # A thread that waits: it needs a signal and the mutex.
        waiting = self.actions[thread][event.local.pc]
        assert waiting.on_mutex is not None
        place, name = waiting.on_mutex.place, waiting.on_mutex.location
        waker = waker_of(thread, cells[waiting.place])
        mutex = cells[place]
        if waker is None or mutex.value != 0:
            return []
        label = (thread, "wake_lock", "rmw", name, 0, thread + 1, 0)
        outcome = Outcome(label, thread + 1, held=event.local.held | {name})
        wake = self._event(event, outcome, (mutex.writer,), waker, (mutex, waker))
        key = (wake, 0)
        taken = self._cells.get(key)
        if taken is None:
            taken = self._cells[key] = Cell(wake, NO_READS, thread + 1)
        return [(wake, Prefix(replaced(threads, thread, wake), replaced(cells, place, taken)))]

    # Events and cells.

    def _event(
        self,
        previous: Event,
        outcome: Outcome,
        sources: tuple[Event | None, ...],
        cause: Event | None,
        past: object,
    ) -> Event:
        """The only one with this past: the label follows from that."""
        key = (previous, past)
        event = self._events.get(key)
        if event is None:
            event = self._events[key] = self._new_event(previous, outcome, sources, cause)
        return event

    def _new_event(
        self, previous: Event, outcome: Outcome, sources: tuple[Event | None, ...], cause: Event | None
    ) -> Event:
        label, written, register, found, phase, held, misuse = outcome
        before = previous.local
        registers = before.registers
        if register is not None:
            registers = (*registers[:register], found, *registers[register + 1 :])
        if held is None:
            held = before.held
        thread, index = previous.position
        failed = before.failed or misuse
        if phase != 0:
            local = Local(before.pc, registers, phase, held, failed, RUNNING)
        else:
            local = settle(self.program[thread], before.pc + 1, registers, held, failed)
        event = Event((thread, index + 1), label, previous, local, self._next_action(thread, local))
        if written is not None:
            event.value = written
        event.sources = sources
        event.cause = cause
        return event

    def _started(self, thread: int, spawn: Event | None) -> Event:
        key = (thread, spawn)
        event = self._events.get(key)
        if event is None:
            registers = (0,) * self.register_counts[thread]
            local = settle(self.program[thread], 0, registers, frozenset(), False)
            event = Event((thread, 0), None, None, local, self._next_action(thread, local))
            event.cause = spawn
            self._events[key] = event
        return event

    def _not_started(self, thread: int) -> Event:
        registers = (0,) * self.register_counts[thread]
        return Event((thread, 0), None, None, Local(0, registers, 0, frozenset(), False, NOT_STARTED), None)

    def _next_action(self, thread: int, local: Local) -> Action | None:
        if local.status != RUNNING:
            return None
        action = self.actions[thread][local.pc]
        if action.on_mutex is None:
            return action
        if local.phase == 2:
            return WAKE_LOCK
        return action if local.phase == 0 and action.on_mutex.location in local.held else action.on_mutex

    def _action(self, thread: int, instruction: Instruction) -> Action:
        name = instruction[0]
        locations = locations_of(instruction)
        if not locations:
            return Action(thread, instruction, "", self.nothing if name == "choose" else SPECIAL)
        action = Action(thread, instruction, locations[0], self.places[locations[0]])
        if name == "wait":
            action.on_mutex = Action(thread, instruction, locations[1], self.places[locations[1]])
            action.on_mutex.outcomes = on_mutex
        if name in MEMORY_OPERANDS:
            offset, size = bytes_of(instruction)
            if (offset, size) != WHOLE:
                action.location = f"{locations[0]}[{offset}:{offset + size}]"
            cuts = self.cuts[locations[0]]
            action.parts = slice(cuts.index(offset), cuts.index(offset + size))
            action.shifts = [8 * (cut - offset) for cut in cuts[action.parts]]
            action.bits = 8 * size
        return action

    def _read_by(self, event: Event, cell: Cell) -> Cell:
        """A cell after one more read of it."""
        reads = cell.reads | {event}
        # Its reads tell which location it is, its value which part, where one write wrote several.
        key = (cell.writer, reads, cell.value)
        after = self._cells.get(key)
        if after is None:
            after = self._cells[key] = Cell(cell.writer, reads, cell.value)
        return after

    def _composed(self, parts: tuple[Cell, ...]) -> Cell:
        cell = self._cells.get(parts)
        if cell is None:
            cell = self._cells[parts] = Cell(None, NO_READS, 0, parts)
        return cell

    # Names of classes: each names the events of a thread up to one of them.

    def _name_sources(self, event: Event) -> int:
        previous, label = event.previous, event.label
        if previous is None or label is None:
            key: tuple[object, ...] = (event.local.status == NOT_STARTED,)
        else:
            before = previous.reads_from_name or self._name_sources(previous)
            key = (before, what_matters_of(label), sources_of(event) if label[2] != "write" else None)
        name = event.reads_from_name = self._names.setdefault(key, len(self._names) + 1)
        return name

    def _name_observed(
        self, event: Event, ordered: Sequence[tuple[str, range]], names: dict[Event, int]
    ) -> int:
        name = names.get(event)
        if name is None:
            previous, label = event.previous, event.label
            if previous is None or label is None:
                key: tuple[object, ...] = (event.local.status == NOT_STARTED,)
            else:
                before = self._name_observed(previous, ordered, names)
                has_sources = label[2] != "write" or touches(label[3], ordered)
                key = (before, what_matters_of(label), sources_of(event) if has_sources else None)
            name = names[event] = self._names.setdefault(key, len(self._names) + 1)
        return name

    def _name_values(self, event: Event) -> int:
        previous, label = event.previous, event.label
        if previous is None or label is None:
            key: tuple[object, ...] = (event.local.status == NOT_STARTED,)
        else:
            takes_part = label[2] == "rmw" and label[1] in SYNCHRONIZATION
            key = (
                self._name_values(previous),
                what_matters_of(label),
                sources_of(event) if takes_part else None,
                self._causal_reads(event) if reads_something(label) else None,
            )
        return self._names.setdefault(key, len(self._names) + 1)

    def _causal_reads(self, event: Event) -> tuple[int, ...]:
        """How many reads of each thread are in the causal past of an event, itself included."""
        before = self._reads_before.get(event)
        if before is None:
            before = (0,) * self.threads
            is_read = event.label is not None and reads_something(event.label)
            for other in (event.previous, event.cause, *(event.sources if is_read else ())):
                if other is not None:
                    before = tuple(map(max, before, self._causal_reads(other)))
            if is_read:
                thread = event.position[0]
                before = replaced(before, thread, before[thread] + 1)
            self._reads_before[event] = before
        return before


def count(classes: Iterable[Class]) -> Counts:
    counts = Counts()
    for threads in classes:
        statuses = [event.local.status for event in threads]
        if STOPPED in statuses:
            counts.blocked += 1
        else:
            counts.executions += 1
            counts.deadlocks += RUNNING in statuses
        counts.failed += True in [event.local.failed for event in threads]
    return counts


def reads_something(label: TraceEvent) -> bool:
    """Whether what an event finds can differ from execution to execution."""
    return label[2] in ("read", "rmw") and label[1:3] != ("unlock", "rmw")


def what_matters_of(label: TraceEvent) -> tuple[object, ...]:
    """What a write overwrites is not part of it."""
    return (*label[:4], 0, *label[5:]) if label[2] == "write" else label


def sources_of(event: Event) -> tuple[object, ...]:
    """The source of each part of what an event reads, by its thread and number there."""
    return tuple([None if source is None else source.position for source in event.sources])


def ordered_bytes(name: str) -> tuple[str, range]:
    """A location and which of its bytes: "v0" is all of them, "v0[2:4]" some."""
    location, _, part = name.partition("[")
    first, _, end = part.rstrip("]").partition(":")
    return location, range(int(first), int(end)) if part else range(WHOLE[1])


def touches(name: str, places: Sequence[tuple[str, range]]) -> bool:
    """Whether an access to the location of that name touches one of these."""
    own, own_bytes = ordered_bytes(name)
    return any(own == location and set(own_bytes) & set(part) for location, part in places)


# What an instruction can do when it finds some value at its location; nothing if it must wait. `spawn`,
# `join` and the last event of a `wait` are not here: they depend on more than one location.


def on_variable(action: Action, local: Local, value: Value) -> tuple[Outcome, ...]:
    assert isinstance(value, int)
    name, thread, location, operands = action.name, action.thread, action.location, action.operands
    if name == "read":
        return (Outcome((thread, "load", "read", location, value, value, 0), None, operands[0], value),)
    if name in ("write", "write_reg"):
        written = wrapped(operands[1] if name == "write" else local.registers[operands[1]], action.bits)
        return (Outcome((thread, "store", "write", location, value, written, 0), written),)
    register, operand = operands[0], operands[2]
    if name == "cas":
        if value != wrapped(operand, action.bits):
            label = (thread, "compare_exchange", "read", location, value, value, 0)
            return (Outcome(label, None, register, value),)
        desired = wrapped(operands[3], action.bits)
        label = (thread, "compare_exchange", "rmw", location, value, desired, 0)
        return (Outcome(label, desired, register, value),)
    written = wrapped(value + operand if name == "rmw_add" else operand, action.bits)
    return (Outcome((thread, "rmw", "rmw", location, value, written, 0), written, register, value),)


def on_mutex(action: Action, local: Local, value: Value) -> tuple[Outcome, ...]:
    assert isinstance(value, int)
    name, thread, location, mine = action.name, action.thread, action.location, action.thread + 1
    if name == "lock":
        if value != 0:
            return ()
        taken = local.held | {location}
        return (Outcome((thread, "lock", "rmw", location, 0, mine, 0), mine, held=taken),)
    if name == "trylock":
        register = action.operands[0]
        if value != 0:
            return (Outcome((thread, "trylock", "read", location, value, value, 0), None, register, 0),)
        taken = local.held | {location}
        return (Outcome((thread, "trylock", "rmw", location, 0, mine, 0), mine, register, 1, held=taken),)
    if location not in local.held:
        return (Outcome((thread, name, "read", location, value, value, 0), misuse=True),)
    released = local.held - {location}
    phase = 2 if name == "wait" else 0
    return (Outcome((thread, "unlock", "rmw", location, mine, 0, 0), 0, phase=phase, held=released),)


def on_condition(action: Action, local: Local, value: Value) -> tuple[Outcome, ...]:
    waiters = queue_of(value)
    name, thread, location, count = action.name, action.thread, action.location, len(waiters)
    if name == "wait":
        label = (thread, "wait", "rmw", location, count, count + 1, 0)
        return (Outcome(label, (*waiters, thread), phase=1),)
    if count == 0:
        return (Outcome((thread, name, "read", location, 0, 0, 0)),)
    if name == "broadcast":
        return (Outcome((thread, "broadcast", "rmw", location, count, 0, 0), ()),)
    return tuple(
        Outcome(
            (thread, "signal", "rmw", location, count, count - 1, choice),
            waiters[:choice] + waiters[choice + 1 :],
        )
        for choice in range(count)
    )


def on_semaphore(action: Action, local: Local, value: Value) -> tuple[Outcome, ...]:
    assert isinstance(value, int)
    if action.name == "sem_post":
        return (changed(action, "sem_post", value, value + 1),)
    return taken_or_not(action, action.name, value, value - 1 if value > 0 else None)


def on_rwlock(action: Action, local: Local, value: Value) -> tuple[Outcome, ...]:
    assert isinstance(value, int)
    operation, as_writer = RWLOCK_OPERATIONS[action.name], WRITER + action.thread + 1
    if action.name == "rwunlock":
        if value == 0 or (value >= WRITER and value != as_writer):
            return (changed(action, operation, value, value)._replace(misuse=True),)
        return (changed(action, operation, value, 0 if value == as_writer else value - 1),)
    if action.name.endswith("rdlock"):
        return taken_or_not(action, operation, value, value + 1 if value < WRITER else None)
    return taken_or_not(action, operation, value, as_writer if value == 0 else None)


def changed(action: Action, operation: str, value: int, written: int) -> Outcome:
    return Outcome((action.thread, operation, "rmw", action.location, value, written, 0), written)


def taken_or_not(action: Action, operation: str, value: int, written: int | None) -> tuple[Outcome, ...]:
    """What takes something, if `written` says what is left then; else it waits or only says so."""
    tries = action.name in TRIES
    if written is not None:
        outcome = changed(action, operation, value, written)
        return (outcome._replace(register=action.operands[0], found=1) if tries else outcome,)
    label = (action.thread, operation, "read", action.location, value, value, 0)
    return (Outcome(label, register=action.operands[0]),) if tries else ()


def on_choice(action: Action, local: Local, value: Value) -> tuple[Outcome, ...]:
    register, alternatives = action.operands
    return tuple(
        Outcome((action.thread, "choose", "none", "", 0, 0, choice), None, register, choice)
        for choice in range(alternatives)
    )


def no_outcome(action: Action, local: Local, value: Value) -> tuple[Outcome, ...]:
    raise AssertionError(action.name)


OUTCOMES: dict[str, Callable[[Action, Local, Value], tuple[Outcome, ...]]] = {
    **dict.fromkeys(MEMORY_OPERANDS, on_variable),
    **dict.fromkeys(("lock", "trylock", "unlock"), on_mutex),
    **dict.fromkeys(("wait", "signal", "broadcast"), on_condition),
    **dict.fromkeys(("sem_wait", "sem_trywait", "sem_post"), on_semaphore),
    **dict.fromkeys(RWLOCK_OPERATIONS, on_rwlock),
    "choose": on_choice,
}

WAKE_LOCK = Action(0, ("wait",), "", SPECIAL)  # of any thread


def waker_of(thread: int, condition: Cell) -> Event | None:
    """The signal or broadcast that ended the thread's wait; none as long as it is in the queue."""
    event = condition.writer
    if thread in queue_of(condition.value):
        return None
    while event is not None:
        source = event.sources[0]
        if source is not None and thread in queue_of(source.value):
            return event
        event = source
    raise AssertionError("the thread never waited")


def queue_of(value: Value) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value


def number_in(part: Cell) -> int:
    assert isinstance(part.value, int)
    return part.value


def wrapped(value: int, bits: int) -> int:
    """As a signed number of 64 bits, or an unsigned one of fewer."""
    if bits < 64:
        return value & (1 << bits) - 1
    return value if -(1 << 63) <= value < 1 << 63 else (value + (1 << 63)) % (1 << 64) - (1 << 63)


def settle(
    code: Sequence[Instruction], pc: int, registers: tuple[int, ...], held: frozenset[str], failed: bool
) -> Local:
    """Runs local instructions up to the thread's next event, its end, or a failed assume."""
    while pc < len(code):
        name = code[pc][0]
        if name not in LOCAL:
            return Local(pc, registers, 0, held, failed, RUNNING)
        register, comparison, constant, *skip = code[pc][1:]
        holds = COMPARE[comparison](registers[number(register)], number(constant))
        if name == "assume" and not holds:
            return Local(pc, registers, 0, held, failed, STOPPED)
        if name == "assert" and not holds:
            failed = True
        if name == "branch" and holds:
            pc += number(skip[0])
        pc += 1
    return Local(len(code), registers, 0, held, failed, ENDED)


def cuts_of(program: Program) -> dict[str, list[int]]:
    """Every location, with the bytes at which a part of it begins or the last one ends."""
    cuts: dict[str, set[int]] = {}
    for code in program:
        for instruction in code:
            for location in locations_of(instruction):
                offset, size = bytes_of(instruction)
                cuts.setdefault(location, set()).update((offset, offset + size))
    return {location: sorted(found) for location, found in cuts.items()}


@cache
def bytes_of(instruction: Instruction) -> tuple[int, int]:
    """The first byte of its location that an instruction touches, and how many."""
    operands = MEMORY_OPERANDS.get(str(instruction[0]))
    if operands is None or len(instruction) == operands + 1:
        return WHOLE
    offset, size = map(number, instruction[operands + 1 :])
    return offset, size


@cache
def locations_of(instruction: Instruction) -> tuple[str, ...]:
    """Every variable and synchronization object that an instruction mentions."""
    name = instruction[0]
    if name in ("write", "write_reg"):
        return (f"v{instruction[1]}",)
    if name in ("read", "rmw_add", "xchg", "cas"):
        return (f"v{instruction[2]}",)
    if name in ("lock", "unlock"):
        return (f"m{instruction[1]}",)
    if name == "trylock":
        return (f"m{instruction[2]}",)
    if name in ("signal", "broadcast"):
        return (f"c{instruction[1]}",)
    if name == "wait":
        return (f"c{instruction[1]}", f"m{instruction[2]}")
    if name in ("sem_wait", "sem_trywait", "sem_post"):
        return (f"s{instruction[-1]}",)
    if name in RWLOCK_OPERATIONS:
        return (f"l{instruction[-1]}",)
    return ()


def registers_of(code: Sequence[Instruction]) -> Iterator[int]:
    """Every register that a thread mentions."""
    for instruction in code:
        if instruction[0] == "write_reg":
            yield number(instruction[2])
        elif instruction[0] in REGISTER_FIRST:
            yield number(instruction[1])


def number(argument: str | int) -> int:
    assert isinstance(argument, int), argument
    return argument


def replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])
