"""What happened between a signal and the moment when the thread that it woke went on.

A woken thread needs its mutex first, and others may come before it.
"""

from __future__ import annotations

from collections.abc import Iterator

from norn.model import Step, Trace, telling_frame
from norn.report.explanation.changes import Change, changes_by, cited_by, tell_changes
from norn.report.explanation.context import Context
from norn.report.explanation.sentence import Moment, Sentence

_MOST_CHANGES = 3


def tell_wakeups(about: Context) -> Iterator[Moment]:
    for signal, woken in _wakeups(about.trace):
        between = about.trace.steps[signal.number : woken.number - 1]
        changes = changes_by(step for step in between if step.thread != woken.thread)
        found = [change for change in changes if _finds(woken, change, about)][:_MOST_CHANGES]
        if found and _matters(woken.thread, about):
            who = f"T{woken.thread}"
            said = (
                f"The {signal.operation} by T{signal.thread}{about.behind(signal)} woke {who}, but before "
                f"{who} had {woken.location} again, {tell_changes(found, about.places)}"
                f"{_went_on(woken, about)}."
            )
            cites = (signal.number, *cited_by(found))
            yield Moment(signal.number, Sentence(said, woken.thread, cites=cites))


def _wakeups(trace: Trace) -> Iterator[tuple[Step, Step]]:
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
    read = about.history.first_after(woken.thread, change.location, woken.number)
    return read is not None and read.before == change.last


def _went_on(woken: Step, about: Context) -> str:
    """Where, if it did not come back to the line of the wait first: a loop around the wait would."""
    own = (step for step in about.trace.steps[woken.number :] if step.thread == woken.thread and step.matters)
    then = next(own, None)
    if then is None or telling_frame(then.stack) == telling_frame(woken.stack):
        return ""
    place = about.places.of(then)
    return f"; T{woken.thread} went on at {place} all the same" if place else ""


def _matters(thread: int, about: Context) -> bool:
    """Of a deadlock, those who wait; else the one that fails."""
    if about.is_stuck:
        return any(state.id == thread and state.state == "waiting" for state in about.finding.threads)
    return thread == about.failed
