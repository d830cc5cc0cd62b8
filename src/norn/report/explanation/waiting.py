"""Who waits for whom when nobody can go on, and what became of the signals that would have helped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from norn.model import Finding, Step, ThreadState
from norn.report.execution import examine
from norn.report.explanation.context import Context
from norn.report.explanation.sentence import Places, Sentence, enumerated, own_frames
from norn.report.held_locks import HeldLocks
from norn.report.waits_for import Wait, find_chains
from norn.report.words import describe_state

_LOOPS = "livelock"
# What signals end.
_UNTIL_SIGNALLED = ("on the condition variable", "on the futex")


def waits_on_condition(finding: Finding) -> bool:
    return any(_waits_for_signal(thread) for thread in finding.threads)


def _waits_for_signal(thread: ThreadState) -> bool:
    return any(what in thread.detail for what in _UNTIL_SIGNALLED)


def tell_waiting(about: Context) -> Iterator[Sentence]:
    finding, trace, places = about.finding, about.trace, about.places
    held = HeldLocks()
    for step in trace.steps:
        held.note(step)
    names = set(trace.threads.values())
    for thread in finding.threads:
        locks = held.of(thread.id)
        holds = f"holds {', '.join(locks)} and " if locks else ""
        text = f"{thread.name} {holds}{describe_state(thread)}"
        is_deep = len(own_frames(thread.stack)) > 1 and thread.object not in names
        yield Sentence(f"{text}, in {places.calls(thread.stack)}" if is_deep else text, thread.id, True)
    for waiting in _last_on_each_condition(finding, trace.steps):
        yield Sentence(_about_signals(waiting, trace.steps, places))
    circles = [chain.waits for chain in find_chains(finding, examine(trace)) if chain.closed]
    for circle in circles:
        yield Sentence(f"A cycle: {', '.join(map(_link, circle))}.")
    if not circles and finding.kind == _LOOPS:
        yield Sentence("Nobody else is left to change what these loops look at.")


def _link(wait: Wait) -> str:
    whom = f"T{wait.on}" if wait.on != wait.thread else "itself"
    return f"T{wait.thread} waits for {whom} {f'to unlock {wait.object}' if wait.object else 'to end'}"


def _last_on_each_condition(finding: Finding, steps: Sequence[Step]) -> list[ThreadState]:
    """Of the threads that wait on one condition variable, the one that began last."""
    waiting = [thread for thread in finding.threads if _waits_for_signal(thread)]
    waiting.sort(key=lambda thread: _began_to_wait(thread, steps))
    return list({thread.object: thread for thread in waiting if thread.object}.values())


def _began_to_wait(thread: ThreadState, steps: Sequence[Step]) -> int:
    return max(
        (step.number for step in steps if step.thread == thread.id and step.operation == "wait"), default=0
    )


def _about_signals(thread: ThreadState, steps: Sequence[Step], places: Places) -> str:
    """Why nobody wakes it: what became of the signals."""
    began = _began_to_wait(thread, steps)
    signals = [
        step
        for step in steps
        if step.operation in ("signal", "broadcast")
        and step.location in (thread.object, f"{thread.object} (futex)")
    ]
    if not signals:
        return f"Nobody has signalled {thread.object}, and nobody is left to."
    last = signals[-1]
    what = f"The last {last.operation} of {thread.object}, by T{last.thread}{places.behind(last)},"
    who = f"T{thread.id}"
    if last.number > began:
        return f"{what} woke another thread; nobody is left to signal."
    woken = next(
        (
            step
            for step in steps[last.number : began]
            if step.thread == thread.id and step.operation == "wake-lock"
        ),
        None,
    )
    if woken is None or not _waited(thread.id, last, steps):
        return f"{what} came before {who} waited; nobody is left to signal."
    found = {
        step.location: step
        for step in steps[woken.number : began]
        if step.thread == thread.id and step.operation == "load" and step.location
    }
    looked = enumerated([f"{step.location} = {step.before}" for step in found.values()])
    found_first = f"found {looked} and " if looked else ""
    return f"{what} woke {who}, which {found_first}waited again; nobody is left to signal."


def _waited(thread: int, signal: Step, steps: Sequence[Step]) -> bool:
    """Whether the thread waited on the condition variable when the signal was given."""
    waits = False
    for step in steps[: signal.number - 1]:
        if step.thread == thread and step.operation in ("wait", "wake-lock"):
            waits = step.operation == "wait" and step.address == signal.address
    return waits
