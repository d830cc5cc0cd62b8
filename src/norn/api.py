"""norn as functions: `norn.check("program.c")` and `norn.replay(token, "program.c")` return a Result,
`norn.compare("program.c")` a Comparison, `norn.topology("program.c")` a Topology.

The command line is a thin layer over this file. Bad input and build errors raise NornError; everything that
happens once the program runs, crashes included, is in the Result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from norn import auto, benign, protocol, session, token
from norn import races as data_races
from norn.build import Program, build
from norn.build.options import sort_options
from norn.communication import make_topology
from norn.divergence import explain
from norn.errors import UsageError
from norn.model import (
    AUTO,
    DEFAULT_EQUIVALENCE,
    EQUIVALENCES,
    MAZURKIEWICZ,
    OBSERVATION,
    Choice,
    Comparison,
    Estimate,
    Finding,
    Race,
    Refusal,
    Result,
    ThreadState,
    Topology,
    Verdict,
    telling_frame,
)
from norn.nondet import DEFAULT_NONDET, parse_nondet, seed_of
from norn.plans import Plan, make_plan
from norn.rerun import Replayed, replay_token, why_not_seen, why_unconfirmed
from norn.session import Outcome
from norn.symbolize import Symbols, code_addresses
from norn.token import Token
from norn.trace import thread_names

Files = str | Path | Sequence[str | Path]

_ISOLATIONS = ("memory", "fork")
# A replay runs one execution; one that takes longer than this hangs.
_REPLAY_SECONDS = 120.0
# The engine's name for "no call at all, but a thread that does not come back".
_STUCK = "(stuck)"
# What an execution can leave behind.
LEAKS = ("memory", "threads", "locks")
# The kind of finding whose address is that of the variable that was missed.
_BESIDE_VARIABLE = "global-overflow"
# Techniques that can be left out to measure what they buy, and the equivalence that has them.
_TECHNIQUES = ("signals", "closure")
_WITH_TECHNIQUES = "reads-value-from"

OnProgress = auto.OnProgressOf


@dataclass(frozen=True)
class _Exploration:
    """How to explore a program, whatever the equivalence."""

    arguments: Sequence[str]
    max_executions: int | None
    max_events: int | None
    time_limit: float | None
    keep_going: bool
    isolate: str
    on_progress: OnProgress | None
    on_interrupt: Callable[[], None] | None
    max_thread_events: int | None = None
    plan: Plan | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    races: str = "off"
    benign: benign.Listed = benign.NOTHING

    def of_program(self) -> dict[str, str]:
        """Options that what the program does, and what counts as a failure, depends on."""
        return {**self.values, "races": self.races, "benign": self.benign.path}

    def require_sensible(self) -> None:
        _require_sensible(self.max_executions, self.max_events, self.time_limit, self.isolate)
        _require_positive("--max-thread-events", self.max_thread_events)

    def options(self) -> dict[str, str | int | float]:
        options: dict[str, str | int | float] = {
            "mode": "check",
            "keep_going": int(self.keep_going),
            "isolate": self.isolate,
            "max_executions": self.max_executions or 0,
            "time_limit": self.time_limit or 0,
            **self.of_program(),
        }
        if self.max_events is not None:
            # A limit that somebody has chosen cuts executions; the one that is always there ends the check.
            options |= {"max_events": self.max_events, "cut_long": 1}
        if self.max_thread_events is not None:
            options["max_thread_events"] = self.max_thread_events
        if self.plan is not None:
            options |= self.plan.options()
        if self.on_progress is not None:
            options["progress"] = 100
        return options


def check(
    files: Files,
    *,
    flags: Sequence[str] = (),
    cflags: str = "",
    arguments: Sequence[str] = (),
    equivalence: str = DEFAULT_EQUIVALENCE,
    max_executions: int | None = None,
    max_events: int | None = None,
    max_thread_events: int | None = None,
    time_limit: float | None = None,
    sample: int | None = None,
    scheduler: str | None = None,
    depth: int | None = None,
    seed: int | None = None,
    preemptions: int | None = None,
    keep_going: bool = False,
    isolate: str = "memory",
    nondet: str = DEFAULT_NONDET,
    only: Sequence[str] = (),
    without: Sequence[str] = (),
    leaks: Sequence[str] = (),
    spurious: bool = False,
    races: str = data_races.DEFAULT_MODE,
    benign_races: Sequence[str] = (),
    on_progress: OnProgress | None = None,
    on_interrupt: Callable[[], None] | None = None,
    on_built: Callable[[Program], None] | None = None,
) -> Result:
    """Builds the program and explores one execution per class of its interleavings.

    flags: compiler options as a list (-D -I -L -l -std= -O); cflags: any others as one string.
    arguments: for the program's own main. equivalence: name or short name, see `model.EQUIVALENCES`, or
    "auto". sample: only so many executions, by chance (scheduler "random" or "pct", which looks for failures
    of a depth; seed: chosen by chance if not given). preemptions: only executions with at most so many. What
    these covered is in `Result.coverage`; docs/large-programs.md. without: techniques of reads-value-from to
    leave out ("signals", "closure"), to measure what they buy. nondet: what __VERIFIER_nondet_*() gives
    (`norn.nondet`). only: kinds of failures that count; all if none are given; another one ends its execution
    like exit(). leaks: what to look for at the end of each execution, of `LEAKS`; memory only with
    mazurkiewicz, which "auto" then means. spurious: let waits on condition variables end without a signal.
    races: data races as a warning ("warn"), as a failure ("error"), or not at all ("off"). benign_races:
    patterns of functions, lines (file.c:12) and global variables whose races are harmless. on_progress:
    called with the figures so far and the equivalence they are of.
    """
    leaks = require_leaks(leaks)
    chosen = canonical_equivalence(equivalence)
    plan = make_plan(
        sample=sample,
        scheduler=scheduler,
        depth=depth,
        seed=seed,
        preemptions=preemptions,
        has_equivalence=chosen != AUTO,
    )
    name = data_races.equivalence_for(races, _equivalence_for(leaks, chosen))
    how = _Exploration(
        arguments,
        max_executions,
        max_events,
        time_limit,
        keep_going,
        isolate,
        on_progress,
        on_interrupt,
        max_thread_events,
        plan,
        values_of(nondet, only, leaks, spurious),
        races,
    )
    how.require_sensible()
    _require_techniques(without, name)
    if plan is not None:
        name = plan.name
    program = build(_list_of(files), sort_options(flags, cflags))
    if on_built is not None:
        on_built(program)
    with benign.listed(program, benign_races) as listed:
        return _explore(program, name, replace(how, benign=listed), without)


def compare(
    files: Files,
    *,
    flags: Sequence[str] = (),
    cflags: str = "",
    arguments: Sequence[str] = (),
    equivalences: Sequence[str] = (),
    max_executions: int | None = None,
    max_events: int | None = None,
    time_limit: float | None = None,
    keep_going: bool = False,
    isolate: str = "memory",
    nondet: str = DEFAULT_NONDET,
    on_progress: OnProgress | None = None,
    on_interrupt: Callable[[], None] | None = None,
    on_built: Callable[[Program], None] | None = None,
    on_start: Callable[[str], None] | None = None,
) -> Comparison:
    """Builds the program once and explores it under each equivalence.

    They run one after the other, so that times compare. equivalences: all if none are given. Limits hold for
    each of them. An interrupt, or a call that norn does not model, ends the comparison with what is known.
    on_start: called with each equivalence before it is run.
    """
    names = [canonical_equivalence(name) for name in equivalences] or list(EQUIVALENCES)
    if AUTO in names:
        raise UsageError("“auto” is no equivalence to compare with others; there are: " + _known())
    interrupted = False

    def interrupt() -> None:
        nonlocal interrupted
        interrupted = True
        if on_interrupt is not None:
            on_interrupt()

    how = _Exploration(
        arguments,
        max_executions,
        max_events,
        time_limit,
        keep_going,
        isolate,
        on_progress,
        interrupt,
        values=values_of(nondet),
    )
    how.require_sensible()
    program = build(_list_of(files), sort_options(flags, cflags))
    if on_built is not None:
        on_built(program)
    wanted = [name for name in EQUIVALENCES if name in names]  # the coarsest first: it is done soonest
    results: list[Result] = []
    for name in wanted:
        if interrupted:
            break
        if on_start is not None:
            on_start(name)
        results.append(_explore(program, name, how))
        if results[-1].refusal is not None:
            break  # the others would be refused, too
    return Comparison(tuple(results), left_out=tuple(wanted[len(results) :]))


def topology(
    files: Files,
    *,
    flags: Sequence[str] = (),
    cflags: str = "",
    arguments: Sequence[str] = (),
    max_executions: int | None = None,
    max_events: int | None = None,
    time_limit: float | None = None,
    isolate: str = "memory",
    on_progress: OnProgress | None = None,
    on_interrupt: Callable[[], None] | None = None,
    on_built: Callable[[Program], None] | None = None,
) -> Topology:
    """Builds the program, explores it with `observation`, and returns who communicates with whom.

    Goes on after a failure: failing executions communicate, too. What failed is in the `result` of the
    Topology. `print` shows it as `norn topology` does.
    """
    how = _Exploration(
        arguments,
        max_executions,
        max_events,
        time_limit,
        keep_going=True,
        isolate=isolate,
        on_progress=on_progress,
        on_interrupt=on_interrupt,
    )
    how.require_sensible()
    program = build(_list_of(files), sort_options(flags, cflags))
    if on_built is not None:
        on_built(program)
    outcome = _run_one(program, OBSERVATION, how)
    symbols = Symbols(program.executable, program.sources)
    result = _judge(program, symbols, outcome, OBSERVATION, how)

    def any_execution() -> Outcome:
        return _replay(program, symbols, Token(program.program_hash, "", "", ""), how).outcome

    return make_topology(result, outcome, symbols, any_execution)


def _explore(program: Program, equivalence: str, how: _Exploration, without: Sequence[str] = ()) -> Result:
    """Explores a program that is built, and replays what was found."""
    choice: Choice | None = None
    warnings: tuple[str, ...] = ()
    if equivalence == AUTO:
        chosen = auto.run(
            [str(program.executable), *how.arguments],
            how.options(),
            time_limit=how.time_limit,
            on_progress=how.on_progress,
            on_interrupt=how.on_interrupt,
        )
        equivalence, outcome, choice, warnings = (
            chosen.equivalence,
            chosen.outcome,
            chosen.choice,
            chosen.warnings,
        )
    else:
        outcome = _run_one(program, equivalence, how, without)
    symbols = Symbols(program.executable, program.sources)
    result = _judge(program, symbols, outcome, equivalence, how)
    warnings += _about_seed(how, result)
    return replace(result, choice=choice, warnings=(*warnings, *how.benign.warnings, *result.warnings))


def _run_one(program: Program, equivalence: str, how: _Exploration, without: Sequence[str] = ()) -> Outcome:
    on_progress = how.on_progress
    return session.run(
        [str(program.executable), *how.arguments],
        {**how.options(), **_equivalence_option(equivalence), **{f"without_{name}": 1 for name in without}},
        time_limit=how.time_limit,
        on_progress=(lambda seen: on_progress(seen, equivalence)) if on_progress is not None else None,
        on_interrupt=how.on_interrupt,
    )


def _equivalence_option(equivalence: str) -> dict[str, str]:
    return {"equivalence": equivalence} if equivalence in EQUIVALENCES else {}


def _judge(
    program: Program, symbols: Symbols, outcome: Outcome, equivalence: str, how: _Exploration
) -> Result:
    """The result of an exploration; what was found is replayed."""
    findings = []
    for found in outcome.findings:
        key = Token(program.program_hash, found.schedule, found.choices, found.parents)
        again = _replay(program, symbols, key, how)
        findings.append(_make_finding(found, key, again, why_unconfirmed(found, again.outcome), symbols))
    races = data_races.make_races(outcome, program.program_hash, symbols)
    if how.races == "error":
        findings += [_confirmed_race(program, symbols, race, how) for race in races]
        races = ()
    result = _make_result(outcome, program, equivalence, symbols, tuple(findings), races)
    if how.plan is None:
        return replace(result, coverage=_estimate(outcome, result))
    return replace(result, coverage=how.plan.covered(outcome.result or _partial_result(outcome)))


# Bounds after which more could have been explored: then it is worth knowing how much.
_LIMITS = frozenset({"time-limit", "interrupted", "max-executions", "process-died"})


def _estimate(outcome: Outcome, result: Result) -> Estimate | None:
    """How much a search that met a limit has covered, if that can be guessed."""
    last = outcome.result or outcome.progress
    if last is None or last.estimate is None or not _LIMITS.intersection(result.bounds):
        return None
    return Estimate(result.runs, last.estimate.low, last.estimate.likely, last.estimate.high)


def _confirmed_race(program: Program, symbols: Symbols, race: Race, how: _Exploration) -> Finding:
    key = token.decode(race.token)
    again = _replay(program, symbols, key, how)
    seen = data_races.make_races(again.outcome, program.program_hash, symbols, key)
    why = None if data_races.is_among(race, seen) else why_not_seen(again.outcome)
    return data_races.finding_of(race, again.trace if again.trace.steps else None, why)


def _replay(program: Program, symbols: Symbols, key: Token, how: _Exploration) -> Replayed:
    return replay_token(
        program,
        symbols,
        key,
        how.arguments,
        isolate=how.isolate,
        max_events=how.max_events,
        time_limit=_REPLAY_SECONDS,
        further=how.of_program(),
    )


def replay(
    token_text: str,
    files: Files,
    *,
    flags: Sequence[str] = (),
    cflags: str = "",
    arguments: Sequence[str] = (),
    isolate: str = "memory",
    max_events: int | None = None,
    nondet: str = DEFAULT_NONDET,
    only: Sequence[str] = (),
    shown: bool = False,
    leaks: Sequence[str] = (),
    spurious: bool = False,
    races: str = data_races.DEFAULT_MODE,
    benign_races: Sequence[str] = (),
) -> Result:
    """Runs exactly the execution of a token again. The Result has its steps in `trace`.

    nondet, only, leaks, spurious: as they were when the token was made. shown: let the program's own output
    through. races and benign_races are as of `check`.
    """
    _require_sensible(None, max_events, None, isolate)
    data_races.equivalence_for(races, AUTO)
    key = token.decode(token_text)
    program = build(_list_of(files), sort_options(flags, cflags))
    key.require_program(program.program_hash)
    symbols = Symbols(program.executable, program.sources)
    values = values_of(nondet, only, require_leaks(leaks), spurious)
    with benign.listed(program, benign_races) as listed:
        again = replay_token(
            program,
            symbols,
            key,
            arguments,
            isolate=isolate,
            max_events=max_events,
            time_limit=_REPLAY_SECONDS,
            shown=shown,
            further={**values, "races": races, "benign": listed.path},
        )
    findings = [_make_finding(found, key, again, None, symbols) for found in again.outcome.findings]
    found_races = data_races.make_races(again.outcome, program.program_hash, symbols, key)
    if races == "error":
        findings += [data_races.finding_of(race, again.trace, None) for race in found_races]
        found_races = ()
    result = _make_result(
        again.outcome, program, "replay", symbols, tuple(findings), found_races, replayed=again
    )
    return replace(result, warnings=(*listed.warnings, *result.warnings))


def values_of(
    nondet: str, only: Sequence[str] = (), leaks: Sequence[str] = (), spurious: bool = False
) -> dict[str, str]:
    """Options of the engine that what the program does, and what counts as a failure, depends on."""
    values = parse_nondet(nondet)
    return {
        **({"nondet": values} if values != DEFAULT_NONDET else {}),
        **({"only": f",{','.join(only)},"} if only else {}),
        **({"leaks": ",".join(leaks)} if leaks else {}),
        **({"spurious": "1"} if spurious else {}),
    }


def _about_seed(how: _Exploration, result: Result) -> tuple[str, ...]:
    """How to get the same random values again, where there were some."""
    seed = seed_of(how.values.get("nondet", ""))
    if seed is None or "nondet" not in result.bounds:
        return ()
    return (f"values of __VERIFIER_nondet_* were drawn at random; --nondet {seed} gives the same ones",)


def canonical_equivalence(name: str) -> str:
    """The full name of an equivalence given by full or short name, or "auto"."""
    if name == AUTO:
        return AUTO
    for full, short in EQUIVALENCES.items():
        if name in (full, short):
            return full
    raise UsageError(f"unknown equivalence “{name}”; there are: {_known()}, auto")


def _known() -> str:
    return ", ".join(f"{full} ({short})" for full, short in EQUIVALENCES.items())


def require_leaks(wanted: Sequence[str]) -> tuple[str, ...]:
    """The kinds of leaks to look for: of `LEAKS`, or "all"."""
    for name in wanted:
        if name not in (*LEAKS, "all"):
            raise UsageError(f"unknown kind of leak “{name}”; there are: {', '.join(LEAKS)}, all")
    return LEAKS if "all" in wanted else tuple(name for name in LEAKS if name in wanted)


def _equivalence_for(leaks: Sequence[str], equivalence: str) -> str:
    """Which memory is lost depends on what was written last, which only mazurkiewicz tells apart."""
    if "memory" not in leaks or equivalence == MAZURKIEWICZ:
        return equivalence
    if equivalence == AUTO:
        return MAZURKIEWICZ
    raise UsageError(
        f"{equivalence} does not tell apart which write came last, and that decides which memory is lost: "
        f"leave -e away or use -e {MAZURKIEWICZ}; --leaks=threads,locks can do with any"
    )


def _require_techniques(without: Sequence[str], equivalence: str) -> None:
    for name in without:
        if name not in _TECHNIQUES:
            raise UsageError(f"unknown technique “{name}”; there are: {', '.join(_TECHNIQUES)}")
    if without and equivalence != _WITH_TECHNIQUES:
        raise UsageError(f"only {_WITH_TECHNIQUES} can do without {' and '.join(without)}, not {equivalence}")


def _require_sensible(
    max_executions: int | None, max_events: int | None, time_limit: float | None, isolate: str
) -> None:
    limits = (
        ("--max-executions", max_executions),
        ("--max-events", max_events),
        ("--time-limit", time_limit),
    )
    for option, value in limits:
        _require_positive(option, value)
    if isolate not in _ISOLATIONS:
        raise UsageError(f"unknown isolation “{isolate}”; there are: {', '.join(_ISOLATIONS)}")


def _require_positive(option: str, value: float | None) -> None:
    if value is not None and not value > 0:  # not a number is not positive either
        raise UsageError(f"the limit {option} must be positive, not {value:g}")


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
    if found.address is not None and found.kind == _BESIDE_VARIABLE:
        return f"{found.message} ({symbols.variable(found.address)})"
    name = symbols.data(found.address)[0] if found.address is not None else ""
    return f"{found.message} ({name})" if name else found.message


def _location(found: protocol.Finding, threads: Sequence[ThreadState]) -> str | None:
    if found.file and found.line:
        return f"{found.file}:{found.line}"
    for thread in threads:
        if thread.id == found.thread:
            frame = telling_frame(thread.stack)
            return frame.place if frame is not None else None
    return None


def _make_result(
    outcome: Outcome,
    program: Program,
    equivalence: str,
    symbols: Symbols,
    findings: tuple[Finding, ...],
    races: tuple[Race, ...] = (),
    replayed: Replayed | None = None,
) -> Result:
    ended = outcome.result or _partial_result(outcome)
    refusal = _refusal(outcome, symbols)
    problems = _problems(outcome, refusal, symbols)
    complete = outcome.result is not None and ended.complete and not problems
    verdict = Verdict.VERIFIED if complete else Verdict.INCOMPLETE
    return Result(
        verdict=Verdict.FAILED if findings else verdict,
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
        bounds=tuple(ended.bounds),
        failures=tuple(ended.failures.items()),
        complete=complete,
        findings=findings,
        problems=tuple(problems),
        warnings=(*program.warnings, *(_doubts(ended) if replayed is None and not problems else ())),
        races=races,
        benign_races=ended.benign_races,
        refusal=refusal,
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
        cut=last.cut,
        events=last.events,
        threads=0,
        longest=last.depth,
        restarts=last.restarts,
        seconds=last.seconds,
        peak_rss_kb=0,
    )


# Events of an execution from which on a loop that waits is the likely reason.
_LONG_EXECUTION = 2000


def _doubts(ended: protocol.Result) -> list[str]:
    """Signs that the program did not do what the user wanted to have checked."""
    doubts = []
    if ended.exit_status:
        doubts.append(
            f"the program ended with status {ended.exit_status} in some execution; norn does not count that "
            "as a failure (program arguments come after `--`)"
        )
    if ended.threads == 1 and "finding" not in ended.bounds:
        doubts.append("the program never started a second thread: there was only one interleaving")
    if ended.race_limit:
        doubts.append("there are so many data races that norn stopped looking for more of them")
    if ended.executions == 0 and ended.blocked > 0:
        doubts.append(
            "an assume, or a loop that waits, stopped a thread in every execution: "
            "nothing was checked to its end"
        )
    if not ended.complete and "finding" not in ended.bounds and ended.longest >= _LONG_EXECUTION:
        doubts.append(
            f"an execution has {ended.longest:,} events. A loop that waits for another thread? norn knows "
            "such a loop if its rounds change nothing. If they do (they count, allocate, call a library, or "
            "take a lock that others only try to take), each number of rounds is a class of its own: let it "
            "look once, with norn_assume of <norn.h>, or bound the rounds"
        )
    return doubts


def _refusal(outcome: Outcome, symbols: Symbols) -> Refusal | None:
    refused = outcome.unsupported
    if refused is None:
        return None
    thread = thread_names(outcome, symbols).get(refused.thread, f"T{refused.thread}")
    frame = telling_frame(symbols.stack(refused.stack))
    if refused.function == _STUCK:
        advice = "bound the loop, or wait with norn_assume of <norn.h>: see docs/limitations.md"
        return Refusal(refused.message, "", thread, frame, advice)
    message = f"the program calls {refused.function}, which norn does not model"
    return Refusal(message, refused.message, thread, frame, "docs/limitations.md lists what is modelled")


def _problems(outcome: Outcome, refusal: Refusal | None, symbols: Symbols) -> list[str]:
    """Why there is no complete result, in words."""
    problems = []
    if refusal is not None:
        place = f", at {refusal.frame.place}" if refusal.frame is not None else ""
        reason = f": {refusal.reason}" if refusal.reason else ""
        problems.append(f"{refusal.message}{place}, thread {refusal.thread}{reason}")
    if outcome.diverged is not None:
        problems.append(explain(outcome.diverged, symbols))
    problems += outcome.errors
    if outcome.death is not None:
        problems.append(outcome.death)
    return problems
