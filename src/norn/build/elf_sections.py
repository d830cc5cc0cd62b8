"""Reads sections of an ELF file of x86-64, and nothing else of it.

norn-cc looks into each file that it links; this is done in a fraction of the time that it takes to load a
whole library for it.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_MAGIC = b"\x7fELF\x02\x01"  # 64 bits, little endian
_X86_64 = 62
_HEADER = struct.Struct("<16xHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_NO_CONTENTS = 8  # SHT_NOBITS

RELOCATABLE, EXECUTABLE, SHARED = 1, 2, 3  # e_type; a position-independent executable is SHARED, too


@dataclass(frozen=True)
class Sections:
    kind: int
    entry: int  # where a program starts; shared libraries have none
    contents: dict[str, bytes]  # of those that were asked for; of several of one name, one after the other
    names: frozenset[str]


def is_elf(data: bytes) -> bool:
    return data.startswith(b"\x7fELF")


def read(data: bytes, *wanted: str) -> Sections | None:
    """The sections of these names. Nothing if this is no ELF file of x86-64, or a damaged one."""
    if not data.startswith(_MAGIC) or len(data) < _HEADER.size:
        return None
    kind, machine, _, entry, _, table, _, _, _, _, size, count, names_at = _HEADER.unpack_from(data)
    if machine != _X86_64:
        return None
    if table == 0:
        return Sections(kind, entry, {}, frozenset())
    try:
        first = _SECTION.unpack_from(data, table)
        count = count or first[5]  # too many for the field in the header
        names_at = first[6] if names_at == 0xFFFF else names_at
        headers = [_SECTION.unpack_from(data, table + number * size) for number in range(count)]
        names = _contents(data, headers[names_at])
    except (struct.error, IndexError):
        return None
    contents: dict[str, bytes] = {}
    all_names = set()
    for header in headers:
        name = names[header[0] : names.find(b"\0", header[0])].decode("utf-8", "replace")
        all_names.add(name)
        if name in wanted and header[1] != _NO_CONTENTS:
            contents[name] = contents.get(name, b"") + _contents(data, header)
    return Sections(kind, entry, contents, frozenset(all_names))


def _contents(data: bytes, header: tuple[int, ...]) -> bytes:
    offset, length = header[4], header[5]
    return data[offset : offset + length]
