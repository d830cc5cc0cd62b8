"""What lies where in a heap block, from the types of pointers into it. Part of `heap_names`.

A pointer says that a thing of its type begins at its address: a *region*. Regions make *areas*, each one or
several things of one type side by side. An area is never larger than what pointers say, but for arrays: those
may have elements that no pointer was seen to point to. Where pointers contradict each other there is no area.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from elftools.dwarf.die import DIE

from norn.dwarf_types import RECORDS, member_offset, record_name, resolve, scalar_of, size_of, type_of
from norn.intervals import Intervals
from norn.type_parts import Part, has_open_end, members_at, part_of
from norn.values import Scalar


@dataclass(frozen=True)
class Region:
    """At `offset` of the block begins a thing of a type."""

    offset: int
    type: DIE
    size: int
    record: str  # the name of the struct or class of the program; nothing for other types
    scalar: Scalar | None

    @property
    def end(self) -> int:
        return self.offset + self.size


@dataclass(frozen=True)
class Area:
    """From `start` on there are `count` things of a type."""

    start: int
    end: int
    count: int
    type: DIE
    size: int  # of each
    record: str

    def has(self, offset: int, size: int) -> bool:
        """Whether the bytes lie in one of its things."""
        if not self.start <= offset or offset + size > self.end:
            return False
        return self.count == 1 or offset + size <= self.start_of(offset) + self.size

    def index(self, offset: int) -> int:
        return 0 if self.count == 1 else (offset - self.start) // self.size

    def start_of(self, offset: int) -> int:
        """Of the thing that is there."""
        return self.start + self.index(offset) * self.size

    def inside(self, offset: int, size: int) -> Part:
        """The part of one of its things, named from there on: `.items[2]`."""
        return _part_of_thing(self.type, offset - self.start_of(offset), size)


@functools.lru_cache(maxsize=1 << 14)
def _part_of_thing(kind: DIE, offset: int, size: int) -> Part:
    """(Thousands of blocks consist of the same things.)"""
    return part_of("", kind, offset, size)


def region_at(offset: int, kind: DIE, block_size: int) -> Region | None:
    size = size_of(kind)
    if size == 0 or offset + size > block_size:
        return None
    return Region(offset, kind, size, record_name(kind), scalar_of(kind))


class Layout:
    """The areas of a block: one that has an owner, structs and classes, or an array of a basic type."""

    def __init__(
        self, size: int, regions: Sequence[Region], owned: Region | None, has_elements: bool
    ) -> None:
        self._size = size
        self._scalars = [region for region in regions if region.scalar is not None]
        self._scalar_parts: dict[tuple[int, int], Part | None] = {}
        known = [region for region in regions if region.record or region.scalar is not None]
        self.areas = _areas_of_records(size, known)
        self.owned: Area | None = None
        if owned is not None:
            self.owned = self._owned_area(owned, has_elements)
            self.areas = [self.owned, *(area for area in self.areas if area.start != owned.offset)]
        elif not self.areas:
            self.areas = list(_array_of_scalars(size, self._scalars))
        self._by_offset: Intervals[Area] | None = None  # the same, once something is looked for

    def find(self, offset: int, size: int) -> tuple[Area, Part] | None:
        """The bytes as a part of an area; nothing where none has them, or several that do not agree."""
        if self._by_offset is None:
            self._by_offset = Intervals(self.areas, lambda area: (area.start, area.end))
        around = self._by_offset.overlapping(offset, offset + size)
        found = [(area, area.inside(offset, size)) for area in around if area.has(offset, size)]
        if not found or any(part.name != found[0][1].name for _, part in found[1:]):
            return None
        return found[0]

    def scalar_at(self, offset: int, size: int) -> Part | None:
        """Of bytes in no area: what all pointers to basic types of that size agree on, without a name."""
        if not self._scalars:
            return None
        key = (offset, size)
        if key not in self._scalar_parts:
            self._scalar_parts[key] = self._find_scalar(offset, size)
        return self._scalar_parts[key]

    def _find_scalar(self, offset: int, size: int) -> Part | None:
        fitting = {
            region.scalar: region
            for region in self._scalars
            if region.size == size and region.offset <= offset and (offset - region.offset) % size == 0
        }
        return _part_of_thing(fitting.popitem()[1].type, 0, size) if len(fitting) == 1 else None

    def _owned_area(self, owned: Region, has_elements: bool) -> Area:
        if has_elements:
            count = (self._size - owned.offset) // owned.size
            return _area(owned, owned.offset, count)
        # (What a pointer to a base class owns is an object of the derived class.)
        there = [area for area in self.areas if area.start == owned.offset and area.size > owned.size]
        return there[0] if there and there[0].count == 1 else _area(owned, owned.offset, 1)


def _area(region: Region, start: int, count: int) -> Area:
    return Area(start, start + count * region.size, count, region.type, region.size, region.record)


def _areas_of_records(block_size: int, regions: Sequence[Region]) -> list[Area]:
    """The larger ones first."""
    same: dict[tuple[int, str, int], list[Region]] = defaultdict(list)
    for region in regions:
        if region.record:
            same[-region.size, region.record, region.offset % region.size].append(region)
    near = Intervals(regions, lambda region: (region.offset, region.end))
    areas: list[Area] = []
    for key in sorted(same):
        known = Intervals(areas, lambda area: (area.start, area.end))
        separate = [region for region in same[key] if not _lies_in_any(region, known)]
        if separate:
            areas += _side_by_side(block_size, separate, near)
    return areas


def _lies_in_any(region: Region, areas: Intervals[Area]) -> bool:
    return any(_lies_in(region, area) for area in areas.overlapping(region.offset, region.end))


def _side_by_side(block_size: int, same: Sequence[Region], regions: Intervals[Region]) -> list[Area]:
    """Areas of things of one type whose distances are multiples of its size."""
    first, size = same[0], same[0].size
    offsets = sorted({region.offset for region in same})
    if has_open_end(first.type):
        return [Area(each, block_size, 1, first.type, size, first.record) for each in offsets]
    runs = [[offsets[0], offsets[0] + size]]
    for offset in offsets[1:]:
        if _may_continue(first, runs[-1][1], offset, regions):
            runs[-1][1] = offset + size
        else:
            runs.append([offset, offset + size])
    start, end = runs[0]
    is_whole = block_size % size == 0 and start % size == 0 and end - start > size
    if is_whole and _may_continue(first, 0, start, regions):
        runs[0][0] = 0
    start, end = runs[-1]
    is_array = (
        start == 0
        or end - start > size
        or any(region.end == start for region in regions.overlapping(start - 1, start))
    )
    if is_array and (block_size - end) % size == 0 and _may_continue(first, end, block_size, regions):
        runs[-1][1] = block_size
    return [_area(first, start, (end - start) // size) for start, end in runs]


def _may_continue(region: Region, begin: int, end: int, regions: Intervals[Region]) -> bool:
    """Whether no pointer says that between there are other things than such as the region is of."""
    return begin >= end or all(
        _holds(region.type, (other.offset - region.offset) % region.size, other)
        for other in regions.overlapping(begin, end)
    )


def _lies_in(region: Region, area: Area) -> bool:
    is_inside = area.has(region.offset, region.size)
    return is_inside and _holds(area.type, region.offset - area.start_of(region.offset), region)


def _holds(kind: DIE, offset: int, region: Region) -> bool:
    """Whether the type consists, from an offset on, of what the region does."""
    return _consists_of(kind, offset, region.type, region.size, region.record, region.scalar)


@functools.lru_cache(maxsize=1 << 14)
def _consists_of(kind: DIE, offset: int, wanted: DIE, size: int, record: str, scalar: Scalar | None) -> bool:
    """The same, whatever the place of the region."""
    region = Region(0, wanted, size, record, scalar)
    if region.scalar is not None:
        return part_of("", kind, offset, region.size).scalar == region.scalar
    if offset == 0 and _is_same(kind, region):
        return True
    _, kind = resolve(kind)
    element = type_of(kind) if kind.tag == "DW_TAG_array_type" else None
    if element is not None and size_of(element) > 0:
        return _holds(element, offset % size_of(element), region)
    return kind.tag in RECORDS and any(
        _holds(inner, offset - member_offset(member), region)
        for member, inner in members_at(kind, offset, region.size)
    )


def _is_same(kind: DIE, region: Region) -> bool:
    """Several sources declare the same type, and a type may have several names."""
    is_alike = record_name(kind) == region.record and size_of(kind) == region.size
    return is_alike or bool(resolve(kind)[1].offset == resolve(region.type)[1].offset)


def _array_of_scalars(block_size: int, regions: Sequence[Region]) -> Iterable[Area]:
    """The area of a block that is an array of a basic type. (Any block may be looked at byte by byte too.)"""
    telling = [region for region in regions if region.size > 1] or list(regions)
    if len({region.scalar for region in telling}) != 1 or all(region.offset > 0 for region in telling):
        return
    first = telling[0]
    if block_size % first.size == 0 and all(region.offset % first.size == 0 for region in telling):
        yield _area(first, 0, block_size // first.size)
