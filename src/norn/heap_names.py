"""Names of heap blocks, from the pointers into them: `session#1.requests`, `slots[2]`, `node->value`.

Nothing says what a block is but the declared types of pointers that hold its address. Those that an execution
shows are collected here; `block_layout` says what lies where in the block by them. Each area of it is called,
whatever happens to it later,

- after the smart pointer or container that owns it: `*node`, `slots[2]`;
- else after its struct or class, numbered: `session#1`.

All other bytes are called after the line that allocated the block: `block@list.c:34+8`.

Part of `memory_names`, which knows where pointers lie.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from elftools.dwarf.die import DIE

from norn.block_layout import Area, Layout, Region, region_at
from norn.dwarf_types import scalar_of, size_of
from norn.model import Frame, telling_frame
from norn.type_parts import Owner, Part

_POINTER_SIZE = 8
_LONGEST_CHAIN = 3  # of pointers from block to block


@dataclass
class _Block:
    start: int
    size: int
    stack: tuple[Frame, ...] = ()  # that allocated it
    regions: dict[tuple[object, ...], Region] = field(default_factory=dict)
    owner: Owner | None = None  # of a pointer that lies in a block: what its name there ends with
    owned: Region | None = None
    held_by: tuple[_Block, int] | None = None  # the block that such a pointer lies in, and where
    label: str | None = None  # of what is in no area
    owner_label: str = ""
    labels: dict[Area, str] = field(default_factory=dict)
    _layout: Layout | None = None

    @property
    def layout(self) -> Layout:
        if self._layout is None:
            has_elements = self.owner is not None and self.owner.has_elements
            self._layout = Layout(self.size, list(self.regions.values()), self.owned, has_elements)
        return self._layout

    def add(self, region: Region) -> None:
        # (Several sources declare the same type.)
        key = (region.offset, region.size, region.record, region.scalar)
        if key not in self.regions:
            self.regions[key] = region
            self._layout = None

    def add_owner(self, owner: Owner, owned: Region, held_by: tuple[_Block, int] | None) -> None:
        self.owner, self.owned, self.held_by = owner, owned, held_by
        self._layout = None

    def forget_owner(self) -> None:
        self.owner = self.owned = self._layout = None


class HeapNames:
    """The blocks of one execution. First tell all that is known, then ask.

    tells_apart: whether blocks of the same type have numbers. If not, a member is called `session::requests`.
    """

    def __init__(self, tells_apart: bool = True) -> None:
        self._tells_apart = tells_apart
        self._blocks: dict[int, _Block] = {}  # in the order in which they were told
        self._starts: list[int] = []
        self._taken: dict[str, int] = defaultdict(int)  # how many blocks or areas are called that
        self._added: set[tuple[int, DIE | None, Owner | None]] = set()  # pointers
        self._pointed_to: dict[tuple[int, DIE | None], str] = {}  # once it has been asked for

    def add_block(self, start: int, size: int, stack: tuple[Frame, ...] = ()) -> None:
        if start not in self._blocks:
            self._blocks[start] = _Block(start, size, stack)
            bisect.insort(self._starts, start)

    def add_pointer(self, value: int, pointer: Part, held_by: tuple[_Block, int] | None = None) -> None:
        """A pointer of that sort holds that address; perhaps it lies in a block itself."""
        block = self._around(value)
        key = (value, pointer.points_to, pointer.owner)
        if block is None or pointer.points_to is None or key in self._added:
            return
        self._added.add(key)
        region = region_at(value - block.start, pointer.points_to, block.size)
        if region is None:
            return
        block.add(region)
        owner = pointer.owner
        if owner is None or block.owner is not None or owner.name.startswith("_"):
            return
        # (A short string holds its letters itself.)
        if held_by is None or held_by[0] is not block:
            block.add_owner(owner, region, held_by)

    def add_pointers_in_blocks(self, pointers: Iterable[tuple[int, int]]) -> None:
        """Where each lies, and the address that it holds. The type of one block may tell that of the next."""
        known = list(pointers)
        for _ in range(_LONGEST_CHAIN):
            before = len(self._added)
            typed = []
            for address, value in known:
                holder = self._around(address)
                if holder is not None:
                    offset = address - holder.start
                    found = holder.layout.find(offset, _POINTER_SIZE)
                    inside = found[1] if found else holder.layout.scalar_at(offset, _POINTER_SIZE)
                    if inside is not None:
                        typed.append((value, inside, (holder, offset)))
            for value, inside, held_by in typed:
                self.add_pointer(value, inside, held_by)
            if len(self._added) == before:
                break

    def part(self, address: int, size: int) -> Part | None:
        """What lies there; nothing outside of known blocks, or where there is nothing to call it by."""
        block = self._around(address)
        if block is None:
            return None
        whole = self._label(block)
        offset = address - block.start
        found = block.layout.find(offset, size)
        label = self._label_of(block, found[0]) if found is not None else ""
        if found is None or not label:
            inside = block.layout.scalar_at(offset, size) or Part("")
            name = whole if offset == 0 else f"{whole}+{offset}"
            return replace(inside, name=name, owner=None) if whole else None
        area, inside = found
        if not self._tells_apart and area is not block.layout.owned and inside.name.startswith("."):
            return replace(inside, name=f"{label}::{inside.name[1:]}")
        owner = inside.owner
        if owner is not None:
            owner = replace(owner, name=_name_in(block, area, label, offset, owner.name))
        return replace(inside, name=_name_in(block, area, label, offset, inside.name), owner=owner)

    def block(self, address: int) -> str:
        """The block that an address lies in; nothing outside of known ones."""
        block = self._around(address)
        if block is None:
            return ""
        label = self._label(block)
        if block.owner is not None:
            return f"elements of {block.owner_label}" if block.owner.has_elements else f"*{block.owner_label}"
        areas = block.layout.areas
        is_one = len(areas) == 1 and areas[0].start == 0 and areas[0].record
        return block.labels[areas[0]] if is_one else label

    def pointed_to(self, address: int, target: DIE | None = None) -> str:
        """What a pointer into a block says: `&session#1`. target: what it is declared to point to."""
        key = (address, target)
        if key not in self._pointed_to:
            self._pointed_to[key] = self._find_pointed_to(address, target)
        return self._pointed_to[key]

    def _find_pointed_to(self, address: int, target: DIE | None) -> str:
        block = self._around(address)
        if block is None:
            return ""
        self._label(block)
        offset = address - block.start
        size = size_of(target) if target is not None else 0
        around = block.layout.find(offset, 1)
        if around is not None and size == 0 and offset == around[0].start_of(offset):
            size = around[0].size
        found = block.layout.find(offset, max(size, 1)) or around
        if found is not None and offset == found[0].start and _is_whole(found[1], target):
            label = self._label_of(block, found[0])
            if found[0] is block.layout.owned and block.owner is not None:
                return f"&{label}[0]" if block.owner.has_elements else f"{label}.get()"
            return f"&{label}" if label else ""
        part = self.part(address, max(size, 1))
        return f"&{part.name}" if part is not None else ""

    def _around(self, address: int) -> _Block | None:
        place = bisect.bisect_right(self._starts, address) - 1
        block = self._blocks[self._starts[place]] if place >= 0 else None
        return block if block is not None and address < block.start + max(block.size, 1) else None

    def label_all(self) -> None:
        """Gives every block its labels, in the order in which they were told."""
        for block in self._blocks.values():
            self._label(block)

    def _label(self, block: _Block) -> str:
        if block.label is None:
            block.label = ""  # if its owner lies in itself
            owner = self._name_of_owner(block)
            if owner:
                block.owner_label = self._numbered(owner, always=False)
                # (Of what a smart pointer owns a part may be the library's own, for counting.)
                block.label = f"block of {block.owner_label}"
            else:
                block.forget_owner()
                allocated_at = _allocated_at(block)
                block.label = self._numbered(allocated_at, always=False) if allocated_at else ""
            for area in sorted(block.layout.areas, key=lambda area: area.start):
                if area.record and area is not block.layout.owned:
                    block.labels[area] = self._numbered(area.record, always=True)
        return block.label

    def _label_of(self, block: _Block, area: Area) -> str:
        if area is block.layout.owned:
            return block.owner_label
        return block.labels.get(area, "") if area.record else block.label or ""

    def _numbered(self, name: str, always: bool) -> str:
        self._taken[name] += 1
        is_numbered = self._tells_apart and (always or self._taken[name] > 1)
        return f"{name}#{self._taken[name]}" if is_numbered else name

    def _name_of_owner(self, block: _Block) -> str:
        if block.owner is not None and block.held_by is not None:
            holder, offset = block.held_by
            pointer = self.part(holder.start + offset, _POINTER_SIZE)
            return pointer.owner.name if pointer is not None and pointer.owner is not None else ""
        return block.owner.name if block.owner is not None else ""


def _name_in(block: _Block, area: Area, label: str, offset: int, suffix: str) -> str:
    """The name of something in an area, by what its name ends with."""
    is_owned = area is block.layout.owned and block.owner is not None
    has_elements = is_owned and block.owner is not None and block.owner.has_elements
    if is_owned and not has_elements:
        return f"{label}->{suffix[1:]}" if suffix.startswith(".") else f"*{label}{suffix}"
    index = f"[{area.index(offset)}]" if area.count > 1 or has_elements else ""
    return f"{label}{index}{suffix}"


def _is_whole(inside: Part, target: DIE | None) -> bool:
    """Whether a pointer to the beginning of an area means all of it rather than its first member."""
    return not inside.name or target is None or scalar_of(target) is None


def _allocated_at(block: _Block) -> str:
    frame = telling_frame(block.stack)
    return f"block@{Path(frame.file).name}:{frame.line}" if frame is not None and frame.file else ""
