"""Which steps of an execution are rows of its diagram, where not every one is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from norn.model import Step, telling_frame
from norn.report.interleaving import Row
from norn.report.library_calls import called_by_user, is_inside_library
from norn.report.words import count, describe_step
from norn.symbolize import short_function


def rows_that_matter(steps: Sequence[Step]) -> list[Row]:
    """Rows at the user's own lines. What a library does inside is one row for each call of it."""
    rows: list[Row] = []
    inside: tuple[int, str, str | None] | None = None
    accesses = 0
    for step in steps:
        if not step.matters:
            continue
        frame = telling_frame(step.stack)
        if not is_inside_library(step):
            rows.append(Row(step.number, step.thread, describe_step(step), frame))
            inside = None
            continue
        called = called_by_user(step.stack)
        if called is None or frame is None or "thread" in Path(called.file or "").name:
            continue  # how a thread is started is the library's own business
        call = (step.thread, short_function(called.function), frame.place)
        if call == inside:
            accesses += 1
            rows.pop()
        else:
            inside, accesses, first = call, 1, step.number
        rows.append(Row(first, step.thread, f"{call[1]} ({count(accesses, 'access', 'accesses')})", frame))
    return rows
