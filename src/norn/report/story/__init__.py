"""The story of a failure: which steps of its execution to tell, joined by source lines, and who ran when.

No layout: `story_table` makes lines of text of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from norn.model import Finding, Frame, Step, Trace, telling_frame
from norn.report.held_locks import HeldLocks
from norn.report.story.folding import folded, with_locks_beside
from norn.report.story.items import Fold, Item, Line, Stop, Story
from norn.report.story.lines import LineMaker, read_before_writes
from norn.report.story.stops import blocked_after, last_waits, stop_after
from norn.report.words import count

__all__ = [
    "Fold",
    "Item",
    "Line",
    "Stop",
    "Story",
    "describe_turns",
    "folded",
    "make_story",
    "with_locks_beside",
]

_RACE = "data-race"


def make_story(finding: Finding, trace: Trace) -> Story:
    steps = _up_to_failure(finding, trace.steps)
    told = list(_items(finding, steps, trace.steps))
    blocked = {item.thread for item in told if isinstance(item, Line) and not item.steps}
    waits = [line for line in last_waits(finding, trace.steps) if line.thread not in blocked]
    items = _without_prelude([*told, *waits])
    return Story(trace.threads, _columns(finding, items), tuple(items))


def _columns(finding: Finding, items: Sequence[Item]) -> tuple[int, ...]:
    """Threads that do more than to start others and to wait for their end, and the one that fails."""
    acting = {item.thread for item in items if isinstance(item, Line) and not item.only_others}
    return tuple(sorted(acting | {finding.thread}))


def _up_to_failure(finding: Finding, steps: Sequence[Step]) -> Sequence[Step]:
    """A race is there as soon as its second access has happened."""
    if finding.kind != _RACE or len(finding.threads) < 2:
        return steps
    second, first = finding.threads[:2]
    seen_first = False
    for index, step in enumerate(steps):
        if seen_first and step.thread == second.id and _same_place(step.stack, second.stack):
            last = index
            while (
                last + 1 < len(steps)
                and steps[last + 1].thread == second.id
                and steps[last + 1].stack == step.stack
            ):
                last += 1
            return steps[: last + 1]
        seen_first = seen_first or (step.thread == first.id and _same_place(step.stack, first.stack))
    return steps


def _same_place(one: Sequence[Frame], other: Sequence[Frame]) -> bool:
    mine, its = telling_frame(one), telling_frame(other)
    return mine is not None and its is not None and mine.place == its.place


def _items(finding: Finding, steps: Sequence[Step], all_steps: Sequence[Step]) -> Iterator[Item]:
    held = HeldLocks()
    group = LineMaker(read_before_writes(steps))
    last_shown = len(steps) - 1
    while last_shown > 0 and not steps[last_shown].matters:
        last_shown -= 1
    for index, step in enumerate(steps):
        if index > 0 and steps[index - 1].thread != step.thread:
            yield from group.take()
            if index <= last_shown:
                yield from stop_after(finding, all_steps, index - 1, held)
                yield from blocked_after(finding, all_steps, index - 1, held)
        held.note(step)
        if not step.matters:
            continue
        yield from group.add(step)
    yield from group.take()


def _without_prelude(items: list[Item]) -> list[Item]:
    """What main does before it starts the first thread is one item."""
    start = next(
        (at for at, item in enumerate(items) if isinstance(item, Line) and item.only_others), len(items)
    )
    before = items[:start]
    if len(before) < 2 or start == len(items) or any(isinstance(item, Stop) for item in before):
        return items
    return [
        Fold(before[0].thread, sum(item.steps for item in before if not isinstance(item, Stop))),
        *items[start:],
    ]


def describe_turns(finding: Finding) -> str:
    """`2 preemptions, no fewer will do`: how much there is to follow; nothing if that is not known."""
    if finding.shrunk is None:
        return ""
    preemptions = finding.shrunk.after.preemptions
    if preemptions == 0:
        return "no preemption"
    return count(preemptions, "preemption") + (", no fewer will do" if finding.shrunk.least else "")
