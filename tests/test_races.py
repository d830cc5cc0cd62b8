"""Data races: the engine's answer against the definition, and programs with and without them."""

from __future__ import annotations

import random

import pytest

from norn._engine import RaceFinder
from tests.race_oracle import Event, Simulation, last_races, races


@pytest.mark.parametrize("seed", range(20))
def test_races_are_those_of_the_definition(seed: int) -> None:
    """Hundreds of random executions each, with one finder: what it has learned must not show."""
    dice = random.Random(seed)
    finder = RaceFinder()
    racy = 0
    for _ in range(200):
        simulation = Simulation(dice)
        events = simulation.run(dice.randint(5, 40))
        found = set(finder.find([event.given() for event in events], simulation.threads))
        assert found == last_races(events), events
        assert bool(found) == bool(races(events))
        racy += bool(found)
        if dice.random() < 0.05:
            finder.forget_locations()
    assert 20 < racy < 200


def found(*events: Event) -> set[tuple[int, int]]:
    return set(RaceFinder().find([event.given() for event in events], 4))
