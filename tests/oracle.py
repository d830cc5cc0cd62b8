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
    threads that must precede it (for a read the last write to its location; for a write also the reads
    since; the end of the joined thread; the spawn or signal that made it possible). Events are interned: two
    are one object if and only if they have the same label and the same past. A class is then named by the
    last event of each thread, for the pasts of those are all its events, with the order of all conflicting
    pairs.

What is not an event here
    The end of a thread conflicts with nothing but a join of that thread, which cannot come before it. So it
    may always be moved to just after the thread's last event, and is taken as part of that one.

The classes of maximal executions
    mazurkiewicz: the events of each thread (with values and choices) and the order of conflicting pairs.
    reads-from: the events of each thread and the source of each read. A read-modify-write reads; so do the
        acquisition of a mutex, a failed trylock, and all operations on condition variables.
    reads-value-from: the events of each thread with their values, and the causal order (program order, spawn
        and join, signal and wake-up, source and read) between reads. What takes a mutex or changes the queue
        of a condition variable counts with its source, not only with the value found.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")

Instruction = tuple[str | int, ...]
Program = Sequence[Sequence[Instruction]]

ThreadState = tuple[int, ...]  # index of the instruction the thread is at, then its registers
TraceEvent = tuple[int, str, str, str, int, int, int]  # as in `_engine.pyi`

# Operation, access, location, value before, value after, alternative taken: an event without its thread.
Label = tuple[str, str, str, int, int, int]

# What a location holds: a variable its value; a mutex 0 or its holder + 1; a condition variable its waiters.
Value = int | tuple[int, ...]

EQUIVALENCES = ("mazurkiewicz", "reads-from", "reads-value-from")

COMPARE: dict[str | int, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}

# What counts with its source in a reads-value-from class, if it writes.
SYNCHRONIZATION = frozenset({"lock", "trylock", "wake_lock", "wait", "signal", "broadcast"})

# Instructions whose first argument is a register.
REGISTER_FIRST = frozenset(
    {"read", "rmw_add", "xchg", "cas", "trylock", "choose", "assert", "assume", "branch"}
)

RUNNING, ENDED, STOPPED, NOT_STARTED = range(4)


@dataclass(frozen=True, slots=True)
class Local:
    """Where a thread is: between two of its events."""

    pc: int
    registers: tuple[int, ...]
    phase: int  # how many events of a `wait` are done: 0, 1 or 2
    held: frozenset[str]  # mutexes of this thread
    failed: bool  # an assert failed or a mutex was misused so far
    status: int


class Event:
    """A label and its past. Interned: compared by identity."""

    __slots__ = (
        "index",
        "label",
        "local",
        "place",
        "previous",
        "reads_before",
        "reads_from_name",
        "reads_value_from_name",
        "source",
        "thread",
        "value",
    )

    def __init__(self, thread: int, label: Label | None, previous: Event | None, local: Local) -> None:
        self.thread = thread
        self.label = label  # None: the thread's start
        self.previous = previous  # of the same thread
        self.index: int = 0 if previous is None else previous.index + 1
        self.local = local  # of the thread, after this event and the local instructions that follow it
        self.place = NOWHERE  # cell of the thread's next event, or NOWHERE, or SPECIAL
        self.value: Value = 0  # what it left at its location, if it wrote
        self.source: Event | None = None  # the last write to its location before it
        self.reads_before: tuple[int, ...] = ()  # reads of each thread in its causal past, itself included
        self.reads_from_name = 0  # names the thread's events up to this one and their sources
        self.reads_value_from_name = 0  # ... and their values and causal order

    def labels(self) -> list[Label]:
        """Of the thread's events up to this one."""
        before = self.previous.labels() if self.previous is not None else []
        return before if self.label is None else [*before, self.label]


NOWHERE = -1  # the thread has no next event
SPECIAL = -2  # its next event depends on more than one location, or on another thread


class Cell:
    """A location after some events: the last write and the reads since. Interned: compared by identity."""

    __slots__ = ("reads", "value", "writer")

    def __init__(self, writer: Event | None, reads: frozenset[Event], value: Value) -> None:
        self.writer = writer
        self.reads = reads
        self.value = value


# A class of prefixes: the last event of each thread. The cells follow from it.
Class = tuple[Event, ...]
Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One thing the next instruction of a thread can do."""

    label: Label
    value: Value = 0  # left at the location, if the label says that it writes
    set_register: tuple[int, int] | None = None
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
        self.places: dict[str, int] = {}  # location name -> index of its cell
        for code in program:
            for instruction in code:
                for name in locations_of(instruction):
                    self.places.setdefault(name, len(self.places))
        self.nothing = len(self.places)  # a cell for events without a location: it never changes
        self._events: dict[tuple[object, ...], Event] = {}
        self._cells: dict[tuple[object, ...], Cell] = {}
        self._names: dict[tuple[object, ...], int] = {}
        self._extensions: dict[tuple[Event, Cell], list[tuple[Event, Cell]]] = {}

    def answer(self) -> Answer:
        maximal: list[Class] = []
        start = self.start()
        seen = {start[0]}
        pending = [start]
        extensions = self._extensions
        while pending:
            threads, cells = pending.pop()
            is_maximal = True
            for thread, event in enumerate(threads):
                place = event.place
                if place == NOWHERE:
                    continue
                if place == SPECIAL:
                    for following in self._special_steps(threads, cells, thread):
                        is_maximal = False
                        if following[0] not in seen:
                            seen.add(following[0])
                            pending.append(following)
                    continue
                cell = cells[place]
                steps = extensions.get((event, cell))
                if steps is None:
                    steps = self._extend(event, cell)
                for next_event, next_cell in steps:
                    is_maximal = False
                    extended = (*threads[:thread], next_event, *threads[thread + 1 :])
                    if extended not in seen:
                        seen.add(extended)
                        pending.append((extended, (*cells[:place], next_cell, *cells[place + 1 :])))
            if is_maximal:
                maximal.append(threads)
        return Answer(
            counts={equivalence: self._count(equivalence, maximal) for equivalence in EQUIVALENCES},
            states={self.state_of(threads) for threads in maximal},
            classes=set(maximal),
            prefixes=len(seen),
        )

    def class_of(self, trace: Sequence[TraceEvent]) -> Class:
        """The Mazurkiewicz class of a maximal execution. Every event must be as the definitions say."""
        threads, cells = self.start()
        has_end = [False] * self.threads
        for position, (thread, *rest) in enumerate(trace):
            label = tuple(rest)
            if label == ("end", "write", f"t{thread}", 0, 1, 0):
                if threads[thread].local.status != ENDED or has_end[thread]:
                    raise ImpossibleTrace(f"event {position}: thread {thread} cannot end here")
                has_end[thread] = True
                continue
            candidates = [
                following
                for following in self._steps(threads, cells, thread)
                if following[0][thread].label == label
            ]
            if label[0] == "join" and not has_end[int(str(label[2])[1:])]:
                candidates = []
            if len(candidates) != 1:
                raise ImpossibleTrace(f"event {position}: {trace[position]} is not possible here")
            threads, cells = candidates[0]
        for thread, event in enumerate(threads):
            if any(True for _ in self._steps(threads, cells, thread)):
                raise ImpossibleTrace(f"thread {thread} could go on")
            if (event.local.status == ENDED) != has_end[thread]:
                raise ImpossibleTrace(f"thread {thread}: no end event")
        return threads

    def name(self, equivalence: str, threads: Class) -> tuple[object, ...]:
        """Names the class of a maximal execution, given by its Mazurkiewicz class, in an equivalence."""
        if equivalence == "mazurkiewicz":
            return threads
        if equivalence == "reads-from":
            return tuple(event.reads_from_name for event in threads)
        if equivalence == "reads-value-from":
            return tuple(event.reads_value_from_name for event in threads)
        raise ValueError(equivalence)

    def state_of(self, threads: Class) -> tuple[ThreadState, ...]:
        return tuple((event.local.pc, *event.local.registers) for event in threads)

    def _count(self, equivalence: str, maximal: Sequence[Class]) -> Counts:
        counts = Counts()
        for threads in {self.name(equivalence, threads): threads for threads in maximal}.values():
            statuses = {event.local.status for event in threads}
            if STOPPED in statuses:
                counts.blocked += 1
            else:
                counts.executions += 1
                counts.deadlocks += RUNNING in statuses
            counts.failed += any(event.local.failed for event in threads)
        return counts

    def start(self) -> tuple[Class, Cells]:
        spawned = {
            instruction[1] for code in self.program for instruction in code if instruction[0] == "spawn"
        }
        threads = tuple(
            self._not_started(thread) if thread in spawned else self._started(thread, None)
            for thread in range(self.threads)
        )
        cells = [self._cell(name, None, frozenset(), () if name[0] == "c" else 0) for name in self.places]
        return threads, (*cells, self._cell("", None, frozenset(), 0))

    def _steps(self, threads: Class, cells: Cells, thread: int) -> Iterator[tuple[Class, Cells]]:
        """Every way in which a thread can perform its next event."""
        event = threads[thread]
        if event.place == NOWHERE:
            return
        if event.place == SPECIAL:
            yield from self._special_steps(threads, cells, thread)
            return
        for next_event, next_cell in self._extend(event, cells[event.place]):
            yield replaced(threads, thread, next_event), replaced(cells, event.place, next_cell)

    def _extend(self, event: Event, cell: Cell) -> list[tuple[Event, Cell]]:
        """The next events of the thread whose last one is `event`, given the location they touch."""
        steps = self._extensions.get((event, cell))
        if steps is None:
            local = event.local
            instruction = self.program[event.thread][local.pc]
            steps = [
                self._perform(event, cell, outcome, None)
                for outcome in outcomes(event.thread, instruction, local, cell.value)
            ]
            self._extensions[event, cell] = steps
        return steps

    def _special_steps(self, threads: Class, cells: Cells, thread: int) -> list[tuple[Class, Cells]]:
        event = threads[thread]
        instruction = self.program[thread][event.local.pc]
        nothing = cells[self.nothing]
        if instruction[0] == "spawn":
            child = number(instruction[1])
            spawn, _ = self._perform(event, nothing, Outcome(("spawn", "none", "", 0, 0, 0)), None)
            return [(replaced(replaced(threads, thread, spawn), child, self._started(child, spawn)), cells)]
        if instruction[0] == "join":
            last = threads[number(instruction[1])]
            if last.local.status != ENDED:
                return []
            outcome = Outcome(("join", "read", f"t{instruction[1]}", 1, 1, 0))
            join, _ = self._perform(event, nothing, outcome, last)
            return [(replaced(threads, thread, join), cells)]
        # A thread that waits: it needs a signal and the mutex.
        condition = cells[self.places[f"c{instruction[1]}"]]
        waker = waker_of(thread, condition)
        place = self.places[f"m{instruction[2]}"]
        if waker is None or cells[place].value != 0:
            return []
        mutex_name = f"m{instruction[2]}"
        outcome = Outcome(
            ("wake_lock", "rmw", mutex_name, 0, thread + 1, 0),
            thread + 1,
            held=event.local.held | {mutex_name},
        )
        wake, mutex = self._perform(event, cells[place], outcome, waker)
        return [(replaced(threads, thread, wake), replaced(cells, place, mutex))]

    def _perform(
        self, previous: Event, cell: Cell, outcome: Outcome, cause: Event | None
    ) -> tuple[Event, Cell]:
        """The interned event, and its location after it."""
        label = outcome.label
        access, location = label[1], label[2]
        on_cell = location in self.places
        writes = on_cell and access != "read"
        source = cell.writer if on_cell else None
        key = (previous, label, source, cell.reads if writes else None, cause)
        event = self._events.get(key)
        if event is None:
            event = self._new_event(previous, outcome, source, cause)
            self._events[key] = event
        if writes:
            return event, self._cell(location, event, frozenset(), outcome.value)
        if on_cell:
            return event, self._cell(location, cell.writer, cell.reads | {event}, cell.value)
        return event, cell

    def _new_event(
        self, previous: Event, outcome: Outcome, source: Event | None, cause: Event | None
    ) -> Event:
        thread, label, before = previous.thread, outcome.label, previous.local
        registers = before.registers
        if outcome.set_register is not None:
            registers = replaced(registers, *outcome.set_register)
        held = before.held if outcome.held is None else outcome.held
        failed = before.failed or outcome.misuse
        if outcome.phase != 0:
            local = Local(before.pc, registers, outcome.phase, held, failed, RUNNING)
        else:
            local = settle(self.program[thread], before.pc + 1, registers, held, failed)
        event = Event(thread, label, previous, local)
        event.place = self._place(thread, local)
        event.value = outcome.value
        event.source = source
        self._name_classes(event, cause)
        return event

    def _name_classes(self, event: Event, cause: Event | None) -> None:
        previous, label, source = event.previous, event.label, event.source
        assert previous is not None and label is not None
        reads = label[1] in ("read", "rmw")
        source_name = (source.thread, source.index) if source is not None and reads else None
        before = previous.reads_before
        for other in (cause, source if reads else None):
            if other is not None:
                before = tuple(map(max, before, other.reads_before))
        if reads:
            before = replaced(before, event.thread, before[event.thread] + 1)
        event.reads_before = before
        if label[1] == "write":
            label = (*label[:3], 0, *label[4:])  # what a write overwrites is not part of it
        event.reads_from_name = self._name((previous.reads_from_name, label, source_name))
        takes_part = label[1] == "rmw" and label[0] in SYNCHRONIZATION
        event.reads_value_from_name = self._name(
            (
                previous.reads_value_from_name,
                label,
                source_name if takes_part else (),
                before if reads else None,
            )
        )

    def _started(self, thread: int, spawn: Event | None) -> Event:
        key = (thread, spawn)
        event = self._events.get(key)
        if event is None:
            registers = (0,) * self.register_counts[thread]
            event = self._first(thread, settle(self.program[thread], 0, registers, frozenset(), False))
            if spawn is not None:
                event.reads_before = spawn.reads_before
            self._events[key] = event
        return event

    def _not_started(self, thread: int) -> Event:
        key = (thread, "not started")
        event = self._events.get(key)
        if event is None:
            registers = (0,) * self.register_counts[thread]
            event = self._first(thread, Local(0, registers, 0, frozenset(), False, NOT_STARTED))
            self._events[key] = event
        return event

    def _first(self, thread: int, local: Local) -> Event:
        event = Event(thread, None, None, local)
        event.place = self._place(thread, local)
        event.reads_before = (0,) * self.threads
        event.reads_from_name = event.reads_value_from_name = self._name((local.status == NOT_STARTED,))
        return event

    def _place(self, thread: int, local: Local) -> int:
        if local.status != RUNNING:
            return NOWHERE
        instruction = self.program[thread][local.pc]
        name = instruction[0]
        if name in ("spawn", "join") or local.phase == 2:
            return SPECIAL
        if name == "choose":
            return self.nothing
        return self.places[location_of(instruction, local)]

    def _cell(self, location: str, writer: Event | None, reads: frozenset[Event], value: Value) -> Cell:
        key = (location, writer, reads)
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = Cell(writer, reads, value)
        return cell

    def _name(self, key: tuple[object, ...]) -> int:
        return self._names.setdefault(key, len(self._names))


def outcomes(thread: int, instruction: Instruction, local: Local, value: Value) -> list[Outcome]:
    """Everything a visible instruction can do when it finds `value` at its location; nothing if it must wait.

    `spawn`, `join` and the last event of a `wait` are not here: they depend on more than one location.
    """
    name = instruction[0]
    location = location_of(instruction, local)
    if name == "choose":
        register, alternatives = map(number, instruction[1:])
        return [
            Outcome(("choose", "none", "", 0, 0, choice), set_register=(register, choice))
            for choice in range(alternatives)
        ]
    if isinstance(value, tuple):
        return on_condition(thread, instruction, location, value)
    if location[0] == "m":
        return on_mutex(thread, instruction, location, local, value)
    return on_variable(instruction, location, local, value)


def on_variable(instruction: Instruction, location: str, local: Local, value: int) -> list[Outcome]:
    name = instruction[0]
    if name in ("write", "write_reg"):
        operand = number(instruction[2])
        written = operand if name == "write" else local.registers[operand]
        return [Outcome(("store", "write", location, value, written, 0), written)]
    found = (number(instruction[1]), value)
    if name == "read":
        return [Outcome(("load", "read", location, value, value, 0), set_register=found)]
    operand = number(instruction[3])
    if name == "rmw_add":
        return [Outcome(("rmw", "rmw", location, value, value + operand, 0), value + operand, found)]
    if name == "xchg":
        return [Outcome(("rmw", "rmw", location, value, operand, 0), operand, found)]
    assert name == "cas", instruction
    if value != operand:
        return [Outcome(("compare_exchange", "read", location, value, value, 0), set_register=found)]
    desired = number(instruction[4])
    return [Outcome(("compare_exchange", "rmw", location, value, desired, 0), desired, found)]


def on_mutex(
    thread: int, instruction: Instruction, location: str, local: Local, holder: int
) -> list[Outcome]:
    name, mine = instruction[0], thread + 1
    if name == "lock":
        taken = local.held | {location}
        return [Outcome(("lock", "rmw", location, 0, mine, 0), mine, held=taken)] if holder == 0 else []
    if name == "trylock":
        register = number(instruction[1])
        if holder != 0:
            return [Outcome(("trylock", "read", location, holder, holder, 0), set_register=(register, 0))]
        taken = local.held | {location}
        return [Outcome(("trylock", "rmw", location, 0, mine, 0), mine, (register, 1), held=taken)]
    assert name in ("unlock", "wait"), instruction
    if location not in local.held:
        return [Outcome((str(name), "read", location, holder, holder, 0), misuse=True)]
    released = local.held - {location}
    phase = 2 if name == "wait" else 0
    return [Outcome(("unlock", "write", location, mine, 0, 0), 0, phase=phase, held=released)]


def on_condition(
    thread: int, instruction: Instruction, location: str, waiters: tuple[int, ...]
) -> list[Outcome]:
    name, count = str(instruction[0]), len(waiters)
    if name == "wait":
        return [Outcome(("wait", "rmw", location, count, count + 1, 0), (*waiters, thread), phase=1)]
    if count == 0:
        return [Outcome((name, "read", location, 0, 0, 0))]
    if name == "broadcast":
        return [Outcome(("broadcast", "rmw", location, count, 0, 0), ())]
    assert name == "signal", instruction
    return [
        Outcome(
            ("signal", "rmw", location, count, count - 1, choice), waiters[:choice] + waiters[choice + 1 :]
        )
        for choice in range(count)
    ]


def waker_of(thread: int, condition: Cell) -> Event | None:
    """The signal or broadcast that ended the thread's wait; none as long as it is in the queue."""
    event = condition.writer
    if thread in queue_of(condition.value):
        return None
    while event is not None:
        before = event.source.value if event.source is not None else ()
        if thread in queue_of(before):
            return event
        event = event.source
    raise AssertionError("the thread never waited")


def queue_of(value: Value) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value


def settle(
    code: Sequence[Instruction], pc: int, registers: tuple[int, ...], held: frozenset[str], failed: bool
) -> Local:
    """Runs local instructions up to the thread's next event, its end, or a failed assume."""
    while pc < len(code):
        name = code[pc][0]
        if name not in ("assert", "assume", "branch"):
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


def location_of(instruction: Instruction, local: Local) -> str:
    """The location that the next event of an instruction touches, or the empty name."""
    names = locations_of(instruction)
    if instruction[0] != "wait":
        return names[0] if names else ""
    condition, mutex = names
    return condition if local.phase == 0 and mutex in local.held else mutex


def locations_of(instruction: Instruction) -> tuple[str, ...]:
    """Every variable, mutex and condition variable that an instruction mentions."""
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
