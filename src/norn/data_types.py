"""Names inside variables, from the debug information: `queue.items[2]` instead of `queue+24`.

Only the compilation units of the user's own sources are read: the engine and the libraries are not of
interest, and reading debug information is slow.
"""

from __future__ import annotations

import bisect
import functools
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

# Above this a program is so large that plain `symbol+offset` must do.
_LARGEST_DEBUG_INFO = 8 * 1024 * 1024
_DEEPEST_NESTING = 16
_TRANSPARENT = frozenset(
    {
        "DW_TAG_typedef",
        "DW_TAG_const_type",
        "DW_TAG_volatile_type",
        "DW_TAG_atomic_type",
        "DW_TAG_restrict_type",
    }
)
_SCOPES = frozenset({"DW_TAG_subprogram", "DW_TAG_lexical_block", "DW_TAG_namespace", "DW_TAG_compile_unit"})
_RECORDS = frozenset({"DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"})
# Types whose fields are nobody's business: shown by the name of the variable alone.
_OPAQUE = frozenset(
    {"pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t", "pthread_barrier_t", "sem_t", "mtx_t", "cnd_t"}
)
_OPAQUE_IN_STD = frozenset(
    {
        "mutex",
        "recursive_mutex",
        "timed_mutex",
        "recursive_timed_mutex",
        "shared_mutex",
        "shared_timed_mutex",
        "condition_variable",
        "condition_variable_any",
    }
)
# The value inside a std::atomic: named like the variable itself.
_INSIDE_ATOMIC = frozenset({"_M_i", "_M_b", "_M_p", "_M_base"})


@dataclass(frozen=True)
class Scalar:
    """How to print a value of a basic type."""

    kind: str  # "signed", "unsigned", "float", "boolean", "pointer", "text"
    size: int

    def show(self, value: int) -> str:
        if self.kind == "boolean":
            return "false" if value == 0 else "true" if value == 1 else str(value)
        if self.kind == "pointer":
            return "NULL" if value == 0 else f"{value:#x}"
        if self.kind == "text":
            return _show_text(value, self.size)
        if self.kind == "float" and self.size in (4, 8):
            raw = value.to_bytes(8, "little")[: self.size]
            number: float = struct.unpack("<f" if self.size == 4 else "<d", raw)[0]
            return f"{number:g}"
        if self.kind == "signed" and self.size <= 8 and value >> (8 * self.size - 1) & 1:
            return str(value - (1 << 8 * self.size))
        return str(value)


def digest(value: int) -> str:
    """Values above 8 bytes are known by a digest only."""
    return f"digest {value & 0xFFFFFFFF:08x}"


def _show_text(value: int, size: int) -> str:
    if size > 8:
        return digest(value)
    text, _, rest = value.to_bytes(8, "little")[:size].partition(b"\0")
    readable = all(0x20 <= letter < 0x7F for letter in text) and not rest.strip(b"\0")
    return f'"{text.decode("ascii")}"' if readable else f"{value:#x}"


@dataclass(frozen=True)
class _Variable:
    address: int
    size: int
    name: str
    type: DIE


class DataTypes:
    def __init__(self, executable: Path, sources: Sequence[Path]) -> None:
        self._executable = executable
        self._sources = {str(source) for source in sources}

    def describe(self, address: int, size: int) -> tuple[str, Scalar | None] | None:
        """The name of the `size` bytes at `address`, if they lie in a variable of the user's sources."""
        starts, variables = self._variables
        place = bisect.bisect_right(starts, address) - 1
        if place < 0:
            return None
        variable = variables[place]
        if not variable.address <= address < variable.address + variable.size:
            return None
        try:
            return _descend(variable.name, variable.type, address - variable.address, size)
        except (DWARFError, KeyError, AttributeError):
            return None

    def variable(self, address: int) -> str | None:
        """The name of the variable that begins at the address."""
        starts, variables = self._variables
        place = bisect.bisect_left(starts, address)
        return variables[place].name if place < len(starts) and starts[place] == address else None

    @functools.cached_property
    def _variables(self) -> tuple[list[int], list[_Variable]]:
        variables: list[_Variable] = []
        try:
            # The file stays open: types are read on demand.
            elf = ELFFile(self._executable.open("rb"))
            section = elf.get_section_by_name(".debug_info")
            if not self._sources or section is None or section["sh_size"] > _LARGEST_DEBUG_INFO:
                return [], []
            for unit in elf.get_dwarf_info().iter_CUs():
                top = unit.get_top_DIE()
                if _name(top) in self._sources:
                    variables += _variables_below(top)
        except (OSError, ELFError, DWARFError, KeyError):
            return [], []
        variables.sort(key=lambda variable: variable.address)
        return [variable.address for variable in variables], variables


def _variables_below(scope: DIE) -> Iterator[_Variable]:
    for die in scope.iter_children():
        if die.tag in _SCOPES:
            yield from _variables_below(die)
        elif die.tag == "DW_TAG_variable" and "DW_AT_location" in die.attributes:
            expression = die.attributes["DW_AT_location"].value
            # DW_OP_addr and eight bytes: a variable at a fixed address. Everything else is a local.
            if not isinstance(expression, list) or len(expression) != 9 or expression[0] != 0x03:
                continue
            declared = _specification(die)
            name, kind = _name(declared), _type_of(declared)
            if name and kind is not None:
                address = int.from_bytes(bytes(expression[1:]), "little")
                yield _Variable(address, _size_of(kind), name, kind)


def _descend(name: str, kind: DIE, offset: int, size: int) -> tuple[str, Scalar | None]:
    """Follows the type to the smallest part that contains the bytes."""
    for _ in range(_DEEPEST_NESTING):
        type_names, kind = _resolve(kind)
        if _OPAQUE.intersection(type_names) or (_OPAQUE_IN_STD.intersection(type_names) and _is_in_std(kind)):
            return name, None
        if kind.tag == "DW_TAG_array_type":
            element = _type_of(kind)
            length = _size_of(element) if element is not None else 0
            if element is not None and length == 1 and size > 1 and _is_character(element):
                return (name if offset == 0 else f"{name}[{offset}]"), Scalar("text", size)
            if element is None or length == 0 or size > length:
                break
            for extent in _strides(kind, length):
                name += f"[{offset // extent}]"
                offset %= extent
            kind = element
        elif kind.tag in _RECORDS:
            member = _member_at(kind, offset, size)
            if member is None:
                break
            inner = _type_of(member)
            if inner is None:
                break
            label = "" if _name(member) in _INSIDE_ATOMIC and _is_in_std(kind) else _name(member)
            name += f".{label}" if label else ""
            offset -= _offset_of(member)
            kind = inner
        else:
            return (name, _scalar(kind)) if offset == 0 else (f"{name}+{offset}", None)
    return (name, None) if offset == 0 else (f"{name}+{offset}", None)


def _strides(array: DIE, element: int) -> list[int]:
    """Bytes per step of each dimension, outermost first."""
    counts = []
    for child in array.iter_children():
        if child.tag == "DW_TAG_subrange_type":
            attributes = child.attributes
            if "DW_AT_upper_bound" in attributes:
                counts.append(_number(attributes["DW_AT_upper_bound"].value) + 1)
            else:
                counts.append(_number(attributes["DW_AT_count"].value) if "DW_AT_count" in attributes else 1)
    strides = [element]
    for count in reversed(counts[1:]):
        strides.insert(0, strides[0] * max(count, 1))
    return strides


def _member_at(record: DIE, offset: int, size: int) -> DIE | None:
    """The member that holds the bytes; nothing where they span several."""
    for child in record.iter_children():
        if child.tag not in ("DW_TAG_member", "DW_TAG_inheritance") or "DW_AT_external" in child.attributes:
            continue
        kind = _type_of(child)
        start = _offset_of(child)
        if kind is not None and start <= offset and offset + size <= start + _size_of(kind):
            return child
    return None


def _offset_of(member: DIE) -> int:
    attribute = member.attributes.get("DW_AT_data_member_location")
    return _number(attribute.value) if attribute is not None else 0


def _resolve(kind: DIE) -> tuple[list[str], DIE]:
    """Past typedefs and qualifiers; with all names met."""
    names = []
    for _ in range(_DEEPEST_NESTING):
        names.append(_name(kind))
        if kind.tag not in _TRANSPARENT:
            break
        inner = _type_of(kind)
        if inner is None:
            break
        kind = inner
    return names, kind


def _is_in_std(kind: DIE) -> bool:
    scope = kind.get_parent()
    while scope is not None and scope.tag == "DW_TAG_namespace":
        if _name(scope) == "std":
            return True
        scope = scope.get_parent()
    return False


def _is_character(kind: DIE) -> bool:
    _, kind = _resolve(kind)
    encoding = kind.attributes.get("DW_AT_encoding")
    return encoding is not None and _number(encoding.value) in _CHARACTERS


def _size_of(kind: DIE) -> int:
    _, kind = _resolve(kind)
    if "DW_AT_byte_size" in kind.attributes:
        return _number(kind.attributes["DW_AT_byte_size"].value)
    if kind.tag == "DW_TAG_array_type":
        element = _type_of(kind)
        if element is None:
            return 0
        extent = _strides(kind, _size_of(element))[0]
        first = next((child for child in kind.iter_children() if child.tag == "DW_TAG_subrange_type"), None)
        if first is None:
            return extent
        bound = first.attributes.get("DW_AT_upper_bound")
        count = first.attributes.get("DW_AT_count")
        return extent * (_number(bound.value) + 1 if bound else _number(count.value) if count else 0)
    return 8 if kind.tag in ("DW_TAG_pointer_type", "DW_TAG_reference_type") else 0


_CHARACTERS = (0x06, 0x08)  # DW_ATE_signed_char, DW_ATE_unsigned_char
_ENCODINGS = {
    0x02: "boolean",
    0x04: "float",
    0x05: "signed",
    0x06: "signed",
    0x07: "unsigned",
    0x08: "unsigned",
}


def _scalar(kind: DIE) -> Scalar | None:
    if kind.tag in ("DW_TAG_pointer_type", "DW_TAG_reference_type"):
        return Scalar("pointer", 8)
    if kind.tag == "DW_TAG_enumeration_type":
        return Scalar("signed", _size_of(kind))
    if kind.tag == "DW_TAG_base_type":
        encoding = _ENCODINGS.get(_number(kind.attributes["DW_AT_encoding"].value))
        return Scalar(encoding, _size_of(kind)) if encoding else None
    return None


def _specification(die: DIE) -> DIE:
    """The declaration of a variable that is defined elsewhere (static members, extern)."""
    for attribute in ("DW_AT_specification", "DW_AT_abstract_origin"):
        if attribute in die.attributes:
            return die.get_DIE_from_attribute(attribute)
    return die


def _type_of(die: DIE) -> DIE | None:
    return die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None


def _name(die: DIE) -> str:
    attribute = die.attributes.get("DW_AT_name")
    return attribute.value.decode("utf-8", "replace") if attribute is not None else ""


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
