"""Program: a checked executable, ready to run. `build` makes one, or takes it from the cache.

From sources, or from one binary that norn-cc has built.
"""

from __future__ import annotations

import errno
import hashlib
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from elftools.elf.elffile import ELFFile

from norn.build import cache, engine_files
from norn.build.binary import FromBinary, looks_like_binary
from norn.build.compile import Job, compile_and_link
from norn.build.engine_files import EngineFiles
from norn.build.options import CompilerOptions
from norn.build.toolchain import find_compiler, is_cxx, is_source
from norn.errors import BuildError, UsageError


@dataclass(frozen=True)
class Program:
    executable: Path
    program_hash: str  # 8 hex digits over code and data: a replay token belongs to exactly one
    sources: tuple[Path, ...]
    build_seconds: float
    cached: bool
    warnings: tuple[str, ...] = ()
    # Keeps the temporary directory alive for as long as the program is used, where there is no cache.
    _keep: tempfile.TemporaryDirectory[str] | None = field(default=None, repr=False, compare=False)
    compiler: str = ""  # "gcc (gcc 12.2.0)", or that norn-cc has built it


def build(
    files: Sequence[str | Path], options: CompilerOptions | None = None, engine: EngineFiles | None = None
) -> Program:
    """Builds the program for checking. Raises BuildError with the compiler's message, or UsageError."""
    started = time.monotonic()
    paths = tuple(Path(name) for name in files)
    options = options or CompilerOptions()
    _check_files(paths)
    try:
        recipe = _recipe(paths, options, engine or engine_files.locate())
        general = recipe.general_warnings
        key = recipe.key()
        known = cache.look_up(key)
        if known is not None:
            program, note = known
            seconds = time.monotonic() - started
            warnings = (*general, *note.warnings)
            return Program(
                program, note.program_hash, recipe.sources, seconds, True, warnings, compiler=recipe.made_by
            )
        return _build_anew(recipe, key, started)
    except OSError as problem:
        raise BuildError(_cannot_write(problem)) from problem
    except BuildError as problem:
        if "No space left on device" in problem.output:
            raise BuildError(
                f"{problem.message}: no space left for temporary files in {tempfile.gettempdir()}; "
                "free some, or set TMPDIR to another place",
                problem.output,
            ) from problem
        raise


class _Recipe(Protocol):
    """How a program comes about, whatever it is made from."""

    @property
    def sources(self) -> tuple[Path, ...]:
        """As they are named in its debug information."""

    @property
    def made_by(self) -> str:
        """The compiler, in words."""

    @property
    def general_warnings(self) -> list[str]:
        """What is known before anything is built."""

    def key(self) -> str:
        """The content hash of everything that determines the executable."""

    def make(self, directory: Path) -> tuple[Path, list[str]]:
        """Makes the executable. Returns it with warnings about accesses that stay invisible."""


@dataclass(frozen=True)
class _FromSources:
    job: Job

    @property
    def sources(self) -> tuple[Path, ...]:
        return self.job.sources

    @property
    def made_by(self) -> str:
        return ", ".join(dict.fromkeys(compiler.name for compiler in self.job.compilers.values()))

    @property
    def general_warnings(self) -> list[str]:
        level = self.job.options.optimisation
        left_out = self.job.options.warnings
        return left_out + [
            text for compiler in self.job.compilers.values() for text in compiler.warnings(level)
        ]

    def key(self) -> str:
        return cache.key_of(self.job)

    def make(self, directory: Path) -> tuple[Path, list[str]]:
        return compile_and_link(self.job, directory)


def _recipe(files: tuple[Path, ...], options: CompilerOptions, engine: EngineFiles) -> _Recipe:
    if not is_source(files[0]):
        if options != CompilerOptions():
            raise UsageError(
                f"{files[0]} is built already: compiler options have no effect; give them to norn-cc "
                "(arguments of the program come after `--`)"
            )
        return FromBinary(files[0], engine)
    compilers = {cxx: find_compiler(cxx) for cxx in sorted({is_cxx(source) for source in files})}
    return _FromSources(Job(files, options, compilers, engine))


def _build_anew(recipe: _Recipe, key: str, started: float) -> Program:
    workplace = tempfile.TemporaryDirectory(prefix="norn-", ignore_cleanup_errors=True)
    built, gaps = recipe.make(Path(workplace.name))
    note = cache.Note(hash_of(built), gaps)
    warnings = [*recipe.general_warnings, *gaps]
    keep: tempfile.TemporaryDirectory[str] | None = workplace
    try:
        built = cache.store(key, built, note)
        keep = None
    except OSError as problem:
        warnings.append(
            f"the cache {cache.directory()} cannot be written ({problem.strerror}): the program was built "
            "for this check only; set NORN_CACHE to another place"
        )
    seconds = time.monotonic() - started
    return Program(
        built, note.program_hash, recipe.sources, seconds, False, tuple(warnings), keep, recipe.made_by
    )


def hash_of(executable: Path) -> str:
    """A short hash of what runs: code and data, not debug information."""
    content = hashlib.sha256()
    with executable.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            loaded = section["sh_flags"] & 2  # SHF_ALLOC
            if loaded and section["sh_type"] not in ("SHT_NOBITS", "SHT_NOTE"):
                content.update(
                    section.name.encode() + section["sh_addr"].to_bytes(8, "little") + section.data()
                )
    return content.hexdigest()[:8]


def _check_files(files: Sequence[Path]) -> None:
    if not files:
        raise UsageError("no source file given; try: norn check program.c")
    for file in files:
        if not file.exists():
            raise UsageError(f"{file}: no such file")
        if file.is_dir():
            raise UsageError(f"{file}: is a directory, not a source file")
        if not is_source(file) and not looks_like_binary(file):
            raise UsageError(
                f"{file}: not a C or C++ source (.c .cc .cpp .cxx .c++ .C, preprocessed .i .ii), "
                "nor a program built by norn-cc"
            )
        if not is_source(file) and len(files) > 1:
            raise UsageError(
                f"{file} is built already, and is checked by itself; link it with the other files by norn-cc"
            )
    if len({file.resolve() for file in files}) < len(files):
        raise UsageError("the same source file is given twice")


def _cannot_write(problem: OSError) -> str:
    place = problem.filename or tempfile.gettempdir()
    if problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES):
        return f"cannot build: {place}: {problem.strerror}; set TMPDIR to a place with free space"
    return f"cannot build: {place}: {problem.strerror}"
