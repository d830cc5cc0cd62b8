"""Hands the schedule of a replay over to the checked executable: in a file without a name, by its descriptor.

A schedule is as long as the execution. An environment or an argument holds some 100 KB at most, so that long
failing executions could not be replayed, and their findings would be lost. (engine/host/replay_schedule.h)
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from norn.protocol import Options

# The options that are lines of that file, in their order.
_LINES = ("schedule", "choices", "parents")


@contextlib.contextmanager
def handed_over(options: Options) -> Iterator[tuple[Options, list[int]]]:
    """Options of the engine without those that may be long, and the descriptors that it is to inherit."""
    if not any(name in options for name in _LINES):
        yield options, []
        return
    text = "".join(f"{options.get(name, '')}\n" for name in _LINES)
    descriptor = os.memfd_create("norn-schedule")
    try:
        with open(descriptor, "w", encoding="ascii", closefd=False) as file:
            file.write(text)
        short = {name: value for name, value in options.items() if name not in _LINES}
        yield {**short, "schedule_fd": descriptor}, [descriptor]
    finally:
        os.close(descriptor)
