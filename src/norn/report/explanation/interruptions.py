"""What happened while a thread was stopped.

The switch away from a thread that could have gone on is what a failure needs; so these sentences say what the
thread knew, what the others changed, and whether it noticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from norn.model import Finding, Step, Trace
from norn.report.explanation.changes import Change, changes_by, tell_change, tell_changes
from norn.report.explanation.history import READS, History, is_told, known_value
from norn.report.explanation.sentence import Moment, Places, Sentence
from norn.report.story import Stop, make_story

# More is no explanation any more; the story has it all.
_MOST_STOPS = 20
_STUCK = ("deadlock", "livelock")
_MOST_CHANGES = 3
_MOST_CONSEQUENCES = 2


@dataclass(frozen=True)
class _Interruption:
    thread: int
    before: Step  # its last step
    last_write: Step | None  # to memory that others know, before it
    following: Step | None  # how it goes on, for others to see; None: the execution ends first
    meanwhile: tuple[Step, ...]  # steps of the others
    holds: tuple[str, ...]


def tell_interruptions(finding: Finding, trace: Trace, history: History, places: Places) -> Iterator[Moment]:
    for interruption in _interruptions(finding, trace):
        if interruption.following is None and interruption.thread != finding.thread:
            if finding.kind not in _STUCK:
                yield _tell_never_resumed(interruption, finding, history, places)
        elif said := _tell_stopped(interruption, history, places):
            yield Moment(interruption.before.number, Sentence(said, interruption.thread))


def _interruptions(finding: Finding, trace: Trace) -> Iterator[_Interruption]:
    steps = trace.steps
    stops = [item for item in make_story(finding, trace).items if isinstance(item, Stop) and item.after]
    for stop in stops[-_MOST_STOPS:]:
        if stop.waits_for:
            continue
        later = steps[stop.after :]  # numbers are from 1
        own = next((at for at, step in enumerate(later) if step.thread == stop.thread), None)
        before = [step for step in steps[: stop.after][::-1] if step.thread == stop.thread and step.matters]
        rest = later[own:] if own is not None else ()
        yield _Interruption(
            stop.thread,
            next(iter(before), steps[stop.after - 1]),
            next((step for step in before if step.writes and is_told(step)), None),
            next((step for step in rest if step.thread == stop.thread and step.matters), None)
            or next(iter(rest), None),
            tuple(later[:own]),
            stop.holds,
        )


def _tell_stopped(one: _Interruption, history: History, places: Places) -> str:
    who = f"T{one.thread}"
    changes = _relevant(one.thread, one.before.number, changes_by(one.meanwhile), history)
    if not changes:
        return ""
    said = [f"While {who} was stopped{_where(one, places)}, {tell_changes(changes, places)}."]
    end = one.meanwhile[-1].number
    consequences = (
        _consequence(one.thread, change, one.before.number, end, history, places) for change in changes
    )
    said += [text for text in consequences if text][:_MOST_CONSEQUENCES]
    return " ".join(said)


def _where(one: _Interruption, places: Places) -> str:
    """` at line 14`, ` between line 31 and line 33, holding m`."""
    before = places.of(one.before)
    after = places.of(one.following) if one.following is not None else ""
    holding = f", holding {', '.join(one.holds)}" if one.holds else ""
    if before and after and before != after:
        return f" between {before} and {after}{holding}"
    return f" at {before or after}{holding}" if before or after else holding


def _relevant(thread: int, number: int, changes: Sequence[Change], history: History) -> list[Change]:
    """What the thread has looked at before, the latest first, or else what it looks at later; what is freed
    at the end."""
    known: list[tuple[int, Change]] = []
    later: list[Change] = []
    freed: list[Change] = []
    for change in changes:
        before = history.last_before(thread, change.location, number)
        after = history.first_after(thread, change.location, number)
        if change.frees:
            freed += [change] if after is not None else []
        elif before is not None:
            known.append((before.number, change))
        elif after is not None:
            later.append(change)
    known.sort(key=lambda each: -each[0])
    return [*([change for _, change in known] or later)[:_MOST_CHANGES], *freed[:1]]


def _consequence(thread: int, change: Change, number: int, end: int, history: History, places: Places) -> str:
    """What the thread made of a location that was changed behind its back; nothing if it did not know it."""
    who, name = f"T{thread}", change.name
    before = history.last_before(thread, change.location, number)
    after = history.first_after(thread, change.location, end)
    if change.frees:
        return f"{who} used what was freed{places.behind(after)}." if after is not None else ""
    if before is None:
        return ""
    value = known_value(before)
    knew = f"{who} had {'written' if before.operation == 'store' else 'read'} {name} = {value}"
    if before.number != number:
        knew += places.behind(before)
    others = ", ".join(f"T{each}" for each in change.threads)
    if after is None:
        return f"{knew} and did not look again." if value != change.last else ""
    if after.operation == "store":
        if before.operation == "store":
            return f"{knew} and wrote {known_value(after)} over that{places.behind(after)}."
        lost = f": the change by {others} was lost" if value != change.last else ""
        return f"{knew} and wrote {known_value(after)}{places.behind(after)} without reading it again{lost}."
    if after.operation == "compare-exchange" and after.writes and after.before == value:
        return (
            f"The compare-exchange of {name} by {who}{places.behind(after)} succeeded all the same: "
            f"{name} was {value} again."
        )
    return f"{knew}, and then found {after.before}{places.behind(after)}." if after.before != value else ""


def _tell_never_resumed(one: _Interruption, finding: Finding, history: History, places: Places) -> Moment:
    """The failing thread came too early: what it had from the other one, or what was not there yet."""
    failed, who = f"T{finding.thread}", f"T{one.thread}"
    own = [step for step in one.meanwhile if step.thread == finding.thread]
    reads = [step for step in own if step.operation in READS and is_told(step)]
    had = next((step for step in reads if _is_from(one.thread, step, history)), None)
    if had is not None and not places.is_failing(had):
        source = history.source(had)
        wrote = f"which {who} wrote{places.behind(source)}" if source is not None else ""
        more = f" {failed} had read {had.location} = {had.before}{places.behind(had)}, {wrote}."
        after = ""
    else:
        more = ""
        changes = changes_by([one.last_write] if one.last_write is not None else [])
        after = f" after changing {tell_change(changes[0], places)}" if changes else ""
    said = f"{who} was stopped{_where(one, places)}{after}, and had not gone on when {failed} failed.{more}"
    missed = any(places.is_failing(step) and history.source(step) is None for step in reads)
    return Moment(one.before.number, Sentence(said, one.thread), had is not None or missed)


def _is_from(thread: int, step: Step, history: History) -> bool:
    source = history.source(step)
    return source is not None and source.thread == thread
