"""`norn svcomp`: the answer to a task of the software verification competition."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from norn import run, svcomp, svcomp_program
from norn.commands.output import STANDARD_OUTPUT, Shown, require_targets, write
from norn.commands.shell import consoles, show_notes, show_warnings, watched
from norn.errors import UsageError
from norn.model import ExitCode
from norn.options.again import svcomp_command
from norn.options.given import Call
from norn.report.console import ConsoleReport
from norn.report.formats import not_written
from norn.report.run_context import RunContext
from norn.report.svcomp import AnswerReport, answers_to_json
from norn.report.witness import NoWitnessError, witnesses_to_yaml


@dataclass(frozen=True)
class Asked(Shown):
    task_file: Path
    wanted: str | None
    data_model: str | None
    replay_token: str | None
    witness: str | None
    witness_version: str


def answer(call: Call) -> ExitCode:
    console, errors = consoles()
    asked = call.take(Asked)
    task = svcomp.read_task(asked.task_file)
    require_targets([asked.task_file, *task.sources], {"--json": asked.json, "--witness": asked.witness})
    if asked.json == asked.witness == STANDARD_OUTPUT:
        raise UsageError("only one of --json and --witness can go to standard output")
    if asked.data_model not in (None, svcomp.DATA_MODEL):
        raise UsageError(f"--data-model {asked.data_model}: norn checks programs as {svcomp.DATA_MODEL} only")
    chosen = task.choose(asked.wanted)
    settings = call.settings()
    if asked.replay_token is not None:
        return _replay(call, task, chosen, asked)
    started = datetime.now(UTC)
    answers = []
    for expected in chosen:
        with watched(errors, wanted=not asked.quiet) as watch:
            given = svcomp.answer_with(task, expected, settings, watch, asked.data_model)
        answers.append(given)
        if given.result is not None:
            show_warnings(given.result.warnings, errors, asked.verbose)
        if STANDARD_OUTPUT not in (asked.json, asked.witness):
            again = svcomp_command(asked.task_file, expected.name, settings, call.configuration)
            AnswerReport(console, asked.verbose, asked.quiet, alone=len(chosen) == 1).show(given, again)
    write(answers_to_json(answers), asked.json)
    if asked.witness is not None:
        context = RunContext(
            tuple(task.sources),
            ("norn", *sys.argv[1:]),
            nondet=settings.nondet,
            witness_version=asked.witness_version,
            started=started,
        )
        _write_witness(answers, asked.witness, context, errors)
    return svcomp.exit_code(answers)


def _write_witness(
    answers: Sequence[svcomp.Answer], target: str, context: RunContext, errors: Console
) -> None:
    """An entry for each violation that is an answer."""
    violations = [each.finding for each in answers if each.verdict is False and each.finding is not None]
    try:
        if not violations:
            raise NoWitnessError("no property is violated")
        write(witnesses_to_yaml(violations, context), target, "--witness")
    except NoWitnessError as reason:
        show_notes([not_written("--witness", target, str(reason))], errors)


def _replay(call: Call, task: svcomp.Task, chosen: Sequence[svcomp.Expected], asked: Asked) -> ExitCode:
    """Shows a violation again, step by step."""
    console, errors = consoles()
    if len(chosen) != 1:
        raise UsageError("the task has several properties; say which one the token is of: --property")
    assert asked.replay_token is not None
    settings = svcomp.settings_for(task, chosen[0], call.settings())
    settings, _ = svcomp_program.linked(task.sources, settings)
    result = run.replay(asked.replay_token, task.sources, settings)
    show_warnings(result.warnings, errors, asked.verbose)
    ConsoleReport(console, asked.verbose).show_replay(result)
    return result.exit_code
