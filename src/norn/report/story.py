"""The story of a failure: which steps of its execution to tell, joined by source lines, and who ran when.

No layout: `story_table` makes lines of text of it.
"""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from norn.model import UNKNOWN, Finding, Frame, Step, ThreadState, Trace, telling_frame
from norn.report.held_locks import HeldLocks
from norn.report.library_calls import called_by_user, is_inside_library
from norn.report.memory_history import History, is_same_memory
from norn.report.words import count, describe_state, describe_step, is_about_now
from norn.symbolize import short_function

_RACE = "data-race"
# Who starts whom and who has ended says little: such steps are told together.
_ABOUT_OTHERS = frozenset({"spawn", "join"})


@dataclass(frozen=True)
class Line:
    """What a thread did on one line of the source, without another thread in between."""

    thread: int
    said: str
    frame: Frame | None
    steps: int = 1
    does: str = ""  # "others": starts threads or waits for their end; "locks" or "unlocks": only that
    numbers: frozenset[int] = field(default=frozenset(), compare=False)  # of its steps

    @property
    def only_others(self) -> bool:
        return self.does == "others"


@dataclass(frozen=True)
class Fold:
    """Steps that are not told."""

    thread: int
    steps: int


@dataclass(frozen=True)
class Stop:
    """A thread does not go on here, although it has more to do; another one runs."""

    thread: int
    waits_for: str  # a lock that another thread holds; empty: it could go on
    holds: tuple[str, ...]
    after: int = field(default=0, compare=False)  # the number of its last step before


Item = Line | Fold | Stop


@dataclass(frozen=True)
class Story:
    names: dict[int, str]  # id -> "T1 worker"
    columns: tuple[int, ...]  # the threads that matter
    items: tuple[Item, ...]

    @property
    def files(self) -> set[str]:
        return {
            item.frame.file
            for item in self.items
            if isinstance(item, Line) and item.frame and item.frame.file
        }

    @property
    def steps_told(self) -> int:
        return sum(item.steps for item in self.items if isinstance(item, Line))

    def name(self, thread: int) -> str:
        return self.names.get(thread, f"T{thread}")


def make_story(finding: Finding, trace: Trace) -> Story:
    steps = _up_to_failure(finding, trace.steps)
    told = list(_items(finding, steps, trace.steps))
    blocked = {item.thread for item in told if isinstance(item, Line) and not item.steps}
    waits = [line for line in _last_waits(finding, trace.steps) if line.thread not in blocked]
    items = _without_prelude([*told, *waits])
    return Story(trace.threads, _columns(finding, items), tuple(items))


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
    for few in range(len(cited), 0, -1):
        short = _folded_around(story, most, frozenset(cited[:few]))
        if len(short.items) <= most:
            return short
    return _folded_around(story, most, frozenset())


def _folded_around(story: Story, most: int, cited: Collection[int]) -> Story:
    stretches = list(_stretches(story.items))

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
        is_cited = isinstance(item, Line) and any(number in item.numbers for number in cited)
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
    group = _Group(_read_before(steps))
    last_shown = len(steps) - 1
    while last_shown > 0 and not steps[last_shown].matters:
        last_shown -= 1
    for index, step in enumerate(steps):
        if index > 0 and steps[index - 1].thread != step.thread:
            yield from group.take()
            if index <= last_shown:
                yield from _stop(finding, all_steps, index - 1, held)
                yield from _blocked(finding, all_steps, index - 1, held)
        held.note(step)
        if not step.matters:
            continue
        yield from group.add(step)
    yield from group.take()


def _stop(finding: Finding, steps: Sequence[Step], index: int, held: HeldLocks) -> Iterator[Stop]:
    """Why the thread of a step, after which another one runs, does not go on; nothing if it is done."""
    thread, number = steps[index].thread, steps[index].number
    following = (at for at in range(index + 1, len(steps)) if steps[at].thread == thread)
    then = next(following, None)
    if steps[index].operation == "end":
        return
    if then is None:
        pending = _pending(finding, thread)
        between = steps[index + 1 :]
    else:
        pending = (steps[then].operation, steps[then].location)
        between = steps[index + 1 : then]
    if pending is None or pending[0] in _NOT_STOPPED:
        return
    operation, wanted = pending
    if operation in _WAITS_FOR_LOCK and held.keeps_out(wanted, thread, operation):
        if then is not None or finding.kind != "deadlock":
            yield Stop(thread, wanted, held.of(thread), number)
    elif not _is_free_of_preemptions(finding) and not _waits(operation, wanted, between):
        yield Stop(thread, "", held.of(thread), number)


def _pending(finding: Finding, thread: int) -> tuple[str, str] | None:
    """What a thread would do after its last step; nothing if it waits for something other than a lock."""
    state = next((each for each in finding.threads if each.id == thread and is_about_now(each)), None)
    if state is None:
        return None
    if state.state == "running":
        return state.next_operation, state.next_object
    if state.state != "waiting" or " lock" not in state.detail:
        return None
    return ("rwlock-read" if "reading" in state.detail else "lock"), state.object or ""


def _blocked(finding: Finding, steps: Sequence[Step], index: int, held: HeldLocks) -> Iterator[Line]:
    """In a deadlock, what a thread wants that another one holds when it comes to it."""
    thread = steps[index].thread
    if finding.kind != "deadlock" or any(step.thread == thread for step in steps[index + 1 :]):
        return
    for state in finding.threads:
        if state.id == thread and state.object and held.holder(state.object, thread) is not None:
            yield _wanted(state, held)


def _wanted(state: ThreadState, held: HeldLocks) -> Line:
    holder = held.holder(state.object, state.id) if state.object else None
    said = describe_state(state) if holder is None else f"wants {state.object}, which T{holder} holds"
    return Line(state.id, said, telling_frame(state.stack), 0)


def _is_free_of_preemptions(finding: Finding) -> bool:
    """Steps that nobody else can notice may stand between others all the same."""
    return finding.shrunk is not None and finding.shrunk.after.preemptions == 0


def _last_waits(finding: Finding, steps: Sequence[Step]) -> Iterator[Line]:
    """In a deadlock, what each thread wants and never gets, but for those that wait for others to end."""
    if finding.kind != "deadlock":
        return
    held = HeldLocks()
    for step in steps:
        held.note(step)
    for thread in finding.threads:
        if any(what in thread.detail for what in ("a thread", "condition", "futex")):
            continue  # there is nothing to tell, or it is told already
        yield _wanted(thread, held)


_WAITS_FOR_LOCK = frozenset({"lock", "robust-lock", "rwlock-read", "rwlock-write"})
_NOT_STOPPED = frozenset({"end", "wake-lock", "barrier-wake", "cancel-wait"})
# What a thread waits for, and what another one does that ends it.
_ENDED_BY = {"join": "end", "sem-wait": "sem-post", "once-begin": "once-end"}


def _waits(operation: str, wanted: str, between: Sequence[Step]) -> bool:
    """Whether a thread could not do that until one of these steps of others had come."""
    ends = _ENDED_BY.get(operation)
    if ends is None:
        return False
    if ends == "end":
        thread = wanted.partition(" ")[0]
        return any(step.operation == ends and thread == f"T{step.thread}" for step in between)
    return any(step.operation == ends and step.location == wanted for step in between)


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


@dataclass
class _Group:
    """Steps that become one line."""

    read_before: dict[int, str]  # see _read_before
    steps: list[Step] = field(default_factory=list)

    def add(self, step: Step) -> Iterator[Line]:
        if self.steps and not self._belongs(step):
            yield from self.take()
        self.steps.append(step)

    def take(self) -> Iterator[Line]:
        steps, self.steps = self.steps, []
        if not steps:
            return
        others = steps[0].operation in _ABOUT_OTHERS
        frame = telling_frame(steps[0].stack)
        said = _about_others(steps) if others else ", ".join(_effects(steps, self.read_before))
        if said:
            numbers = frozenset(step.number for step in steps)
            yield Line(steps[0].thread, said, frame, len(steps), _only(steps), numbers)

    def _belongs(self, step: Step) -> bool:
        last = self.steps[-1]
        if step.operation in _ABOUT_OTHERS or last.operation in _ABOUT_OTHERS:
            return step.operation == last.operation
        if self._comes_round(step):
            return False
        mine, its = telling_frame(last.stack), telling_frame(step.stack)
        return mine is not None and its is not None and mine.place == its.place

    def _comes_round(self, step: Step) -> bool:
        """Whether a loop on one line has begun again: it writes once more what it has written."""
        return step.operation == "store" and any(
            each.operation == "store" and each.location == step.location for each in self.steps
        )


def _only(steps: Sequence[Step]) -> str:
    operation = steps[0].operation if len(steps) == 1 else ""
    if steps[0].operation in _ABOUT_OTHERS:
        return "others"
    return "locks" if operation == "lock" else "unlocks" if operation == "unlock" else ""


def _about_others(steps: Sequence[Step]) -> str:
    names = [step.location or "a thread" for step in steps]
    if steps[0].operation == "spawn":
        return f"start {', '.join(names)}"
    return f"join {', '.join(name.partition(' ')[0] for name in names)}"


def _read_before(steps: Sequence[Step]) -> dict[int, str]:
    """Number of a write -> what its thread had last read there, if that was changed behind its back."""
    history = History(steps)
    found: dict[int, str] = {}
    for step in steps:
        if step.operation != "store":
            continue
        known = history.last_before(step.thread, step, step.number - 1)
        if known is None or known.operation != "load" or not is_same_memory(known, step):
            continue
        if known.before != step.before:
            found[step.number] = known.before
    return found


def _effects(steps: Sequence[Step], read_before: dict[int, str]) -> list[str]:
    """What steps on one line did, without what follows from the others: `x: 1 → 2` for a read and a write."""
    said: list[str] = []
    known: dict[str, tuple[int, str]] = {}  # memory -> where it is told, and its value at first
    for step in steps:
        if is_inside_library(step):
            call = _library_call(step)
            if call and call not in said:
                said.append(call)
            continue
        if step.operation not in ("load", "store") or not step.location or step.after == UNKNOWN:
            known.clear()
            text = describe_step(step)
            if text not in said:
                said.append(text)
            continue
        at, first = known.get(step.location, (-1, step.before))
        if at < 0:
            at = len(said)
            said.append("")
            known[step.location] = (at, first)
            said[at] = describe_step(step) if step.operation == "load" or step.before == step.after else ""
        if step.operation == "store" and step.before != step.after:
            said[at] = f"{step.location}: {first} → {step.after}"
            if step.number in read_before:
                said[at] += f", having read {read_before[step.number]}"
    return said


def _library_call(step: Step) -> str:
    """What the user's code has called, for all accesses of that; nothing for how threads are started."""
    called = called_by_user(step.stack)
    if called is None or "thread" in Path(called.file or "").name:
        return ""
    return f"{short_function(called.function)}()"


def describe_turns(finding: Finding) -> str:
    """`2 preemptions, no fewer will do`: how much there is to follow; nothing if that is not known."""
    if finding.shrunk is None:
        return ""
    preemptions = finding.shrunk.after.preemptions
    if preemptions == 0:
        return "no preemption"
    return count(preemptions, "preemption") + (", no fewer will do" if finding.shrunk.least else "")
