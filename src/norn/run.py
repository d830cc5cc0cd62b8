"""What `norn check`, `compare`, `topology` and `replay` do, from sources and settings to the answer.

    sources + Settings ──► build ──► explore ──► Result, Comparison or Topology

Bad input and build errors raise NornError; everything that happens once the program runs, crashes included,
is in the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from norn import benign, token, token_file
from norn import races as data_races
from norn.build import Program, build
from norn.equivalences import canonical_equivalence, comparable_equivalences, equivalence_to_explore
from norn.explore import explore, judge, rerun, run_one, topology_of
from norn.findings import make_finding
from norn.interrupts import taking_their_course
from norn.model import OBSERVATION, Comparison, Result, Topology
from norn.options.table import CHECK, COMPARE
from norn.results import make_result
from norn.setting import make_setting
from norn.settings import Exploration, Settings, Watch
from norn.symbolize import Symbols

Files = str | Path | Sequence[str | Path]


@taking_their_course
def check(files: Files, settings: Settings, watch: Watch) -> Result:
    """Explores one execution per class of the program's interleavings."""
    asked = settings.settled()
    asked = replace(asked, equivalence=canonical_equivalence(asked.equivalence))
    plan = asked.plan()
    name = equivalence_to_explore(asked.equivalence, asked.leaks, asked.races, asked.without)
    program = watch.built(_build(files, asked))
    with benign.listed(program, asked.benign_races) as listed:
        how = Exploration(asked, watch, plan, listed)
        result = explore(program, plan.name if plan is not None else name, how)
    return replace(result, setting=make_setting(program, _list_of(files), asked, CHECK))


@taking_their_course
def compare(files: Files, settings: Settings, watch: Watch) -> Comparison:
    """Explores it under each equivalence, one after the other, so that times compare."""
    interrupted = False

    def interrupt() -> None:
        nonlocal interrupted
        interrupted = True
        assert watch.on_interrupt is not None
        watch.on_interrupt()

    wanted = comparable_equivalences(settings.equivalences)
    asked = replace(settings, races="off", equivalences=wanted, shrink=False).settled()
    program = watch.built(_build(files, asked))
    on_interrupt = interrupt if watch.on_interrupt is not None else None
    how = Exploration(asked, replace(watch, on_interrupt=on_interrupt))
    setting = make_setting(program, _list_of(files), asked, COMPARE)
    results: list[Result] = []
    for name in wanted:
        if interrupted:
            break
        watch.starting(name)
        results.append(replace(explore(program, name, how), setting=setting))
        interrupted = interrupted or "interrupted" in results[-1].bounds
        if results[-1].refusal is not None:
            break  # the others would be refused, too
    return Comparison(tuple(results), left_out=tuple(wanted[len(results) :]))


@taking_their_course
def topology(files: Files, settings: Settings, watch: Watch) -> Topology:
    """Explores it with `observation`, on after failures: failing executions communicate, too."""
    asked = replace(settings, races="off", keep_going=True, shrink=False).settled()
    program = watch.built(_build(files, asked))
    how = Exploration(asked, watch).begun()
    outcome = run_one(program, OBSERVATION, how)
    symbols = Symbols(program.executable, program.sources)
    result = judge(program, symbols, outcome, OBSERVATION, how)
    return topology_of(program, symbols, result, outcome, how)


@taking_their_course
def replay(token_text: str, files: Files, settings: Settings, shown: bool = False) -> Result:
    """Runs exactly the execution of a token, or of a file with one (`@FILE`), again: `Result.trace`."""
    asked = settings.settled()
    key = token.decode(token_file.given(token_text))
    program = _build(files, asked)
    key.require_program(program.program_hash)
    symbols = Symbols(program.executable, program.sources)
    with benign.listed(program, asked.benign_races) as listed:
        again = rerun(program, symbols, key, Exploration(asked, benign=listed), shown)
    findings = [make_finding(found, key, again, None, symbols) for found in again.outcome.findings]
    races = data_races.make_races(again.outcome, program.program_hash, symbols, key)
    if asked.races == "error":
        findings += [data_races.finding_of(race, again.trace, None) for race in races]
        races = ()
    result = make_result(again.outcome, program, "replay", symbols, tuple(findings), races, replayed=again)
    setting = make_setting(program, _list_of(files), asked, None)
    return replace(result, setting=setting, warnings=(*listed.warnings, *result.warnings))


def _build(files: Files, settings: Settings) -> Program:
    return build(_list_of(files), settings.compiler_options)


def _list_of(files: Files) -> list[str | Path]:
    return [files] if isinstance(files, str | Path) else list(files)
