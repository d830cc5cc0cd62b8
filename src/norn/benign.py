"""Races that the user has declared harmless: by a comment on the line of either access, or by a pattern.

`// norn: benign race` covers the line it is on or, alone on its line, the next one. A pattern of
`--benign-races` covers functions, lines (`file.c:12`) and global variables by name. The engine knows only
addresses, so names and lines become ranges of these, in a file (engine/host/benign.h).
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from norn.build import Program
from norn.symbolize import Symbols, short_function

_COMMENT = re.compile(r"(?://|/\*)[^\n]*\bnorn: *benign[ -]race\b")
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


@dataclass(frozen=True)
class Listed:
    """What the engine is told, and what the user should know of it."""

    path: str = ""  # of the file; nothing if nothing is benign
    warnings: tuple[str, ...] = ()


NOTHING = Listed()


@contextmanager
def listed(program: Program, patterns: Sequence[str]) -> Iterator[Listed]:
    """The file that the engine reads, for as long as it is needed."""
    lines = annotated_lines(program.sources)
    if not lines and not patterns:
        yield NOTHING
        return
    ranges, unmatched = _ranges(program, lines, patterns)
    warnings = tuple(
        f"--benign-races {pattern}: no function, line or global variable of the program has that name"
        for pattern in unmatched
    )
    with tempfile.TemporaryDirectory(prefix="norn-") as directory:
        path = Path(directory) / "benign"
        path.write_text("".join(f"{kind} {begin} {end}\n" for kind, begin, end in ranges))
        yield Listed(str(path), warnings)


def annotated_lines(sources: Sequence[Path]) -> set[tuple[Path, int]]:
    """Lines with the comment, in the sources and in what they include by name in quotes."""
    found: set[tuple[Path, int]] = set()
    seen: set[Path] = set()
    waiting = [source.resolve() for source in sources]
    while waiting:
        path = waiting.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        text = path.read_text(encoding="utf-8", errors="replace")
        waiting += [(path.parent / name).resolve() for name in _INCLUDE.findall(text)]
        for number, line in enumerate(text.split("\n"), 1):
            comment = _COMMENT.search(line)
            if comment is not None:
                alone = not line[: comment.start()].strip()
                found.add((path, number + 1 if alone else number))
    return found


_Range = tuple[str, int, int]  # "code" or "data", begin, end


def _ranges(
    program: Program, annotated: set[tuple[Path, int]], patterns: Sequence[str]
) -> tuple[list[_Range], list[str]]:
    """The addresses, and the patterns that match nothing."""
    ranges: list[_Range] = []
    matched: set[str] = set()

    def cover(kind: str, names: Sequence[str], begin: int, end: int) -> None:
        for pattern in patterns:
            if any(fnmatchcase(name, pattern) for name in names):
                matched.add(pattern)
                ranges.append((kind, begin, end))

    for begin, end, path, line in _lines_of_code(program.executable):
        if (path, line) in annotated:
            ranges.append(("code", begin, end))
        if patterns:
            cover("code", (f"{path.name}:{line}", f"{_shown(path)}:{line}"), begin, end)
    if patterns:
        symbols = Symbols(program.executable, program.sources)
        functions = symbols.functions()
        symbols.prepare(begin for begin, _, _ in functions)
        for begin, size, name in functions:
            cover("code", (name, short_function(symbols.function(begin))), begin, begin + size)
        for begin, size, name in symbols.objects():
            cover("data", (name, symbols.data(begin, size)[0]), begin, begin + size)
    return ranges, [pattern for pattern in patterns if pattern not in matched]


def _shown(path: Path) -> str:
    """As norn prints it: relative to the working directory where it lies below."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _lines_of_code(executable: Path) -> Iterator[tuple[int, int, Path, int]]:
    """Begin and end of the code of each line, by the debug information."""
    with executable.open("rb") as file:
        elf = ELFFile(file)
        if not elf.has_dwarf_info():
            return
        dwarf = elf.get_dwarf_info()
        for unit in dwarf.iter_CUs():
            program = dwarf.line_program_for_CU(unit)
            if program is None:
                continue
            directory = unit.get_top_DIE().attributes.get("DW_AT_comp_dir")
            paths = _paths(program.header, _text(directory.value) if directory is not None else "")
            first = 0 if program.header["version"] >= 5 else 1
            last: tuple[int, int, int] | None = None  # address, file, line
            for entry in program.get_entries():
                state = entry.state
                if state is None:
                    continue
                if last is not None and last[0] < state.address and 0 <= last[1] - first < len(paths):
                    yield last[0], state.address, paths[last[1] - first], last[2]
                last = None if state.end_sequence else (state.address, state.file, state.line)


def _paths(header: Any, compiled_in: str) -> list[Path]:
    """The files of a line table. Directories count from the one it was compiled in."""
    directories = [_text(name) for name in header["include_directory"]]
    if header["version"] < 5:
        directories.insert(0, compiled_in)
    paths = []
    for entry in header["file_entry"]:
        index = entry.dir_index
        directory = directories[index] if index < len(directories) else ""
        paths.append(Path(os.path.normpath(Path(compiled_in, directory, _text(entry.name)))).resolve())
    return paths


def _text(name: bytes | str) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else name
