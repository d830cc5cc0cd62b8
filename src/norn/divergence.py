"""Why a program did something else under the same schedule: the first event that differs, and what to do.

An execution begins where the one before it did, and follows its schedule up to some event. If the program
does not do the same up to there, it depends on something that norn does not control. `explain` says in words
what was different, as far as the engine can tell (`protocol.Diverged`).
"""

from __future__ import annotations

from norn import protocol
from norn.model import telling_frame
from norn.report.words import operation_in_words
from norn.symbolize import Symbols

_UNSEEN = (
    "it is written where norn does not see it (by a library, inline assembly or another process), "
    "or read before it is written"
)
_OTHER_WAY = (
    "something differs from execution to execution: a file or other state outside the program that an "
    "execution changed, an address of library memory used as a number, a clock or random number of a "
    "library, or uninitialised memory. --isolate=fork gives each execution a process of its own; norn_choose "
    "of <norn.h> makes a choice that norn explores"
)


def explain(diverged: protocol.Diverged, symbols: Symbols) -> str:
    """One or two sentences."""
    frame = telling_frame(symbols.stack(diverged.stack))
    place = f" at {frame.place}" if frame is not None else ""
    if diverged.was is None or diverged.now is None:
        return (
            f"the program did not follow the schedule at tick {diverged.tick}, T{diverged.thread}{place}: "
            f"{diverged.message}"
        )
    was, now = diverged.was, diverged.now
    same_access = (was.operation, was.address, was.size, was.site) == (
        now.operation,
        now.address,
        now.size,
        now.site,
    )
    what = f"{_told(was, symbols)}, then {_told(now, symbols)}"
    return (
        f"the program is not deterministic: under the same schedule, event {diverged.tick + 1} "
        f"(T{diverged.thread}) was first {what}; {_UNSEEN if same_access else _OTHER_WAY}"
    )


def _told(event: protocol.DifferingEvent, symbols: Symbols) -> str:
    """`read x, which found 5, at prog.c:7`."""
    where = symbols.data(event.address, event.size)[0] if event.address else ""
    frame = telling_frame(symbols.stack([event.site])) if event.site else None
    place = f" at {frame.place}" if frame is not None else ""
    reads = event.operation in ("load", "rmw", "compare-exchange")
    found = f", which found {event.value}," if reads else ""
    return f"“{operation_in_words(event.operation)}{' ' + where if where else ''}”{found}{place}"
