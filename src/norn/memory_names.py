"""What memory is called in one replayed execution: globals, locals of whatever thread, heap blocks.

A name stands for the same memory in all of the execution's steps, in every report. For globals the executable
knows it (`symbolize`). For the rest the engine says with each step what its memory is part of:
a frame, whose function has variables (`stack_variables`), or a heap block, into which pointers point
(`heap_names`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from norn import protocol
from norn.data_types import part_of_variable
from norn.dwarf_types import size_of
from norn.heap_names import HeapNames
from norn.session import Outcome
from norn.stack_variables import Identity, Place, StackVariables, code_of_frames
from norn.symbolize import Symbols, code_addresses, is_heap
from norn.type_parts import Part

_POINTER_SIZE = 8
# How the names begin of variables that gcc and its <stdatomic.h> declare around an atomic operation.
_TEMPORARY = "__atomic_"


class MemoryNames:
    """Names for the steps of an outcome, and for what its findings are about.

    tells_apart: whether blocks of the same type have numbers; not where only some steps are known.
    """

    def __init__(self, outcome: Outcome, symbols: Symbols, tells_apart: bool = True) -> None:
        self._symbols = symbols
        self._heap = HeapNames(tells_apart)
        # Of each name the variables that have it, in the order in which they are met.
        self._homonyms: dict[str, dict[Identity, None]] = defaultdict(dict)
        self._parts: dict[tuple[int, int, protocol.LiveFrame | None], Part] = {}
        self._names: dict[tuple[str, Identity], str] = {}  # of variables
        symbols.prepare(code_of_frames(outcome.steps))
        symbols.prepare(address for block in outcome.blocks for address in code_addresses(block.stack))
        self._stacks = StackVariables(outcome.steps, symbols)
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
        place = self._stacks.in_frame(address, frame) if frame is not None else self._variable(address)
        part = self._part_of(place, address, size) if place is not None else None
        return part or self._symbols.part(address, size)

    def block(self, address: int) -> str:
        """The heap block at an address."""
        return self._heap.block(address) or self.at(address).name

    def show(self, value: int, pointer: Part, moment: int) -> str | None:
        """What a pointer says: `&node`, `&session#1`; nothing if nobody knows the address.

        moment: the number of the step that finds or leaves it there, from 0.
        """
        if pointer.scalar is None or pointer.scalar.kind != "pointer" or value == 0:
            return None
        in_heap = self._heap.pointed_to(value, pointer.points_to)
        if in_heap:
            return in_heap
        place = self._variable(value, moment)
        if place is None:
            return self._symbols.pointed_to(value) or None
        if place.address == value:
            return f"&{self._name_of(place)}"
        target = size_of(pointer.points_to) if pointer.points_to is not None else 0
        part = self._part_of(place, value, max(target, 1))
        return f"&{part.name}" if part is not None else None

    def _variable(self, address: int, moment: int | None = None) -> Place | None:
        return self._stacks.at(address, moment) or self._global(address)

    def _collect_variables(self, steps: Sequence[protocol.Step]) -> None:
        seen: set[tuple[int, int, protocol.LiveFrame | None]] = set()
        for moment, step in enumerate(steps):
            frame = step.frame
            key = (step.address, step.size, frame)
            is_pointer = step.size == _POINTER_SIZE
            if key in seen and not is_pointer:
                continue
            seen.add(key)
            own = None
            if not is_heap(step.address):
                own = self._stacks.in_frame(step.address, frame) if frame else self._global(step.address)
            met = [own]
            if is_pointer:
                values = (value for value in (step.before, step.after) if value and not is_heap(value))
                met += [self._variable(value, moment) for value in values]
            for place in met:
                if place is not None:
                    self._homonyms[place.variable.name][place.identity] = None
            if own is None and not is_heap(step.address):
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
                for value in (step.before, step.after):
                    if value:
                        in_blocks[step.address, value] = None
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
            place = self._global(pointer.address)
            part = self._part_of(place, pointer.address, _POINTER_SIZE) if place is not None else None
            return part if part is not None and part.points_to is not None else None
        return self.at(pointer.address, _POINTER_SIZE, pointer.frame)

    def _global(self, address: int) -> Place | None:
        variable = self._symbols.global_variable(address)
        return Place(variable, variable.address, variable.scope, None) if variable is not None else None

    def _part_of(self, place: Place, address: int, size: int) -> Part | None:
        part = part_of_variable(place.variable, address - place.address, size, self._name_of(place))
        is_implicit = place.thread is not None and place.variable.name.startswith(_TEMPORARY)
        return replace(part, is_implicit=True) if part is not None and is_implicit else part

    def _name_of(self, place: Place) -> str:
        """The same whenever it is asked for."""
        key = (place.variable.name, place.identity)
        if key not in self._names:
            self._names[key] = self._distinct_name(place)
        return self._names[key]

    def _distinct_name(self, place: Place) -> str:
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
