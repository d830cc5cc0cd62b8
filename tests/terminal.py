"""A command in a pseudo-terminal, as a person has it: what it shows is read, what is typed is written."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_PATIENCE = 120  # seconds; for a machine that is busy
# Makes the terminal the one whose Ctrl-C the command gets.
_TAKES_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
_SEQUENCE = re.compile(r"\x1b(\[[0-9;?]*[a-zA-Z]|\][^\x07]*\x07|.)")


class Terminal:
    """A context manager; what still runs at its end is killed."""

    def __init__(
        self, command: Sequence[str], cwd: Path, more: Mapping[str, str] | None = None, columns: int = 80
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {
            name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")
        }
        self._process = subprocess.Popen(
            [sys.executable, "-c", _TAKES_TERMINAL, *command],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env=environment | {"TERM": "xterm"} | dict(more or {}),
            start_new_session=True,
        )
        os.close(theirs)
        self.raw = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._ours)

    @property
    def shown(self) -> str:
        """Without colours and the like."""
        return _SEQUENCE.sub("", self.raw).replace("\r\n", "\n")

    def until(self, text: str, times: int = 1) -> None:
        """Waits until a text has been shown."""
        deadline = time.monotonic() + _PATIENCE
        while self.shown.count(text) < times:
            assert self._read(deadline), f"{text!r} was never shown:\n{self.shown}"

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def end(self) -> int:
        """The exit code, once it has ended by itself."""
        deadline = time.monotonic() + _PATIENCE
        while self._read(deadline):
            pass
        return self._process.wait(timeout=_PATIENCE)

    def _read(self, deadline: float) -> bool:
        """Takes in what is shown next. False: nothing will come any more."""
        ready, _, _ = select.select([self._ours], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self._ours, 1 << 16)
        except OSError:  # the other end is closed
            return False
        self.raw += data.decode(errors="replace")
        return bool(data)
