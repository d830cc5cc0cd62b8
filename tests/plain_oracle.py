"""A second oracle, without any cleverness: what the first one is checked against.

It really performs every interleaving of a litmus program, keeps every event in a list, and names classes by
spelling out the definitions: all ordered pairs of conflicting events, all sources, the transitive closure of
the causal order. It shares no code with `tests/oracle.py` and is far too slow for anything but tiny programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from tests.oracle import EQUIVALENCES, Counts, Program


@dataclass(slots=True)
class PlainEvent:
    thread: int
    what: tuple[object, ...]  # operation, values and choices
    location: str = ""
    bytes: range = range(1)  # those of the location that it touches
    reads: bool = False
    writes: bool = False
    cause: int | None = None  # position of the event that made it possible
    takes: bool = False  # takes a mutex or changes a queue
    releases: bool = False  # a mutex


class PlainMachine:
    """The state of a program, changed in place, and the events so far."""

    def __init__(self, program: Program) -> None:
        self.program = program
        count = len(program)
        spawned = {i[1] for code in program for i in code if i[0] == "spawn"}
        self.pc = [0] * count
        self.part = [0] * count  # of a wait
        self.registers: list[dict[object, int]] = [{} for _ in program]
        self.started = [thread not in spawned for thread in range(count)]
        self.ended = [False] * count
        self.stopped = [False] * count
        self.failed = False
        self.start_cause: list[int | None] = [None] * count
        self.end_at: list[int | None] = [None] * count
        self.woken_at: list[int | None] = [None] * count
        self.memory: dict[object, int] = {}  # of each byte
        self.holder: dict[object, int] = {}
        self.queue: dict[object, list[int]] = {}
        self.count: dict[object, int] = {}  # of each semaphore
        self.readers: dict[object, int] = {}  # of each read-write lock: how many
        self.writer: dict[object, int] = {}  # ... and who
        self.events: list[PlainEvent] = []
        for thread in range(count):
            if self.started[thread]:
                self.run_local(thread)

    def copy(self) -> PlainMachine:
        copied = object.__new__(PlainMachine)
        for name, value in vars(self).items():
            setattr(copied, name, value.copy() if isinstance(value, list | dict) else value)
        copied.registers = [registers.copy() for registers in self.registers]
        copied.queue = {condition: queue.copy() for condition, queue in self.queue.items()}
        return copied

    def run_local(self, thread: int) -> None:
        code, registers = self.program[thread], self.registers[thread]
        while self.pc[thread] < len(code):
            name, *rest = code[self.pc[thread]]
            if name not in ("assert", "assume", "branch"):
                return
            value, comparison, constant = registers.get(rest[0], 0), rest[1], int(rest[2])
            true = {"==": value == constant, "!=": value != constant}.get(
                str(comparison), value < constant if comparison == "<" else value > constant
            )
            if name == "assume" and not true:
                self.stopped[thread] = True
                return
            self.failed = self.failed or (name == "assert" and not true)
            self.pc[thread] += 1 + (int(rest[3]) if name == "branch" and true else 0)
        self.pc[thread] = len(code)

    def state(self) -> tuple[tuple[int, ...], ...]:
        """Where each thread is, and its registers up to the highest that it mentions."""
        threads = []
        for thread, code in enumerate(self.program):
            # The register is the first argument, except of the instructions without one and of write_reg.
            without = {"write", "lock", "unlock", "wait", "signal", "broadcast", "spawn", "join"}
            without |= {"sem_wait", "sem_post", "rdlock", "wrlock", "rwunlock"}
            mentioned = [int(i[2 if i[0] == "write_reg" else 1]) for i in code if i[0] not in without]
            registers = [self.registers[thread].get(r, 0) for r in range(max(mentioned, default=-1) + 1)]
            threads.append((self.pc[thread], *registers))
        return tuple(threads)

    def alternatives(self, thread: int) -> int:
        """In how many ways the thread can go on now."""
        if not self.started[thread] or self.ended[thread] or self.stopped[thread]:
            return 0
        if self.pc[thread] == len(self.program[thread]):
            return 1  # its end
        name, *rest = self.program[thread][self.pc[thread]]
        if name == "lock":
            return int(rest[0] not in self.holder)
        if name == "sem_wait":
            return int(self.count.get(rest[0], 0) > 0)
        if name in ("rdlock", "wrlock"):
            return int(self.is_free_for(str(name), rest[0]))
        if name == "join":
            return int(self.ended[int(rest[0])])
        if name == "choose":
            return int(rest[1])
        if name == "signal":
            return max(1, len(self.queue.get(rest[0], [])))
        if name == "wait" and self.part[thread] == 2:
            return int(self.woken_at[thread] is not None and rest[1] not in self.holder)
        return 1

    def step(self, thread: int, choice: int) -> None:
        event = PlainEvent(thread, ())
        if not any(other.thread == thread for other in self.events):
            event.cause = self.start_cause[thread]
        here = len(self.events)
        self.events.append(event)
        if self.pc[thread] == len(self.program[thread]):
            event.what, event.location, event.writes = ("end",), f"end {thread}", True
            self.ended[thread] = True
            self.end_at[thread] = here
            return
        instruction = self.program[thread][self.pc[thread]]
        self.pc[thread] += 1
        self.perform(thread, choice, instruction, event, here)
        if self.part[thread] == 0:
            self.run_local(thread)

    def perform(
        self, thread: int, choice: int, instruction: tuple[str | int, ...], event: PlainEvent, here: int
    ) -> None:
        name, *rest = instruction
        registers = self.registers[thread]
        if name in ("read", "rmw_add", "xchg", "cas"):
            event.location, event.reads = f"variable {rest[1]}", True
            event.bytes = bytes_of(rest[{"read": 2, "rmw_add": 3, "xchg": 3, "cas": 4}[str(name)] :])
            old = self.load(event)
            new: int | None = None
            if name == "rmw_add":
                new = old + int(rest[2])
            elif name == "xchg":
                new = int(rest[2])
            elif name == "cas" and old == number_of(int(rest[2]), len(event.bytes)):
                new = int(rest[3])
            registers[rest[0]] = old
            event.writes = new is not None
            if new is not None:
                self.store(event, new)
            event.what = (name, old, new)
        elif name in ("write", "write_reg"):
            event.location, event.writes, event.bytes = f"variable {rest[0]}", True, bytes_of(rest[2:])
            self.store(event, int(rest[1]) if name == "write" else registers.get(rest[1], 0))
            event.what = (name, self.load(event))
        elif name == "choose":
            registers[rest[0]] = choice
            event.what = (name, choice)
        elif name == "spawn":
            child = int(rest[0])
            self.started[child] = True
            self.start_cause[child] = here
            self.run_local(child)
            event.what = (name, child)
        elif name == "join":
            event.what, event.location, event.reads = (name,), f"end {rest[0]}", True
        elif name in ("lock", "trylock"):
            mutex = rest[-1]
            free = mutex not in self.holder
            event.location, event.reads, event.writes, event.takes = f"mutex {mutex}", True, free, free
            event.what = (name, self.holder.get(mutex))
            if name == "trylock":
                registers[rest[0]] = int(free)
            if free:
                self.holder[mutex] = thread
        elif name == "unlock":
            self.unlock(thread, rest[0], event)
        elif str(name).startswith("sem_"):
            event.location, event.reads = f"semaphore {rest[-1]}", True
            old = self.count.get(rest[-1], 0)
            event.writes = name == "sem_post" or old > 0
            if event.writes:
                self.count[rest[-1]] = old + (1 if name == "sem_post" else -1)
            if name == "sem_trywait":
                registers[rest[0]] = int(event.writes)
            event.what = (name, old)
        elif name in ("rdlock", "wrlock", "tryrdlock", "trywrlock"):
            lock = rest[-1]
            event.location, event.reads = f"read-write lock {lock}", True
            event.what = (name, self.readers.get(lock, 0), self.writer.get(lock))
            event.writes = self.is_free_for(str(name), lock)
            if event.writes and str(name).endswith("rdlock"):
                self.readers[lock] = self.readers.get(lock, 0) + 1
            elif event.writes:
                self.writer[lock] = thread
            if str(name).startswith("try"):
                registers[rest[0]] = int(event.writes)
        elif name == "rwunlock":
            readers, writer = self.readers.get(rest[0], 0), self.writer.get(rest[0])
            event.location, event.reads, event.writes = f"read-write lock {rest[0]}", True, True
            event.what = (name, readers, writer)
            if writer == thread:
                del self.writer[rest[0]]
            elif readers > 0:
                self.readers[rest[0]] = readers - 1
            else:
                self.failed = True
        elif name == "wait":
            self.wait(thread, rest[0], rest[1], event)
        else:
            queue = self.queue.setdefault(rest[0], [])
            event.location, event.reads = f"condition {rest[0]}", True
            event.writes = event.takes = bool(queue)
            woken = [queue.pop(choice)] if name == "signal" and queue else list(queue)
            if name == "broadcast":
                queue.clear()
            for sleeper in woken:
                self.woken_at[sleeper] = here
            event.what = (name, tuple(woken))

    def is_free_for(self, name: str, lock: str | int) -> bool:
        return lock not in self.writer and (name.endswith("rdlock") or self.readers.get(lock, 0) == 0)

    def load(self, event: PlainEvent) -> int:
        found = bytes(self.memory.get((event.location, byte), 0) for byte in event.bytes)
        return number_of(int.from_bytes(found, "little"), len(found))

    def store(self, event: PlainEvent, value: int) -> None:
        for count, byte in enumerate(event.bytes):
            self.memory[event.location, byte] = value >> 8 * count & 255

    def unlock(self, thread: int, mutex: str | int, event: PlainEvent) -> None:
        event.location, event.reads, event.what = f"mutex {mutex}", True, ("unlock", self.holder.get(mutex))
        if self.holder.get(mutex) == thread:
            event.writes = event.releases = True
            del self.holder[mutex]
        else:
            self.failed = True

    def wait(self, thread: int, condition: str | int, mutex: str | int, event: PlainEvent) -> None:
        part = self.part[thread]
        if part == 0 and self.holder.get(mutex) != thread:
            self.unlock(thread, mutex, event)  # misused: one event, no effect
            return
        self.part[thread] = (part + 1) % 3
        if part != 2:
            self.pc[thread] -= 1
        if part == 0:
            self.woken_at[thread] = None
            self.queue.setdefault(condition, []).append(thread)
            event.location, event.reads, event.writes, event.takes = (
                f"condition {condition}",
                True,
                True,
                True,
            )
            event.what = ("wait",)
        elif part == 1:
            self.unlock(thread, mutex, event)
        else:
            self.holder[mutex] = thread
            event.location, event.reads, event.writes, event.takes = f"mutex {mutex}", True, True, True
            event.cause = self.woken_at[thread]
            event.what = ("wake",)


def bytes_of(operands: list[str | int]) -> range:
    """The bytes that the last operands of an instruction tell; all of them if there are none."""
    if not operands:
        return range(8)
    first, count = map(int, operands)
    return range(first, first + count)


def number_of(value: int, size: int) -> int:
    """What so many bytes can hold of a value: signed if it is the whole variable, else unsigned."""
    value %= 256**size
    return value - 256**8 if size == 8 and value >= 256**8 // 2 else value


def plain_executions(machine: PlainMachine) -> Iterator[PlainMachine]:
    """Every maximal execution, interleaving by interleaving."""
    over = True
    for thread in range(len(machine.program)):
        for choice in range(machine.alternatives(thread)):
            over = False
            following = machine.copy()
            following.step(thread, choice)
            yield from plain_executions(following)
    if over:
        yield machine


def plain_names(machine: PlainMachine) -> dict[str, object]:
    """The names of an execution's classes, by definition."""
    events = machine.events
    names: list[tuple[int, int]] = []  # thread, and how many events of it come before
    for event in events:
        names.append((event.thread, sum(thread == event.thread for thread, _ in names)))
    labels = frozenset((name, e.what, e.location, e.bytes) for name, e in zip(names, events, strict=True))
    conflicts, before = set(), set()
    sources: dict[tuple[tuple[int, int], int], int] = {}  # of a reader and a byte
    for first, second in combinations(range(len(events)), 2):
        a, b = events[first], events[second]
        common = [byte for byte in a.bytes if byte in b.bytes] if a.location == b.location != "" else []
        if common and (a.writes or b.writes):
            conflicts.add((names[first], names[second]))
        if a.writes and b.reads:
            sources |= {(names[second], byte): first for byte in common}
        if a.thread == b.thread or b.cause == first:
            before.add((first, second))
    # What made an event possible is ordered with it, as conflicting events are.
    caused = {(names[e.cause], name) for name, e in zip(names, events, strict=True) if e.cause is not None}
    before |= {(source, names.index(reader)) for (reader, _), source in sources.items()}
    for middle in range(len(events)):
        for first in range(middle):
            if (first, middle) in before:
                before |= {(first, last) for last in range(len(events)) if (middle, last) in before}
    finds = [event.reads and not event.releases for event in events]
    causal = frozenset((names[a], names[b]) for a, b in before if finds[a] and finds[b])
    taken_from = frozenset(
        (name, names[sources[name, 0]] if (name, 0) in sources else None)
        for name, event in zip(names, events, strict=True)
        if event.takes
    )
    return {
        "mazurkiewicz": (labels, frozenset(conflicts), frozenset(caused)),
        "reads-from": (labels, frozenset((read, names[source]) for read, source in sources.items())),
        "reads-value-from": (labels, causal, taken_from),
    }


def plain_answer(program: Program) -> tuple[dict[str, Counts], set[tuple[tuple[int, ...], ...]]]:
    found: dict[str, dict[object, PlainMachine]] = {equivalence: {} for equivalence in EQUIVALENCES}
    states = set()
    for machine in plain_executions(PlainMachine(program)):
        for equivalence, name in plain_names(machine).items():
            found[equivalence][name] = machine
        states.add(machine.state())
    counts = {equivalence: Counts() for equivalence in EQUIVALENCES}
    for equivalence, by_name in found.items():
        for machine in by_name.values():
            count = counts[equivalence]
            unfinished = any(s and not e for s, e in zip(machine.started, machine.ended, strict=True))
            if any(machine.stopped):
                count.blocked += 1
            else:
                count.executions += 1
                count.deadlocks += unfinished
            count.failed += machine.failed
    return counts, states
