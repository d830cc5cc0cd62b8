"""Until when everything is to be done that comes after a search: replays, names, stories.

`--time-limit` bounds all of it. What was found shortly before the limit still has to be confirmed, or it
could not be reported as a failure: there are two seconds more for that, in all. What cannot be done by then
is left undone, and the result says so: a finding without a replay is not a failure yet (`unconfirmed`), one
without a story says how to get it.
"""

from __future__ import annotations

import time

# After the limit, to confirm and to tell what was found.
_EXTRA_SECONDS = 2.0
# What it takes, at most, to name a step and to tell of it.
_SECONDS_OF_STEP = 30e-6
# So many steps take no time worth speaking of.
_FEW_STEPS = 20_000


class Deadline:
    """limit: seconds from now; none if it is not given."""

    def __init__(self, limit: float | None = None) -> None:
        self._at = time.monotonic() + limit + _EXTRA_SECONDS if limit else None

    def left(self, most: float) -> float:
        """Seconds that something may take, at most `most`."""
        return most if self._at is None else min(max(self._at - time.monotonic(), 0.0), most)

    def allows(self, steps: int) -> bool:
        """Whether there is time to tell of so many steps."""
        return self._at is None or steps <= _FEW_STEPS + self.left(1e9) / _SECONDS_OF_STEP
