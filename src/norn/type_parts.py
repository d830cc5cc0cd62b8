"""Names of the parts of a type, from the debug information: `.items[2]`, for so many bytes at some offset.

`data_types` and `memory_names` know where a variable begins; this knows what lies inside. Types of the C++
library are not looked into further than people think of them: `flag`, not `flag._M_base._M_i`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from elftools.dwarf.die import DIE

from norn.values import Scalar

_DEEPEST_NESTING = 24
_TRANSPARENT = frozenset(
    {
        "DW_TAG_typedef",
        "DW_TAG_const_type",
        "DW_TAG_volatile_type",
        "DW_TAG_atomic_type",
        "DW_TAG_restrict_type",
    }
)
_RECORDS = frozenset({"DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"})
_REFERENCES = frozenset({"DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"})
_POINTERS = _REFERENCES | {"DW_TAG_pointer_type"}
# Types whose fields are nobody's business: shown by the name of the variable alone.
_OPAQUE = frozenset(
    {"pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t", "pthread_barrier_t", "sem_t", "mtx_t", "cnd_t"}
)
_OPAQUE_IN_LIBRARY = frozenset(
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
# Members of the C++ library around the one thing that its class is about: no names of their own.
# fmt: off
_WRAPPERS = frozenset({
    "_M_a", "_M_b", "_M_base", "_M_elems", "_M_f", "_M_h", "_M_head_impl", "_M_i", "_M_id", "_M_impl",
    "_M_once", "_M_p", "_M_payload", "_M_pi", "_M_ptr", "_M_sem", "_M_storage", "_M_t", "_M_thread",
    "_M_u", "_M_value", "_M_counter", "_M_dataplus", "_M_device",
})
# fmt: on
_LIBRARY_NAMESPACES = frozenset({"std", "__gnu_cxx"})
# Classes of the C++ library that own what they point to: how to speak of that.
_POINTS_TO_ONE = frozenset({"unique_ptr", "shared_ptr"})
_POINTS_TO_MANY = frozenset({"vector", "basic_string"})
_OWNING_MEMBERS = frozenset({"_M_head_impl", "_M_ptr", "_M_start", "_M_p"})


@dataclass(frozen=True)
class Owner:
    """A smart pointer or container, and what it is called."""

    name: str
    has_elements: bool


@dataclass(frozen=True)
class Part:
    """The smallest part of a variable that contains the bytes asked for."""

    name: str
    scalar: Scalar | None = None
    points_to: DIE | None = None  # the type, if it is a pointer
    owner: Owner | None = None  # if it is the pointer of one
    is_capture: bool = False  # a reference that a lambda keeps: the source does not speak of it


def part_of(name: str, kind: DIE, offset: int, size: int) -> Part:
    """Follows the type of something called `name` to the smallest part that contains the bytes."""
    owner: Owner | None = None
    last = ""
    is_capture = False
    for _ in range(_DEEPEST_NESTING):
        type_names, kind = resolve(kind)
        if _OPAQUE.intersection(type_names):
            return Part(name)
        if _OPAQUE_IN_LIBRARY.intersection(type_names) and is_in_library(kind):
            return Part(name)
        if kind.tag == "DW_TAG_array_type":
            element = type_of(kind)
            length = size_of(element) if element is not None else 0
            if element is not None and length == 1 and size > 1 and _is_character(element):
                return Part(name if offset == 0 else f"{name}[{offset}]", Scalar("text", size))
            if element is None or length == 0 or size > length:
                break
            for extent in _strides(kind, length):
                name += f"[{offset // extent}]"
                offset %= extent
            kind = element
        elif kind.tag in _RECORDS:
            in_library = is_in_library(kind)
            member = _member_at(kind, offset, size)
            inner = type_of(member) if member is not None else None
            if member is None or inner is None:
                break
            if in_library and owner is None:
                owner = _owner(name, kind)
            last = name_of(member)
            is_capture = _is_lambda(kind) and (last == "__this" or resolve(inner)[1].tag in _REFERENCES)
            name += _member_label(last, kind, in_library)
            offset -= _offset_of(member)
            kind = inner
        elif offset != 0:
            break
        else:
            points_to = type_of(kind) if kind.tag in _POINTERS else None
            owns = points_to is not None and last in _OWNING_MEMBERS
            return Part(name, scalar_of(kind), points_to, owner if owns else None, is_capture)
    return Part(name if offset == 0 else f"{name}+{offset}")


def _owner(name: str, kind: DIE) -> Owner | None:
    plain = name_of(kind).partition("<")[0]
    if plain in _POINTS_TO_ONE | _POINTS_TO_MANY:
        return Owner(name, plain in _POINTS_TO_MANY)
    return None


def _member_label(member: str, record: DIE, in_library: bool) -> str:
    """What a member adds to the name of its record."""
    if in_library:
        return "" if not member or member in _WRAPPERS else f".{member.removeprefix('_M_').lstrip('_')}"
    if _is_lambda(record):
        member = member.removeprefix("__")  # what it captures
    return f".{member}" if member else ""


def _is_lambda(record: DIE) -> bool:
    """A class without a name that can be called."""
    return not name_of(record) and any(
        child.tag == "DW_TAG_subprogram" and name_of(child) == "operator()"
        for child in record.iter_children()
    )


def _strides(array: DIE, element: int) -> list[int]:
    """Bytes per step of each dimension, outermost first."""
    counts = []
    for child in array.iter_children():
        if child.tag == "DW_TAG_subrange_type":
            attributes = child.attributes
            if "DW_AT_upper_bound" in attributes:
                counts.append(number_of(attributes["DW_AT_upper_bound"].value) + 1)
            else:
                counts.append(
                    number_of(attributes["DW_AT_count"].value) if "DW_AT_count" in attributes else 1
                )
    strides = [element]
    for count in reversed(counts[1:]):
        strides.insert(0, strides[0] * max(count, 1))
    return strides


def _member_at(record: DIE, offset: int, size: int) -> DIE | None:
    """The member that holds the bytes; nothing where they span several."""
    for child in record.iter_children():
        is_static = "DW_AT_external" in child.attributes or "DW_AT_declaration" in child.attributes
        if child.tag not in ("DW_TAG_member", "DW_TAG_inheritance") or is_static:
            continue
        kind = type_of(child)
        start = _offset_of(child)
        if kind is not None and start <= offset and offset + size <= start + size_of(kind):
            return child
    return None


def _offset_of(member: DIE) -> int:
    attribute = member.attributes.get("DW_AT_data_member_location")
    return number_of(attribute.value) if attribute is not None else 0


def resolve(kind: DIE) -> tuple[list[str], DIE]:
    """Past typedefs and qualifiers; with all names met."""
    names = []
    for _ in range(_DEEPEST_NESTING):
        names.append(name_of(kind))
        if kind.tag not in _TRANSPARENT:
            break
        inner = type_of(kind)
        if inner is None:
            break
        kind = inner
    return names, kind


def record_name(kind: DIE) -> str:
    """The name of a struct or class of the program: its own or that of its typedef, no template arguments."""
    names, kind = resolve(kind)
    if kind.tag not in _RECORDS or is_in_library(kind):
        return ""
    name = names[-1] or next((name for name in names if name), "")
    return "lambda" if _is_lambda(kind) else name.partition("<")[0]


def is_in_library(kind: DIE) -> bool:
    """Whether the type is one of the C++ library."""
    scope = kind.get_parent()
    while scope is not None and (scope.tag == "DW_TAG_namespace" or scope.tag in _RECORDS):
        if scope.tag == "DW_TAG_namespace" and name_of(scope) in _LIBRARY_NAMESPACES:
            return True
        scope = scope.get_parent()
    return False


def _is_character(kind: DIE) -> bool:
    _, kind = resolve(kind)
    encoding = kind.attributes.get("DW_AT_encoding")
    return encoding is not None and number_of(encoding.value) in _CHARACTERS


def size_of(kind: DIE) -> int:
    _, kind = resolve(kind)
    if "DW_AT_byte_size" in kind.attributes:
        return number_of(kind.attributes["DW_AT_byte_size"].value)
    if kind.tag == "DW_TAG_array_type":
        element = type_of(kind)
        if element is None:
            return 0
        extent = _strides(kind, size_of(element))[0]
        first = next((child for child in kind.iter_children() if child.tag == "DW_TAG_subrange_type"), None)
        if first is None:
            return extent
        bound = first.attributes.get("DW_AT_upper_bound")
        count = first.attributes.get("DW_AT_count")
        return extent * (number_of(bound.value) + 1 if bound else number_of(count.value) if count else 0)
    return 8 if kind.tag in _POINTERS else 0


_CHARACTERS = (0x06, 0x08)  # DW_ATE_signed_char, DW_ATE_unsigned_char
_ENCODINGS = {
    0x02: "boolean",
    0x04: "float",
    0x05: "signed",
    0x06: "signed",
    0x07: "unsigned",
    0x08: "unsigned",
}


def scalar_of(kind: DIE) -> Scalar | None:
    """How to print a value of the type, if it is a basic one."""
    _, kind = resolve(kind)
    if kind.tag in _POINTERS:
        return Scalar("pointer", 8)
    if kind.tag == "DW_TAG_enumeration_type":
        return Scalar("enumeration", size_of(kind), tuple(_enumerators(kind)))
    if kind.tag == "DW_TAG_base_type":
        # (Other types of a byte hold numbers more often than letters.)
        encoding = _ENCODINGS.get(number_of(kind.attributes["DW_AT_encoding"].value))
        encoding = "character" if name_of(kind) == "char" else encoding
        return Scalar(encoding, size_of(kind)) if encoding else None
    return None


def _enumerators(kind: DIE) -> Iterator[tuple[int, str]]:
    for child in kind.iter_children():
        if child.tag == "DW_TAG_enumerator":
            yield number_of(child.attributes["DW_AT_const_value"].value), name_of(child)


def type_of(die: DIE) -> DIE | None:
    return die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None


def name_of(die: DIE) -> str:
    attribute = die.attributes.get("DW_AT_name")
    return attribute.value.decode("utf-8", "replace") if attribute is not None else ""


def number_of(value: Any) -> int:
    return value if isinstance(value, int) else 0
