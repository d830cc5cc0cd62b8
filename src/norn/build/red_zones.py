"""Puts red zones around the global variables of a program, in the assembly between compiler and assembler.

A red zone is unused memory that nobody may touch. It separates each variable from what the linker puts beside
it, so that the engine (engine/executor/native/globals.h) notices an access beyond the end of an array. Where
the variables and their zones are is written into a section of its own, `norn_globals`, one record each:

    .quad  start, bytes of the variable, bytes of the zone before it, bytes of the zone behind it

Padded are the variables of the sections that compilers choose by themselves. One that the source puts into a
section of its own may be an entry of a table there, so that its neighbours must stay where they are; the same
holds for thread-local ones, and for common ones (`-fcommon`), whose place only the linker knows. Variables
that end in the middle of a word of 4 bytes are marked by the engine as such, unless they are smaller than a
word: those are put at the end of one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_RECORDS = "norn_globals"
_GRANULE = 4
_ALIGNMENT = 32  # what compilers align large arrays to: no gap between a zone and the next variable
_SMALLEST_ZONE = 16
_MEDIUM, _LARGEST_ZONE = 256, 4096

_NAME = r"[\w.$]+"
_TYPE = re.compile(rf"^\s+\.type\s+({_NAME}),\s*@(?:object|gnu_unique_object)\b")
_SIZE = re.compile(rf"^\s+\.size\s+({_NAME}),\s*(\d+)\s*$")
_LABEL = re.compile(rf"^({_NAME}):\s*(?:#.*)?$")
_SECTION = re.compile(r"^\s+\.(?:section\s+(\S.*)|(data|bss|text)\b)")
_LEAVES_SECTION = re.compile(r"^\s+\.(?:pushsection|popsection|previous|subsection)\b")
_ALIGN = re.compile(r"^\s+\.(p2align|align|balign)\s+(\d+)")
_LOCAL = re.compile(rf"^\s+\.local\s+({_NAME})\s*$")
_COMMON = re.compile(rf"^\s+\.comm\s+({_NAME}),\s*(\d+),\s*(\d+)")
_DATA = re.compile(
    r"^\s+\.(?:zero|skip|space|byte|short|value|hword|2byte|long|int|4byte|quad|8byte|octa|ascii|asciz|string"
    r"|single|float|double)\b"
)
# What can stand behind the data of a variable. One with anything else in it would be a surprise: it is left
# alone.
_AFTER = re.compile(
    r"^\s+\.(?:type|globl|weak|local|hidden|protected|internal|align|p2align|balign|section|text|data|bss|comm"
    r"|set|ident|addrsig|addrsig_sym|file|loc)\b|^#|^\S+:"
)
_PLAIN_SECTIONS = frozenset(
    {".data", ".bss", ".rodata", ".data.rel", ".data.rel.local", ".data.rel.ro", ".data.rel.ro.local"}
)
_PREFIXES = (".data.", ".bss.", ".rodata.")
# Tables and guards of the compiler's own.
_INTERNAL = ("_ZT", "_ZGV")


@dataclass(frozen=True)
class _Section:
    name: str
    group: str  # the comdat group, or nothing

    def holds_ordinary(self, variable: str) -> bool:
        """Whether it is where a compiler puts the variable if the source does not say otherwise."""
        return self.name in _PLAIN_SECTIONS or any(self.name == prefix + variable for prefix in _PREFIXES)


@dataclass
class _Variable:
    name: str
    number: int
    first_line: int  # in the new text: where it can still be taken back
    original: list[str]  # what stood there
    has_data: bool = False


def add(assembly: str) -> str:
    """The assembly with red zones around the variables it defines."""
    return _Rewriter(assembly.split("\n")).rewrite()


def zone_behind(size: int) -> int:
    """How many bytes stay free behind a variable: an index that is off by one must not jump over them."""
    if size <= _MEDIUM:
        return max(_SMALLEST_ZONE, size)
    return min(max(size // 4, _MEDIUM), _LARGEST_ZONE)


class _Rewriter:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._new: list[str] = []
        self._sizes = {match[1]: int(match[2]) for line in lines if (match := _SIZE.match(line))}
        self._objects = {match[1] for line in lines if (match := _TYPE.match(line))}
        self._locals: set[str] = set()
        self._section: _Section | None = _Section(".text", "")
        self._begun: set[_Section] = set()  # sections that have a zone at their beginning
        self._alignment = 1
        self._open: _Variable | None = None
        self._count = 0

    def rewrite(self) -> str:
        in_inline_assembly = False
        for line in self._lines:
            if line.startswith("#APP"):
                in_inline_assembly = True
            self._take(line, in_inline_assembly)
            if line.startswith("#NO_APP"):
                in_inline_assembly = False
        self._close()
        return "\n".join(self._new)

    def _take(self, line: str, in_inline_assembly: bool) -> None:
        if self._open is not None:
            self._continue(self._open, line)
        if in_inline_assembly:
            self._new.append(line)
        elif label := _LABEL.match(line):
            self._begin(label[1], line)
        elif common := _COMMON.match(line):
            self._common(common[1], int(common[2]), int(common[3]), line)
        else:
            self._note(line)
            self._new.append(line)

    def _note(self, line: str) -> None:
        """Keeps track of where the next variable would be."""
        if section := _SECTION.match(line):
            self._section, self._alignment = _parse_section(section[1] or f".{section[2]}"), 1
        elif _LEAVES_SECTION.match(line):
            self._section = None
        elif local := _LOCAL.match(line):
            self._locals.add(local[1])
        elif align := _ALIGN.match(line):
            amount = int(align[2])
            self._alignment = max(self._alignment, 1 << amount if align[1] == "p2align" else amount)
        elif _DATA.match(line):
            self._alignment = 1

    def _begin(self, name: str, line: str) -> None:
        section = self._section
        size = self._sizes.get(name, 0)
        if (
            section is None
            or name not in self._objects
            or name.startswith(_INTERNAL)
            or size == 0
            or not section.holds_ordinary(name)
        ):
            self._new.append(line)
            return
        self._open = _Variable(name, self._count, len(self._new), [line])
        self._new += self._head(section, size, self._alignment)
        self._new += [line, f".Lnorn_start{self._count}:"]
        self._count += 1

    def _head(self, section: _Section, size: int, alignment: int) -> list[str]:
        """What comes before the variable; it must be aligned afterwards as it was."""
        lines = []
        # The zone behind the variable before it is enough, unless the alignment leaves a gap.
        if section not in self._begun or alignment > _ALIGNMENT:
            self._begun.add(section)
            zone = max(_ALIGNMENT, alignment)
            lines += [f"\t.balign {zone}", f".Lnorn_before{self._count}:", f"\t.zero {zone}"]
        else:
            lines.append(f".Lnorn_before{self._count}:")
        if size < _GRANULE and alignment <= (2 if size == 2 else 1):
            lines += ["\t.balign 4", f"\t.zero {_GRANULE - size}"]
        return lines

    def _continue(self, variable: _Variable, line: str) -> None:
        """Whether the line still belongs to the data of the variable; if not, the variable is finished."""
        text = line.split("#", 1)[0].strip() if not line.lstrip().startswith("#") else ""
        size = _SIZE.match(line)
        if _DATA.match(line):
            variable.has_data = True
            variable.original.append(line)
        elif not line.startswith("#") and (not text or (size and size[1] == variable.name)):
            variable.original.append(line)
        elif _AFTER.match(line):
            self._close()
        else:
            self._new[variable.first_line :] = variable.original
            self._open = None

    def _close(self) -> None:
        variable, self._open = self._open, None
        section = self._section
        if variable is None or section is None:
            return
        if not variable.has_data:
            self._new[variable.first_line :] = variable.original
            return
        self._new += self._tail(variable.number, self._sizes[variable.name], section.group)

    def _tail(self, number: int, size: int, group: str) -> list[str]:
        section = f'{_RECORDS},"aG",@progbits,{group},comdat' if group else f'{_RECORDS},"a",@progbits'
        before, start = f".Lnorn_before{number}", f".Lnorn_start{number}"
        end, after = f".Lnorn_end{number}", f".Lnorn_after{number}"
        return [
            f"{end}:",
            f"\t.zero {zone_behind(size)}",
            f"\t.balign {_ALIGNMENT}",
            f"{after}:",
            f"\t.pushsection {section}",
            "\t.balign 8",
            f"\t.quad {start}, {end} - {start}, {start} - {before}, {after} - {end}",
            "\t.popsection",
        ]

    def _common(self, name: str, size: int, alignment: int, line: str) -> None:
        """`.local` with `.comm`: a static variable without an initial value."""
        if name not in self._locals or name.startswith(_INTERNAL) or size == 0:
            self._new.append(line)
            return
        number = self._count
        self._new += ["\t.pushsection .bss", f"\t.balign {alignment}"]
        self._new += self._head(_Section(".bss", ""), size, alignment)
        self._new += [f"\t.type {name}, @object", f"\t.size {name}, {size}", f"{name}:"]
        self._new += [f".Lnorn_start{number}:", f"\t.zero {size}", *self._tail(number, size, "")]
        self._new.append("\t.popsection")
        self._count += 1


def _parse_section(operands: str) -> _Section:
    """`.data.x,"awG",@progbits,x,comdat` and the like. Mergeable and thread-local ones are nobody's."""
    words = [word.strip().strip('"') for word in operands.split("#", 1)[0].split(",")]
    name, flags = words[0], words[1] if len(words) > 1 else ""
    if "M" in flags or "T" in flags:
        return _Section("", "")
    return _Section(name, words[3] if "G" in flags and len(words) > 3 else "")
