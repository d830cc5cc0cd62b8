"""Who wrote each byte of memory last, while one goes through the steps of an execution."""

from __future__ import annotations

import bisect


class LastWriters:
    """Ranges of bytes that do not overlap, each with the number of the step that wrote it last."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ranges: list[tuple[int, int, int]] = []  # start, end, number of the step

    def of(self, address: int, size: int) -> list[int]:
        """The steps that the bytes there are from, each once."""
        first, last = self._overlapping(address, address + size)
        return list(dict.fromkeys(number for _, _, number in self._ranges[first:last]))

    def write(self, address: int, size: int, number: int) -> None:
        end = address + size
        first, last = self._overlapping(address, end)
        kept = [(address, end, number)]
        for start, stop, other in self._ranges[first:last]:
            if start < address:
                kept.append((start, address, other))
            if stop > end:
                kept.append((end, stop, other))
        kept.sort()
        self._ranges[first:last] = kept
        self._starts[first:last] = [start for start, _, _ in kept]

    def _overlapping(self, start: int, end: int) -> tuple[int, int]:
        first = bisect.bisect_right(self._starts, start)
        if first > 0 and self._ranges[first - 1][1] > start:
            first -= 1
        return first, max(first, bisect.bisect_left(self._starts, end))
