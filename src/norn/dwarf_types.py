"""Types of the debug information: what they are called, how large they are, how their values are printed.

The base of `type_parts`, which names what lies inside of a type, and of `data_types`, which finds variables.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from elftools.dwarf.die import DIE

from norn.values import Scalar

DEEPEST_NESTING = 24
RECORDS = frozenset({"DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"})
REFERENCES = frozenset({"DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"})
POINTERS = REFERENCES | {"DW_TAG_pointer_type"}
_TRANSPARENT = frozenset(
    {
        "DW_TAG_typedef",
        "DW_TAG_const_type",
        "DW_TAG_volatile_type",
        "DW_TAG_atomic_type",
        "DW_TAG_restrict_type",
    }
)
_LIBRARY_NAMESPACES = frozenset({"std", "__gnu_cxx"})


def resolve(kind: DIE) -> tuple[list[str], DIE]:
    """Past typedefs and qualifiers; with all names met."""
    names = []
    for _ in range(DEEPEST_NESTING):
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
    if kind.tag not in RECORDS or is_in_library(kind):
        return ""
    name = names[-1] or next((name for name in names if name), "")
    return "lambda" if is_lambda(kind) else name.partition("<")[0]


def is_lambda(record: DIE) -> bool:
    """A class without a name that can be called."""
    return not name_of(record) and any(
        child.tag == "DW_TAG_subprogram" and name_of(child) == "operator()"
        for child in record.iter_children()
    )


def is_in_library(kind: DIE) -> bool:
    """Whether the type is one of the C++ library."""
    scope = kind.get_parent()
    while scope is not None and (scope.tag == "DW_TAG_namespace" or scope.tag in RECORDS):
        if scope.tag == "DW_TAG_namespace" and name_of(scope) in _LIBRARY_NAMESPACES:
            return True
        scope = scope.get_parent()
    return False


def is_character(kind: DIE) -> bool:
    _, kind = resolve(kind)
    encoding = kind.attributes.get("DW_AT_encoding")
    return encoding is not None and number_of(encoding.value) in _CHARACTERS


def strides_of(array: DIE, element: int) -> list[int]:
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


def size_of(kind: DIE) -> int:
    _, kind = resolve(kind)
    if "DW_AT_byte_size" in kind.attributes:
        return number_of(kind.attributes["DW_AT_byte_size"].value)
    if kind.tag == "DW_TAG_array_type":
        element = type_of(kind)
        if element is None:
            return 0
        extent = strides_of(kind, size_of(element))[0]
        first = next((child for child in kind.iter_children() if child.tag == "DW_TAG_subrange_type"), None)
        if first is None:
            return extent
        bound = first.attributes.get("DW_AT_upper_bound")
        count = first.attributes.get("DW_AT_count")
        return extent * (number_of(bound.value) + 1 if bound else number_of(count.value) if count else 0)
    return 8 if kind.tag in POINTERS else 0


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
    if kind.tag in POINTERS:
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


def member_offset(member: DIE) -> int:
    attribute = member.attributes.get("DW_AT_data_member_location")
    return number_of(attribute.value) if attribute is not None else 0


def type_of(die: DIE) -> DIE | None:
    return die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None


def name_of(die: DIE) -> str:
    attribute = die.attributes.get("DW_AT_name")
    return attribute.value.decode("utf-8", "replace") if attribute is not None else ""


def number_of(value: Any) -> int:
    return value if isinstance(value, int) else 0
