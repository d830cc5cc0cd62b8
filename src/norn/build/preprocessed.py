"""Refuses preprocessed sources whose headers were those of another machine.

A `.i` or `.ii` file brings its system headers along. If these say that a mutex has another size than it has
here (because they are those of a 32-bit system, for one), the engine would write beyond it.
"""

from __future__ import annotations

from pathlib import Path

from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

# Sizes in bytes on Linux, x86-64, glibc.
_SIZES = {
    "pthread_t": 8,
    "pthread_attr_t": 56,
    "pthread_mutex_t": 40,
    "pthread_mutexattr_t": 4,
    "pthread_cond_t": 48,
    "pthread_rwlock_t": 56,
    "pthread_barrier_t": 32,
    "sem_t": 32,
    "size_t": 8,
    "time_t": 8,
}


def foreign_type(compiled: Path) -> str | None:
    """What is wrong with the first type of another size, in words; nothing if all fit."""
    with compiled.open("rb") as file:
        elf = ELFFile(file)
        if not elf.has_dwarf_info():
            return None
        for unit in elf.get_dwarf_info().iter_CUs():
            for entry in unit.get_top_DIE().iter_children():
                found = _typedef_size(entry)
                if found is not None and found[1] != _SIZES[found[0]]:
                    return f"{found[0]} has {found[1]} bytes in it, here it has {_SIZES[found[0]]}"
    return None


def _typedef_size(entry: DIE) -> tuple[str, int] | None:
    if entry.tag != "DW_TAG_typedef" or "DW_AT_name" not in entry.attributes:
        return None
    name = entry.attributes["DW_AT_name"].value.decode("utf-8", "replace")
    if name not in _SIZES:
        return None
    while entry.tag == "DW_TAG_typedef" and "DW_AT_type" in entry.attributes:
        entry = entry.get_DIE_from_attribute("DW_AT_type")
    size = entry.attributes.get("DW_AT_byte_size")
    return (name, int(size.value)) if size is not None else None
