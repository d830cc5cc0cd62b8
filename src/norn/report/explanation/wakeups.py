"""What happened between a signal and the moment when the thread that it woke went on.

A woken thread needs its mutex first, and others may come before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from norn.model import Step, Trace, telling_frame
from norn.report.explanation.changes import Change, changes_by, cited_by, tell_changes
from norn.report.explanation.context import Context
from norn.report.explanation.sentence import Moment, Sentence
from norn.report.memory_history import is_same_memory

_MOST_CHANGES = 3


def tell_wakeups(about: Context) -> Iterator[Moment]:
    for signal, woken in find_wakeups(about.trace):
        between = about.trace.steps[signal.number : woken.number - 1]
        changes = changes_by(step for step in between if step.thread != woken.thread)
        found = [change for change in changes if _finds(woken, change, about)][:_MOST_CHANGES]
        if found and _matters(woken.thread, about):
            who = f"T{woken.thread}"
            said = (
                f"The {signal.operation} by T{signal.thread}{about.behind(signal)} woke {who}, but before "
                f"{who} had {woken.location} again, {tell_changes(found, about.places)}"
                f"{_went_on(woken, found, about)}."
            )
            cites = (signal.number, woken.number, *cited_by(found))
            yield Moment(signal.number, Sentence(said, woken.thread, cites=cites))


def find_wakeups(trace: Trace) -> Iterator[tuple[Step, Step]]:
    """A signal or broadcast, and how the thread that it woke takes its mutex again."""
    waiting: dict[int, Step] = {}  # thread -> its last wait
    signals: dict[int, Step] = {}  # thread -> what woke it
    ids = {name: thread for thread, name in trace.threads.items()}
    for step in trace.steps:
        match step.operation:
            case "wait":
                waiting[step.thread] = step
                signals.pop(step.thread, None)
            case "signal" if step.woken in ids:
                signals[ids[step.woken]] = step
            case "broadcast":
                for thread, wait in waiting.items():
                    if wait.address == step.address:
                        signals.setdefault(thread, step)
            case "wake-lock":
                waiting.pop(step.thread, None)
                if step.thread in signals:
                    yield signals.pop(step.thread), step


def _finds(woken: Step, change: Change, about: Context) -> bool:
    """Whether the thread comes to see what was changed."""
    reads = (about.history.first_after(woken.thread, step, woken.number) for step in change.places)
    if change.call:
        return any(read is not None for read in reads)
    read = next(reads)
    return read is not None and is_same_memory(read, change.location) and read.before == change.last


def _went_on(woken: Step, changes: Sequence[Change], about: Context) -> str:
    """Where, if the thread did not look again at what was changed before it came to a new line."""
    own = [step for step in about.trace.steps if step.thread == woken.thread and step.matters]
    known = {telling_frame(step.stack) for step in own if step.number <= woken.number}
    looks = (
        about.history.first_after(woken.thread, step, woken.number)
        for change in changes
        for step in change.places
    )
    first = min((look for look in looks if look is not None), key=lambda step: step.number, default=None)
    if first is None or telling_frame(first.stack) in known:
        return ""  # a loop around the wait comes back to lines that the thread has been to
    place = about.places.of(first)
    return f"; T{woken.thread} went on at {place} all the same" if place else ""


def _matters(thread: int, about: Context) -> bool:
    """Of a deadlock, those who wait; else the one that fails."""
    if about.is_stuck:
        return any(state.id == thread and state.state == "waiting" for state in about.finding.threads)
    return thread == about.failed
