"""Variables of the user's sources, from the debug information: what lies at an address or in a frame.

Only the compilation units of the user's own sources are read: the engine and the libraries are not of
interest, and reading debug information is slow. `symbolize` asks this for names; `type_parts` knows what
variables consist of.
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

from norn.dwarf_types import name_of, number_of, size_of, type_of
from norn.type_parts import Part, part_of

# Above this a program is so large that plain `symbol+offset` must do.
_LARGEST_DEBUG_INFO = 8 * 1024 * 1024
_SCOPES = frozenset({"DW_TAG_subprogram", "DW_TAG_lexical_block", "DW_TAG_namespace", "DW_TAG_compile_unit"})
_CODE = frozenset({"DW_TAG_subprogram", "DW_TAG_lexical_block"})
_RECORDS = frozenset({"DW_TAG_structure_type", "DW_TAG_class_type"})
_VARIABLES = frozenset({"DW_TAG_variable", "DW_TAG_formal_parameter"})
# DWARF expressions: a fixed address; so far from the frame base; the canonical frame address; rbp.
_AT_ADDRESS, _IN_FRAME, _FRAME_ADDRESS, _FRAME_POINTER = 0x03, 0x91, 0x9C, 0x56
# The canonical frame address is that far above the frame pointer, in a function that begins with
# `push %rbp; mov %rsp, %rbp`, perhaps after endbr64.
_SAVED_BY_CALL = 16
_USUAL_BEGINNING = b"\x55\x48\x89\xe5"
_BRANCH_TARGET = b"\xf3\x0f\x1e\xfa"


@dataclass(frozen=True)
class Variable:
    """A variable. Its address counts from the frame pointer if it is a local one."""

    address: int
    size: int
    name: str
    type: DIE
    begin: int = 0  # of a local one: the code in which it exists
    end: int = 0
    scope: str = ""  # of a global one: the function, class, namespace or file that it is declared in


@dataclass(frozen=True)
class _Function:
    begin: int
    end: int
    die: DIE
    locals: list[Variable] = field(default_factory=list)


@dataclass(frozen=True)
class _Known:
    starts: list[int]
    variables: list[Variable]
    functions: list[_Function]


class DataTypes:
    """What the debug information of an executable knows about the variables of some sources."""

    def __init__(self, executable: Path, sources: Sequence[Path]) -> None:
        self._executable = executable
        self._sources = {str(source) for source in sources}

    def describe(self, address: int, size: int) -> Part | None:
        """The `size` bytes at `address`, if they lie in a variable of the user's sources."""
        variable = self.global_variable(address)
        return part_of_variable(variable, address - variable.address, size) if variable is not None else None

    def global_variable(self, address: int) -> Variable | None:
        """The variable that an address lies in."""
        known = self._known
        place = bisect.bisect_right(known.starts, address) - 1
        if place < 0:
            return None
        variable = known.variables[place]
        return variable if address < variable.address + variable.size else None

    def variable(self, address: int) -> str | None:
        """The name of the variable that begins at the address."""
        known = self._known
        place = bisect.bisect_left(known.starts, address)
        found = place < len(known.starts) and known.starts[place] == address
        return known.variables[place].name if found else None

    def local(self, code: int, offset: int) -> Variable | None:
        """The variable at `offset` from the frame pointer of a function that goes on at `code`."""
        functions = self._known.functions
        place = bisect.bisect_right(functions, code, key=lambda function: function.begin) - 1
        if place < 0 or code >= functions[place].end:
            return None
        function = functions[place]
        if not function.locals:
            function.locals.extend(_locals_below(function.die, function.begin, function.end))
        around = [
            variable
            for variable in function.locals
            if variable.address <= offset < variable.address + variable.size
            and variable.begin <= code < variable.end
        ]
        # Of blocks inside blocks the innermost; scopes that are left share their memory with others.
        return min(around, key=lambda variable: variable.end - variable.begin, default=None)

    @functools.cached_property
    def _known(self) -> _Known:
        variables: list[Variable] = []
        functions: list[_Function] = []
        try:
            # The file stays open: types are read on demand.
            elf = ELFFile(self._executable.open("rb"))
            section = elf.get_section_by_name(".debug_info")
            if not self._sources or section is None or section["sh_size"] > _LARGEST_DEBUG_INFO:
                return _Known([], [], [])
            for unit in elf.get_dwarf_info().iter_CUs():
                top = unit.get_top_DIE()
                if name_of(top) in self._sources:
                    for die in _below(top):
                        variables += _fixed(die)
                        functions += _function(die, elf)
        except (OSError, ELFError, DWARFError, KeyError):
            return _Known([], [], [])
        variables.sort(key=lambda variable: variable.address)
        functions.sort(key=lambda function: function.begin)
        return _Known([variable.address for variable in variables], variables, functions)


def part_of_variable(variable: Variable, offset: int, size: int, name: str = "") -> Part | None:
    """The bytes at an offset of a variable, which may be called by another name than its own."""
    try:
        return part_of(name or variable.name, variable.type, offset, size)
    except (DWARFError, KeyError, AttributeError):
        return None


def _below(scope: DIE) -> Iterator[DIE]:
    """All functions and variables; of classes only those inside of functions, lambdas for one."""
    scopes = _SCOPES | _RECORDS if scope.tag in _CODE else _SCOPES
    for die in scope.iter_children():
        if die.tag in scopes:
            if die.tag == "DW_TAG_subprogram":
                yield die
            yield from _below(die)
        elif die.tag in _VARIABLES:
            yield die


def _expression(die: DIE, attribute: str) -> list[int]:
    value = die.attributes[attribute].value if attribute in die.attributes else None
    return value if isinstance(value, list) else []


def _fixed(die: DIE) -> Iterator[Variable]:
    """The variable, if its address is fixed."""
    expression = _expression(die, "DW_AT_location")
    if len(expression) != 9 or expression[0] != _AT_ADDRESS:
        return
    declared = _declaration(die)
    name, kind = name_of(declared), type_of(declared)
    if name and kind is not None:
        address = int.from_bytes(bytes(expression[1:]), "little")
        yield Variable(address, size_of(kind), name, kind, scope=_scope_of(declared))


def _scope_of(declaration: DIE) -> str:
    scope = declaration.get_parent()
    while scope is not None and (scope.tag == "DW_TAG_lexical_block" or not name_of(scope)):
        scope = scope.get_parent()
    return Path(name_of(scope)).name if scope is not None else ""


def _function(die: DIE, elf: ELFFile) -> Iterator[_Function]:
    """The function, if its locals are found by its frame pointer."""
    if die.tag != "DW_TAG_subprogram" or "DW_AT_low_pc" not in die.attributes:
        return
    begin, end = _code_of(die)
    base = _expression(die, "DW_AT_frame_base")
    if base == [_FRAME_POINTER] or (base == [_FRAME_ADDRESS] and _begins_as_usual(elf, begin)):
        yield _Function(begin, end, die)


def _code_of(die: DIE) -> tuple[int, int]:
    begin = number_of(die.attributes["DW_AT_low_pc"].value)
    high = die.attributes["DW_AT_high_pc"]
    length = number_of(high.value)
    return begin, length if high.form == "DW_FORM_addr" else begin + length


def _begins_as_usual(elf: ELFFile, address: int) -> bool:
    for offset in elf.address_offsets(address, 8):
        elf.stream.seek(offset)
        code = elf.stream.read(8)
        return code.removeprefix(_BRANCH_TARGET).startswith(_USUAL_BEGINNING)
    return False


def _locals_below(scope: DIE, begin: int, end: int, base: int | None = None) -> Iterator[Variable]:
    if base is None:
        base = _SAVED_BY_CALL if _expression(scope, "DW_AT_frame_base") == [_FRAME_ADDRESS] else 0
    for die in scope.iter_children():
        if die.tag == "DW_TAG_lexical_block":
            has_range = "DW_AT_low_pc" in die.attributes and "DW_AT_high_pc" in die.attributes
            yield from _locals_below(die, *(_code_of(die) if has_range else (begin, end)), base)
        elif die.tag in _VARIABLES:
            expression = _expression(die, "DW_AT_location")
            declared = _declaration(die)
            kind = type_of(declared)
            if expression and expression[0] == _IN_FRAME and kind is not None and _is_number(expression[1:]):
                name = name_of(declared)
                yield Variable(base + _signed(expression[1:]), size_of(kind), name, kind, begin, end)


def _is_number(encoded: Sequence[int]) -> bool:
    """Whether there is nothing but one in LEB128. (What a lambda captured is found by further operations.)"""
    return [byte & 0x80 for byte in encoded[-1:]] == [0] and all(byte & 0x80 for byte in encoded[:-1])


def _signed(encoded: Sequence[int]) -> int:
    """A number in LEB128."""
    value = shift = 0
    for byte in encoded:
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value - (1 << shift) if byte & 0x40 else value
    return value


def _declaration(die: DIE) -> DIE:
    """Of a variable that is declared elsewhere (static members, extern, locals of C++ functions)."""
    for attribute in ("DW_AT_specification", "DW_AT_abstract_origin"):
        if attribute in die.attributes:
            return die.get_DIE_from_attribute(attribute)
    return die
