"""What memory is called in one replayed execution: globals, locals of whatever thread, heap blocks.

A name stands for the same memory in all of the execution's steps, in every report. For globals the executable
knows it (`symbolize`). For the rest the engine says with each step what its memory is part of:
a frame, whose function has variables, or a heap block, into which pointers point (`heap_names`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from norn import protocol
from norn.data_types import Variable, part_of_variable
from norn.dwarf_types import size_of
from norn.heap_names import HeapNames
from norn.session import Outcome
from norn.symbolize import Symbols, code_addresses, short_function, stack_owner
from norn.type_parts import Part

_POINTER_SIZE = 8
# How the names begin of variables that gcc and its <stdatomic.h> declare around an atomic operation.
_TEMPORARY = "__atomic_"

_Identity = tuple[str, int | None, int]  # what tells a variable from others of its name


def _frames_of(step: protocol.Step) -> Iterator[protocol.LiveFrame]:
    if step.frame is not None:
        yield step.frame
    for pointer in step.pointers:
        if pointer.frame is not None:
            yield pointer.frame


def _code_of(outcome: Outcome) -> Iterator[int]:
    """Code addresses whose names are needed."""
    for block in outcome.blocks:
        yield from code_addresses(block.stack)
    for step in outcome.steps:
        yield from (frame.code - 1 for frame in _frames_of(step))


@dataclass(frozen=True)
class _Place:
    """A variable in memory: a global one, or a local one of a function that is, or was, being executed."""

    variable: Variable
    address: int
    scope: str  # the function, or what a global one is declared in
    thread: int | None  # of a local one: on whose stack it lies

    @property
    def identity(self) -> _Identity:
        return self.scope, self.thread, self.address


class MemoryNames:
    """Names for the steps of an outcome, and for what its findings are about.

    tells_apart: whether blocks of the same type have numbers; not where only some steps are known.
    """

    def __init__(self, outcome: Outcome, symbols: Symbols, tells_apart: bool = True) -> None:
        self._symbols = symbols
        self._heap = HeapNames(tells_apart)
        self._frames: dict[tuple[int, int], protocol.LiveFrame] = {}  # the newest last
        # Of each name the variables that have it, in the order in which they are met.
        self._homonyms: dict[str, dict[_Identity, None]] = defaultdict(dict)
        self._locals: dict[tuple[int, int, int], _Place | None] = {}  # address, code, frame pointer
        self._parts: dict[tuple[int, int, protocol.LiveFrame | None], Part] = {}
        self._names: dict[tuple[str, _Identity], str] = {}  # of variables
        symbols.prepare(_code_of(outcome))
        self._collect_variables(outcome.steps)
        self._collect_blocks(outcome)

    def of_step(self, step: protocol.Step) -> Part:
        if step.futex is not None:
            return Part(f"{self.at(step.futex, step.size).name} (futex)")
        if step.operation == "free":
            return Part(self.block(step.address))
        return self.at(step.address, step.size, step.frame)

    def at(self, address: int, size: int = 1, frame: protocol.LiveFrame | None = None) -> Part:
        """frame: the function whose variable it is; else the last one that had a variable there."""
        key = (address, size, frame)
        if key not in self._parts:
            self._parts[key] = self._find(address, size, frame)
        return self._parts[key]

    def _find(self, address: int, size: int, frame: protocol.LiveFrame | None) -> Part:
        in_heap = self._heap.part(address, size)
        if in_heap is not None:
            return in_heap
        place = self._local(address, frame) or self._global(address)
        part = self._part_of(place, address, size) if place is not None else None
        return part or self._symbols.part(address, size)

    def block(self, address: int) -> str:
        """The heap block at an address."""
        return self._heap.block(address) or self.at(address).name

    def show(self, value: int, pointer: Part) -> str | None:
        """What a pointer says: `&node`, `&session#1`; nothing if nobody knows the address."""
        if pointer.scalar is None or pointer.scalar.kind != "pointer" or value == 0:
            return None
        in_heap = self._heap.pointed_to(value, pointer.points_to)
        if in_heap:
            return in_heap
        place = self._local(value) or self._global(value)
        if place is not None and place.address == value:
            return f"&{self._name_of(place)}"
        if place is not None:
            target = size_of(pointer.points_to) if pointer.points_to is not None else 0
            return f"&{self.at(value, max(target, 1)).name}"
        return self._symbols.pointed_to(value) or None

    def _collect_variables(self, steps: Sequence[protocol.Step]) -> None:
        for step in steps:
            for frame in _frames_of(step):
                key = (frame.code, frame.pointer)
                self._frames.pop(key, None)
                self._frames[key] = frame
        for step in steps:
            met = [self._local(step.address, step.frame) if step.frame else self._global(step.address)]
            if step.size == _POINTER_SIZE:
                pointed_to = [value for value in (step.before, step.after) if value]
                met += [self._local(value) or self._global(value) for value in pointed_to]
            for place in met:
                if place is not None:
                    self._homonyms[place.variable.name][place.identity] = None
            if met[0] is None:
                # (Of a library: its symbols have no types.)
                root = self._symbols.part(step.address, step.size).name.partition("+")[0]
                self._homonyms[root]["", None, 0] = None

    def _collect_blocks(self, outcome: Outcome) -> None:
        for block in outcome.blocks:
            self._heap.add_block(block.start, block.size, self._symbols.stack(block.stack))
        in_blocks: dict[tuple[int, int], None] = {}
        for step in outcome.steps:
            if step.block is not None:
                self._heap.add_block(step.block.start, step.block.size)
        for step in outcome.steps:
            for pointer in step.pointers:
                part = self._pointer_outside_heap(pointer)
                if part is not None:
                    self._heap.add_pointer(pointer.value, part)
                else:
                    in_blocks[pointer.address, pointer.value] = None
            if step.size == _POINTER_SIZE and step.block is None:
                self._collect_stored(step)
            elif step.size == _POINTER_SIZE:
                in_blocks |= {(step.address, value): None for value in (step.before, step.after) if value}
        self._heap.add_pointers_in_blocks(in_blocks)
        self._heap.label_all()

    def _collect_stored(self, step: protocol.Step) -> None:
        """What a pointer variable holds before and after a step."""
        part = self.at(step.address, step.size, step.frame)
        if part.points_to is not None:
            for value in (step.before, step.after):
                if value:
                    self._heap.add_pointer(value, part)

    def _pointer_outside_heap(self, pointer: protocol.Pointer) -> Part | None:
        if pointer.frame is None:
            part = self._symbols.part(pointer.address, _POINTER_SIZE)
            return part if part.points_to is not None else None
        return self.at(pointer.address, _POINTER_SIZE, pointer.frame)

    def _local(self, address: int, frame: protocol.LiveFrame | None = None) -> _Place | None:
        thread = stack_owner(address)
        if thread is None:
            return None
        for each in [frame] if frame is not None else reversed(self._frames.values()):
            if stack_owner(each.pointer - 1) != thread:
                continue
            key = (address, each.code, each.pointer)
            if key not in self._locals:
                self._locals[key] = self._find_local(address, each, thread)
            if self._locals[key] is not None:
                return self._locals[key]
        return None

    def _find_local(self, address: int, frame: protocol.LiveFrame, thread: int) -> _Place | None:
        variable = self._symbols.local(frame.code, frame.pointer, address)
        if variable is None or not variable.name:
            return None
        function = short_function(self._symbols.function(frame.code - 1))
        return _Place(variable, frame.pointer + variable.address, function, thread)

    def _global(self, address: int) -> _Place | None:
        variable = self._symbols.global_variable(address)
        return _Place(variable, variable.address, variable.scope, None) if variable is not None else None

    def _part_of(self, place: _Place, address: int, size: int) -> Part | None:
        part = part_of_variable(place.variable, address - place.address, size, self._name_of(place))
        is_implicit = place.thread is not None and place.variable.name.startswith(_TEMPORARY)
        return replace(part, is_implicit=True) if part is not None and is_implicit else part

    def _name_of(self, place: _Place) -> str:
        """The same whenever it is asked for."""
        key = (place.variable.name, place.identity)
        if key not in self._names:
            self._names[key] = self._distinct_name(place)
        return self._names[key]

    def _distinct_name(self, place: _Place) -> str:
        """`count`, or if there are others `worker::count`, `T1 worker::count`, `T1 worker::count#2`.

        (A global one among local ones is `count`.)
        """
        name, homonyms = place.variable.name, self._homonyms[place.variable.name]
        others = [each for each in homonyms if each != place.identity]
        if place.thread is None:
            others = [each for each in others if each[1] is None]
        if not others:
            return name
        qualified = f"{place.scope}::{name}"
        threads = {thread for scope, thread, _ in others if scope == place.scope and thread is not None}
        if threads - {place.thread}:
            qualified = f"T{place.thread} {qualified}"
        homonyms[place.identity] = None
        alike = [each for each in homonyms if each[:2] == place.identity[:2]]
        return f"{qualified}#{alike.index(place.identity) + 1}" if len(alike) > 1 else qualified
