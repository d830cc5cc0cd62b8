"""Keeps built executables by content, so that checking the same program again builds nothing.

The key covers the text of all sources and of every header, the flags, the compiler, the libraries named with
-l that are found in a -L directory, the engine and the modules that build; for a binary, its instrumented
code and the libraries it is linked with. An entry is a directory with the executable and a note of what norn
wants to remember about it; it appears by an atomic rename, so a reader never sees half of one. A cache that
cannot be written is a warning, never an error.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from norn.build.compile import Job, dependencies
from norn.build.instrument import fingerprint

_VARIABLE = "NORN_CACHE"


class Note(msgspec.Struct, frozen=True):
    """What is remembered beside an executable."""

    program_hash: str
    warnings: list[str]


@contextmanager
def elsewhere(place: Path) -> Iterator[None]:
    """Within, the cache is in this directory."""
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = str(place)
    try:
        yield
    finally:
        os.environ.pop(_VARIABLE) if before is None else os.environ.update({_VARIABLE: before})


def directory() -> Path:
    if os.environ.get(_VARIABLE):
        return Path(os.environ[_VARIABLE])
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "norn"


def key_of(job: Job) -> str:
    """The content hash of everything that determines the executable."""
    # The working directory is in the debug information, by which sources are found again.
    parts: list[str | bytes] = [str(Path.cwd()), job.engine.digest(), fingerprint(job.engine)]
    for compiler in job.compilers.values():
        parts += [*compiler.command, compiler.banner]
    for source in job.sources:
        parts += ["source", *job.compile_command(source)]
        for path in dependencies(job, source):
            parts += [str(path), path.read_bytes()]
    parts += ["link", *job.options.link]
    for library in _local_libraries(job):
        parts += [str(library), library.read_bytes()]
    return digest(*parts)


def digest(*parts: str | bytes) -> str:
    """A key over all of these, each taken by itself."""
    content = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        content.update(len(data).to_bytes(8, "little") + data)
    return content.hexdigest()


def _local_libraries(job: Job) -> list[Path]:
    found = []
    for name in job.options.libraries:
        for place in job.options.library_directories:
            candidates = [Path(place) / f"lib{name}{suffix}" for suffix in (".so", ".a")]
            present = [path for path in candidates if path.is_file()]
            if present:
                found.append(present[0])
                break
    return found


def look_up(key: str) -> tuple[Path, Note] | None:
    entry = directory() / key
    program = entry / "program"
    try:
        note = msgspec.json.decode((entry / "note.json").read_bytes(), type=Note)
    except (OSError, msgspec.MsgspecError):
        return None
    return (program, note) if os.access(program, os.X_OK) else None


def store(key: str, program: Path, note: Note) -> Path:
    """Copies an executable into the cache and returns its place there. Raises OSError where it cannot."""
    root = directory()
    root.mkdir(parents=True, exist_ok=True)
    entry = root / key
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=root))
    try:
        shutil.copy2(program, draft / "program")
        (draft / "note.json").write_bytes(msgspec.json.encode(note))
        draft.chmod(0o755)
        try:
            draft.rename(entry)
        except OSError:
            if look_up(key) is None:  # a damaged entry is in the way, not another process' good one
                shutil.rmtree(entry, ignore_errors=True)
                draft.rename(entry)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return entry / "program"
