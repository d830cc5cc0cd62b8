"""Finds in a replayed execution the rounds of threads that loop for ever, so that a story shows one of each.

A livelock is found when a thread has gone round a few times and found the same each time. The steps of these
rounds are in the replay, one round after the other, and the last one says as much as all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from norn import protocol

# No loop of more steps is looked for.
_LONGEST_ROUND = 2000

NumberedSteps = Sequence[tuple[int, protocol.Step]]


@dataclass(frozen=True)
class Rounds:
    """Numbers of steps."""

    last: frozenset[int]
    earlier: frozenset[int]  # rounds like the last one, before it


def find_rounds(own: NumberedSteps, is_private: frozenset[int]) -> Rounds:
    """own: the steps of one thread. is_private: those on memory that only this thread sees, whose values do
    not matter: a loop may count its rounds, or look at a clock."""
    keys = [_key(step, number in is_private) for number, step in own]
    for length in range(1, min(len(keys) // 2, _LONGEST_ROUND) + 1):
        if keys[-length:] == keys[-2 * length : -length]:
            break
    else:
        return Rounds(frozenset(), frozenset())
    begin = len(keys) - length
    first = begin
    while first > 0 and keys[first - 1] == keys[first - 1 + length]:
        first -= 1
    numbers = [number for number, _ in own]
    return Rounds(frozenset(numbers[begin:]), frozenset(numbers[first:begin]))


def _key(step: protocol.Step, private: bool) -> tuple[object, ...]:
    found = () if private else (step.before, step.after)
    return step.operation, step.address, step.size, step.writes, tuple(step.stack), found
