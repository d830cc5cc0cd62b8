"""One program under several equivalences, for people: the verdict, a table, on request a chart."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from norn.model import Comparison, Result, Verdict
from norn.report.console import STYLES
from norn.report.words import count, decimal, headline, seconds

# From this ratio of the longest bar to the shortest on, the short ones could not be told apart.
_LARGE_RATIO = 50
_NARROWEST_BAR = 10
_WIDEST_BAR = 60
_EIGHTHS = " ▏▎▍▌▋▊▉█"


class ComparisonReport:
    """Prints one comparison."""

    def __init__(self, console: Console, chart: bool = False, quiet: bool = False) -> None:
        self._console = console
        self._chart = chart
        self._quiet = quiet

    def show(self, comparison: Comparison) -> None:
        self._verdict(comparison)
        if not self._quiet:
            self._console.print()
            self._table(comparison)
            self._remarks(comparison)
        if self._chart:
            self._console.print()
            self._bars(comparison.results)

    def _verdict(self, comparison: Comparison) -> None:
        if comparison.contradictions:
            self._alarm(comparison)
            return
        verdict = comparison.verdict or Verdict.INCOMPLETE
        names = [result.equivalence for result in comparison.results if result.verdict is verdict]
        match verdict:
            case Verdict.VERIFIED:
                said = f"nothing failed; every class was explored {_by(names, comparison)}"
            case Verdict.FAILED:
                first = next(result for result in comparison.results if result.findings)
                finding = first.findings[0]
                place = f", {finding.location}" if finding.location else ""
                said = f"{headline(finding)}{place}; found {_by(names, comparison)}"
            case Verdict.INCOMPLETE:
                said = f"nothing failed, but not every class was explored {_by(names, comparison)}"
        self._console.print(Text(f"{verdict.value}: ", style=STYLES[verdict]) + Text(said), soft_wrap=True)

    def _alarm(self, comparison: Comparison) -> None:
        loud = "bold red"
        self._console.print(Text("INTERNAL ERROR: the equivalences contradict each other.", style=loud))
        for contradiction in comparison.contradictions:
            self._console.print(Text(f"  {contradiction}", style=loud), soft_wrap=True)
        self._console.print(
            Text(
                "  One of them is wrong, so nothing is claimed about this program. "
                "This is a bug of norn; please report it with the program.",
                style=loud,
            ),
            soft_wrap=True,
        )

    def _table(self, comparison: Comparison) -> None:
        table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), pad_edge=False)
        table.add_column("equivalence", no_wrap=True)
        for title in ("classes", "blocked", "redundant", "time", "peak MB"):
            table.add_column(title, justify="right", no_wrap=True)
        table.add_column("verdict", min_width=12)
        for result in comparison.results:
            table.add_row(
                result.equivalence,
                _classes(result),
                f"{result.blocked:,}",
                f"{result.redundant:,}",
                seconds(result.seconds),
                decimal(result.peak_rss_mb) if result.peak_rss_mb else "?",
                Text(_verdict_of(result), style=STYLES[result.verdict]),
            )
        for name in comparison.left_out:
            table.add_row(name, *["–"] * 5, "not run")
        if self._console.is_terminal:
            self._console.print(table)
            return
        with self._console.capture() as captured:
            self._console.print(table)
        for line in captured.get().splitlines():
            self._console.print(Text(line.rstrip()), soft_wrap=True)  # no blanks at the end in a file

    def _remarks(self, comparison: Comparison) -> None:
        if any("finding" in result.bounds for result in comparison.results):
            self._console.print(
                "≥: stopped at the first finding; --keep-going explores the other classes, too, and "
                "`norn check` shows how it fails",
                soft_wrap=True,
            )
        for result in comparison.results:
            for problem in result.problems:
                self._console.print(Text(f"{result.equivalence}: {problem}"), soft_wrap=True)

    def _bars(self, results: Sequence[Result]) -> None:
        counts = [result.executions for result in results]
        logarithmic = is_logarithmic(counts)
        names = max((len(result.equivalence) for result in results), default=0)
        numbers = max((len(_classes(result)) for result in results), default=0)
        room = self._console.width - names - numbers - 4
        width = max(_NARROWEST_BAR, min(_WIDEST_BAR, room))
        scale = " (logarithmic)" if logarithmic else ""
        self._console.print(Text(f"classes{scale}", style="bold"))
        for result, length in zip(results, bar_lengths(counts, logarithmic), strict=True):
            bar = _bar(length * width, plain=not self._console.is_terminal)
            line = Text(f"{result.equivalence:<{names}}  ")
            line += Text(f"{bar} ", style=STYLES[result.verdict].removeprefix("bold ")) if bar else Text()
            self._console.print(line + Text(_classes(result)), no_wrap=True)


def is_logarithmic(counts: Sequence[int]) -> bool:
    present = [number for number in counts if number > 0]
    return bool(present) and max(present) >= _LARGE_RATIO * min(present)


def bar_lengths(counts: Sequence[int], logarithmic: bool) -> list[float]:
    """Between 0 and 1 for each. On a logarithmic scale 1 has a length, too: it is not nothing."""
    measure = (lambda n: math.log10(n) + 1 if n > 0 else 0.0) if logarithmic else float
    longest = max(map(measure, counts), default=0.0)
    return [measure(number) / longest if longest else 0.0 for number in counts]


def _bar(cells: float, plain: bool) -> str:
    """So many character cells; what is there at all is seen."""
    if cells <= 0:
        return ""
    if plain:
        return "#" * max(1, round(cells))
    eighths = max(1, round(cells * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _by(names: Sequence[str], comparison: Comparison) -> str:
    total = len(comparison.results) + len(comparison.left_out)
    if len(names) < total or total == 1:
        return f"by {' and '.join(names)}"
    return "by both equivalences" if total == 2 else f"by all {total} equivalences"


def _classes(result: Result) -> str:
    return f"{'' if result.complete else '≥ '}{result.executions:,}"


def _verdict_of(result: Result) -> str:
    match result.verdict:
        case Verdict.VERIFIED:
            return "verified"
        case Verdict.FAILED:
            kinds = ", ".join(dict.fromkeys(finding.kind for finding in result.findings))
            more = f", {count(len(result.findings), 'finding')}" if len(result.findings) > 1 else ""
            return f"failed ({kinds}{more})"
        case Verdict.INCOMPLETE:
            if result.unusable:
                return "cannot check"
            return f"incomplete ({', '.join(result.bounds) or 'not finished'})"
