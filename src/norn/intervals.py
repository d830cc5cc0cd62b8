"""Things that lie between two numbers, to be found by where they lie: parts of a heap block, by offsets."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Generic, TypeVar

T = TypeVar("T")
_FEW = 8  # are looked through one by one


class Intervals(Generic[T]):
    """Built once. A question takes time for what it finds, not for how many there are, unless a few of them
    are so long that they lie around most of the others."""

    def __init__(self, things: Iterable[T], bounds: Callable[[T], tuple[int, int]]) -> None:
        self._given = [(*bounds(thing), thing) for thing in things]
        self._is_small = len(self._given) <= _FEW
        if self._is_small:
            return
        ordered = sorted(range(len(self._given)), key=lambda number: self._given[number][0])
        self._numbers = ordered
        self._starts = [self._given[number][0] for number in ordered]
        # The last end of all up to each.
        self._last_end = list(accumulate((self._given[number][1] for number in ordered), max))

    def overlapping(self, begin: int, end: int) -> list[T]:
        """Those that have something in common with the numbers from `begin` to below `end`, in the order in
        which they were given."""
        if self._is_small:
            return [thing for first, last, thing in self._given if first < end and last > begin]
        found = []
        at = bisect.bisect_left(self._starts, end) - 1
        while at >= 0 and self._last_end[at] > begin:
            if self._given[self._numbers[at]][1] > begin:
                found.append(self._numbers[at])
            at -= 1
        return [self._given[number][2] for number in sorted(found)]
