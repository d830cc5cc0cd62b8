"""`norn svcomp`: the answer to a task of the software verification competition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from norn import run, svcomp
from norn.commands.output import STANDARD_OUTPUT, Shown, require_targets, write
from norn.commands.shell import consoles, show_warnings, watched
from norn.errors import UsageError
from norn.model import ExitCode
from norn.options.again import svcomp_command
from norn.options.given import Call
from norn.report.console import ConsoleReport
from norn.report.svcomp import AnswerReport, answers_to_json


@dataclass(frozen=True)
class Asked(Shown):
    task_file: Path
    wanted: str | None
    data_model: str | None
    replay_token: str | None


def answer(call: Call) -> ExitCode:
    console, errors = consoles()
    asked = call.take(Asked)
    task = svcomp.read_task(asked.task_file)
    require_targets([asked.task_file, *task.sources], {"--json": asked.json})
    if asked.data_model not in (None, svcomp.DATA_MODEL):
        raise UsageError(f"--data-model {asked.data_model}: norn checks programs as {svcomp.DATA_MODEL} only")
    chosen = task.choose(asked.wanted)
    settings = call.settings()
    if asked.replay_token is not None:
        return _replay(call, task, chosen, asked)
    answers = []
    for expected in chosen:
        with watched(errors, wanted=not asked.quiet) as watch:
            given = svcomp.answer_with(task, expected, settings, watch, asked.data_model)
        answers.append(given)
        if given.result is not None:
            show_warnings(given.result.warnings, errors, asked.verbose)
        if asked.json != STANDARD_OUTPUT:
            again = svcomp_command(asked.task_file, expected.name, settings, call.configuration)
            AnswerReport(console, asked.verbose, asked.quiet, alone=len(chosen) == 1).show(given, again)
    write(answers_to_json(answers), asked.json)
    return svcomp.exit_code(answers)


def _replay(call: Call, task: svcomp.Task, chosen: Sequence[svcomp.Expected], asked: Asked) -> ExitCode:
    """Shows a violation again, step by step."""
    console, errors = consoles()
    if len(chosen) != 1:
        raise UsageError("the task has several properties; say which one the token is of: --property")
    assert asked.replay_token is not None
    settings = svcomp.settings_for(task, chosen[0], call.settings())
    result = run.replay(asked.replay_token, task.sources, settings)
    show_warnings(result.warnings, errors, asked.verbose)
    ConsoleReport(console, asked.verbose).show_replay(result)
    return result.exit_code
