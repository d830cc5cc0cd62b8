"""What went wrong, after the story: who waits for whom, both accesses of a race, the life of a block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from norn.model import Finding, Frame, Step, ThreadState, telling_frame
from norn.report.held_locks import HeldLocks
from norn.report.words import describe_state, is_about_now
from norn.symbolize import short_function

_LOOPS = "livelock"


@dataclass(frozen=True)
class Sentence:
    """One line of the explanation, of a thread if it is about one."""

    text: str
    thread: int | None = None


def explain(finding: Finding) -> Iterator[Sentence]:
    match finding.kind:
        case "deadlock" | "livelock":
            yield from _waiting(finding)
        case "data-race":
            for thread in reversed(finding.threads[:2]):
                yield Sentence(
                    f"{thread.name}: {describe_state(thread)}, at {calls(thread.stack)}", thread.id
                )
            yield Sentence("Nothing orders these two: no lock, no join, no release and acquire.")
        case _:
            for thread in finding.threads:
                if not is_about_now(thread):
                    yield Sentence(f"{thread.name} {thread.detail}: {calls(thread.stack)}", thread.id)


def calls(stack: Sequence[Frame]) -> str:
    """`f a.c:3, called by main a.c:9`: those in the user's sources."""
    return ", called by ".join(
        f"{short_function(frame.function)} {Path(frame.file or '').name}:{frame.line}"
        for frame in own_frames(stack)
    )


def _waiting(finding: Finding) -> Iterator[Sentence]:
    steps = finding.trace.steps if finding.trace is not None else ()
    held = HeldLocks()
    for step in steps:
        held.note(step)
    names = {thread.name: thread.id for thread in finding.threads}
    waits_for: dict[int, tuple[int, str]] = {}
    for thread in finding.threads:
        locks = held.of(thread.id)
        holds = f"holds {', '.join(locks)} and " if locks else ""
        text = f"{thread.name} {holds}{describe_state(thread)}"
        if thread.object in names:
            waits_for[thread.id] = (names[thread.object], "to end")
            yield Sentence(text, thread.id)
            continue
        if thread.object and (holder := held.holder(thread.object, thread.id)) is not None:
            waits_for[thread.id] = (holder, f"to unlock {thread.object}")
        is_deep = len(own_frames(thread.stack)) > 1
        yield Sentence(f"{text}, in {calls(thread.stack)}" if is_deep else text, thread.id)
    for waiting in _last_on_each_condition(finding, steps):
        yield Sentence(_about_signals(waiting, steps))
    cycle = _cycle({thread: other for thread, (other, _) in waits_for.items()})
    if cycle:
        said = ", ".join(
            f"T{thread} waits for T{waits_for[thread][0]} {waits_for[thread][1]}" for thread in cycle
        )
        yield Sentence(f"A cycle: {said}.")
    elif finding.kind == _LOOPS:
        yield Sentence("Nobody else is left to change what these loops look at.")


def _cycle(waits_for: dict[int, int]) -> list[int]:
    for start in waits_for:
        path = [start]
        while (following := waits_for.get(path[-1])) is not None and following not in path:
            path.append(following)
        if following is not None:
            return path[path.index(following) :]
    return []


def _last_on_each_condition(finding: Finding, steps: Sequence[Step]) -> list[ThreadState]:
    """Of the threads that wait on one condition variable, the one that began last."""
    waiting = [thread for thread in finding.threads if "on the condition variable" in thread.detail]
    waiting.sort(key=lambda thread: _began_to_wait(thread, steps))
    return list({thread.object: thread for thread in waiting if thread.object}.values())


def _began_to_wait(thread: ThreadState, steps: Sequence[Step]) -> int:
    return max(
        (step.number for step in steps if step.thread == thread.id and step.operation == "wait"), default=0
    )


def _about_signals(thread: ThreadState, steps: Sequence[Step]) -> str:
    """Why nobody wakes it: what became of the signals."""
    began = _began_to_wait(thread, steps)
    signals = [
        step for step in steps if step.operation in ("signal", "broadcast") and step.location == thread.object
    ]
    if not signals:
        return f"Nobody has signalled {thread.object}, and nobody is left to."
    last = signals[-1]
    frame = telling_frame(last.stack)
    place = f" ({Path(frame.file).name}:{frame.line})" if frame is not None and frame.file else ""
    what = f"The last {last.operation} of {thread.object}, by T{last.thread}{place},"
    if last.number < began:
        return f"{what} came before T{thread.id} waited; nobody is left to signal."
    return f"{what} woke another thread; nobody is left to signal."


def own_frames(stack: Sequence[Frame]) -> list[Frame]:
    """Those in the user's sources, or all known ones if there are none."""
    known = [frame for frame in stack if frame.place]
    return [frame for frame in known if not frame.is_system] or known
