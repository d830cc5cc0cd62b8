"""What happened between a signal and the moment when the thread that it woke went on.

A woken thread needs its mutex first, and others may come before it.
"""

from __future__ import annotations

from collections.abc import Iterator

from norn.model import Finding, Step, Trace
from norn.report.explanation.changes import Change, changes_by, tell_changes
from norn.report.explanation.history import History
from norn.report.explanation.sentence import Moment, Places, Sentence

_MOST_CHANGES = 3


def tell_wakeups(finding: Finding, trace: Trace, history: History, places: Places) -> Iterator[Moment]:
    for signal, woken in _wakeups(trace):
        between = trace.steps[signal.number : woken.number - 1]
        changes = changes_by(step for step in between if step.thread != woken.thread)
        found = [change for change in changes if _finds(woken, change, history)]
        if found and _matters_to(woken.thread, finding):
            who = f"T{woken.thread}"
            yield Moment(
                signal.number,
                Sentence(
                    f"The {signal.operation} by T{signal.thread}{places.behind(signal)} woke {who}, but "
                    f"before {who} had {woken.location} again, "
                    f"{tell_changes(found[:_MOST_CHANGES], places)}.",
                    woken.thread,
                ),
            )


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


def _finds(woken: Step, change: Change, history: History) -> bool:
    """Whether the thread comes to see what was changed."""
    read = history.first_after(woken.thread, change.location, woken.number)
    return read is not None and read.before == change.last


def _matters_to(thread: int, finding: Finding) -> bool:
    """Of a deadlock, those who wait; else the one that fails."""
    if finding.kind in ("deadlock", "livelock"):
        return any(state.id == thread and state.state == "waiting" for state in finding.threads)
    return thread == finding.thread
