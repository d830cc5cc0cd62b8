"""Starts the checked executable and reads its messages until it ends: `run` for one, the parts for several.

The executable runs in a process group of its own, so that Ctrl-C reaches it only through norn (`interrupts`).
However the executable ends, `run` returns: a crash, a kill from outside or a hang beyond the time limit is
described in the outcome.

The engine shares its process with the checked program, which may write to any descriptor. So each run has a
key, which is sent to the engine through the channel before any code of the program runs. Only lines that
begin with it are messages; any other line is an error, whatever it says.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType

from norn import protocol
from norn.errors import NornError
from norn.interrupts import stopping
from norn.protocol import Options
from norn.schedule_file import handed_over

# A program that neither stops at its time limit nor reports within this time hangs without calling the
# engine.
GRACE_SECONDS = 5.0
# Progress comes at least this often, also when nobody looks: an executable whose reader died notices it then.
_PROGRESS_MILLISECONDS = 1000
_POLL_SECONDS = 0.2
# Lines are read in full; a line beyond this is not a message. (A finding has the schedule of its execution.)
_LONGEST_LINE = 1 << 29

# So that a replay, which says what every step did, need not wait for its reader every moment.
_CHANNEL_SIZE = 1 << 20

OnFound = Callable[[protocol.Finding | protocol.Race], None]
OnProgress = Callable[[protocol.Progress], None]


@dataclass
class Outcome:
    """Everything the executable said, and how it ended."""

    findings: list[protocol.Finding] = field(default_factory=list)
    races: list[protocol.Race] = field(default_factory=list)
    shrunk: list[protocol.Shrunk] = field(default_factory=list)  # what became of some of these
    threads: list[protocol.Thread] = field(default_factory=list)
    blocks: list[protocol.Block] = field(default_factory=list)
    steps: list[protocol.Step] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    gaps: list[protocol.Gap] = field(default_factory=list)  # where it did what nobody sees
    bare: list[protocol.Bare] = field(default_factory=list)  # few switches, then one at every event
    again: protocol.Again | None = None
    topology: protocol.Topology | None = None
    diverged: protocol.Diverged | None = None
    unsupported: protocol.Unsupported | None = None
    result: protocol.Result | None = None
    progress: protocol.Progress | None = None  # the last one: all that is known if no result came
    death: str | None = None  # how it ended, where it ended without a result
    killed_at_limit: bool = False
    interrupted: bool = False


class Engine:
    """One executable that runs: its process, the channel to it, and what it has said so far."""

    def __init__(
        self,
        command: Sequence[str],
        options: Options,
        on_progress: OnProgress | None = None,
        on_found: OnFound | None = None,
    ) -> None:
        self.outcome = Outcome()
        self.over = False  # it has said all it had to say
        self._on_progress = on_progress
        self._on_found = on_found
        self._pending = bytearray()  # the beginning of a line
        self._closed = False
        self._key = secrets.token_hex(protocol.KEY_SIZE // 2).encode()
        ours, theirs = socket.socketpair()
        ours.sendall(self._key)
        ours.setblocking(False)
        with contextlib.suppress(OSError):
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _CHANNEL_SIZE)
        try:
            self._process = _start(command, options, theirs.fileno())
        except OSError as problem:
            ours.close()
            raise NornError(f"cannot start {command[0]}: {problem.strerror}") from problem
        finally:
            theirs.close()
        self._channel = ours

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def fileno(self) -> int:
        """The channel, for a selector."""
        return self._channel.fileno()

    def read(self) -> bool:
        """Takes in what has come, without waiting. False: nothing has, and perhaps nothing ever will."""
        try:
            data = self._channel.recv(_CHANNEL_SIZE)
        except BlockingIOError:
            return False
        except ConnectionResetError:  # it ended before it took its key
            data = b""
        if not data:
            self._end_of_messages()
            return False
        first, *others = data.split(b"\n")
        self._pending += first
        for rest in others:
            self._take(bytes(self._pending))
            self._pending = bytearray(rest)
        if len(self._pending) > _LONGEST_LINE:
            self.outcome.errors.append("the checked program sent an endless message")
            self.over = True
        return True

    def look_after(self) -> None:
        """For one that says nothing: a child may hold the channel of a process that is gone."""
        if self._process.poll() is not None and not self.read():
            self._end_of_messages()

    def give_up(self) -> None:
        """The time is up and no result came."""
        self.outcome.killed_at_limit = True
        self.over = True

    def interrupt(self) -> None:
        """Asks it to stop and to report what it knows."""
        if not self.over:
            self.outcome.interrupted = True
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        if not self._closed:
            _kill_group(self._process.pid)

    def close(self) -> None:
        """Ends the process, with its children. One that has said all gets a moment to leave by itself."""
        if self._closed:
            return
        try:
            if self.over:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(timeout=1)
        finally:  # whatever a signal handler of the host raises meanwhile
            self.kill()
        self._process.wait()
        self._closed = True
        self._channel.close()
        if self.outcome.result is None and not self.outcome.bare:
            self.outcome.death = _describe_death(self._process.returncode, self.outcome)

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = protocol.decode(protocol.authentic(line, self._key))
        except protocol.ProtocolError as problem:
            if str(problem) not in self.outcome.errors:  # a program may write the same a thousand times
                self.outcome.errors.append(str(problem))
            return
        _note(message, self.outcome)
        if isinstance(message, protocol.Progress) and self._on_progress is not None:
            self._on_progress(message)
        if isinstance(message, protocol.Finding | protocol.Race) and self._on_found is not None:
            self._on_found(message)

    def _end_of_messages(self) -> None:
        if not self.over and self._pending.strip():
            self.outcome.errors.append("the checked program ended in the middle of a message")
        self.over = True


def run(
    command: Sequence[str],
    options: Options,
    *,
    time_limit: float | None = None,
    on_progress: OnProgress | None = None,
    on_found: OnFound | None = None,
    on_interrupt: Callable[[], None] | None = None,
    grace: float = GRACE_SECONDS,
) -> Outcome:
    """Runs one check, replay or benchmark to its end."""
    make = partial(Engine, command, options, on_progress, on_found)
    with stopping(on_interrupt) as stop, stop.start(make) as engine:
        for _ in until_over([engine], time_limit, grace):
            pass
        engine.close()
    return engine.outcome


def until_over(
    engines: Sequence[Engine], time_limit: float | None, grace: float = GRACE_SECONDS
) -> Iterator[Engine]:
    """Reads what the engines say. Yields each of them once, as soon as it has said all it had to say."""
    deadline = time.monotonic() + time_limit + grace if time_limit else None
    waiting = list(engines)
    with selectors.DefaultSelector() as selector:
        for engine in waiting:
            selector.register(engine, selectors.EVENT_READ)
        while waiting:
            ready = {key.fd for key, _ in selector.select(_POLL_SECONDS)}
            late = deadline is not None and time.monotonic() > deadline
            for engine in list(waiting):
                if engine.fileno() in ready:
                    engine.read()
                else:
                    engine.look_after()
                if late and engine.outcome.result is None:
                    engine.give_up()
                if engine.over:
                    selector.unregister(engine)
                    waiting.remove(engine)
                    yield engine


def _start(command: Sequence[str], options: Options, channel: int) -> subprocess.Popen[bytes]:
    with handed_over({"progress": _PROGRESS_MILLISECONDS, **options}) as (short, descriptors):
        return subprocess.Popen(
            command,
            env=os.environ | {"NORN_FD": str(channel), "NORN_OPTIONS": protocol.encode_options(short)},
            pass_fds=[channel, *descriptors],
            stdin=subprocess.DEVNULL,
            process_group=0,
            close_fds=True,
        )


def _note(message: protocol.AnyMessage, outcome: Outcome) -> None:
    match message:
        case protocol.Step():  # first, since there are many
            outcome.steps.append(message)
        case protocol.Progress():
            outcome.progress = message
        case protocol.Finding():
            outcome.findings.append(message)
        case protocol.Race():
            outcome.races.append(message)
        case protocol.Shrunk():
            outcome.shrunk.append(message)
        case protocol.Thread():
            outcome.threads.append(message)
        case protocol.Block():
            outcome.blocks.append(message)
        case protocol.Diverged():
            outcome.diverged = message
        case protocol.Unsupported():
            outcome.unsupported = message
        case protocol.Gap():
            outcome.gaps.append(message)
        case protocol.Error():
            outcome.errors.append(message.message)
        case protocol.Bare():
            outcome.bare.append(message)
        case protocol.Again():
            outcome.again = message
        case protocol.Topology():
            outcome.topology = message
        case protocol.Result():
            outcome.result = message


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
