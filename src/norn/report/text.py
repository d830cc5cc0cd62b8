"""A result as plain text, as on the command line: what `print` shows of a Result, a Comparison or a Trace."""

from __future__ import annotations

from collections.abc import Sequence

from norn.model import Comparison, Race, Result, Trace
from norn.report.clean_console import plain_console
from norn.report.comparison import ComparisonReport
from norn.report.console import ConsoleReport
from norn.report.interleaving import every_row, table
from norn.report.source_text import SourceText
from norn.report.warning_lines import warning_lines
from norn.token_file import PLACE

_PLAIN_WIDTH = 160
# For a line that is taken out of the text: nothing may be wrapped.
_ENDLESS = 100_000


def result_to_text(result: Result) -> str:
    """Warnings last, as on a terminal."""
    console, output = plain_console(_PLAIN_WIDTH)
    report = ConsoleReport(console)
    if _is_replay(result):
        report.show_replay(result)
    else:
        command = result.setting.replay_command if result.setting is not None else ()
        report.show_check(result, command or ["norn", "replay", PLACE, "…"])
    return _with_warnings(output.getvalue(), result.warnings, result.races)


def comparison_to_text(comparison: Comparison) -> str:
    console, output = plain_console(_PLAIN_WIDTH)
    ComparisonReport(console).show(comparison)
    warnings = dict.fromkeys(warning for result in comparison.results for warning in result.warnings)
    return _with_warnings(output.getvalue(), list(warnings), ())


def trace_to_text(trace: Trace) -> str:
    """Every step, as `norn replay` shows it."""
    lines = table(every_row(trace.steps), trace, SourceText(), _PLAIN_WIDTH)
    return "\n".join(line.plain.rstrip() for line in lines)


def verdict_line(result: Result | Comparison) -> tuple[str, str]:
    """The verdict and what it means: `failed` and `deadlock: 2 threads wait for ever`."""
    console, output = plain_console(_ENDLESS)
    if isinstance(result, Comparison):
        ComparisonReport(console, quiet=True).show(result)
    elif _is_replay(result):
        ConsoleReport(console, quiet=True).show_replay(result)
    else:
        ConsoleReport(console, quiet=True).show_check(result, ())
    line = output.getvalue().partition("\n")[0]
    verdict, colon, said = line.partition(": ")
    if not colon:  # a replay that did not fail
        return (
            ("not reproduced", result.problems[0])
            if isinstance(result, Result) and result.problems
            else ("replayed", line)
        )
    return verdict, said


def _is_replay(result: Result) -> bool:
    return result.equivalence == "replay"


def _with_warnings(text: str, warnings: Sequence[str], races: Sequence[Race]) -> str:
    return "\n".join([text.rstrip("\n"), *(line.plain for line in warning_lines(warnings, races))])
