"""`norn replay`: exactly the execution of a token again, step by step, or in gdb."""

from __future__ import annotations

from dataclasses import dataclass

from norn import run, token, token_file
from norn.build import build
from norn.commands.output import STANDARD_OUTPUT, ShownOnPage, require_targets, write, write_html
from norn.commands.shell import consoles, lines_of_warnings, show_lines
from norn.gdb import run_gdb
from norn.options.given import Call
from norn.report import json as json_report
from norn.report.console import ConsoleReport


@dataclass(frozen=True)
class Replayed(ShownOnPage):
    token_text: str
    gdb: bool


def replay(call: Call) -> int:
    console, errors = consoles()
    shown = call.take(Replayed)
    require_targets(call.files, {"--json": shown.json, "--html": shown.html})
    settings = call.settings()
    of_program = not shown.quiet and not shown.gdb and shown.json != STANDARD_OUTPUT
    result = run.replay(shown.token_text, call.files, settings, shown=of_program)
    write_html(result, shown.html)
    show_lines(lines_of_warnings(result, errors, shown.verbose), errors)
    report = ConsoleReport(console, shown.verbose, shown.quiet)
    if shown.gdb:
        report.show_before_debugger(result)
        return run_gdb(
            build(call.files, settings.compiler_options),
            token.decode(token_file.given(shown.token_text)),
            settings.arguments,
            settings.isolate,
            settings.max_events,
            further=settings.of_program(),
        )
    if shown.json != STANDARD_OUTPUT:
        report.show_replay(result)
    write(json_report.to_text(result), shown.json)
    return result.exit_code
