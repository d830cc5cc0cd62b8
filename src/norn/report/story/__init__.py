"""The story of a failure: which steps of its execution to tell, joined by source lines, and who ran when.

No layout: `story_table` makes lines of text of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from norn.model import Finding, Frame, Step, Trace, telling_frame
from norn.report.held_locks import HeldLocks
from norn.report.same import Same
from norn.report.story.folding import folded, with_locks_beside, without_middle
from norn.report.story.items import Fold, Item, Line, Stop, Story
from norn.report.story.lines import LineMaker, read_before_writes
from norn.report.story.stops import blocked_after, last_waits, stop_after
from norn.report.turns import Turns
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
    "without_middle",
]

_RACE = "data-race"
# More than these nobody reads, and to tell them takes long: steps of a thread without another one in between,
# and the stretches of threads at the beginning and at the end.
_MOST_OF_STRETCH = 1_000
_FIRST_STRETCHES = 50
_LAST_STRETCHES = 1_000


def make_story(finding: Finding, trace: Trace) -> Story:
    """Made once: several reports tell the same one, and what explains it goes by its story."""
    return _story(Same(finding), Same(trace))


@lru_cache(maxsize=8)
def _story(of: Same[Finding], within: Same[Trace]) -> Story:
    finding, trace = of.it, within.it
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
    turns = Turns(all_steps)
    group = LineMaker(read_before_writes(steps))
    last_shown = len(steps) - 1
    while last_shown > 0 and not steps[last_shown].matters:
        last_shown -= 1
    stretches = list(_stretches(steps))
    skipped = range(_FIRST_STRETCHES, len(stretches) - _LAST_STRETCHES)
    for number, (begin, end) in enumerate(stretches):
        for step in steps[begin:end]:
            held.note(step)
        if number in skipped:
            if number == skipped[-1]:
                yield Fold(steps[begin].thread, end - stretches[skipped[0]][0], of_all=True)
            continue
        yield from _of_stretch(steps[begin:end], group)
        if end < len(steps) and end <= last_shown:
            yield from stop_after(finding, all_steps, turns, end - 1, held)
            yield from blocked_after(finding, all_steps, turns, end - 1, held)


def _stretches(steps: Sequence[Step]) -> Iterator[tuple[int, int]]:
    """Where one thread runs, without another one in between: the first index, and that behind the last."""
    begin = 0
    for index in range(1, len(steps) + 1):
        if index == len(steps) or steps[index].thread != steps[begin].thread:
            yield begin, index
            begin = index


def _of_stretch(steps: Sequence[Step], group: LineMaker) -> Iterator[Item]:
    """The lines of a stretch; of a long one those at both ends."""
    shown = [step for step in steps if step.matters]
    left_out = len(shown) - _MOST_OF_STRETCH
    first = _MOST_OF_STRETCH // 3 if left_out > 0 else len(shown)
    for step in shown[:first]:
        yield from group.add(step)
    yield from group.take()
    if left_out > 0:
        yield Fold(steps[0].thread, left_out)
        for step in shown[first + left_out :]:
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
