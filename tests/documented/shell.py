"""A bash that runs one command after the other, as somebody who follows a page does.

Directories and variables stay from command to command. It is not interactive, and commands read nothing.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.conftest import ROOT

# Nothing of the place where the tests run may show in what a page claims.
_FOREIGN = (
    "CC",
    "CXX",
    "CI",
    "GITHUB_",
    "CI_PROJECT_DIR",
    "NORN_CC",
    "NORN_CXX",
    "MAKE",
    "PYTEST",
    "COLUMNS",
    "LINES",
)


# A command that takes longer, in seconds, hangs.
_LONGEST = 600


class Shell:
    """In `folder`; norn and what is installed with it come first on its PATH."""

    def __init__(self, folder: Path, notes: Path) -> None:
        """notes: a directory for what the commands print."""
        self._notes = notes
        self._count = 0
        environment = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
        # Not of the interpreter itself, which may be a link to one elsewhere.
        tools = Path(sys.executable).parent
        environment |= {
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
        }
        self._bash = subprocess.Popen(
            ["bash", "--norc", "--noprofile"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # so that whatever a command has left behind can be ended with it
        )

    def run(self, command: str) -> tuple[int, str]:
        """The exit code, and what was printed on standard output and standard error together."""
        self._count += 1
        script, printed = (self._notes / f"{self._count}.{kind}" for kind in ("sh", "out"))
        script.write_text(command + "\n")
        assert self._bash.stdin is not None and self._bash.stdout is not None
        guard = threading.Timer(_LONGEST, self._end)
        guard.start()
        line = f". {shlex.quote(str(script))} > {shlex.quote(str(printed))} 2>&1 < /dev/null; echo $?\n"
        self._bash.stdin.write(line)
        self._bash.stdin.flush()
        code = self._bash.stdout.readline()
        guard.cancel()
        assert code, f"the shell ended, or was ended after {_LONGEST} seconds: {command}"
        return int(code), printed.read_text(errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        self._bash.communicate()

    def _end(self) -> None:
        try:
            os.killpg(self._bash.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def lay_out(folder: Path) -> None:
    """What readers have before them: the programs of the repository, at their places."""
    for name in ("examples", "benchmarks/programs", "tests/svcomp", "tests/programs"):
        shutil.copytree(ROOT / name, folder / name)
