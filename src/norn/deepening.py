"""Explores a program with ever longer executions, for `norn svcomp`.

A program whose executions have no end, or a very late one, keeps a search in its first executions for ever,
or ends it there. So after a short attempt at everything, executions are cut after few events, all of them,
then after more, and so on: a failure that needs few events is found soon, wherever the others lead.

    everything, for a short time ──► cut after 250 events ──► 2,500 ──► 25,000 ──► everything

Nothing is claimed that one round alone has not shown: a round that was cut anywhere is *incomplete*, whatever
the rounds before it have seen, and what it found was run. The first round that explores everything, or finds
something, is the last.
"""

from __future__ import annotations

import time
from dataclasses import replace

from norn import run
from norn.model import Result
from norn.settings import Settings, Watch

STEPS = (250, 2_500, 25_000)
# What each round but the last may take: this part of the time limit, or these seconds.
_PART = 0.1
_SECONDS = 5.0

# What another round may see more of, and what is the same in all of them.
_CUT = frozenset({"max-events", "threads", "time-limit"})
_LEFT_OPEN = frozenset({"nondet", "undefined"})


def check(files: run.Files, settings: Settings, watch: Watch) -> Result:
    """The result of the last round. settings: with the limits for all rounds together."""
    began = time.monotonic()

    def explore(most: int | None, share: float | None) -> Result:
        limits = [share] if share is not None else []
        if settings.time_limit is not None:
            limits.append(max(settings.time_limit - (time.monotonic() - began), 0.01))
        asked = replace(settings, max_events=most, time_limit=min(limits, default=None))
        return run.check(files, asked, watch)

    share = _SECONDS if settings.time_limit is None else settings.time_limit * _PART
    result = first = explore(settings.max_events, share)
    for step in STEPS:
        if _is_last(result) or step >= first.longest:  # nothing that was seen would be cut
            break
        result = explore(step, share)
    # Where the first round did not lack time, more of it changes nothing.
    if _is_last(result) or "time-limit" not in first.bounds:
        return result
    return explore(settings.max_events, None)


def _is_last(result: Result) -> bool:
    bounds = set(result.bounds)
    return bool(result.findings) or result.unusable or not _CUT & bounds or bool(bounds - _CUT - _LEFT_OPEN)
