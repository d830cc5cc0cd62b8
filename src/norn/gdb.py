"""Starts gdb on a replay: the same execution, stopped where it fails, with the same addresses every time."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence

from norn import protocol
from norn.build import Program
from norn.errors import UsageError
from norn.rerun import options_of
from norn.schedule_file import handed_over
from norn.token import Token

# Where the engine stops for a debugger, just before it reports the finding.
BREAKPOINT = "norn_replay_failure"
# Run by gdb once it has stopped: goes up from the engine and the libraries to the program.
_SELECT_FRAME = """
import re
frame = gdb.newest_frame()
foreign = re.compile('/engine/(executor|host|explore|graph|consistency)/|^/usr/(include|lib)/')
while frame is not None:
    table = frame.find_sal().symtab
    if table is not None and not foreign.search(table.fullname()):
        frame.select()
        gdb.execute('frame')
        break
    frame = frame.older()
"""


def gdb_command(program: Program, arguments: Sequence[str], commands: Sequence[str] = ()) -> list[str]:
    gdb = shutil.which("gdb")
    if gdb is None:
        raise UsageError("gdb not found: apt install gdb")
    before = ["set breakpoint pending on", "set confirm off", f"break {BREAKPOINT}", "run"]
    before += [f"python exec({_SELECT_FRAME!r})", *commands]
    words = [word for command in before for word in ("-ex", command)]
    return [gdb, "-q", *words, "--args", str(program.executable), *arguments]


def run_gdb(
    program: Program,
    token: Token,
    arguments: Sequence[str],
    isolate: str,
    max_events: int | None = None,
    commands: Sequence[str] = (),
    batch: bool = False,
    further: Mapping[str, str] | None = None,
) -> int:
    """Runs gdb in the foreground and returns its exit status."""
    command = gdb_command(program, arguments, commands)
    if batch:
        command.insert(1, "-batch")
    messages = os.open(os.devnull, os.O_WRONLY)
    options = options_of(token, isolate, max_events, shown=True, further=further) | {"breakpoint": 1}
    # Ctrl-C belongs to gdb while it runs.
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with handed_over(options) as (short, descriptors):
            return subprocess.call(
                command,
                env=os.environ | {"NORN_FD": str(messages), "NORN_OPTIONS": protocol.encode_options(short)},
                pass_fds=[messages, *descriptors],
                preexec_fn=_restore_interrupt,
            )
    finally:
        signal.signal(signal.SIGINT, previous)
        os.close(messages)


def _restore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
