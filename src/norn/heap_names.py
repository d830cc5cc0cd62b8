"""Names of heap blocks, from the pointers into them: `session#1.requests`, `slots[2]`, `node->value`.

Nothing says what a block is but the declared types of pointers that hold its address. Those that an execution
shows are collected here, each as a *region* of its block. A block is called, whatever happens to it later,

- after the smart pointer or container that owns it: `*node`, `slots[2]`;
- else after the largest struct or class that a pointer to it is declared with, numbered: `session#1`;
- else after the line that allocated it: `block@list.c:34`.

Part of `memory_names`, which knows where pointers lie.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from elftools.dwarf.die import DIE

from norn.dwarf_types import record_name, scalar_of, size_of
from norn.model import Frame, telling_frame
from norn.type_parts import Owner, Part, part_of

_POINTER_SIZE = 8
_LONGEST_CHAIN = 3  # of pointers from block to block


@dataclass(frozen=True)
class _Region:
    """From `offset` on the block holds one or several things of a type."""

    offset: int
    type: DIE
    size: int
    count: int
    record: str  # the name of the struct or class, or nothing for a basic type


@dataclass
class _Block:
    start: int
    size: int
    stack: tuple[Frame, ...] = ()  # that allocated it
    regions: list[_Region] = field(default_factory=list)
    owner: Owner | None = None  # of a pointer that lies in a block: what its name there ends with
    held_by: tuple[_Block, int] | None = None  # the block that such a pointer lies in, and where
    label: str | None = None


class HeapNames:
    """The blocks of one execution. First tell all that is known, then ask.

    tells_apart: whether blocks of the same type have numbers. If not, a member is called `session::requests`.
    """

    def __init__(self, tells_apart: bool = True) -> None:
        self._tells_apart = tells_apart
        self._blocks: dict[int, _Block] = {}  # in the order in which they were told
        self._starts: list[int] = []
        self._taken: dict[str, int] = defaultdict(int)  # how many blocks are called that
        self._added: set[tuple[int, Part]] = set()  # pointers

    def add_block(self, start: int, size: int, stack: tuple[Frame, ...] = ()) -> None:
        if start not in self._blocks:
            self._blocks[start] = _Block(start, size, stack)
            bisect.insort(self._starts, start)

    def add_pointer(self, value: int, pointer: Part, held_by: tuple[_Block, int] | None = None) -> None:
        """A pointer of that sort holds that address; perhaps it lies in a block itself."""
        block = self._around(value)
        if block is None or pointer.points_to is None or (value, pointer) in self._added:
            return
        self._added.add((value, pointer))
        region = _region(block, value - block.start, pointer.points_to)
        if region is not None and region not in block.regions:
            block.regions.append(region)
        owner = pointer.owner
        if owner is None or block.owner is not None or owner.name.startswith("_"):
            return
        if not owner.has_elements or value == block.start:
            block.owner = owner
            block.held_by = held_by

    def add_pointers_in_blocks(self, pointers: Iterable[tuple[int, int]]) -> None:
        """Where each lies, and the address that it holds. The type of one block may tell that of the next."""
        known = list(pointers)
        for _ in range(_LONGEST_CHAIN):
            for address, value in known:
                holder = self._around(address)
                if holder is None:
                    continue
                offset = address - holder.start
                region = _best_region(holder, offset, _POINTER_SIZE)
                if region is not None:
                    inside = part_of("", region.type, (offset - region.offset) % region.size, _POINTER_SIZE)
                    self.add_pointer(value, inside, (holder, offset))

    def part(self, address: int, size: int) -> Part | None:
        """What lies there; nothing outside of known blocks, or where there is nothing to call it by."""
        block = self._around(address)
        label = self._label(block) if block is not None else ""
        if block is None or not label:
            return None
        offset = address - block.start
        region = _best_region(block, offset, size)
        if region is None:
            # (Of what a smart pointer owns a part may be the library's own, for counting.)
            name = label if block.owner is None else f"block of {label}"
            return Part(name if offset == 0 else f"{name}+{offset}")
        inside = part_of("", region.type, (offset - region.offset) % region.size, size)
        if not self._tells_apart and block.owner is None and inside.name.startswith("."):
            return replace(inside, name=f"{label}::{inside.name[1:]}")
        return Part(
            _name_in(block, region, (offset - region.offset) // region.size, inside.name),
            inside.scalar,
            inside.points_to,
            inside.owner and Owner(_name_in(block, region, 0, inside.owner.name), inside.owner.has_elements),
            inside.is_capture,
        )

    def block(self, address: int) -> str:
        """The block that an address lies in; nothing outside of known ones."""
        block = self._around(address)
        return _whole(block) if block is not None and self._label(block) else ""

    def pointed_to(self, address: int) -> str:
        """What a pointer into a block says: `&session#1`."""
        block = self._around(address)
        part = self.part(address, 1)
        if block is None or part is None:
            return ""
        offset = address - block.start
        if block.owner is not None and not block.owner.has_elements:
            region = _best_region(block, offset, 1)
            if region is not None and region.offset == offset:
                return f"{block.label}.get()"
        elif offset == 0:
            return f"&{block.label}[0]" if block.owner is not None else f"&{block.label}"
        return f"&{part.name}"

    def _around(self, address: int) -> _Block | None:
        place = bisect.bisect_right(self._starts, address) - 1
        block = self._blocks[self._starts[place]] if place >= 0 else None
        return block if block is not None and address < block.start + max(block.size, 1) else None

    def label_all(self) -> None:
        """Gives every block its label, in the order in which they were told."""
        for block in self._blocks.values():
            self._label(block)

    def _label(self, block: _Block) -> str:
        if block.label is None:
            block.label = ""  # if its owner lies in itself
            record = _largest_record(block)
            base = self._name_of_owner(block) or record or _allocated_at(block)
            if base:
                self._taken[base] += 1
                is_numbered = self._tells_apart and (self._taken[base] > 1 or base == record)
                block.label = f"{base}#{self._taken[base]}" if is_numbered else base
        return block.label

    def _name_of_owner(self, block: _Block) -> str:
        if block.owner is not None and block.held_by is not None:
            holder, offset = block.held_by
            pointer = self.part(holder.start + offset, _POINTER_SIZE)
            block.owner = pointer.owner if pointer is not None else None
        return block.owner.name if block.owner is not None else ""


def _region(block: _Block, offset: int, kind: DIE) -> _Region | None:
    size = size_of(kind)
    record = record_name(kind)
    if size == 0 or offset + size > block.size or not (record or scalar_of(kind)):
        return None
    rest = block.size - offset
    return _Region(offset, kind, size, rest // size if rest % size == 0 else 1, record)


def _largest_record(block: _Block) -> str:
    records = [region for region in block.regions if region.record]
    return max(records, key=lambda region: region.size).record if records else ""


def _best_region(block: _Block, offset: int, size: int) -> _Region | None:
    """The one that says most of the bytes."""
    around = [
        region
        for region in block.regions
        if region.offset <= offset
        and offset + size <= region.offset + region.size * region.count
        and (offset - region.offset) % region.size + size <= region.size
    ]
    return max(around, key=lambda region: (bool(region.record), region.size), default=None)


def _name_in(block: _Block, region: _Region, index: int, suffix: str) -> str:
    if block.owner is not None and not block.owner.has_elements:
        return f"{block.label}->{suffix[1:]}" if suffix.startswith(".") else f"*{block.label}{suffix}"
    is_array = region.count > 1 or (block.owner is not None and block.owner.has_elements)
    return f"{block.label}{f'[{index}]' if is_array else ''}{suffix}"


def _whole(block: _Block) -> str:
    if block.owner is None:
        return f"{block.label}"
    return f"elements of {block.label}" if block.owner.has_elements else f"*{block.label}"


def _allocated_at(block: _Block) -> str:
    frame = telling_frame(block.stack)
    return f"block@{Path(frame.file).name}:{frame.line}" if frame is not None and frame.file else ""
