"""Why a thread does not go on where another one runs: it was stopped, it waits for a lock, or it is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from norn.model import Finding, Step, ThreadState, telling_frame
from norn.report.held_locks import HeldLocks
from norn.report.story.items import Line, Stop
from norn.report.turns import Turns
from norn.report.words import describe_state, is_about_now

_WAITS_FOR_LOCK = frozenset({"lock", "robust-lock", "rwlock-read", "rwlock-write"})
_NOT_STOPPED = frozenset({"end", "wake-lock", "barrier-wake", "cancel-wait"})
# What a thread waits for, and what another one does that ends it.
_ENDED_BY = {"join": "end", "sem-wait": "sem-post", "once-begin": "once-end"}


def stop_after(
    finding: Finding, steps: Sequence[Step], turns: Turns, index: int, held: HeldLocks
) -> Iterator[Stop]:
    """Why the thread of a step, after which another one runs, does not go on; nothing if it is done."""
    thread, number = steps[index].thread, steps[index].number
    if steps[index].operation == "end":
        return
    then = turns.next(thread, index)
    following = steps[then] if then is not None else None
    pending = (following.operation, following.location) if following else _pending(finding, thread)
    between = (steps[at] for at in range(index + 1, len(steps) if then is None else then))
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


def blocked_after(
    finding: Finding, steps: Sequence[Step], turns: Turns, index: int, held: HeldLocks
) -> Iterator[Line]:
    """In a deadlock, what a thread wants that another one holds when it comes to it."""
    thread = steps[index].thread
    if finding.kind != "deadlock" or turns.next(thread, index) is not None:
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


def last_waits(finding: Finding, steps: Sequence[Step]) -> Iterator[Line]:
    """In a deadlock, what each thread wants and never gets, but for those that wait for others to end."""
    if finding.kind != "deadlock":
        return
    held = HeldLocks()
    for step in steps:
        held.note(step)
    # Who did the last step comes to what it wants at once; the others were stopped before.
    last = steps[-1].thread if steps else None
    for thread in sorted(finding.threads, key=lambda each: each.id != last):
        if any(what in thread.detail for what in ("a thread", "condition", "futex")):
            continue  # there is nothing to tell, or it is told already
        yield _wanted(thread, held)


def _waits(operation: str, wanted: str, between: Iterable[Step]) -> bool:
    """Whether a thread could not do that until one of these steps of others had come."""
    ends = _ENDED_BY.get(operation)
    if ends is None:
        return False
    if ends == "end":
        thread = wanted.partition(" ")[0]
        return any(step.operation == ends and thread == f"T{step.thread}" for step in between)
    return any(step.operation == ends and step.location == wanted for step in between)
