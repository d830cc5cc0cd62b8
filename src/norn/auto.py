"""`-e auto`: two explorers run side by side on one program, and the first one that knows the answer is kept.

A coarser equivalence has fewer classes but takes more time for each. Which explorer is done first depends on
the program, and nothing to be seen in its first seconds tells, since the number of classes is not known
before the last one. So both run until one has the answer, each in a process of its own. With two processors
that takes as long as the better of the two; with one the system lets them take turns, and it takes twice as
long. The memory of both is needed.

An explorer *settles* the matter if nothing that the other one might still find can change the answer: it has
explored everything, or found a failure, or met a call that norn does not model. One that ends in another way
(a limit, a crash, an error) settles nothing, and the other one goes on alone. Only what one explorer has seen
by itself is reported: counts are never added, and *verified* means that the kept one explored every class.

Of two that have the answer at nearly the same time the coarser is kept: so a small program, of which both are
done within milliseconds, gets the same report every time.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

from norn import protocol
from norn.interrupts import stopping
from norn.model import Choice, ChosenBy
from norn.session import GRACE_SECONDS, Engine, OnFound, Outcome, until_over

# The coarsest first. Mazurkiewicz is not among them: it never has fewer classes than reads-from.
CONTENDERS = ("reads-value-from", "reads-from")

# How long the coarser one may take more than the other to be kept nevertheless.
TIE_SECONDS = 0.05
TIE_PART = 0.5  # of the time that the other one took

# Bounds that every explorer meets once it has explored every class: they are about what the program does.
LEFT_OPEN = frozenset({"nondet", "undefined", "unseen", "signal-wait"})

OnProgressOf = Callable[[protocol.Progress, str], None]


@dataclass
class Contender:
    """One of the explorers that run side by side."""

    equivalence: str
    engine: Engine
    stopped: bool = field(default=False, init=False)  # by us, because the other one had the answer

    @property
    def outcome(self) -> Outcome:
        return self.engine.outcome

    @property
    def is_complete(self) -> bool:
        """Whether it has explored every class, if only for some values of those the program leaves open."""
        outcome = self.outcome
        sound = outcome.unsupported is None and outcome.diverged is None and not outcome.errors
        result = outcome.result
        if result is None or not sound:
            return False
        return result.complete or (bool(result.bounds) and LEFT_OPEN.issuperset(result.bounds))


@dataclass(frozen=True)
class Chosen:
    equivalence: str
    outcome: Outcome
    choice: Choice
    warnings: tuple[str, ...]  # what the user should know of the other one


def run(
    command: Sequence[str],
    options: protocol.Options,
    *,
    contenders: Sequence[str] = CONTENDERS,
    time_limit: float | None = None,
    on_progress: OnProgressOf | None = None,
    on_found: OnFound | None = None,
    on_interrupt: Callable[[], None] | None = None,
    grace: float = GRACE_SECONDS,
) -> Chosen:
    """Like `session.run`, with one process for each contender. Limits hold for each of them."""
    began = time.monotonic()
    with ExitStack() as stack:
        running: list[Contender] = []
        stop = stack.enter_context(stopping(on_interrupt))
        for equivalence in contenders:
            report = partial(_report, on_progress, equivalence) if on_progress is not None else None
            own = {**options, "equivalence": equivalence}
            engine = stop.start(partial(Engine, command, own, report, on_found))
            running.append(Contender(equivalence, stack.enter_context(engine)))
        everyone = list(running)
        ended: list[Contender] = []
        settled = tied = False
        for engine in until_over([each.engine for each in everyone], time_limit, grace):
            engine.close()
            last = next(each for each in running if each.engine is engine)
            running.remove(last)
            ended.append(last)
            keep_going = bool(options.get("keep_going"))
            settled = _settles(last, running, keep_going)
            if not settled:
                continue
            if last.outcome.unsupported is not None:
                break
            coarsest = everyone[0]
            patience = min(TIE_SECONDS, TIE_PART * (time.monotonic() - began))
            if coarsest in running and _ends_within(patience, coarsest.engine):
                coarsest.engine.close()
                running.remove(coarsest)
                tied = _settles(coarsest, running, keep_going)
                if tied:
                    ended.insert(0, coarsest)
            break
        for each in running:
            each.stopped = True
            each.engine.close()
    return _choose(ended, everyone, settled, tied)


def _ends_within(seconds: float, engine: Engine) -> bool:
    deadline = time.monotonic() + seconds
    while not engine.over and (left := deadline - time.monotonic()) > 0:
        if select.select([engine], [], [], left)[0]:
            engine.read()
    return engine.over


def _report(on_progress: OnProgressOf, equivalence: str, progress: protocol.Progress) -> None:
    on_progress(progress, equivalence)


def _settles(last: Contender, running: Sequence[Contender], keep_going: bool) -> bool:
    for other in running:
        other.engine.read()  # a finding may be on its way
    if not last.outcome.findings and any(other.outcome.findings for other in running):
        return False
    found_enough = bool(last.outcome.findings) and not keep_going
    return found_enough or last.is_complete or last.outcome.unsupported is not None


def _choose(ended: Sequence[Contender], everyone: Sequence[Contender], settled: bool, tied: bool) -> Chosen:
    """The best of those that ended by themselves: a failure counts more than its absence."""
    kept = max(ended, key=_worth)  # the first one to end, among equals
    others = [each for each in everyone if each is not kept]
    choice = _explain(kept, others, ended, settled, tied)
    warnings = [
        f"{other.equivalence} ended early: {problem}" for other in others for problem in _problems(other)
    ]
    for other in others:
        if kept.outcome.findings and other.is_complete and not other.outcome.findings:
            kept.outcome.errors.append(
                f"INTERNAL ERROR: {other.equivalence} explored every class and found no failure, but "
                f"{kept.equivalence} did; this is a bug of norn, please report it"
            )
    return Chosen(kept.equivalence, kept.outcome, choice, tuple(warnings))


def _explain(
    kept: Contender, others: Sequence[Contender], ended: Sequence[Contender], settled: bool, tied: bool
) -> Choice:
    if tied and kept is ended[0]:
        return Choice(ChosenBy.TIE, f"as fast as {ended[-1].equivalence}, and coarser")
    if not settled or kept is not ended[-1]:
        by, because = ChosenBy.NONE_FINISHED, f"neither finished; {_advantage(kept, others)}"
    elif kept is not ended[0]:
        by, because = ChosenBy.OTHER_ENDED, "it went on to an answer"
    elif kept.is_complete:
        by, because = ChosenBy.FINISHED_FIRST, "it finished first"
    elif kept.outcome.findings:
        by, because = ChosenBy.FAILURE_FIRST, "it found a failure first"
    else:
        by, because = ChosenBy.REFUSAL_FIRST, "it was the first to meet what norn cannot check"
    return Choice(by, "; ".join([because, *(f"{other.equivalence} {_fate(other)}" for other in others)]))


def _worth(contender: Contender) -> tuple[bool, bool, bool, bool, int]:
    outcome = contender.outcome
    explored = None if outcome.findings or contender.is_complete else outcome.result or outcome.progress
    return (
        bool(outcome.findings),
        contender.is_complete,
        outcome.unsupported is not None,
        outcome.result is not None and not outcome.errors,
        explored.executions if explored is not None else 0,
    )


def _advantage(kept: Contender, others: Sequence[Contender]) -> str:
    """Why it is the better one of those that have no answer: the first part of its worth that is greater."""
    own, best = _worth(kept), max(map(_worth, others))
    if own == best:
        return "it was the first to end"
    if own[:-1] == best[:-1]:
        return f"it explored more executions ({own[-1]:,} against {best[-1]:,})"
    reasons = (
        "it found a failure",
        "it explored every class",
        "it met what norn cannot check",
        "it kept working",
    )
    return next(reason for reason, mine, its in zip(reasons, own, best, strict=False) if mine > its)


def _fate(other: Contender) -> str:
    """What became of one that was not kept."""
    outcome = other.outcome
    if other.stopped:
        so_far = outcome.progress.executions if outcome.progress is not None else 0
        return f"was stopped after some {so_far:,} executions" if so_far > 1 else "was stopped"
    if outcome.result is None or outcome.errors:
        return "ended early"
    return f"ended as well ({', '.join(outcome.result.bounds) or 'complete'})"


def _problems(other: Contender) -> list[str]:
    """Why one that was not kept ended as no explorer should; nothing if somebody wanted it to end."""
    outcome = other.outcome
    if other.stopped or outcome.interrupted or outcome.killed_at_limit:
        return []
    return [*outcome.errors, *([outcome.death] if outcome.death is not None else [])]
