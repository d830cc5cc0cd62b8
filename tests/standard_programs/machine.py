"""The abstract machine: threads that take steps on memory, one at a time.

A step is what the standards call indivisible: an atomic operation, taking a lock, an access to an object, the
reading or writing half of a copy. Between its steps a thread does what only itself can see. A state is a
place in the code and a few registers of each thread, and the cells of memory; it has no history, so that a
loop that waits is a cycle of states. `behaviour` visits all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

# Registers: what was noted by the thread, what was noted by handlers that it runs, and some for statements.
NOTES, HANDLER_NOTES, A, B, C, D = range(6)
REGISTERS = 6
ROUND = 0, 0, 0, 0  # what A to D hold between statements

Value = Any  # of a cell or register: numbers, texts, tuples of such
Memory = tuple[Value, ...]
ThreadState = tuple[int, tuple[Value, ...]]  # place in the code, registers
State = tuple[tuple[ThreadState, ...], Memory]

NOT_STARTED, RUNNING, ENDED = range(3)
ENDED_PLACE = -1


@dataclass(frozen=True)
class Failure:
    kind: str  # as norn names it
    tag: str = ""  # which assertion


@dataclass(slots=True)
class Run:
    """A thread while it takes a step: memory and registers may be changed."""

    thread: int
    memory: list[Value]
    registers: list[Value]
    place: int
    emitted: list[str] = field(default_factory=list)
    failure: Failure | None = None
    started: list[int] = field(default_factory=list)
    is_gone: bool = False  # the process has ended


# A step returns whether it can be taken; what it has changed if not does not count.
Action = Callable[[Run], bool]
Silent = Callable[[Run], None]


class Label:
    """A place in the code, to be set later."""

    def __init__(self) -> None:
        self.place = -1


@dataclass(frozen=True)
class Step:
    alternatives: tuple[Action, ...]  # one of those that can be taken


@dataclass(frozen=True)
class Cell:
    name: str
    initial: Value
    is_lock: bool  # its value may go back and forth while threads wait in loops


class Layout:
    """The cells of a program."""

    def __init__(self) -> None:
        self.cells: list[Cell] = []
        self._index: dict[str, int] = {}
        self.tried: set[int] = set()  # locks that somebody tries to take without waiting

    def add(self, name: str, initial: Value, is_lock: bool = False) -> int:
        if name in self._index:
            return self._index[name]
        self._index[name] = len(self.cells)
        self.cells.append(Cell(name, initial, is_lock))
        return self._index[name]

    def __getitem__(self, name: str) -> int:
        return self._index[name]


class Code:
    """The code of one thread, written from its beginning to its end."""

    def __init__(self, layout: Layout, thread: int, threads: int) -> None:
        self.layout = layout
        self.thread = thread
        self.threads = threads
        self.lines: list[Step | Silent] = []
        self.notes = NOTES

    def step(self, *alternatives: Action) -> None:
        self.lines.append(Step(alternatives))

    def silent(self, action: Silent) -> None:
        self.lines.append(action)

    def note(self, value: Callable[[Run], Value]) -> None:
        notes = self.notes

        def add(run: Run) -> None:
            run.registers[notes] = (*run.registers[notes], value(run))

        self.silent(add)

    def here(self, label: Label) -> None:
        label.place = len(self.lines)

    def jump(self, label: Label, condition: Callable[[Run], bool] | None = None) -> None:
        def go(run: Run) -> None:
            if condition is None or condition(run):
                run.place = label.place

        self.silent(go)

    def forget(self) -> None:
        """A statement is over: what it had in registers is gone."""

        def clear(run: Run) -> None:
            run.registers[A:] = ROUND

        self.silent(clear)


class Machine:
    def __init__(self, layout: Layout, codes: list[Code]) -> None:
        self.layout = layout
        self.codes = [code.lines for code in codes]
        self.statuses = [layout[f"status{i}"] for i in range(len(codes))]

    def first(self) -> tuple[State, Run]:
        """The state in which only main has begun, and what it did silently."""
        memory = [cell.initial for cell in self.layout.cells]
        memory[self.statuses[0]] = RUNNING
        run = Run(0, memory, [(), (), *ROUND], 0)
        self._settle(run)
        idle: ThreadState = (0, ((), (), *ROUND))
        threads = [idle] * len(self.codes)
        threads[0] = (run.place, tuple(run.registers))
        return (tuple(threads), tuple(memory)), run

    def next(self, state: State) -> list[tuple[int, State, Run]]:
        """Who can take a step, and where that leads."""
        threads, memory = state
        following = []
        for thread, (place, registers) in enumerate(threads):
            if memory[self.statuses[thread]] != RUNNING or place == ENDED_PLACE:
                continue
            line = self.codes[thread][place]
            assert isinstance(line, Step)
            for alternative in line.alternatives:
                run = Run(thread, list(memory), list(registers), place + 1)
                if not alternative(run):
                    continue
                after = list(threads)
                if run.failure is None and not run.is_gone:
                    self._settle(run)
                    for child in run.started:
                        begun = Run(child, run.memory, [(), (), *ROUND], 0)
                        self._settle(begun)
                        run.emitted += begun.emitted
                        after[child] = (begun.place, tuple(begun.registers))
                after[thread] = (run.place, tuple(run.registers))
                following.append((thread, (tuple(after), tuple(run.memory)), run))
        return following

    def _settle(self, run: Run) -> None:
        code = self.codes[run.thread]
        for _ in range(10_000):
            if run.place >= len(code) or run.place == ENDED_PLACE:
                run.place = ENDED_PLACE
                return
            line = code[run.place]
            if isinstance(line, Step):
                return
            run.place += 1
            line(run)
        raise AssertionError("a loop without a step")
