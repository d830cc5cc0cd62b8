"""The formats of a result, by name; who gets standard output, and which files are written.

    options ──► wanted_formats ──► (check) ──► deliver: every text is made, then written

One format takes the place of the report for people on standard output (`--format`), or of a file
(`--output`); any number of others go to files of their own beside it (`--sarif FILE`, `--junit FILE`, …).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from norn import output
from norn.errors import UsageError
from norn.model import Result
from norn.report import json as json_report
from norn.report.clean_console import plain_console
from norn.report.console import ConsoleReport
from norn.report.execution_dot import execution_to_dot
from norn.report.github import github_of
from norn.report.junit import junit_of
from norn.report.run_context import RunContext
from norn.report.sarif import sarif_of
from norn.report.witness import NoWitnessError, witness_of

CONSOLE = "console"
GITHUB = "github"
_WIDTH = 160  # as where standard output is no terminal


def _console_of(result: Result, run: RunContext) -> str:
    console, page = plain_console(_WIDTH)
    ConsoleReport(console, run.verbose, run.quiet).show_check(result, run.replay_command)
    return page.getvalue()


def _json_of(result: Result, run: RunContext) -> str:
    return json_report.to_text(result)


FORMATS: dict[str, Callable[[Result, RunContext], str]] = {
    CONSOLE: _console_of,
    "json": _json_of,
    "sarif": sarif_of,
    "junit": junit_of,
    GITHUB: github_of,
    "witness": witness_of,
    "dot": execution_to_dot,
}


@dataclass(frozen=True)
class Wanted:
    """A format to be written."""

    option: str  # by which the user named the target
    format: str
    target: str  # a file, or "-": standard output


def wanted_formats(
    format_name: str, output_file: str | None, files: Mapping[str, str | None]
) -> list[Wanted]:
    """What to write. files: format -> the target of the option of that name.

    The report for people is not among it where it goes to standard output.
    """
    if format_name not in FORMATS:
        raise UsageError(f"unknown format “{format_name}”; there are: {', '.join(FORMATS)}")
    wanted = [Wanted(f"--{name}", name, target) for name, target in files.items() if target is not None]
    if output_file is not None and output_file != "-":
        wanted.append(Wanted("--output", format_name, output_file))
    elif format_name != CONSOLE:
        wanted.append(Wanted("--format", format_name, "-"))
    shown = [each.option for each in wanted if each.target == "-"]
    if len(shown) > 1:
        raise UsageError(
            f"only one of {' and '.join(shown)} can go to standard output; give the others a FILE"
        )
    return wanted


def leaves_standard_output(wanted: Sequence[Wanted]) -> bool:
    """Whether the report for people is to be printed there."""
    return not any(each.target == "-" or each.option == "--output" for each in wanted)


def deliver(result: Result, wanted: Sequence[Wanted], run: RunContext) -> list[str]:
    """Writes everything that is wanted. Returns what is to be told about what was not written, and why."""
    texts = {}
    notes = []
    for each in wanted:
        try:
            texts[each.option] = (each.target, FORMATS[each.format](result, run))
        except NoWitnessError as reason:
            notes.append(not_written(each.option, each.target, str(reason)))
    output.write_all(texts)
    return notes


def not_written(option: str, target: str, reason: str) -> str:
    """Says so, and takes away what an earlier run has left there: it would be taken for this one's."""
    stale = "; the file of an earlier run was removed" if output.remove(target) else ""
    return f"{option} {target}: no witness: {reason}{stale}"
