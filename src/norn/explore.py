"""Explores a program that is built, under one equivalence or `auto`, and replays what was found.

Exploration ──► session or auto ──► Outcome ──► findings replayed ──► Result
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from norn import auto, protocol, session, token
from norn import races as data_races
from norn.build import Program
from norn.communication import make_topology
from norn.findings import make_finding
from norn.model import AUTO, EQUIVALENCES, Choice, Estimate, Finding, Race, Result, Topology
from norn.nondet import seed_of
from norn.rerun import Replayed, replay_token, why_not_seen, why_unconfirmed
from norn.results import make_result, partial_result
from norn.session import Outcome
from norn.settings import Exploration
from norn.shrunk import how_shrunk, simpler_of
from norn.symbolize import Symbols
from norn.token import Token

# A replay runs one execution; one that takes longer than this hangs.
_REPLAY_SECONDS = 120.0
# With less time than this left, no simpler execution is looked for.
_SHORTEST_SHRINKING = 0.05
# Bounds after which more could have been explored: then it is worth knowing how much.
_LIMITS = frozenset({"time-limit", "interrupted", "max-executions", "process-died"})


def explore(program: Program, equivalence: str, how: Exploration) -> Result:
    """The result under one equivalence, or under the one that `auto` keeps."""
    how = how.begun()
    choice: Choice | None = None
    warnings: tuple[str, ...] = ()
    if equivalence == AUTO:
        chosen = auto.run(
            [str(program.executable), *how.settings.arguments],
            how.options(),
            time_limit=how.settings.time_limit,
            on_progress=how.watch.on_progress,
            on_found=_announcement(how),
            on_interrupt=how.watch.on_interrupt,
        )
        equivalence, outcome, choice, warnings = (
            chosen.equivalence,
            chosen.outcome,
            chosen.choice,
            chosen.warnings,
        )
    else:
        outcome = run_one(program, equivalence, how)
    symbols = Symbols(program.executable, program.sources)
    result = judge(program, symbols, outcome, equivalence, how)
    warnings += (*_about_seed(how, result), *_about_time(how, result))
    if outcome.topology is not None:
        result = replace(result, topology=topology_of(program, symbols, result, outcome, how))
    return replace(result, choice=choice, warnings=(*warnings, *how.benign.warnings, *result.warnings))


def run_one(program: Program, equivalence: str, how: Exploration) -> Outcome:
    """What the engine says; nothing of it is replayed yet."""
    on_progress = how.watch.on_progress
    options = {**how.options(), **{f"without_{name}": 1 for name in how.settings.without}}
    if equivalence in EQUIVALENCES:
        options["equivalence"] = equivalence
    return session.run(
        [str(program.executable), *how.settings.arguments],
        options,
        time_limit=how.settings.time_limit,
        on_progress=(lambda seen: on_progress(seen, equivalence)) if on_progress is not None else None,
        on_found=_announcement(how),
        on_interrupt=how.watch.on_interrupt,
    )


def _announcement(how: Exploration) -> Callable[[protocol.Finding | protocol.Race], None] | None:
    """Tells of what is found at once: to confirm it, and to find out how it happens, may take a while."""
    on_found = how.watch.on_found
    if on_found is None:
        return None

    def announce(found: protocol.Finding | protocol.Race) -> None:
        if isinstance(found, protocol.Finding):
            place = f" ({found.file}:{found.line})" if found.file and found.line else ""
            kind = "" if found.kind in found.message else f"{found.kind}: "
            on_found(f"{kind}{found.message}{place}")
        elif how.settings.races == "error":
            on_found("a data race")

    return announce


def judge(program: Program, symbols: Symbols, outcome: Outcome, equivalence: str, how: Exploration) -> Result:
    """The result of an exploration; what was found is replayed."""
    findings = [
        _confirmed_finding(program, symbols, found, simpler_of(outcome, "finding", number), how)
        for number, found in enumerate(outcome.findings)
    ]
    races = data_races.make_races(outcome, program.program_hash, symbols)
    if how.settings.races == "error":
        simpler = data_races.SimplerRaces(outcome, program.program_hash, symbols)
        brief = not any(message.in_library for message in outcome.races)
        findings += [_confirmed_race(program, symbols, race, simpler, brief, how) for race in races]
        races = ()
    result = make_result(outcome, program, equivalence, symbols, tuple(findings), races)
    if how.plan is None:
        return replace(result, coverage=_estimate(outcome, result))
    return replace(result, coverage=how.plan.covered(outcome.result or partial_result(outcome)))


def topology_of(
    program: Program, symbols: Symbols, result: Result, outcome: Outcome, how: Exploration
) -> Topology:
    """Who communicates with whom, as `observation` has seen it."""

    def any_execution() -> Outcome:
        return rerun(program, symbols, Token(program.program_hash, "", "", ""), how).outcome

    return make_topology(result, outcome, symbols, any_execution)


def rerun(
    program: Program,
    symbols: Symbols,
    key: Token,
    how: Exploration,
    shown: bool = False,
    brief: bool = False,
) -> Replayed:
    """Exactly the execution of a token. shown: let the program's own output through. brief: see `rerun`."""
    return replay_token(
        program,
        symbols,
        key,
        how.settings.arguments,
        isolate=how.settings.isolate,
        max_events=how.settings.max_events,
        time_limit=_REPLAY_SECONDS,
        shown=shown,
        further=how.of_program(),
        on_interrupt=how.watch.on_interrupt,
        brief=brief,
        deadline=how.deadline,
    )


def _confirmed_finding(
    program: Program,
    symbols: Symbols,
    found: protocol.Finding,
    shrunk: protocol.Shrunk | None,
    how: Exploration,
) -> Finding:
    """The simplest execution that a replay confirms; the one that was found, if it is no other."""
    if shrunk is not None and shrunk.finding is not None:
        simpler = _replayed_finding(program, symbols, shrunk.finding, how)
        if simpler.unconfirmed is None:
            return replace(simpler, shrunk=how_shrunk(shrunk))
        shrunk = None
    finding = _replayed_finding(program, symbols, found, how)
    return replace(finding, shrunk=how_shrunk(shrunk)) if shrunk is not None else finding


def _replayed_finding(
    program: Program, symbols: Symbols, found: protocol.Finding, how: Exploration
) -> Finding:
    key = Token(program.program_hash, found.schedule, found.choices, found.parents)
    # (A library in whose midst it failed cannot be run a second time in the same process.)
    again = rerun(program, symbols, key, how, brief=not found.in_library)
    return make_finding(found, key, again, why_unconfirmed(found, again.outcome), symbols)


def _confirmed_race(
    program: Program,
    symbols: Symbols,
    race: Race,
    simpler: data_races.SimplerRaces,
    brief: bool,
    how: Exploration,
) -> Finding:
    """As above."""
    better, shrunk = simpler.of(race)
    if better is not None:
        finding = _replayed_race(program, symbols, better, brief, how)
        if finding.unconfirmed is None:
            return replace(finding, shrunk=shrunk)
        shrunk = None
    return replace(_replayed_race(program, symbols, race, brief, how), shrunk=shrunk)


def _replayed_race(program: Program, symbols: Symbols, race: Race, brief: bool, how: Exploration) -> Finding:
    key = token.decode(race.token)
    again = rerun(program, symbols, key, how, brief=brief)
    seen = data_races.make_races(again.outcome, program.program_hash, symbols, key)
    why = None if data_races.is_among(race, seen) else why_not_seen(again.outcome)
    return data_races.finding_of(race, again.trace if again.trace.steps and why is None else None, why)


def _estimate(outcome: Outcome, result: Result) -> Estimate | None:
    """How much a search that met a limit has covered, if that can be guessed."""
    last = outcome.result or outcome.progress
    if last is None or last.estimate is None or not _LIMITS.intersection(result.bounds):
        return None
    return Estimate(result.runs, last.estimate.low, last.estimate.likely, last.estimate.high)


def _about_time(how: Exploration, result: Result) -> tuple[str, ...]:
    """What the time limit has left undone, beside the search."""
    undone = []
    if how.settings.time_limit and any(finding.trace is None for finding in result.findings):
        undone.append("to tell how it happens: norn replay shows it")
    is_as_found = any(finding.shrunk is None for finding in result.findings)
    limit = how.settings.time_limit
    if limit and how.settings.shrink and is_as_found and result.seconds + _SHORTEST_SHRINKING > limit:
        undone.append("to look for a simpler execution that fails")
    return tuple(f"the time limit (--time-limit) left no time {what}" for what in undone)


def _about_seed(how: Exploration, result: Result) -> tuple[str, ...]:
    """How to get the same random values again, where there were some."""
    seed = seed_of(how.settings.nondet)
    if seed is None or "nondet" not in result.bounds:
        return ()
    return (f"values of __VERIFIER_nondet_* were drawn at random; --nondet {seed} gives the same ones",)
