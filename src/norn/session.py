"""Starts the checked executable and reads its messages until it ends.

The executable runs in a process group of its own, so that Ctrl-C reaches it only through norn: the first one
asks it to stop and to report what it knows, the second one kills it. However the executable ends, `run`
returns: a crash, a kill from outside or a hang beyond the time limit is described in the outcome.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import FrameType

from norn import protocol
from norn.errors import NornError

# A program that neither stops at its time limit nor reports within this time hangs without calling the
# engine.
GRACE_SECONDS = 5.0
# Progress comes at least this often, also when nobody looks: an executable whose reader died notices it then.
_PROGRESS_MILLISECONDS = 1000
_POLL_SECONDS = 0.2
# Lines are read in full; a line beyond this is not a message.
_LONGEST_LINE = 64 * 1024 * 1024

OnProgress = Callable[[protocol.Progress], None]


@dataclass
class Outcome:
    """Everything the executable said, and how it ended."""

    findings: list[protocol.Finding] = field(default_factory=list)
    threads: list[protocol.Thread] = field(default_factory=list)
    steps: list[protocol.Step] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    bare: list[protocol.Bare] = field(default_factory=list)  # few switches, then one at every event
    diverged: protocol.Diverged | None = None
    unsupported: protocol.Unsupported | None = None
    result: protocol.Result | None = None
    progress: protocol.Progress | None = None  # the last one: all that is known if no result came
    death: str | None = None  # how it ended, where it ended without a result
    killed_at_limit: bool = False
    interrupted: bool = False


def run(
    command: Sequence[str],
    options: dict[str, str | int | float],
    *,
    time_limit: float | None = None,
    on_progress: OnProgress | None = None,
    on_interrupt: Callable[[], None] | None = None,
    grace: float = GRACE_SECONDS,
) -> Outcome:
    """Runs one check, replay or benchmark to its end."""
    outcome = Outcome()
    reading, writing = os.pipe()
    try:
        process = _start(command, options, writing)
    except OSError as problem:
        os.close(reading)
        raise NornError(f"cannot start {command[0]}: {problem.strerror}") from problem
    finally:
        os.close(writing)
    deadline = time.monotonic() + time_limit + grace if time_limit else None
    with os.fdopen(reading, "rb", buffering=0) as pipe, _stopping_on_signals(process, outcome, on_interrupt):
        try:
            for line in _lines(pipe.fileno(), process, deadline, outcome):
                _take(line, outcome, on_progress)
        finally:
            _end(process)
    if outcome.result is None and not outcome.bare:
        outcome.death = _describe_death(process.returncode, outcome)
    return outcome


def _start(
    command: Sequence[str], options: dict[str, str | int | float], pipe: int
) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        "NORN_FD": str(pipe),
        "NORN_OPTIONS": protocol.encode_options({"progress": _PROGRESS_MILLISECONDS, **options}),
    }
    return subprocess.Popen(
        command, env=environment, pass_fds=[pipe], stdin=subprocess.DEVNULL, process_group=0, close_fds=True
    )


def _lines(
    pipe: int, process: subprocess.Popen[bytes], deadline: float | None, outcome: Outcome
) -> Iterator[bytes]:
    """Complete lines from the pipe, until it closes, the process is gone, or the deadline has passed."""
    pending = b""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            ready = selector.select(_POLL_SECONDS)
            if ready:
                data = os.read(pipe, 1 << 16)
                if not data:
                    break
                *complete, pending = (pending + data).split(b"\n")
                yield from complete
                if len(pending) > _LONGEST_LINE:
                    outcome.errors.append("the checked program sent an endless message")
                    return
            elif process.poll() is not None:
                break  # a child of it may still hold the pipe open
            if deadline is not None and time.monotonic() > deadline and outcome.result is None:
                outcome.killed_at_limit = True
                return
    if pending.strip():
        outcome.errors.append("the checked program ended in the middle of a message")


def _take(line: bytes, outcome: Outcome, on_progress: OnProgress | None) -> None:
    if not line.strip():
        return
    try:
        message = protocol.decode(line)
    except protocol.ProtocolError as problem:
        outcome.errors.append(str(problem))
        return
    match message:
        case protocol.Progress():
            outcome.progress = message
            if on_progress is not None:
                on_progress(message)
        case protocol.Finding():
            outcome.findings.append(message)
        case protocol.Thread():
            outcome.threads.append(message)
        case protocol.Step():
            outcome.steps.append(message)
        case protocol.Diverged():
            outcome.diverged = message
        case protocol.Unsupported():
            outcome.unsupported = message
        case protocol.Error():
            outcome.errors.append(message.message)
        case protocol.Bare():
            outcome.bare.append(message)
        case protocol.Result():
            outcome.result = message


def _end(process: subprocess.Popen[bytes]) -> None:
    """Waits for an executable that has said all it had to say; one that stays is killed with its children."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=1)
    _kill_group(process.pid)
    process.wait()


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _describe_death(returncode: int, outcome: Outcome) -> str:
    if outcome.killed_at_limit:
        return (
            "the checked program did not stop at the time limit (a loop without any visible event?) "
            "and was killed"
        )
    if returncode < 0:
        try:
            name = signal.Signals(-returncode).name
        except ValueError:
            name = f"signal {-returncode}"
        return f"the checked program was killed by {name} before it could report a result"
    return f"the checked program ended with status {returncode} without reporting a result"


@contextlib.contextmanager
def _stopping_on_signals(
    process: subprocess.Popen[bytes], outcome: Outcome, on_interrupt: Callable[[], None] | None
) -> Iterator[None]:
    """While open, Ctrl-C and SIGTERM stop the executable, not norn: politely once, then by force."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        if outcome.interrupted:
            _kill_group(process.pid)
            return
        outcome.interrupted = True
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
        if on_interrupt is not None:
            on_interrupt()

    previous = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
