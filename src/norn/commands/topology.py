"""`norn topology`: which threads communicate over which locations, as text, JSON, DOT or SVG."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from norn import run
from norn.commands.output import STANDARD_OUTPUT, Shown, require_targets, write
from norn.commands.shell import consoles, show_notes, show_warnings, watched
from norn.errors import UsageError
from norn.model import ExitCode
from norn.options.given import Call
from norn.report.topology import TopologyReport, topology_to_json
from norn.report.topology_dot import topology_to_dot
from norn.report.topology_svg import topology_to_svg


@dataclass(frozen=True)
class ShownTopology(Shown):
    dot: str | None
    svg: str | None


def topology(call: Call) -> ExitCode:
    console, errors = consoles()
    shown = call.take(ShownTopology)
    targets = {"--json": shown.json, "--dot": shown.dot, "--svg": shown.svg}
    require_targets(call.files, targets)
    if list(targets.values()).count(STANDARD_OUTPUT) > 1:
        raise UsageError("only one of --json, --dot and --svg can go to standard output")
    settings = call.settings()
    with watched(errors, wanted=not shown.quiet) as watch:
        learned = run.topology(call.files, settings, watch)
    show_warnings(learned.result.warnings, errors, shown.verbose)
    if STANDARD_OUTPUT not in targets.values():
        TopologyReport(console, shown.verbose, shown.quiet).show(learned)
    flags = [*settings.flags, *shlex.split(settings.cflags)]
    write(topology_to_json(learned, call.files, flags, settings.arguments), shown.json)
    if learned.verdict is not None:
        write(topology_to_dot(learned), shown.dot, "--dot")
        write(topology_to_svg(learned), shown.svg, "--svg")
    elif shown.dot is not None or shown.svg is not None:
        if STANDARD_OUTPUT in targets.values():
            TopologyReport(errors, quiet=shown.quiet).show(learned)
        show_notes(["nothing is known that could be drawn"], errors)
    return learned.exit_code
