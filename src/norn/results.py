"""The Result of an exploration or of a replay, from what the engine said: verdict, figures, doubts, problems.

Wrong is worse than slow: without a result of the engine, or with any problem, nothing is verified; without a
finding that its replay has confirmed, nothing has failed (`unconfirmed`).
"""

from __future__ import annotations

import signal

from norn import protocol, unconfirmed, unseen_calls
from norn.build import Program
from norn.divergence import explain
from norn.model import OBSERVATION, Finding, Race, Refusal, Result, Verdict, telling_frame
from norn.rerun import Replayed
from norn.session import Outcome
from norn.symbolize import Symbols
from norn.trace import thread_names

# The engine's name for "no call at all, but a thread that does not come back".
_STUCK = "(stuck)"
_UNDEFINED = "(undefined)"
# Events of an execution from which on a loop that waits is the likely reason.
_LONG_EXECUTION = 2000


def make_result(
    outcome: Outcome,
    program: Program,
    equivalence: str,
    symbols: Symbols,
    findings: tuple[Finding, ...],
    races: tuple[Race, ...] = (),
    replayed: Replayed | None = None,
) -> Result:
    """findings: those that a replay has confirmed, and the others."""
    ended = outcome.result or partial_result(outcome)
    refusal = _refusal(outcome, symbols)
    confirmed, doubtful = unconfirmed.split(findings)
    problems = [*map(unconfirmed.describe, doubtful), *_problems(outcome, refusal, symbols)]
    complete = outcome.result is not None and ended.complete and not problems
    verdict = Verdict.VERIFIED if complete else Verdict.INCOMPLETE
    unseen = unseen_calls.describe(ended.foreign_calls, symbols)
    return Result(
        verdict=Verdict.FAILED if confirmed else verdict,
        equivalence=equivalence,
        executions=ended.executions,
        blocked=ended.blocked,
        redundant=ended.redundant,
        cut=ended.cut,
        events=ended.events,
        threads=ended.threads,
        longest=ended.longest,
        restarts=ended.restarts,
        checks=ended.checks,
        decided=ended.decided,
        annotations=ended.annotations if equivalence == OBSERVATION and outcome.result is not None else None,
        seconds=ended.seconds,
        cpu_seconds=ended.cpu_seconds,
        build_seconds=program.build_seconds,
        peak_rss_mb=round(ended.peak_rss_kb / 1024, 2),
        bounds=tuple(dict.fromkeys([*ended.bounds, *map(unconfirmed.bound_of, doubtful)])),
        failures=tuple(ended.failures.items()) if confirmed or not doubtful else (),
        complete=complete,
        findings=confirmed,
        unconfirmed=doubtful,
        problems=tuple(problems),
        warnings=(
            *program.warnings,
            *unseen,
            *(doubts_of(ended) if replayed is None and not problems else ()),
        ),
        unseen=tuple(unseen),
        races=races,
        benign_races=ended.benign_races,
        refusal=refusal,
        unusable=outcome.unsupported is not None
        or (bool(outcome.errors) and outcome.death is None and not doubtful),
        trace=replayed.trace if replayed is not None else None,
        program=program.executable,
    )


def partial_result(outcome: Outcome) -> protocol.Result:
    """What is known of an exploration that ended without a result: its last progress message."""
    last = outcome.progress or protocol.Progress()
    if outcome.killed_at_limit:
        bounds = ["time-limit"]
    elif outcome.interrupted:
        bounds = ["interrupted"]
    else:
        bounds = ["process-died"]
    return protocol.Result(
        complete=False,
        bounds=bounds,
        executions=last.executions,
        blocked=last.blocked,
        redundant=last.redundant,
        cut=last.cut,
        events=last.events,
        threads=0,
        longest=last.depth,
        restarts=last.restarts,
        seconds=last.seconds,
        peak_rss_kb=0,
    )


def doubts_of(ended: protocol.Result) -> list[str]:
    """Signs that the program did not do what the user wanted to have checked."""
    doubts = []
    if ended.exit_status:
        doubts.append(
            f"the program ended with status {ended.exit_status} in some execution, which norn does not count "
            "as a failure: assert what should hold, or give --exit-status=error"
        )
    if ended.expected_signals:
        doubts.append(
            f"the program expects signals ({_signal_names(ended.expected_signals)}), and norn sends none: "
            "executions in which one comes from outside are not explored"
        )
    if ended.threads == 1 and "finding" not in ended.bounds:
        arguments = "; if it needs arguments, they come after `--`" if ended.exit_status else ""
        doubts.append(
            f"the program never started a second thread: there was only one interleaving{arguments}"
        )
    if ended.race_limit:
        doubts.append("there are so many data races that norn stopped looking for more of them")
    if ended.executions == 0 and ended.blocked > 0 and "finding" not in ended.bounds:
        doubts.append(
            "an assume, or a loop that waits, stopped a thread in every execution: "
            "nothing was checked to its end"
        )
    by_choice = {"finding", "sample", "preemptions"} & set(ended.bounds)
    if not ended.complete and not by_choice and ended.longest >= _LONG_EXECUTION:
        doubts.append(
            f"an execution has {ended.longest:,} events: --preemptions and --sample look at some executions "
            "of large programs (docs/large-programs.md). If it is long by a loop that waits: norn knows one "
            "whose rounds change nothing. Where they do (they count, allocate, call a library, or take a "
            "lock that others only try to take), let it look once, with norn_assume of <norn.h>"
        )
    return doubts


def _signal_names(bits: int) -> str:
    numbers = [number for number in range(1, 65) if bits >> (number - 1) & 1]
    names = {each.value: each.name for each in signal.Signals}
    told = [names.get(number, str(number)) for number in numbers]
    return ", ".join([*told[:4], "..."] if len(told) > 5 else told)


def _refusal(outcome: Outcome, symbols: Symbols) -> Refusal | None:
    refused = outcome.unsupported
    if refused is None:
        return None
    thread = thread_names(outcome, symbols).get(refused.thread, f"T{refused.thread}")
    frame = telling_frame(symbols.stack(refused.stack))
    if refused.function == _STUCK:
        advice = (
            "let the loop end after a few rounds; if it waits for another thread, look once, with "
            "norn_assume of <norn.h>; give a long computation less to do; docs/limitations.md has more"
        )
        return Refusal(refused.message, "", thread, frame, advice)
    if refused.function == _UNDEFINED:
        return Refusal(refused.message, "", thread, frame, "add the source or the library that defines it")
    message = f"the program calls {refused.function}, which norn does not model"
    return Refusal(message, refused.message, thread, frame, "docs/support.md lists what is modelled")


def _undefined(seen: protocol.Undefined, symbols: Symbols) -> str:
    frame = telling_frame(symbols.stack(seen.stack))
    place = f", at {frame.place}" if frame is not None and frame.place is not None else ""
    return (
        f"an execution does what the language leaves undefined, and was not followed any further: "
        f"{seen.message} ({seen.kind}{place})"
    )


def _gaps(outcome: Outcome, symbols: Symbols) -> list[str]:
    """Places that were reached where memory is touched unseen, each line once."""
    frames = [telling_frame(symbols.stack([gap.site])) for gap in outcome.gaps]
    places = dict.fromkeys(frame.place if frame is not None else "somewhere" for frame in frames)
    return [
        f"{place}: what this does to memory norn cannot see (inline assembly, a system call, or an "
        "instruction that it does not know): interleavings at it are not explored; write it with the "
        "compiler's atomics or in plain C, or try the other compiler (CC=clang, CC=gcc)"
        for place in places
    ]


def _problems(outcome: Outcome, refusal: Refusal | None, symbols: Symbols) -> list[str]:
    """Why there is no complete result, in words."""
    problems = []
    if refusal is not None:
        place = f", at {refusal.frame.place}" if refusal.frame is not None else ""
        reason = f": {refusal.reason}" if refusal.reason else ""
        problems.append(f"{refusal.message}{place}, thread {refusal.thread}{reason}")
    if outcome.result is not None and outcome.result.undefined is not None:
        problems.append(_undefined(outcome.result.undefined, symbols))
    if outcome.diverged is not None:
        problems.append(explain(outcome.diverged, symbols))
    problems += _gaps(outcome, symbols)
    problems += outcome.errors
    if outcome.death is not None:
        problems.append(outcome.death)
    return problems
