"""Addresses to names: code to function and file:line, data to variables, elements and fields.

Code goes through addr2line (one process for all addresses) or, without it, pyelftools. Data is looked up in
the symbol table and, for the user's own sources, in the types of the debug information (`data_types`).
"""

from __future__ import annotations

import bisect
import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from norn.data_types import DataTypes, Variable
from norn.model import CallStack, Frame
from norn.type_parts import Part
from norn.values import Scalar

# Where the engine puts the memory of thread T: base + (T << 30). The same in every execution.
HEAP_BASE = 0x100000000000
STACK_BASE = 0x200000000000
_AREA_BITS = 30
_LAST_THREAD = 1 << 14


class Symbols:
    """The names of one executable. Look-ups are collected: ask `prepare` for many code addresses at once."""

    def __init__(self, executable: Path, sources: Sequence[Path] = ()) -> None:
        self._executable = executable
        self._frames: dict[int, tuple[Frame, ...]] = {}
        self._types = DataTypes(executable, sources)
        self._parts: dict[tuple[int, int], Part] = {}
        self._stacks: dict[tuple[int, ...], CallStack] = {}

    def prepare(self, addresses: Iterable[int]) -> None:
        """Looks up many code addresses together: one start of addr2line instead of hundreds."""
        missing = sorted(set(addresses) - self._frames.keys())
        if missing:
            self._frames |= self._by_addr2line(missing) or self._by_line_tables(missing)

    def stack(self, addresses: Sequence[int], fault: bool = False) -> tuple[Frame, ...]:
        """A call stack, innermost first, without the frames of the engine.

        A return address belongs to the instruction before it; the first one after a fault is exact.
        """
        key = (*addresses, fault)
        known = self._stacks.get(key)
        if known is None:
            exact = code_addresses(addresses, fault)
            self.prepare(exact)
            frames = [frame for address in exact for frame in self._frames.get(address, ())]
            own = [frame for frame in frames if not _belongs_to_engine(frame)]
            known = self._stacks[key] = CallStack(own or frames)
        return known

    def function(self, address: int) -> str:
        """The name of the function that starts at or contains the address."""
        self.prepare([address])
        frames = self._frames.get(address, ())
        return frames[-1].function if frames else "?"

    def data(self, address: int, size: int = 1) -> tuple[str, Scalar | None]:
        """The name of what lies at a data address, and its type if it is a scalar."""
        part = self.part(address, size)
        return part.name, part.scalar

    def part(self, address: int, size: int = 1) -> Part:
        """The same, with what a pointer there points to."""
        key = (address, size)
        if key not in self._parts:
            self._parts[key] = self._find_part(address, size)
        return self._parts[key]

    def _find_part(self, address: int, size: int) -> Part:
        typed = self._types.describe(address, size)
        if typed is not None:
            return typed
        starts, entries = self._objects
        place = bisect.bisect_right(starts, address) - 1
        if place >= 0:
            start, length, name = entries[place]
            if start <= address < start + max(length, 1):
                return Part(name if address == start else f"{name}+{address - start}")
        return Part(_describe_area(address))

    def global_variable(self, address: int) -> Variable | None:
        """The one of the user's sources that an address lies in."""
        return self._types.global_variable(address)

    def local(self, code: int, frame_pointer: int, address: int) -> Variable | None:
        """The local variable that an address lies in, of a function that goes on at `code`.

        Its address counts from the frame pointer.
        """
        return self._types.local(code - 1, address - frame_pointer)

    def pointed_to(self, address: int) -> str:
        """What a pointer says: `&node`, `heap of T0+0xf0`; nothing if nobody knows the address."""
        for entries in (self._objects, self._functions):
            place = bisect.bisect_left(entries[0], address)
            if place < len(entries[0]) and entries[0][place] == address:
                name = self.function(address) if entries is self._functions else entries[1][place][2]
                return f"&{name}"
        name = self.data(address)[0]
        return name if is_area(name) else f"&{name}" if name and not name.startswith("0x") else ""

    def variable(self, address: int) -> str:
        """The name of the whole variable at an address, whatever it consists of."""
        return self._types.variable(address) or _containing(self._objects, address)

    def functions(self) -> list[tuple[int, int, str]]:
        """Address, size and linker's name of each."""
        return self._functions[1]

    def objects(self) -> list[tuple[int, int, str]]:
        """The same of global variables."""
        return self._objects[1]

    @functools.cached_property
    def _objects(self) -> tuple[list[int], list[tuple[int, int, str]]]:
        return _symbols_of_kind(self._executable, "STT_OBJECT")

    @functools.cached_property
    def _functions(self) -> tuple[list[int], list[tuple[int, int, str]]]:
        return _symbols_of_kind(self._executable, "STT_FUNC")

    def _by_addr2line(self, addresses: list[int]) -> dict[int, tuple[Frame, ...]]:
        tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
        if tool is None:
            return {}
        asked = "".join(f"{address:#x}\n" for address in addresses)
        done = subprocess.run(
            [tool, "-f", "-i", "-C", "-a", "-e", str(self._executable)],
            input=asked,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        return _parse_addr2line(done.stdout) if done.returncode == 0 else {}

    def _by_line_tables(self, addresses: list[int]) -> dict[int, tuple[Frame, ...]]:
        starts, lines = self._line_table
        functions = self._functions
        found: dict[int, tuple[Frame, ...]] = {}
        for address in addresses:
            place = bisect.bisect_right(starts, address) - 1
            file, line = lines[place] if place >= 0 else (None, None)
            found[address] = (Frame(_containing(functions, address), file, line),)
        return found

    @functools.cached_property
    def _line_table(self) -> tuple[list[int], list[tuple[str | None, int | None]]]:
        rows: list[tuple[int, str | None, int | None]] = []
        with self._executable.open("rb") as file:
            elf = ELFFile(file)
            if not elf.has_dwarf_info():
                return [], []
            dwarf = elf.get_dwarf_info()
            for unit in dwarf.iter_CUs():
                program = dwarf.line_program_for_CU(unit)
                if program is None:
                    continue
                first = 0 if program.header["version"] >= 5 else 1
                names = [_text(entry.name) for entry in program.header["file_entry"]]
                for entry in program.get_entries():
                    state = entry.state
                    if state is None:
                        continue
                    if state.end_sequence:
                        rows.append((state.address, None, None))
                    else:
                        index = state.file - first
                        name = names[index] if 0 <= index < len(names) else None
                        rows.append((state.address, name, state.line or None))
        rows.sort(key=lambda row: row[0])
        return [row[0] for row in rows], [(row[1], row[2]) for row in rows]


def code_addresses(stack: Sequence[int], fault: bool = False) -> list[int]:
    """Addresses to look up for a stack of return addresses."""
    return [
        address if fault and depth == 0 else address - 1 for depth, address in enumerate(stack) if address
    ]


def short_function(name: str) -> str:
    """`main::lambda 1` for `main::{lambda()#1}::operator()() const`: no parameters, no template arguments."""
    text = re.sub(r"\{lambda\(.*?\)#(\d+)\}", r"lambda \1", name)
    text = re.sub(r"\$_(\d+)", lambda found: f"lambda {int(found[1]) + 1}", text)  # as clang calls them
    text = text.replace("operator()", "operator\0").replace("(anonymous namespace)::", "")
    depth = 0
    kept = []
    for at, letter in enumerate(text):
        opens = letter == "(" or (letter == "<" and not text[:at].endswith(("operator", "operator<")))
        closes = letter in ")>" and depth > 0
        depth += opens
        if depth == 0:
            kept.append(letter)
        depth -= closes
    text = re.sub(r"\s+(const|volatile|&+|\[clone.*)$", "", "".join(kept).strip())
    text = text.removesuffix("::operator\0").replace("operator\0", "operator()")
    # A return type stands before the name of a template's instance.
    return text if "operator" in text or "lambda" in text else text.rpartition(" ")[2]


def _parse_addr2line(output: str) -> dict[int, tuple[Frame, ...]]:
    found: dict[int, tuple[Frame, ...]] = {}
    address = 0
    frames: list[Frame] = []
    rest = iter(output.split("\n"))
    for line in rest:
        if line.startswith("0x"):
            address, frames = int(line, 16), []
        elif line:
            file, _, number = next(rest, "").partition(" (")[0].rpartition(":")
            known = file not in ("", "??")
            frames.append(
                Frame(
                    "?" if line == "??" else line,
                    _shown_path(file) if known else None,
                    int(number) if known and number.isdigit() and number != "0" else None,
                )
            )
            found[address] = tuple(frames)
    return found


def _shown_path(file: str) -> str:
    """Relative to the working directory where it lies below it, as compilers print it."""
    path = os.path.normpath(file)
    here = str(Path.cwd()) + os.sep
    return path.removeprefix(here)


def _belongs_to_engine(frame: Frame) -> bool:
    return frame.function.startswith(
        ("norn::", "norn_", "__wrap_", "__norn_", "__tsan_", "(anonymous namespace)::norn")
    )


def _containing(functions: tuple[list[int], list[tuple[int, int, str]]], address: int) -> str:
    starts, entries = functions
    place = bisect.bisect_right(starts, address) - 1
    if place < 0:
        return "?"
    start, size, name = entries[place]
    return name if address < start + max(size, 1) else "?"


def _symbols_of_kind(executable: Path, kind: str) -> tuple[list[int], list[tuple[int, int, str]]]:
    entries: list[tuple[int, int, str]] = []
    try:
        with executable.open("rb") as file:
            for section in ELFFile(file).iter_sections():
                if not isinstance(section, SymbolTableSection):
                    continue
                entries += [
                    (symbol["st_value"], symbol["st_size"], symbol.name.partition("@")[0])
                    for symbol in section.iter_symbols()
                    if symbol["st_info"]["type"] == kind and symbol["st_value"] and symbol.name
                ]
    except (OSError, ELFError):
        return [], []
    entries.sort()
    return [entry[0] for entry in entries], entries


def is_area(name: str) -> bool:
    """Whether it is the name of memory of a thread of which nothing else is known."""
    return name.startswith(("stack of T", "heap of T"))


def _describe_area(address: int) -> str:
    for base, what in ((STACK_BASE, "stack"), (HEAP_BASE, "heap")):
        thread = (address - base) >> _AREA_BITS
        if address >= base and thread < _LAST_THREAD:
            offset = address - base - (thread << _AREA_BITS)
            return f"{what} of T{thread}+{offset:#x}"
    return f"{address:#x}" if address else ""


def is_heap(address: int) -> bool:
    """Whether it is memory that the program has allocated: no variable lies there."""
    return HEAP_BASE <= address < STACK_BASE


def stack_owner(address: int) -> int | None:
    """The thread on whose stack an address lies."""
    thread = (address - STACK_BASE) >> _AREA_BITS
    return thread if 0 <= thread < _LAST_THREAD else None


def _text(name: bytes | str) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else name
