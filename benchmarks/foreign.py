"""Other checkers beside norn: `nidhugg` and `genmc`, on the same program in the same run, if on PATH.

Each is told to check sequential consistency and runs with the equivalence that is nearest to ours. Their
times are those they report themselves; without one, that of the whole command. The directory
`programs/beside` stands in for norn's own header.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from records import Foreign
from rows import HERE, Row

SHIM = HERE / "programs" / "beside"
LEAST_SECONDS = 0.01  # they round to that
_VERSION_SECONDS = 30.0
_ONLY_OURS = re.compile(r"\bnorn_\w+\s*\(")  # what the shim cannot stand in for


@dataclass(frozen=True)
class Ours:
    """What another checker is compared with."""

    classes: int
    seconds: float


@dataclass(frozen=True)
class Tool:
    """How to run another checker, and how to read what it prints."""

    name: str
    needs: tuple[str, ...]  # executables, the one to ask for the version first
    modes: dict[str, tuple[str, ...]]  # options by our equivalence; the others it has nothing for
    command: Callable[[Row, Sequence[str]], list[str]]
    counts: tuple[re.Pattern[str], ...]  # the first must be there; the sum is the number of classes
    seconds: re.Pattern[str]

    def missing(self) -> str | None:
        """Why it cannot be run; nothing if it can."""
        absent = [name for name in self.needs if shutil.which(name) is None]
        if not absent:
            return None
        present = "" if len(absent) == len(self.needs) else f"{self.name} is there, but "
        return f"{present}{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not on PATH"

    def version(self) -> str:
        """What it says of itself, in one line."""
        try:
            said = _run([self.needs[0], "--version"], _VERSION_SECONDS)
        except (subprocess.TimeoutExpired, OSError) as error:
            return f"version not known ({error})"
        found = re.search(rf"{self.name}\W*v?\d[^\n]*", said.stdout + said.stderr, re.IGNORECASE)
        return found[0].strip() if found else "version not known"

    def check(self, row: Row, equivalence: str, ours: Ours, time_limit: float) -> Foreign:
        """Runs it on a program; the reason instead of figures where there are none."""
        if equivalence not in self.modes:
            return Foreign()
        if _ONLY_OURS.search(row.source.read_text(encoding="utf-8")):
            return Foreign(note="the program uses a function of norn")
        start = time.monotonic()
        try:
            said = _run(self.command(row, self.modes[equivalence]), time_limit)
        except subprocess.TimeoutExpired:
            return Foreign(note=f"not done in {time_limit:g} s")
        except OSError as error:
            return Foreign(note=f"cannot be run: {error.strerror}")
        taken = time.monotonic() - start
        return self.figures(said, taken, ours)

    def figures(self, said: subprocess.CompletedProcess[str], taken: float, ours: Ours) -> Foreign:
        found = [pattern.search(said.stdout + said.stderr) for pattern in self.counts]
        if found[0] is None:
            last = (said.stderr or said.stdout).strip().splitlines()[-1:] or ["nothing said"]
            return Foreign(note=f"exit code {said.returncode}: {last[0][:200]}")
        reported = self.seconds.search(said.stdout + said.stderr)
        seconds = float(reported[1]) if reported else taken
        classes = sum(int(each[1]) for each in found if each is not None)
        if classes != ours.classes:
            return Foreign(classes, seconds, note="counts something else: times are not compared")
        if seconds < LEAST_SECONDS:
            return Foreign(classes, seconds, note="too short to compare")
        return Foreign(classes, seconds, seconds / ours.seconds)


def _run(command: Sequence[str], time_limit: float) -> subprocess.CompletedProcess[str]:
    """Runs a command in a process group of its own, of which nothing is left if it takes too long."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            stdout, stderr = process.communicate(timeout=time_limit)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)


def _nidhugg(row: Row, options: Sequence[str]) -> list[str]:
    return ["nidhuggc", *row.flags, f"-I{SHIM}", "--", "--sc", *options, str(row.source)]


def _genmc(row: Row, options: Sequence[str]) -> list[str]:
    ours = [*row.flags, f"-I{SHIM}", "-DBESIDE_GENMC"]
    return ["genmc", "--sc", "--disable-race-detection", *options, "--", *ours, str(row.source)]


NIDHUGG = Tool(
    name="nidhugg",
    needs=("nidhugg", "nidhuggc"),  # the second one compiles for the first
    modes={"reads-from": ("--rf",), "mazurkiewicz": ("--optimal",)},
    command=_nidhugg,
    counts=(
        re.compile(r"^Trace count: (\d+)", re.MULTILINE),
        re.compile(r"^Assume-blocked trace count: (\d+)", re.MULTILINE),
    ),
    seconds=re.compile(r"Total wall-clock time: ([\d.]+) ?s"),
)
# It tells executions apart by sources and by the order of writes: under sequential consistency that is ours.
GENMC = Tool(
    name="genmc",
    needs=("genmc",),
    modes={"mazurkiewicz": ()},
    command=_genmc,
    counts=(
        re.compile(r"Number of complete executions explored: (\d+)"),
        re.compile(r"Number of blocked executions seen: (\d+)"),
    ),
    seconds=re.compile(r"Total wall-clock time: ([\d.]+) ?s"),
)
TOOLS = (NIDHUGG, GENMC)
