"""Stories in fewer items: locks beside what they are for; what is far from the turns of threads left out."""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from norn.report.story.items import Fold, Item, Line, Stop, Story


def with_locks_beside(story: Story) -> Story:
    """The same in fewer items: who only locks or unlocks does it on the way to or from what it is for."""
    items: list[Item] = []
    opened: Line | None = None  # a lock that waits for what comes next
    for told in story.items:
        item = told
        if opened is not None and isinstance(told, Line) and told.thread == opened.thread and told.steps:
            item, opened = _joined(opened, told, told), None
        elif opened is not None:
            items.append(opened)
            opened = None
        last = items[-1] if items else None
        if isinstance(item, Line) and item.does == "locks":
            opened = item
        elif (
            isinstance(item, Line)
            and item.does == "unlocks"
            and isinstance(last, Line)
            and (last.thread, last.does) == (item.thread, "")
        ):
            items[-1] = _joined(last, item, last)
        else:
            items.append(item)
    return replace(story, items=(*items, *([opened] if opened is not None else [])))


def without_middle(story: Story, most: int) -> Story:
    """The beginning and the end, which tells more, of a story with more items than that."""
    if len(story.items) <= most:
        return story
    first = most // 8
    middle = story.items[first : len(story.items) - (most - first)]
    steps = sum(item.steps for item in middle if not isinstance(item, Stop))
    fold = Fold(middle[0].thread, steps, of_all=True)
    return replace(story, items=(*story.items[:first], fold, *story.items[first + len(middle) :]))


def _joined(first: Line, second: Line, like: Line) -> Line:
    return replace(
        like,
        said=f"{first.said}, {second.said}",
        steps=first.steps + second.steps,
        numbers=first.numbers | second.numbers,
    )


def folded(story: Story, most: int, cited: Sequence[int] = ()) -> Story:
    """In at most so many items, if that can be: what is far from where threads take turns is folded, but for
    the steps that are spoken of elsewhere. These are given by their numbers, the most important first."""
    if len(story.items) <= most:
        return story
    stretches = list(_stretches(story.items))

    def shortest(few: int) -> int:
        cites = frozenset(cited[:few])
        return sum(len(_fold_middle(stretch, 1, cites)) for stretch in stretches)

    # The more is cited the longer it is at least: as many as there is room for.
    few = bisect.bisect_right(range(1, len(cited) + 1), most, key=shortest)
    return _folded_around(story, stretches, most, frozenset(cited[:few]))


def _folded_around(
    story: Story, stretches: Sequence[Sequence[Item]], most: int, cited: Collection[int]
) -> Story:
    def with_at_most(kept: int) -> list[Item]:
        return [item for stretch in stretches for item in _fold_middle(stretch, kept, cited)]

    # The more is kept of each stretch the longer it is: the last number that is short enough.
    widest = max(len(stretch) for stretch in stretches)
    kept = bisect.bisect_right(range(1, widest + 1), most, key=lambda kept: len(with_at_most(kept)))
    return replace(story, items=tuple(with_at_most(max(kept, 1))))


def _fold_middle(stretch: Sequence[Item], kept: int, cited: Collection[int]) -> list[Item]:
    """At most so many items of a stretch of one thread and those that are cited; the end tells more than the
    beginning."""
    lines = [item for item in stretch if not isinstance(item, Stop)]
    stops = [item for item in stretch if isinstance(item, Stop)]
    if len(lines) <= kept + 1:
        return list(stretch)
    first = kept // 3
    shown: list[Item] = []
    for at, item in enumerate(lines):
        is_cited = isinstance(item, Line) and not item.numbers.isdisjoint(cited)
        if at < first or at >= len(lines) - (kept - first) or is_cited:
            shown.append(item)
        elif shown and isinstance(shown[-1], Fold):
            shown[-1] = replace(shown[-1], steps=shown[-1].steps + item.steps)
        else:
            shown.append(Fold(item.thread, item.steps))
    return [*shown, *stops]


def _stretches(items: Sequence[Item]) -> Iterator[list[Item]]:
    stretch: list[Item] = []
    for item in items:
        if stretch and stretch[-1].thread != item.thread:
            yield stretch
            stretch = []
        stretch.append(item)
    if stretch:
        yield stretch
