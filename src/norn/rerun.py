"""Runs one schedule again and collects its steps; says whether a finding shows up again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from norn import protocol, session, unconfirmed
from norn.build import Program
from norn.collector import without_collector
from norn.deadline import Deadline
from norn.memory_names import MemoryNames
from norn.model import Trace
from norn.session import Outcome
from norn.symbolize import Symbols
from norn.token import Token
from norn.trace import make_trace

# From so many ticks on an execution is long. Of each thread so many are told then, at most, on memory of its
# own.
_LONG = 20_000
_MOST_PRIVATE = 2_000
# One that does not end at its time limit is killed.
_GRACE_SECONDS = 1.0


NO_DEADLINE = Deadline()


@dataclass(frozen=True)
class Replayed:
    outcome: Outcome
    trace: Trace
    memory: MemoryNames


def options_of(
    token: Token,
    isolate: str,
    max_events: int | None,
    shown: bool,
    further: Mapping[str, str] | None = None,
    brief: bool = False,
) -> protocol.Options:
    """Options of a replay. further: those of the check that the program's behaviour depends on.

    brief: of a long execution, leave out most of what threads do to memory of their own.
    """
    options: protocol.Options = {
        "mode": "replay",
        "isolate": isolate,
        "schedule": token.schedule,
        "choices": token.choices,
        "parents": token.parents,
        "output": "shown" if shown else "hidden",
        **(further or {}),
    }
    if max_events is not None:
        options["max_events"] = max_events
    if brief and token.ticks > _LONG:
        options["most_private"] = _MOST_PRIVATE
    return options


def replay_token(
    program: Program,
    symbols: Symbols,
    token: Token,
    arguments: Sequence[str],
    *,
    isolate: str,
    max_events: int | None = None,
    time_limit: float,
    shown: bool = False,
    further: Mapping[str, str] | None = None,
    on_interrupt: Callable[[], None] | None = None,
    brief: bool = False,
    deadline: Deadline = NO_DEADLINE,
) -> Replayed:
    """time_limit: of the replay alone. Steps that could not be told by the deadline are dropped."""
    seconds = deadline.left(time_limit)
    if seconds == 0:
        return _not_replayed(symbols)
    outcome = session.run(
        [str(program.executable), *arguments],
        options_of(token, isolate, max_events, shown, further, brief) | {"time_limit": seconds},
        time_limit=seconds,
        on_interrupt=on_interrupt,
        grace=_GRACE_SECONDS,
    )
    if not deadline.allows(len(outcome.steps)):
        outcome = replace(outcome, steps=[], blocks=[])
    with without_collector():
        memory = MemoryNames(outcome, symbols)
        return Replayed(outcome, make_trace(outcome, symbols, memory), memory)


def _not_replayed(symbols: Symbols) -> Replayed:
    """There was no time."""
    nothing = Outcome(killed_at_limit=True)
    return Replayed(nothing, Trace({}, ()), MemoryNames(nothing, symbols))


def why_unconfirmed(finding: protocol.Finding, outcome: Outcome) -> str | None:
    """Nothing if the replay showed the finding again, else what happened instead."""
    again = any(seen.kind == finding.kind and seen.thread == finding.thread for seen in outcome.findings)
    broken = outcome.diverged is not None or outcome.death is not None or outcome.unsupported is not None
    return None if again and not broken else why_not_seen(outcome)


def why_not_seen(outcome: Outcome) -> str:
    """What a replay did that did not show what it should have shown."""
    if outcome.interrupted:
        return unconfirmed.INTERRUPTED
    if outcome.killed_at_limit or (outcome.result is not None and "time-limit" in outcome.result.bounds):
        return unconfirmed.NO_TIME
    if outcome.diverged is not None:
        return f"the replay left the schedule at tick {outcome.diverged.tick}: {outcome.diverged.message}"
    if outcome.death is not None:
        return outcome.death
    if outcome.unsupported is not None:
        return outcome.unsupported.message
    if outcome.findings:
        return f"the replay failed differently: {outcome.findings[0].message}"
    return "the replay ended without a failure" + "".join(f" ({error})" for error in outcome.errors)
