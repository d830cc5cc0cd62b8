"""Program: a checked executable, ready to run. `build` makes one from sources, or takes it from the cache."""

from __future__ import annotations

import errno
import hashlib
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.elffile import ELFFile

from norn.build import cache, engine_files
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


def build(
    files: Sequence[str | Path], options: CompilerOptions | None = None, engine: EngineFiles | None = None
) -> Program:
    """Builds the program for checking. Raises BuildError with the compiler's message, or UsageError."""
    started = time.monotonic()
    options = options or CompilerOptions()
    sources = tuple(Path(name) for name in files)
    _check_sources(sources)
    compilers = {cxx: find_compiler(cxx) for cxx in sorted({is_cxx(source) for source in sources})}
    job = Job(sources, options, compilers, engine or engine_files.locate())
    general = [text for compiler in compilers.values() for text in compiler.warnings(options.optimisation)]

    try:
        key = cache.key_of(job)
        known = cache.look_up(key)
        if known is not None:
            program, note = known
            seconds = time.monotonic() - started
            return Program(program, note.program_hash, sources, seconds, True, (*general, *note.warnings))
        return _build_anew(job, key, general, started)
    except OSError as problem:
        raise BuildError(_cannot_write(problem)) from problem
    except BuildError as problem:
        if "No space left on device" in problem.output:
            raise BuildError(
                f"{problem}: no space left for temporary files in {tempfile.gettempdir()}; "
                "free some, or set TMPDIR to another place",
                problem.output,
            ) from problem
        raise


def _build_anew(job: Job, key: str, general: list[str], started: float) -> Program:
    workplace = tempfile.TemporaryDirectory(prefix="norn-", ignore_cleanup_errors=True)
    built, gaps = compile_and_link(job, Path(workplace.name))
    note = cache.Note(hash_of(built), gaps)
    warnings = [*general, *gaps]
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
    return Program(built, note.program_hash, job.sources, seconds, False, tuple(warnings), keep)


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


def _check_sources(sources: Sequence[Path]) -> None:
    if not sources:
        raise UsageError("no source file given; try: norn check program.c")
    for source in sources:
        if not source.exists():
            raise UsageError(f"{source}: no such file")
        if source.is_dir():
            raise UsageError(f"{source}: is a directory, not a source file")
        if not is_source(source):
            raise UsageError(
                f"{source}: not a C or C++ source (.c .cc .cpp .cxx .c++ .C, preprocessed .i .ii)"
            )
    if len({source.resolve() for source in sources}) < len(sources):
        raise UsageError("the same source file is given twice")


def _cannot_write(problem: OSError) -> str:
    place = problem.filename or tempfile.gettempdir()
    if problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES):
        return f"cannot build: {place}: {problem.strerror}; set TMPDIR to a place with free space"
    return f"cannot build: {place}: {problem.strerror}"
