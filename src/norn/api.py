"""norn as functions: `norn.check("program.c")` and `norn.replay(token, "program.c")` return a Result.

The command line is a thin layer over this file. Bad input and build errors raise NornError; everything that
happens once the program runs, crashes included, is in the Result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from norn import protocol, session, token
from norn.build import Program, build
from norn.build.options import sort_options
from norn.errors import UsageError
from norn.model import EQUIVALENCES, Finding, Result, ThreadState, Verdict
from norn.replay import Replayed, replay_token, why_unconfirmed
from norn.session import OnProgress, Outcome
from norn.symbolize import Symbols, code_addresses
from norn.token import Token
from norn.trace import thread_names

Files = str | Path | Sequence[str | Path]

_ISOLATIONS = ("memory", "fork")
# A replay runs one execution; one that takes longer than this hangs.
_REPLAY_SECONDS = 120.0


def check(
    files: Files,
    *,
    flags: Sequence[str] = (),
    cflags: str = "",
    arguments: Sequence[str] = (),
    equivalence: str = "mazurkiewicz",
    max_executions: int | None = None,
    max_events: int | None = None,
    time_limit: float | None = None,
    keep_going: bool = False,
    isolate: str = "memory",
    on_progress: OnProgress | None = None,
    on_interrupt: Callable[[], None] | None = None,
    on_built: Callable[[Program], None] | None = None,
) -> Result:
    """Builds the program and explores one execution per class of its interleavings.

    flags: compiler options as a list (-D -I -L -l -std= -O); cflags: any others as one string.
    arguments: for the program's own main.
    """
    equivalence = canonical_equivalence(equivalence)
    _require_sensible(max_executions, max_events, time_limit, isolate)
    program = build(_list_of(files), sort_options(flags, cflags))
    if on_built is not None:
        on_built(program)
    options: dict[str, str | int | float] = {
        "mode": "check",
        "equivalence": equivalence,
        "keep_going": int(keep_going),
        "isolate": isolate,
        "max_executions": max_executions or 0,
        "time_limit": time_limit or 0,
    }
    if max_events is not None:
        options["max_events"] = max_events
    if on_progress is not None:
        options["progress"] = 100
    outcome = session.run(
        [str(program.executable), *arguments],
        options,
        time_limit=time_limit,
        on_progress=on_progress,
        on_interrupt=on_interrupt,
    )
    symbols = Symbols(program.executable, program.sources)
    findings = []
    for found in outcome.findings:
        key = Token(program.program_hash, found.schedule, found.choices, found.parents)
        again = replay_token(
            program,
            symbols,
            key,
            arguments,
            isolate=isolate,
            max_events=max_events,
            time_limit=_REPLAY_SECONDS,
        )
        findings.append(_make_finding(found, key, again, why_unconfirmed(found, again.outcome), symbols))
    return _make_result(outcome, program, equivalence, symbols, tuple(findings))


def replay(
    token_text: str,
    files: Files,
    *,
    flags: Sequence[str] = (),
    cflags: str = "",
    arguments: Sequence[str] = (),
    isolate: str = "memory",
    max_events: int | None = None,
    shown: bool = False,
) -> Result:
    """Runs exactly the execution of a token again. The Result has its steps in `trace`.

    shown: let the program's own output through.
    """
    _require_sensible(None, max_events, None, isolate)
    key = token.decode(token_text)
    program = build(_list_of(files), sort_options(flags, cflags))
    key.require_program(program.program_hash)
    symbols = Symbols(program.executable, program.sources)
    again = replay_token(
        program,
        symbols,
        key,
        arguments,
        isolate=isolate,
        max_events=max_events,
        time_limit=_REPLAY_SECONDS,
        shown=shown,
    )
    findings = tuple(_make_finding(found, key, again, None, symbols) for found in again.outcome.findings)
    return _make_result(again.outcome, program, "replay", symbols, findings, replayed=again)


def canonical_equivalence(name: str) -> str:
    """The full name of an equivalence given by full or short name."""
    for full, short in EQUIVALENCES.items():
        if name in (full, short):
            return full
    known = ", ".join(f"{full} ({short})" for full, short in EQUIVALENCES.items())
    raise UsageError(f"unknown equivalence “{name}”; there is: {known}")


def _require_sensible(
    max_executions: int | None, max_events: int | None, time_limit: float | None, isolate: str
) -> None:
    for name, value in (("executions", max_executions), ("events", max_events), ("seconds", time_limit)):
        if value is not None and value <= 0:
            raise UsageError(f"the limit on {name} must be positive, not {value}")
    if isolate not in _ISOLATIONS:
        raise UsageError(f"unknown isolation “{isolate}”; there is: {', '.join(_ISOLATIONS)}")


def _list_of(files: Files) -> list[str | Path]:
    return [files] if isinstance(files, str | Path) else list(files)


def _make_finding(
    found: protocol.Finding, key: Token, again: Replayed, unconfirmed: str | None, symbols: Symbols
) -> Finding:
    symbols.prepare(
        address for thread in found.threads for address in code_addresses(thread.stack, found.fault)
    )
    names = thread_names(again.outcome, symbols)
    threads = []
    for thread in found.threads:
        exact = found.fault and thread.id == found.thread
        threads.append(
            ThreadState(
                id=thread.id,
                name=names.get(thread.id, f"T{thread.id}"),
                state=thread.state,
                detail=thread.detail or "",
                object=_object_name(thread.object, names, symbols),
                stack=symbols.stack(thread.stack, exact),
            )
        )
    return Finding(
        kind=found.kind,
        message=_with_object(found, symbols),
        thread=found.thread,
        location=_location(found, threads),
        threads=tuple(threads),
        token=token.encode(key),
        trace=again.trace if again.trace.steps else None,
        unconfirmed=unconfirmed,
    )


def _object_name(address: int | None, names: dict[int, str], symbols: Symbols) -> str | None:
    """What a thread waits for. For a join the engine gives the number of the thread, not an address."""
    if not address:
        return None
    return names[address] if address in names else symbols.data(address)[0]


def _with_object(found: protocol.Finding, symbols: Symbols) -> str:
    """The message, with the name of the address it is about where that has one."""
    if found.address is None:
        return found.message
    name, _ = symbols.data(found.address)
    return found.message if not name or name in found.message else f"{found.message} ({name})"


def _location(found: protocol.Finding, threads: Sequence[ThreadState]) -> str | None:
    if found.file and found.line:
        return f"{found.file}:{found.line}"
    for thread in threads:
        if thread.id == found.thread:
            return next((frame.place for frame in thread.stack if frame.place), None)
    return None


def _make_result(
    outcome: Outcome,
    program: Program,
    equivalence: str,
    symbols: Symbols,
    findings: tuple[Finding, ...],
    replayed: Replayed | None = None,
) -> Result:
    ended = outcome.result or _partial_result(outcome)
    problems = _problems(outcome, symbols)
    complete = outcome.result is not None and ended.complete and not problems
    verdict = Verdict.VERIFIED if complete else Verdict.INCOMPLETE
    return Result(
        verdict=Verdict.FAILED if findings else verdict,
        equivalence=equivalence,
        executions=ended.executions,
        blocked=ended.blocked,
        redundant=ended.redundant,
        events=ended.events,
        threads=ended.threads,
        longest=ended.longest,
        restarts=ended.restarts,
        seconds=ended.seconds,
        cpu_seconds=ended.cpu_seconds,
        build_seconds=program.build_seconds,
        peak_rss_mb=round(ended.peak_rss_kb / 1024, 2),
        bounds=tuple(ended.bounds),
        findings=findings,
        problems=tuple(problems),
        warnings=program.warnings,
        unusable=outcome.unsupported is not None or (bool(outcome.errors) and outcome.death is None),
        trace=replayed.trace if replayed is not None else None,
        program=program.executable,
    )


def _partial_result(outcome: Outcome) -> protocol.Result:
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
        events=last.events,
        threads=0,
        longest=last.depth,
        restarts=last.restarts,
        seconds=last.seconds,
        peak_rss_kb=0,
    )


def _problems(outcome: Outcome, symbols: Symbols) -> list[str]:
    """Why there is no complete result, in words."""
    problems = []
    if outcome.unsupported is not None:
        place = next(
            (f" at {frame.place}" for frame in symbols.stack(outcome.unsupported.stack) if frame.place), ""
        )
        problems.append(
            f"unsupported call of {outcome.unsupported.function}{place} in T{outcome.unsupported.thread}: "
            f"{outcome.unsupported.message}"
        )
    if outcome.diverged is not None:
        place = next(
            (f" at {frame.place}" for frame in symbols.stack(outcome.diverged.stack) if frame.place), ""
        )
        problems.append(
            f"the program did not follow the schedule at tick {outcome.diverged.tick}, "
            f"T{outcome.diverged.thread}{place}: {outcome.diverged.message}"
        )
    problems += outcome.errors
    if outcome.death is not None:
        problems.append(outcome.death)
    return problems
