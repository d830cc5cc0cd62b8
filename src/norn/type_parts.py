"""Names of the parts of a type, from the debug information: `.items[2]`, for so many bytes at some offset.

`data_types` and `memory_names` know where a variable begins; this knows what lies inside. Types of the C++
library are not looked into further than people think of them: `flag`, not `flag._M_base._M_i`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from elftools.dwarf.die import DIE

from norn.bit_fields import bit_fields_at, is_bit_field
from norn.dwarf_types import (
    DEEPEST_NESTING,
    POINTERS,
    RECORDS,
    REFERENCES,
    is_character,
    is_in_library,
    is_lambda,
    member_offset,
    name_of,
    resolve,
    scalar_of,
    size_of,
    strides_of,
    type_of,
)
from norn.values import Scalar

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
    is_implicit: bool = False  # the source does not speak of it: a reference that a lambda keeps, a temporary


@dataclass(frozen=True)
class _Way:
    """How a part was come to."""

    owner: Owner | None = None  # the outermost smart pointer or container
    member: str = ""  # the last
    is_capture: bool = False
    depth: int = 0


def part_of(name: str, kind: DIE, offset: int, size: int) -> Part:
    """Follows the type of something called `name` to the smallest part that contains the bytes."""
    return _part(name, kind, offset, size, _Way())


def _part(name: str, kind: DIE, offset: int, size: int, way: _Way) -> Part:
    type_names, kind = resolve(kind)
    if _OPAQUE.intersection(type_names):
        return Part(_at(name, offset))
    if _OPAQUE_IN_LIBRARY.intersection(type_names) and is_in_library(kind):
        return Part(_at(name, offset))
    if way.depth == DEEPEST_NESTING:
        return Part(_at(name, offset))
    if kind.tag == "DW_TAG_array_type":
        return _part_of_array(name, kind, offset, size, way)
    if kind.tag in RECORDS:
        return _part_of_record(name, kind, offset, size, way)
    if offset != 0:
        return Part(_at(name, offset))
    points_to = type_of(kind) if kind.tag in POINTERS else None
    owns = points_to is not None and way.member in _OWNING_MEMBERS
    return Part(name, scalar_of(kind), points_to, way.owner if owns else None, way.is_capture)


def _part_of_array(name: str, array: DIE, offset: int, size: int, way: _Way) -> Part:
    element = type_of(array)
    length = size_of(element) if element is not None else 0
    if element is not None and length == 1 and size > 1 and is_character(element):
        return Part(name if offset == 0 else f"{name}[{offset}]", Scalar("text", size))
    if element is None or length == 0 or size > length:
        return Part(_at(name, offset))
    for extent in strides_of(array, length):
        name += f"[{offset // extent}]"
        offset %= extent
    return _part(name, element, offset, size, replace(way, depth=way.depth + 1))


def _part_of_record(name: str, record: DIE, offset: int, size: int, way: _Way) -> Part:
    in_library = is_in_library(record)
    owner = way.owner or (_owner(name, record) if in_library else None)
    parts = []
    for member, kind in members_at(record, offset, size):
        plain = name_of(member)
        is_capture = is_lambda(record) and (plain == "__this" or resolve(kind)[1].tag in REFERENCES)
        further = _Way(owner, plain, is_capture, way.depth + 1)
        label = _member_label(plain, record, in_library)
        parts.append(_part(name + label, kind, offset - member_offset(member), size, further))
    fields = bit_fields_at(record, offset, size)
    if fields is not None:
        parts.append(Part(name + fields[0], fields[1]))
    texts = [part for part in parts if in_library and part.scalar is not None and part.scalar.kind == "text"]
    if len(parts) == 1 or texts:
        return (texts or parts)[0]  # (Of a string the letters are told.)
    return _one_of(parts, size, _at(name, offset))


def _one_of(parts: Sequence[Part], size: int, whole: str) -> Part:
    """Of members of a union the one that is just what was accessed; of several nobody knows which it was."""
    exact = [
        part
        for part in parts
        if part.scalar is not None and part.scalar.size == size and part.scalar.kind != "text"
    ]
    if len(exact) == 1:
        return exact[0]
    scalars = {part.scalar for part in exact}
    return Part(whole, scalars.pop() if len(scalars) == 1 else None)


def _at(name: str, offset: int) -> str:
    return name if offset == 0 else f"{name}+{offset}"


def _owner(name: str, kind: DIE) -> Owner | None:
    plain = name_of(kind).partition("<")[0]
    held = _first_argument(kind)
    if plain in _POINTS_TO_ONE:
        return Owner(name, held is not None and held.tag == "DW_TAG_array_type")
    # (The words of a vector<bool> are not its elements.)
    is_packed = held is not None and name_of(held) == "bool"
    return Owner(name, True) if plain in _POINTS_TO_MANY and not is_packed else None


def _first_argument(template: DIE) -> DIE | None:
    for child in template.iter_children():
        if child.tag == "DW_TAG_template_type_param":
            kind = type_of(child)
            return resolve(kind)[1] if kind is not None else None
    return None


def _member_label(member: str, record: DIE, in_library: bool) -> str:
    """What a member adds to the name of its record."""
    if in_library:
        return "" if not member or member in _WRAPPERS else f".{member.removeprefix('_M_').lstrip('_')}"
    if is_lambda(record):
        member = member.removeprefix("__")  # what it captures
    return f".{member}" if member else ""


def members_at(record: DIE, offset: int, size: int) -> Iterator[tuple[DIE, DIE]]:
    """The members that hold the bytes, with their types: several of a union, none where they span several."""
    members = [child for child in record.iter_children() if _is_member(child)]
    for member in members:
        kind = type_of(member)
        start = member_offset(member)
        if kind is None or start > offset:
            continue
        is_open = member is members[-1] and _is_open_array(kind)
        if is_open or offset + size <= start + size_of(kind):
            yield member, kind


def has_open_end(record: DIE) -> bool:
    """Whether a struct ends with an array that has as many elements as there is memory for."""
    _, record = resolve(record)
    members = (
        [child for child in record.iter_children() if _is_member(child)] if record.tag in RECORDS else []
    )
    kind = type_of(members[-1]) if members else None
    return kind is not None and _is_open_array(kind)


def _is_open_array(kind: DIE) -> bool:
    return resolve(kind)[1].tag == "DW_TAG_array_type" and size_of(kind) == 0


def _is_member(die: DIE) -> bool:
    is_static = "DW_AT_external" in die.attributes or "DW_AT_declaration" in die.attributes
    return die.tag in ("DW_TAG_member", "DW_TAG_inheritance") and not is_static and not is_bit_field(die)
