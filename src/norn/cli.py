"""The command line: norn check | compare | topology | replay | svcomp | doctor.

    words ──► compiler options and the program's arguments taken out ──► click ──► one file of `commands`

What the commands and options are is in `options`. Compiler options (-D -I -L -l -std= -O) may stand anywhere,
as a compiler takes them; they and the program's arguments after `--` are taken out of the command line before
click sees it.
"""

from __future__ import annotations

import sys

import click

import norn
from norn.build.options import refuse_other_options, split_command_line
from norn.commands.check import check
from norn.commands.compare import compare
from norn.commands.doctor import examine
from norn.commands.replay import replay
from norn.commands.svcomp import answer
from norn.commands.topology import topology
from norn.errors import BuildError, NornError
from norn.model import ExitCode
from norn.options import completion
from norn.options.commands import ABOUT, COMMANDS
from norn.options.given import Taken
from norn.options.help import OrderedGroup
from norn.options.parse import HELP_NAMES, make_command, with_values

_RUN = {
    "check": check,
    "compare": compare,
    "topology": topology,
    "replay": replay,
    "svcomp": answer,
    "doctor": examine,
}


def make_program() -> click.Group:
    """The `norn` command with all its commands."""
    return OrderedGroup(
        "norn",
        {described.name: make_command(described, _RUN[described.name]) for described in COMMANDS},
        help=ABOUT,
        params=[_version_option(), *completion.options()],
        context_settings=dict(HELP_NAMES),
        no_args_is_help=True,
    )


def main() -> None:
    """Entry point of the `norn` command."""
    own, flags, arguments = split_command_line(sys.argv[1:])
    try:
        sys.exit(_run(own, Taken(flags, arguments)))
    except NornError as problem:
        _complain(problem)
        sys.exit(ExitCode.UNUSABLE)
    except BrokenPipeError:
        sys.exit(ExitCode.UNUSABLE)


def _run(own: list[str], taken: Taken) -> int:
    program = make_program()
    completed = completion.answer(program)
    if completed is not None:
        return completed
    refuse_other_options(own, [described.name for described in COMMANDS if described.takes_program])
    try:
        with program.make_context("norn", with_values(own), obj=taken) as context:
            program.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    return ExitCode.VERIFIED


def _version_option() -> click.Option:
    def show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not context.resilient_parsing:
            print(f"norn {norn.__version__}")
            context.exit()

    return click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Show the version.",
    )


def _complain(problem: NornError) -> None:
    if isinstance(problem, BuildError) and problem.output:
        sys.stderr.write(problem.output if problem.output.endswith("\n") else problem.output + "\n")
    print(f"norn: {problem}", file=sys.stderr)
