"""The tour of `norn demo`: what is shown, in which order, and the example programs it is about.

examples/*.c ──(copied into the package by the build)──► lay_out: a directory of the user ──► commands/demo
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from norn.errors import NornError, UsageError
from norn.model import ExitCode
from norn.options.table import CHECK, COMPARE

_SHIPPED = Path(__file__).parent / "examples"


@dataclass(frozen=True)
class Stop:
    """One program, and a command that is run on it."""

    title: str
    before: str  # what to expect
    example: str  # a file of examples/
    command: str
    after: str  # how to read what was printed
    expected: ExitCode
    changed_from: str | None = None  # an example that was shown before: only the difference is shown


TOUR = (
    Stop(
        "A lost update",
        "Two threads pay 10 and 20 into an account that holds 100. At the end there should be 130. A test "
        "that runs this program sees nothing wrong, perhaps for years. norn runs it under a scheduler of "
        "its own, once for each way in which what one thread does can matter to another.",
        "lost_update.c",
        CHECK,
        "Read the table from top to bottom: each line is a step, each column a thread. T1 is stopped "
        "between its read and its write, and the deposit of T2 is lost. The command under “See it again” "
        "runs exactly this execution once more; with --gdb it stops in the debugger where it fails.",
        ExitCode.FAILED,
    ),
    Stop(
        "The repair, verified",
        "The same program with a mutex around the update. Here is what is different. Now no order in "
        "which the threads can run should fail.",
        "lost_update_fixed.c",
        CHECK,
        "This is no test that happened to pass: every class of interleavings was explored. Which thread "
        "comes first is all that is left open, so there are two.",
        ExitCode.VERIFIED,
        changed_from="lost_update.c",
    ),
    Stop(
        "A deadlock: who waits for whom",
        "Nothing is asserted in this program. Two transfers lock two accounts, each the one it takes from "
        "first. That norn finds by itself: an execution in which nobody can go on.",
        "lock_order_deadlock.c",
        CHECK,
        "Each of the two threads holds the lock that the other one waits for. “What went wrong” says so, "
        "with the lines where it happened.",
        ExitCode.FAILED,
    ),
    Stop(
        "How many interleavings there are",
        "Six sensors write to one variable, main reads what was written last. Their writes can happen in "
        "720 orders, but most of them do not differ for anybody. What counts as a difference is called an "
        "equivalence. norn has four; the coarser one is, the fewer executions stand for all.",
        "latest_reading.c",
        COMPARE,
        "The same verdict each time, from 720 executions or from two: which of the two values was read is "
        "all that matters. `norn check` by itself runs the two coarsest side by side; you need not choose.",
        ExitCode.VERIFIED,
    ),
)

NEXT = (
    ("norn check yours.c", "your own program; keep it small: two to four threads, a few rounds each"),
    ("norn check yours.c --html report.html", "the failing execution as a page to step through"),
    (
        "norn check a.c b.c -DN=2 -Iinclude -- x",
        "several sources, compiler options, arguments of the program",
    ),
    ("norn check --help", "limits, data races, leaks, formats for CI"),
)


def lay_out(directory: Path, examples: Iterable[str]) -> None:
    """Puts copies of these examples into a directory. What the user has changed there is not written over."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name in dict.fromkeys(examples):
            _copy(_shipped(name), directory / name)
    except OSError as problem:
        raise UsageError(
            f"{problem.filename}: {problem.strerror}; --directory DIRECTORY puts the examples elsewhere"
        ) from None


def _copy(text: str, target: Path) -> None:
    if target.exists():
        if target.read_bytes() == text.encode():
            return
        raise UsageError(
            f"{target} is there already, and is not the example of the tour; remove it, or put the examples "
            "elsewhere with --directory DIRECTORY"
        )
    target.write_text(text, encoding="utf-8")


def _shipped(name: str) -> str:
    try:
        return (_SHIPPED / name).read_text(encoding="utf-8")
    except OSError as problem:
        raise NornError(f"{problem.filename}: {problem.strerror}; norn is not installed completely") from None


def code_of(name: str) -> tuple[list[str], int]:
    """The lines of an example from its first declaration on, and the number of that line."""
    lines = _shipped(name).rstrip("\n").split("\n")
    head = next(number for number, line in enumerate(lines) if line and not line.startswith(("//", "#")))
    return lines[head:], head + 1
