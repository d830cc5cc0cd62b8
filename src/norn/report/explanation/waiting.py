"""Who waits for whom when nobody can go on, and what became of the signals that would have helped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from norn.model import Finding, Step, ThreadState
from norn.report.execution import examine
from norn.report.explanation.context import Context
from norn.report.explanation.sentence import Sentence, enumerated, own_frames
from norn.report.explanation.wakeups import find_wakeups
from norn.report.held_locks import HeldLocks
from norn.report.memory_history import is_named
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
        yield Sentence(_about_signals(waiting, about))
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


def _about_signals(thread: ThreadState, about: Context) -> str:
    """Why nobody wakes it: what became of the signals."""
    steps = about.trace.steps
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
    who = f"T{thread.id}"
    what = f"The last {last.operation} of {thread.object}, by T{last.thread}{about.behind(last)},"
    if last.number > began:
        woke = last.woken.partition(" ")[0] or "another thread"
        return f"{what} woke {woke}; nobody is left to signal."
    own = [
        (signal, woken)
        for signal, woken in find_wakeups(about.trace)
        if woken.thread == thread.id and signal in signals and woken.number < began
    ]
    if not own:
        return f"{what} came before {who} waited; nobody is left to signal."
    signal, woken = own[-1]
    again = f"woke {who}, which {_found(woken, began, about)}waited again"
    if signal == last:
        return f"{what} {again}; nobody is left to signal."
    told = f"The {signal.operation} by T{signal.thread}{about.behind(signal)} {again}"
    return f"{told}. {what} came before that; nobody is left to signal."


def _found(woken: Step, began: int, about: Context) -> str:
    """`found items = 0 and `: what the thread looked at before it waited again."""
    between = about.trace.steps[woken.number : began]
    looks = {
        step.location: step
        for step in between
        if step.thread == woken.thread and step.operation == "load" and is_named(step)
    }
    looked = enumerated([f"{step.location} = {step.before}" for step in looks.values()])
    return f"found {looked} and " if looked else ""
