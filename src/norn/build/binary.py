"""A program that norn-cc has built: takes the instrumented code out of it and links it with the engine.

The executable has, in a section of its own, the parts of all objects that were linked into it (`fat_object`),
and the command that linked it. So the engine is always that of this norn, and the file may be stripped or
moved. What the command names is looked up where it was:

    an object          its part is in the executable
    an archive         the parts of those members that the linker took are in the executable; others may be
                       needed without optimisation, so the archive takes part with its instrumented members
    a shared library   of norn-cc: its parts are linked in, as one object that exports what the library does;
                       any other stays what it is
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from norn.build import (
    archive,
    cache,
    elf_sections,
    fat_object,
    instrument,
    own_functions,
    tool,
    toolchain,
)
from norn.build.compile import link, prepare
from norn.build.engine_files import EngineFiles
from norn.build.fat_object import Part
from norn.build.toolchain import Compiler, find_objcopy
from norn.errors import BuildError, UsageError

_HOW_TO = "docs/how-to-build-systems.md says how"
_SCRIPT_START = 4096
_WHOLE, _NOT_WHOLE = "-Wl,--whole-archive", "-Wl,--no-whole-archive"
_MEMBER = re.compile(r"member-\d+\.o")


def looks_like_binary(path: Path) -> bool:
    """Whether this is something built rather than something to build."""
    start = _start_of(path, 8)
    return elf_sections.is_elf(start) or archive.is_archive(start) or start.startswith(b"#!")


@dataclass
class _Library:
    """A shared library that norn-cc has built."""

    path: Path
    parts: list[Part]


@dataclass
class FromBinary:
    """How to make the checked program from a binary. Reads all that it needs at once."""

    path: Path
    engine: EngineFiles
    parts: list[Part] = field(default_factory=list)
    libraries: list[_Library] = field(default_factory=list)
    # For the linker, in order: options, files, and archives whose members are replaced.
    words: list[str | Path] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)  # of everything that goes in
    compiler: Compiler | None = None

    def __post_init__(self) -> None:
        path = _executable_behind(self.path)
        data = path.read_bytes()
        self._take_executable(path, data)
        links = [part for part in self.parts if part.kind == fat_object.LINK]
        if links:
            self._take_link(links[-1])
        else:
            self._take_needed(path)
        self.compiler = _linker_of(links or self.parts)

    @property
    def sources(self) -> tuple[Path, ...]:
        everything = [*self.parts, *(part for library in self.libraries for part in library.parts)]
        return tuple(Path(part.source) for part in everything if part.kind == fat_object.INSTRUMENTED)

    @property
    def made_by(self) -> str:
        return f"norn-cc with {self.compiler.name}" if self.compiler is not None else "norn-cc"

    @property
    def general_warnings(self) -> list[str]:
        return []  # parts have their own

    @property
    def _cxx(self) -> bool:
        return any(part.cxx for part in self.parts) or any(
            part.cxx for library in self.libraries for part in library.parts
        )

    def key(self) -> str:
        engine = (self.engine.digest(), instrument.fingerprint(self.engine))
        return cache.digest("binary", *engine, *map(str, self.words), *self.contents)

    def make(self, directory: Path) -> tuple[Path, list[str]]:
        """Links the checked program. Returns it with warnings about accesses that stay invisible."""
        assert self.compiler is not None
        maker = _Maker(self.engine, self.compiler, directory)
        objects = maker.objects(self.parts)
        pieces = [maker.objects(library.parts) for library in self.libraries]
        archives = {word: maker.unpack(word) for word in self.words if isinstance(word, Path)}
        maker.prepare()
        objects += [maker.library(library, of) for library, of in zip(self.libraries, pieces, strict=True)]
        words = [
            maker.archive(word, archives[word]) if isinstance(word, Path) else word for word in self.words
        ]
        program = directory / "program"
        trace = ["-Wl,--trace,--trace"] if maker.members else []  # twice: members of archives, too
        try:
            said = link(self.compiler, self.engine, objects, [*trace, *words], program, cxx=self._cxx)
        except BuildError as problem:
            raise BuildError(
                f"{self.path}: cannot link the instrumented code in it ({problem.message}). What is missing "
                "may be in a file that norn-cc did not compile, or that it did not link",
                problem.output,
            ) from problem
        taken = [text for name in _MEMBER.findall(said) for text in maker.members.get(name, ())]
        return program, list(dict.fromkeys([*self.warnings, *maker.warnings, *taken]))

    def _take_executable(self, path: Path, data: bytes) -> None:
        found = elf_sections.read(data, fat_object.SECTION)
        if archive.is_archive(data) or (found is not None and found.kind == elf_sections.RELOCATABLE):
            raise UsageError(f"{self.path}: this is not a program; link it with norn-cc and check the result")
        if found is None:
            raise UsageError(f"{self.path}: not a program of Linux on x86-64")
        if not found.names:
            raise UsageError(f"{self.path}: its section headers were removed; norn needs a section of it")
        if fat_object.SECTION not in found.names:
            raise UsageError(
                f"{self.path}: this program was not built by norn-cc, so that norn cannot check it; build it "
                f"with CC=norn-cc CXX=norn-c++ ({_HOW_TO})"
            )
        if not found.entry:
            raise UsageError(f"{self.path}: this is a shared library; check a program that is linked with it")
        self.parts = self._usable(fat_object.unpack(found.contents[fat_object.SECTION], str(self.path)))
        self.contents.append(found.contents[fat_object.SECTION])
        if not any(part.kind in (fat_object.INSTRUMENTED, fat_object.FAILED) for part in self.parts):
            raise UsageError(f"{self.path}: norn-cc has linked it, but has compiled none of its sources")

    def _usable(self, parts: Iterator[Part]) -> list[Part]:
        """All of them, or an error that says which is not."""
        usable = []
        fingerprint = instrument.fingerprint(self.engine)
        for part in parts:
            if part.fingerprint != fingerprint:
                raise UsageError(
                    f"{self.path}: built by the norn-cc of another version of norn; build it again from the "
                    "start (make clean)"
                )
            if part.kind == fat_object.FAILED:
                raise BuildError(
                    f"{self.path}: {part.source} (compiled in {part.directory}) does not compile with "
                    "instrumentation, so norn cannot check it",
                    part.message,
                )
            usable.append(part)
        return usable

    def _take_link(self, command: Part) -> None:
        """What the command that linked the program, or a library of it, says about libraries."""
        whole = False
        for word in command.arguments:
            if word in (_WHOLE, _NOT_WHOLE):
                whole = word == _WHOLE
            elif word.startswith("-"):
                self.words.append(word)
            else:
                self._take_file(Path(word), whole)

    def _take_file(self, path: Path, whole: bool) -> None:
        shared = ".so" in path.name
        if not path.is_file():
            if shared:
                raise BuildError(
                    f"{self.path}: it was linked with {path}, which is not there any more; build it again"
                )
            return  # an object, or an archive of which everything needed is in the program
        data = path.read_bytes()
        if archive.is_archive(data):
            self._take_archive(path, data, whole)
            return
        found = elf_sections.read(data, fat_object.SECTION)
        if found is not None and found.kind == elf_sections.RELOCATABLE:
            return
        if found is None or fat_object.SECTION not in found.names:
            self.words.append(str(path))
            return
        if any(library.path.samefile(path) for library in self.libraries):
            return
        parts = self._usable(fat_object.unpack(found.contents[fat_object.SECTION], str(path)))
        self.libraries.append(_Library(path, parts))
        self.contents.append(found.contents[fat_object.SECTION])
        for part in parts:
            if part.kind == fat_object.LINK:
                self._take_link(part)

    def _take_archive(self, path: Path, data: bytes, whole: bool) -> None:
        self.contents.append(data)
        members = list(archive.members(path))
        if any(fat_object.has_parts(contents) for _, contents in members):
            self.contents += [contents for _, contents in members]  # a thin one does not contain them
            self.words.append(path)
            return
        self.warnings.append(f"{path} was not built by norn-cc: what it reads and writes is not seen")
        self.words += [_WHOLE, str(path), _NOT_WHOLE] if whole else [str(path)]

    def _take_needed(self, path: Path) -> None:
        """Linked by something else than norn-cc: the libraries that the program says it needs."""
        with path.open("rb") as file:
            for section in ELFFile(file).iter_sections():
                if isinstance(section, DynamicSection):
                    tags = section.iter_tags("DT_NEEDED")
                    needed = [str(tag.needed) for tag in tags]  # type: ignore[attr-defined]
                    self.words += [f"-l:{name}" for name in needed if not name.startswith("libc.so")]


@dataclass
class _Maker:
    """Writes objects, libraries and archives of instrumented code into a directory."""

    engine: EngineFiles
    compiler: Compiler
    directory: Path
    warnings: list[str] = field(default_factory=list)
    members: dict[str, list[str]] = field(default_factory=dict)  # of archives: their warnings
    archives: dict[Path, str] = field(default_factory=dict)  # those that have been made
    _written: list[tuple[Path, Path]] = field(default_factory=list)  # source and object
    _made: int = 0

    def prepare(self) -> None:
        """Renames library calls in all objects, once all of them are there: they may define such names."""
        renames = self._new("renames", ".txt")
        objects = [compiled for _, compiled in self._written]
        self.warnings[:0] = own_functions.write_renames(self.engine, objects, (), renames)
        for source, compiled in self._written:
            prepare(renames, source, compiled)

    def objects(self, parts: Sequence[Part]) -> list[Path]:
        made = []
        for part in parts:
            if part.kind != fat_object.LINK:
                made.append(self._new("object", ".o"))
                self.warnings += self._write(part, made[-1])
        return made

    def library(self, library: _Library, pieces: Sequence[Path]) -> Path:
        """One object that exports what the library does; symbols that it keeps to itself stay apart."""
        whole = self._new("library", ".o")
        exported = self._new("exported", ".txt")
        names = sorted(_symbols(library.path, ".dynsym"))
        own = [f"{own_functions.OWN_PREFIX}{name}" for name in names]
        exported.write_text("".join(f"{name}\n" for name in [*names, *own]))
        what = f"cannot link {library.path}"
        together = ["-r", "-nostdlib", "-no-pie", "-Wl,--force-group-allocation", "-o", str(whole)]
        tool.run([*self.compiler.command, *together, *map(str, pieces)], what)
        # Of a symbol with versions, the program is linked with the default one, name@@version.
        defaults = [name for name in _symbols(whole, ".symtab") if "@@" in name]
        plain = [f"--redefine-sym={name}={name.partition('@')[0]}" for name in defaults]
        tool.run([find_objcopy(), *plain, str(whole)], what)
        tool.run([find_objcopy(), f"--keep-global-symbols={exported}", str(whole)], what)
        return whole

    def unpack(self, path: Path) -> list[Path]:
        """The instrumented code of each member of an archive that has some, else the member."""
        pieces: list[Path] = []
        for name, contents in archive.members(path):
            where = f"{path}({name})"
            parts = fat_object.parts_of(contents, where)
            for part in parts:
                if part.kind in (fat_object.INSTRUMENTED, fat_object.UNSEEN):
                    pieces.append(self._new("member", ".o"))
                    self.members[pieces[-1].name] = self._write(part, pieces[-1])
            if not parts and elf_sections.is_elf(contents):
                pieces.append(self._new("member", ".o"))
                pieces[-1].write_bytes(contents)
                self._written.append((Path(where), pieces[-1]))
                warning = f"{where} was not compiled by norn-cc: what it reads and writes is not seen"
                self.members[pieces[-1].name] = [warning]
        return pieces

    def archive(self, path: Path, pieces: Sequence[Path]) -> str:
        if path not in self.archives:
            made = self._new("archive", ".a")
            tool.run([toolchain.find_ar(), "rcs", str(made), *map(str, pieces)], f"cannot copy {path}")
            self.archives[path] = str(made)
        return self.archives[path]

    def _write(self, part: Part, target: Path) -> list[str]:
        target.write_bytes(part.object)
        self._written.append((Path(part.source), target))
        return list(part.warnings)

    def _new(self, what: str, suffix: str) -> Path:
        self._made += 1
        return self.directory / f"{what}-{self._made}{suffix}"


def _executable_behind(path: Path) -> Path:
    """The program itself where libtool has put a script in front of it."""
    start = _start_of(path, _SCRIPT_START)
    if not start.startswith(b"#!"):
        return path
    for candidate in (path.parent / ".libs" / f"lt-{path.name}", path.parent / ".libs" / path.name):
        if b"libtool" in start and candidate.is_file():
            return candidate
    raise UsageError(f"{path}: this is a script, not a program; give the program that it starts")


def _start_of(path: Path, size: int) -> bytes:
    if not path.is_file():
        return b""  # nobody may ever write to a pipe
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as problem:
        raise UsageError(f"{path}: {problem.strerror}") from problem


def _linker_of(parts: Sequence[Part]) -> Compiler:
    """The driver that linked the program, else one that can."""
    command = next((part.compiler for part in parts if part.cxx), parts[0].compiler)
    compiler = toolchain.identify(command)
    if compiler is None:
        raise BuildError(f"the compiler that built the program is not there any more: {' '.join(command)}")
    return compiler


def _symbols(path: Path, table: str) -> set[str]:
    """The names that a file defines. Those in the table .dynsym of a shared library are for others."""
    try:
        with path.open("rb") as file:
            section = ELFFile(file).get_section_by_name(table)
            symbols = list(section.iter_symbols()) if isinstance(section, SymbolTableSection) else []
    except ELFError as problem:
        raise BuildError(f"{path}: {problem}") from problem
    return {symbol.name for symbol in symbols if symbol["st_shndx"] != "SHN_UNDEF" and symbol.name}
