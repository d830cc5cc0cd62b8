"""`norn check`: every interleaving of a program; one that fails is shown, with how to see it again."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from norn import run
from norn.commands.output import ShownOnPage, require_targets, write_html
from norn.commands.shell import consoles, lines_of_warnings, show_lines, show_notes, watched
from norn.equivalences import TECHNIQUES
from norn.model import ExitCode
from norn.options.again import replay_command
from norn.options.given import Call
from norn.report.console import ConsoleReport
from norn.report.formats import GITHUB, Wanted, deliver, leaves_standard_output, wanted_formats
from norn.report.run_context import RunContext


@dataclass(frozen=True)
class Techniques:
    """Those to leave out."""

    without_signals: bool
    without_closure: bool

    @property
    def names(self) -> list[str]:
        return [name for name in TECHNIQUES if getattr(self, f"without_{name}")]


@dataclass(frozen=True)
class ShownInFormats(ShownOnPage):
    """For people, and for other tools."""

    format: str
    output: str | None
    sarif: str | None
    junit: str | None
    witness: str | None
    witness_version: str
    dot: str | None

    @property
    def wanted(self) -> list[Wanted]:
        """What is to be written, beside what is printed for people."""
        files = {name: getattr(self, name) for name in ("json", "sarif", "junit", "witness", "dot")}
        return wanted_formats(self.format, self.output, files)


def check(call: Call) -> ExitCode:
    console, errors = consoles()
    shown = call.take(ShownInFormats)
    wanted = shown.wanted
    require_targets(call.files, {**{each.option: each.target for each in wanted}, "--html": shown.html})
    settings = replace(call.settings(), without=call.take(Techniques).names)
    started = datetime.now(UTC)
    with watched(errors, wanted=not shown.quiet) as watch:
        result = run.check(call.files, settings, watch)
    write_html(result, shown.html)
    # The format for GitHub has them as annotations.
    warnings = lines_of_warnings(result, errors, shown.verbose) if shown.format != GITHUB else []
    again = replay_command(call.files, settings, call.configuration)
    if leaves_standard_output(wanted):
        ConsoleReport(console, shown.verbose, shown.quiet, len(warnings)).show_check(result, again)
    show_lines(warnings, errors)
    context = RunContext(
        tuple(call.files),
        ("norn", *sys.argv[1:]),
        again,
        settings.nondet,
        shown.verbose,
        shown.quiet,
        shown.witness_version,
        started,
    )
    show_notes(deliver(result, wanted, context), errors)
    return result.exit_code
