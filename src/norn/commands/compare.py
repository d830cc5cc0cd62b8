"""`norn compare`: a program under every equivalence, as a table."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from norn import run
from norn.commands.output import STANDARD_OUTPUT, ShownOnPage, require_targets, write, write_html
from norn.commands.shell import consoles, distinct_warnings, show_warnings, watched
from norn.equivalences import comparable_equivalences
from norn.model import ExitCode
from norn.options.given import Call
from norn.report.comparison import ComparisonReport, comparison_to_json


@dataclass(frozen=True)
class ShownComparison(ShownOnPage):
    chart: bool


def compare(call: Call) -> ExitCode:
    console, errors = consoles()
    shown = call.take(ShownComparison)
    require_targets(call.files, {"--json": shown.json, "--html": shown.html})
    comparable_equivalences(call.values["equivalences"])
    settings = call.settings()
    with watched(errors, wanted=not shown.quiet) as watch:
        comparison = run.compare(call.files, settings, watch)
    write_html(comparison, shown.html)
    if shown.json != STANDARD_OUTPUT:
        ComparisonReport(console, shown.chart, shown.quiet).show(comparison)
    show_warnings(distinct_warnings(comparison), errors, shown.verbose)
    flags = [*settings.flags, *shlex.split(settings.cflags)]
    write(comparison_to_json(comparison, call.files, flags, settings.arguments), shown.json)
    return comparison.exit_code
