"""What the engine says of findings that it has shrunk: from its messages to the model."""

from __future__ import annotations

from norn import protocol
from norn.model import Effort, Shrunk
from norn.session import Outcome


def simpler_of(outcome: Outcome, of: str, number: int) -> protocol.Shrunk | None:
    """What became of a finding or race, or nothing if it was not tried."""
    return next((each for each in outcome.shrunk if (each.of, each.number) == (of, number)), None)


def how_shrunk(message: protocol.Shrunk) -> Shrunk:
    return Shrunk(
        _effort(message.before), _effort(message.after), message.executions, message.least, message.met_budget
    )


def _effort(effort: protocol.Effort) -> Effort:
    return Effort(effort.preemptions, effort.switches, effort.events, effort.choices)
