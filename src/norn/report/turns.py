"""Which steps of an execution are those of which thread: how a thread goes on, whatever comes in between."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence

from norn.model import Step


class Turns:
    """Indices into the steps, by thread."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._indices: dict[int, list[int]] = defaultdict(list)
        for index, step in enumerate(steps):
            self._indices[step.thread].append(index)

    def next(self, thread: int, index: int) -> int | None:
        """The first step of the thread after that one."""
        own = self._indices[thread]
        at = bisect.bisect_right(own, index)
        return own[at] if at < len(own) else None

    def back_from(self, thread: int, index: int) -> Iterator[int]:
        """Those of the thread up to that one, the last one first."""
        own = self._indices[thread]
        return (own[at] for at in range(bisect.bisect_right(own, index) - 1, -1, -1))

    def on_from(self, thread: int, index: int) -> Iterator[int]:
        """Those of the thread after that one."""
        own = self._indices[thread]
        return (own[at] for at in range(bisect.bisect_right(own, index), len(own)))
