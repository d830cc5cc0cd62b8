"""Where results go: files that are whole or not there, and a standard output that says when it is full.

text ──► write_file: a temporary file beside the target, then renamed
     └─► standard output, guarded: an error of the system becomes a message and exit code 2,
         a reader that has gone ends norn quietly
"""

from __future__ import annotations

import io
import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from norn.errors import NornError

_STANDARD_OUTPUT = "-"
_DEVICES = ("/dev/", "/proc/")


class OutputError(NornError):
    """Something could not be written."""


class ReaderGoneError(OutputError):
    """Who read standard output has seen enough, as `head` has. They know it themselves: nothing to tell."""

    def __init__(self) -> None:
        super().__init__("standard output was closed before everything was written")


def write_all(texts: Mapping[str, tuple[str, str]]) -> None:
    """Writes each text to its target. option -> (target, text); the target `-` is standard output.

    One that cannot be written does not keep the others from being written.
    """
    problems = []
    gone = None
    for option, (target, text) in texts.items():
        try:
            write(text, target, option)
        except ReaderGoneError as reader:
            gone = reader
        except OutputError as problem:
            problems.append(str(problem))
    if problems:
        raise OutputError("; ".join(problems))
    if gone is not None:
        raise gone


def write(text: str, target: str, option: str) -> None:
    """Writes a file, or to standard output. option: what the user named the target by."""
    try:
        if target == _STANDARD_OUTPUT:
            _write_standard_output(text)
        else:
            _write_file(Path(target), _encoded(text))
    except OSError as problem:
        if isinstance(problem, BrokenPipeError) and target == _STANDARD_OUTPUT:
            raise ReaderGoneError from problem
        named = "standard output" if target == _STANDARD_OUTPUT else f"{option} {target}"
        raise OutputError(f"{named}: {problem.strerror or problem}") from problem


def _write_standard_output(text: str) -> None:
    """In UTF-8, whatever the terminal has: this is for programs."""
    sys.stdout.flush()
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):  # a stream of Python's own, in a test for one
        sys.stdout.write(text)
        return
    with open(descriptor, "wb", closefd=False) as stream:
        stream.write(_encoded(text))


def remove(target: str) -> bool:
    """Takes away what an earlier run has left, since it is not true any more. Says whether there was any."""
    path = Path(target)
    if target == _STANDARD_OUTPUT or not path.is_file():
        return False
    try:
        path.unlink()
    except OSError as problem:
        raise OutputError(f"{target} is left from another run: {problem.strerror or problem}") from problem
    return True


def _encoded(text: str) -> bytes:
    """Names of files can hold bytes that are no text."""
    return text.encode("utf-8", errors="replace")


def _write_file(path: Path, content: bytes) -> None:
    if str(path.absolute()).startswith(_DEVICES) or (path.exists() and not path.is_file()):
        path.write_bytes(content)  # a device or a pipe: there is nothing to rename
        return
    path = path.resolve()  # a link stays a link
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".part", dir=path.parent)
    except PermissionError:
        path.write_bytes(content)  # a file that may be written in a directory that may not
        return
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(name).chmod(_mode_for(path))
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _mode_for(path: Path) -> int:
    """As if the file had been opened for writing: temporary files are for their owner only."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


class _Guarded(io.TextIOBase):
    """A stream whose errors are messages for the user.

    What failed once fails again: somebody may have tried the stream and taken an error for an answer.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._problem: OutputError | None = None

    def write(self, text: str) -> int:
        with self._told():
            return self._stream.write(text)

    def flush(self) -> None:
        with self._told():
            self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def writable(self) -> bool:
        return True

    @property
    def buffer(self) -> BinaryIO:
        """For who writes bytes: completions for the shell."""
        return self._stream.buffer

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self._stream.errors

    @contextmanager
    def _told(self) -> Iterator[None]:
        if self._problem is not None:
            raise self._problem
        try:
            yield
        except BrokenPipeError:
            raise self._give_up(ReaderGoneError()) from None
        except OSError as problem:
            why = OutputError(f"standard output: {problem.strerror or problem}")
            raise self._give_up(why) from problem

    def _give_up(self, why: OutputError) -> OutputError:
        """What is still in the buffer must not fail once more when the interpreter ends."""
        self._problem = why
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
        return why


@contextmanager
def guarded_standard_output() -> Iterator[None]:
    """Within, what cannot be written to standard output raises an OutputError, at the end if not before."""
    if sys.stdout is None:  # closed by the caller
        yield
        return
    plain = sys.stdout
    guarded = _Guarded(plain)
    sys.stdout = guarded
    try:
        yield
    except OutputError:
        raise
    except BaseException:
        guarded.flush()
        raise
    else:
        guarded.flush()
    finally:
        sys.stdout = plain
