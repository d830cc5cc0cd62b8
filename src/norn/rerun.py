"""Runs one schedule again and collects its steps; says whether a finding shows up again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from norn import protocol, session
from norn.build import Program
from norn.memory_names import MemoryNames
from norn.model import Trace
from norn.session import Outcome
from norn.symbolize import Symbols
from norn.token import Token
from norn.trace import make_trace


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
) -> dict[str, str | int | float]:
    """NORN_OPTIONS of a replay. further: those of the check that the program's behaviour depends on."""
    options: dict[str, str | int | float] = {
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
    return options


def replay_token(
    program: Program,
    symbols: Symbols,
    token: Token,
    arguments: Sequence[str],
    *,
    isolate: str,
    max_events: int | None = None,
    time_limit: float | None = None,
    shown: bool = False,
    further: Mapping[str, str] | None = None,
) -> Replayed:
    outcome = session.run(
        [str(program.executable), *arguments],
        options_of(token, isolate, max_events, shown, further),
        time_limit=time_limit,
    )
    memory = MemoryNames(outcome, symbols)
    return Replayed(outcome, make_trace(outcome, symbols, memory), memory)


def why_unconfirmed(finding: protocol.Finding, outcome: Outcome) -> str | None:
    """Nothing if the replay showed the finding again, else what happened instead."""
    again = any(seen.kind == finding.kind and seen.thread == finding.thread for seen in outcome.findings)
    broken = outcome.diverged is not None or outcome.death is not None or outcome.unsupported is not None
    return None if again and not broken else why_not_seen(outcome)


def why_not_seen(outcome: Outcome) -> str:
    """What a replay did that did not show what it should have shown."""
    if outcome.diverged is not None:
        return f"the replay left the schedule at tick {outcome.diverged.tick}: {outcome.diverged.message}"
    if outcome.death is not None:
        return outcome.death
    if outcome.unsupported is not None:
        return outcome.unsupported.message
    if outcome.findings:
        return f"the replay failed differently: {outcome.findings[0].message}"
    return "the replay ended without a failure" + "".join(f" ({error})" for error in outcome.errors)
