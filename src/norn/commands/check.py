"""`norn check`: every interleaving of a program; one that fails is shown, with how to see it again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from norn import run
from norn.commands.output import STANDARD_OUTPUT, ShownOnPage, require_targets, write, write_html
from norn.commands.shell import consoles, show_races, show_warnings, watched
from norn.equivalences import TECHNIQUES
from norn.model import ExitCode
from norn.options.again import replay_command
from norn.options.given import Call
from norn.report import json as json_report
from norn.report.console import ConsoleReport


@dataclass(frozen=True)
class Techniques:
    """Those to leave out."""

    without_signals: bool
    without_closure: bool

    @property
    def names(self) -> list[str]:
        return [name for name in TECHNIQUES if getattr(self, f"without_{name}")]


def check(call: Call) -> ExitCode:
    console, errors = consoles()
    shown = call.take(ShownOnPage)
    require_targets(call.files, {"--json": shown.json, "--html": shown.html})
    settings = replace(call.settings(), without=call.take(Techniques).names)
    with watched(errors, wanted=not shown.quiet) as watch:
        result = run.check(call.files, settings, watch)
    write_html(result, shown.html)
    show_warnings(result.warnings, errors, shown.verbose)
    show_races(result.races, errors, shown.verbose)
    if shown.json != STANDARD_OUTPUT:
        again = replay_command(call.files, settings, call.configuration)
        ConsoleReport(console, shown.verbose, shown.quiet).show_check(result, again)
    write(json_report.to_text(result), shown.json)
    return result.exit_code
