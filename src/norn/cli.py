"""The command line: norn check | compare | topology | replay | svcomp | demo | doctor.

    words ──► compiler options and the program's arguments taken out ──► click ──► one file of `commands`

What the commands and options are is in `options`. Compiler options (-D, -I, -Wall: `build.options`) may stand
anywhere, as a compiler takes them; they and the program's arguments after `--` are taken out of the command
line before click sees it.
"""

from __future__ import annotations

import gc
import io
import sys

import click

import norn
from norn import output
from norn.build.options import refuse_other_options, split_command_line
from norn.commands.check import check
from norn.commands.compare import compare
from norn.commands.demo import demo
from norn.commands.doctor import examine
from norn.commands.replay import replay
from norn.commands.shell import INTERRUPTED, consoles, show_notes
from norn.commands.svcomp import answer
from norn.commands.topology import topology
from norn.errors import BuildError, NornError
from norn.model import ExitCode
from norn.options import completion
from norn.options.commands import COMMANDS
from norn.options.given import Taken
from norn.options.parse import Action, make_command, make_program, run_words
from norn.plain_letters import allow_any_letter
from norn.report.words import printable_lines

_READER_GONE = 141  # as shells have it: 128 and the number of SIGPIPE
# Objects made before Python looks for cycles among them. A long trace is a million, of which none is in one.
_COLLECTED_AT = 1_000_000
_RUN = {
    "check": check,
    "compare": compare,
    "topology": topology,
    "replay": replay,
    "svcomp": answer,
    "demo": demo,
    "doctor": examine,
}


_ACTIONS: dict[str, Action] = {
    "version": lambda *_: print(f"norn {norn.__version__}"),
    "show-completion": completion.show_script,
    "install-completion": completion.install_script,
}


def whole_program() -> click.Group:
    """The `norn` command with all its commands."""
    return make_program([make_command(each, _RUN[each.name]) for each in COMMANDS], _ACTIONS)


def main() -> None:
    """Entry point of the `norn` command."""
    allow_any_letter()
    gc.set_threshold(_COLLECTED_AT)
    own, flags, arguments = split_command_line(sys.argv[1:])
    try:
        with output.guarded_standard_output():
            code = _run(own, Taken(flags, arguments))
    except output.ReaderGoneError:
        code = _READER_GONE
    except NornError as problem:
        _complain(problem)
        code = ExitCode.UNUSABLE
    except KeyboardInterrupt:
        print("norn: interrupted", file=sys.stderr)
        code = INTERRUPTED
    sys.exit(code)


def _run(own: list[str], taken: Taken) -> int:
    program = whole_program()
    completed = completion.answer(program)
    if completed is not None:
        return completed
    refuse_other_options(own, [described.name for described in COMMANDS if described.takes_program])
    try:
        return run_words(program, own, taken)
    except click.ClickException as problem:
        said = io.StringIO()
        problem.show(said)
        sys.stderr.write(printable_lines(said.getvalue()))
        return problem.exit_code


def _complain(problem: NornError) -> None:
    """Names of files and lines of source are in it: nothing of them may reach a terminal as a command."""
    said = str(problem)
    if isinstance(problem, BuildError):
        said = problem.message
        if problem.output:
            print(printable_lines(problem.output.removesuffix("\n")), file=sys.stderr)
    _, errors = consoles()
    show_notes([said], errors)
