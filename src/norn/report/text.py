"""A result as plain text, as the command line shows it: what `print` shows of a Result or a Comparison."""

from __future__ import annotations

from collections.abc import Iterable

from norn.model import Comparison, Race, Result
from norn.report.clean_console import plain_console
from norn.report.comparison import ComparisonReport
from norn.report.console import ConsoleReport
from norn.report.words import printable_lines

_PLAIN_WIDTH = 160
# For a line that is taken out of the text: nothing may be wrapped.
_ENDLESS = 100_000


def result_to_text(result: Result) -> str:
    """Warnings first, as on a terminal."""
    console, output = plain_console(_PLAIN_WIDTH)
    report = ConsoleReport(console)
    if _is_replay(result):
        report.show_replay(result)
    else:
        command = result.setting.replay_command if result.setting is not None else ()
        report.show_check(result, command or ["norn", "replay", "TOKEN", "…"])
    return "\n".join([*_warnings(result.warnings, result.races), output.getvalue().rstrip("\n")])


def comparison_to_text(comparison: Comparison) -> str:
    console, output = plain_console(_PLAIN_WIDTH)
    ComparisonReport(console).show(comparison)
    warnings = dict.fromkeys(warning for result in comparison.results for warning in result.warnings)
    return "\n".join([*_warnings(warnings, ()), output.getvalue().rstrip("\n")])


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


def _warnings(warnings: Iterable[str], races: Iterable[Race]) -> list[str]:
    said = [*(f"warning: {text}" for text in warnings), *(f"warning: data race: {race}" for race in races)]
    return [printable_lines(line) for line in said]
