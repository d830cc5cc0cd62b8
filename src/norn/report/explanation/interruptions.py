"""What happened while a thread was stopped.

The switch away from a thread that could have gone on is what a failure needs; so these sentences say what the
thread knew, what the others changed, whether it noticed, and which lock did not help.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from norn.model import Step, telling_frame
from norn.report.explanation.changes import Change, changes_by, cited_by, tell_change, tell_changes
from norn.report.explanation.context import Context
from norn.report.explanation.sentence import Moment, Sentence
from norn.report.library_calls import called_by_user, is_inside_library
from norn.report.memory_history import READS, is_named, is_same_memory, known_value
from norn.report.source_text import SourceText
from norn.report.story import Stop, make_story
from norn.report.words import is_about_now
from norn.symbolize import short_function

# More is no explanation any more; the story has it all.
_MOST_STOPS = 20
_MOST_CHANGES = 3
_MOST_CONSEQUENCES = 2
_KNEW = {"load": "read", "store": "written"}


@dataclass(frozen=True)
class _Interruption:
    thread: int
    before: Step  # its last step
    last_write: Step | None  # to memory that others know, before it
    following: Step | None  # how it goes on, for others to see; None: the execution ends first
    meanwhile: tuple[Step, ...]  # steps of the others
    holds: tuple[str, ...]

    @property
    def who(self) -> str:
        return f"T{self.thread}"


def tell_interruptions(about: Context) -> Iterator[Moment]:
    for one in _interruptions(about):
        if one.following is not None or one.thread == about.failed:
            yield from _tell_stopped(one, about)
        elif not about.is_stuck:
            yield _tell_never_resumed(one, about)


def _interruptions(about: Context) -> Iterator[_Interruption]:
    steps = about.trace.steps
    items = make_story(about.finding, about.trace).items
    stops = [item for item in items if isinstance(item, Stop) and item.after]
    for stop in stops[-_MOST_STOPS:]:
        if stop.waits_for:
            continue
        last = stop.after - 1  # numbers are from 1
        then = about.turns.next(stop.thread, last)
        shown = (steps[at] for at in about.turns.on_from(stop.thread, last) if steps[at].matters)
        yield _Interruption(
            stop.thread,
            next(_known_before(stop, about), steps[last]),
            next((step for step in _known_before(stop, about) if step.writes and is_named(step)), None),
            next(shown, steps[then] if then is not None else None),
            tuple(steps[last + 1 : then]),
            stop.holds,
        )


def _known_before(stop: Stop, about: Context) -> Iterator[Step]:
    """What the stopped thread did that others can notice, the last step first."""
    steps = about.trace.steps
    before = about.turns.back_from(stop.thread, stop.after - 1)
    return (steps[at] for at in before if steps[at].matters)


def _tell_stopped(one: _Interruption, about: Context) -> Iterator[Moment]:
    changes = _relevant(one, changes_by(one.meanwhile), about)
    if not changes:
        return
    changed = tell_changes(changes, about.places)
    said = [f"While {one.who} was stopped{_where(one, about)}, {changed}{_unlocked(one, changes, about)}."]
    consequences = (_consequence(one, change, about) for change in changes)
    told = [text for text in consequences if text]
    if any(change.frees for change in changes):
        told = told[-1:]  # to look again at who points to the block would not have kept it alive
    said += told[:_MOST_CONSEQUENCES]
    yield Moment(one.before.number, Sentence(" ".join(said), one.thread, cites=cited_by(changes)))


def _where(one: _Interruption, about: Context) -> str:
    """` at line 14`, ` between line 31 and line 33, holding m`, ` inside std::vector::push_back() at …`."""
    before = about.places.of(one.before)
    after = about.places.of(one.following) if one.following is not None else ""
    holding = f", holding {', '.join(one.holds)}" if one.holds else ""
    if before and after and before != after:
        return f" between {before} and {after}{holding}"
    called = called_by_user(one.before.stack) if is_inside_library(one.before) else None
    inside = f" inside {short_function(called.function)}()" if called is not None else ""
    return f"{inside} at {before or after}{holding}" if before or after else f"{inside}{holding}"


def _unlocked(one: _Interruption, changes: Sequence[Change], about: Context) -> str:
    """A lock that the stopped thread held, and that did not keep the others away."""
    if len(one.holds) != 1:
        return ""
    locks = {lock for change in changes for step in change.writes for lock in about.locks(step)}
    return f", without locking {one.holds[0]}" if one.holds[0] not in locks else ""


def _relevant(one: _Interruption, changes: Sequence[Change], about: Context) -> list[Change]:
    """What the thread has looked at before, the latest first, or else what it looks at later; what is freed
    at the end."""
    known: list[tuple[int, Change]] = []
    later: list[Change] = []
    freed: list[Change] = []
    for change in changes:
        before = max((_last(one, step, about) for step in change.places), default=0)
        after = any(_comes_back(one, step, about) for step in change.places)
        if change.frees:
            freed += [change] if after else []
        elif before:
            known.append((before, change))
        elif after:
            later.append(change)
    known.sort(key=lambda each: -each[0])
    return [*([change for _, change in known] or later)[:_MOST_CHANGES], *freed[:1]]


def _last(one: _Interruption, location: Step, about: Context) -> int:
    """The number of the last step of the stopped thread there; 0 if there is none."""
    before = about.history.last_before(one.thread, location, one.before.number)
    return before.number if before is not None else 0


def _comes_back(one: _Interruption, location: Step, about: Context) -> bool:
    return about.history.first_after(one.thread, location, one.before.number) is not None


def _consequence(one: _Interruption, change: Change, about: Context) -> str:
    """What the thread made of a location that was changed behind its back; nothing if it did not know it."""
    who, name = one.who, change.name
    if change.call:
        return ""
    before = about.history.last_before(one.thread, change.location, one.before.number)
    after = about.history.first_after(one.thread, change.location, one.meanwhile[-1].number)
    if change.frees:
        used = f"{who} then used what was freed{about.behind(after)}" if after is not None else ""
        return f"{used}: nothing had kept it alive." if used else ""
    if before is None or not is_same_memory(before, change.location):
        return ""
    if after is not None and not is_same_memory(after, change.location):
        return ""  # a part of it, or more: their values cannot be compared
    value = known_value(before)
    others = ", ".join(f"T{each}" for each in change.threads)
    knew = f"{who} had {_KNEW.get(before.operation, 'left' if before.writes else 'read')} {name} = {value}"
    if before.number != one.before.number:
        knew += about.behind(before)
    if after is None and before.operation == "store":
        return f"{others} overwrote what {who} had written{about.behind(before)}."
    if after is None:
        return f"{knew} and did not look again." if value != change.last else ""
    wrote = f"wrote {known_value(after)}"
    if after.operation == "store" and before.operation == "store":
        return f"{knew} and {wrote} over that{about.behind(after)}."
    if after.operation == "store":
        lost = f": the change by {others} was lost" if value != change.last else ""
        return f"{knew} and {wrote}{about.behind(after)} without reading it again{lost}."
    if after.operation == "compare-exchange" and after.writes and after.before == value:
        return (
            f"The compare-exchange of {name} by {who}{about.behind(after)} succeeded all the same: "
            f"{name} was {value} again."
        )
    if after.before == value:
        return ""
    released = next((lock for lock in about.locks(before) if lock not in one.holds), "")
    unlocked = f", unlocked {released}" if released else ""
    return f"{knew}{unlocked}, and then found {after.before}{about.behind(after)}."


def _tell_never_resumed(one: _Interruption, about: Context) -> Moment:
    """The failing thread came too early: what it had from the other one, or what was not there yet."""
    failed = f"T{about.failed}"
    own = [step for step in one.meanwhile if step.thread == about.failed]
    reads = [step for step in own if step.operation in READS and is_named(step)]
    had = next((step for step in reads if _is_from(one, step, about)), None)
    cites: tuple[int, ...] = ()
    more = after = ""
    if had is not None and not about.places.is_failing(had) and (source := about.history.source(had)):
        without = [lock for lock in one.holds if lock not in about.locks(had)]
        unlocked = f"; it had not locked {without[0]}" if len(without) == 1 else ""
        read = f"{had.location} = {had.before}{about.behind(had)}"
        more = f" {failed} had read {read}, which {one.who} wrote{about.behind(source)}{unlocked}."
        cites = (had.number, source.number)
    elif changes := changes_by([one.last_write] if one.last_write is not None else []):
        what = changes[0]
        freed = f"freeing {what.name}{about.behind(what.location)}"
        after = f" after {freed if what.frees else f'changing {tell_change(what, about.places)}'}"
        cites = cited_by(changes)
    stopped = f"{one.who} was stopped{_where(one, about)}{after}"
    said = f"{stopped}, and had not gone on{_next_line(one, about)} when {failed} failed.{more}"
    missed = any(about.places.is_failing(step) and not about.history.sources(step) for step in reads)
    return Moment(one.before.number, Sentence(said, one.thread, cites=cites), had is not None or missed)


def _next_line(one: _Interruption, about: Context) -> str:
    """` to line 26, `ready = true;`,`: what the thread would have done."""
    state = next(
        (each for each in about.finding.threads if each.id == one.thread and is_about_now(each)), None
    )
    frame = telling_frame(state.stack) if state is not None else None
    place = about.places.of_frame(frame)
    if frame is None or not place or place == about.places.of(one.before):
        return ""
    code = SourceText().line(frame.file, frame.line)
    return f" to {place}, `{code}`," if code else f" to {place}"


def _is_from(one: _Interruption, step: Step, about: Context) -> bool:
    """Whether it read what the stopped thread had written just before, without another thread in between."""
    source = about.history.source(step)
    if source is None or source.thread != one.thread:
        return False
    steps = about.trace.steps
    between = (steps[at] for at in range(source.number, one.before.number))
    return all(each.thread == one.thread for each in between)
