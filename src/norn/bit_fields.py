"""Bit-fields that some bytes of a struct consist of. Part of `type_parts`.

Code cannot touch one of them alone: it reads and writes whole bytes. So the name of such bytes is that of all
fields in them, `.{low,high}`, and so is their value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from elftools.dwarf.die import DIE

from norn.dwarf_types import member_offset, name_of, number_of, scalar_of, size_of, type_of
from norn.values import BitField, Scalar


@dataclass(frozen=True)
class _Member:
    name: str
    first: int  # bit of the struct
    width: int
    scalar: Scalar

    @property
    def end(self) -> int:
        return self.first + self.width


def is_bit_field(member: DIE) -> bool:
    return "DW_AT_bit_size" in member.attributes


def bit_fields_at(record: DIE, offset: int, size: int) -> tuple[str, Scalar] | None:
    """What the bytes add to the name of the struct, and how to print them; nothing if they cut a field."""
    first, end = 8 * offset, 8 * (offset + size)
    members = [member for member in _members(record) if member.first < end and first < member.end]
    if not members or any(member.first < first or member.end > end for member in members):
        return None
    names = ",".join(member.name for member in members)
    fields = tuple(BitField(member.first - first, member.width, member.scalar) for member in members)
    return f".{names}" if len(members) == 1 else f".{{{names}}}", Scalar("bit-fields", size, fields=fields)


def _members(record: DIE) -> Iterator[_Member]:
    for child in record.iter_children():
        kind = type_of(child)
        scalar = scalar_of(kind) if child.tag == "DW_TAG_member" and kind is not None else None
        if scalar is not None and is_bit_field(child):
            width = number_of(child.attributes["DW_AT_bit_size"].value)
            yield _Member(name_of(child), _first_bit(child, width), width, scalar)


def _first_bit(member: DIE, width: int) -> int:
    attributes = member.attributes
    if "DW_AT_data_bit_offset" in attributes:
        return number_of(attributes["DW_AT_data_bit_offset"].value)
    if "DW_AT_bit_offset" not in attributes:
        return 8 * member_offset(member)
    # DWARF before version 4 counts from the most significant bit of the word that the field lies in.
    kind = type_of(member)
    own = attributes.get("DW_AT_byte_size")
    word = number_of(own.value) if own is not None else size_of(kind) if kind is not None else 0
    return 8 * (member_offset(member) + word) - number_of(attributes["DW_AT_bit_offset"].value) - width
