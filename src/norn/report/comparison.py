"""One program under several equivalences: the verdict, a table and on request a chart for people; as JSON.

The table takes the room there is: what a narrow terminal has no room for is left out, the verdict never.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from norn.model import EQUIVALENCES, Comparison, Result, Verdict
from norn.report import json as json_report
from norn.report.console import STYLES, ConsoleReport
from norn.report.json_text import document
from norn.report.words import count, describe_bounds, headline, seconds
from norn.unconfirmed import describe

# From this ratio of the longest bar to the shortest on, the short ones could not be told apart.
_LARGE_RATIO = 50
_NARROWEST_BAR = 10
_WIDEST_BAR = 60
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_GAP = "  "
_NOTHING = "–"

# Title -> cells, one for each row.
Columns = dict[str, list[str]]


class ComparisonReport:
    """Prints one comparison."""

    def __init__(self, console: Console, chart: bool = False, quiet: bool = False) -> None:
        self._console = console
        self._chart = chart
        self._quiet = quiet

    def show(self, comparison: Comparison) -> None:
        refused = _what_cannot_be_checked(comparison)
        if refused is not None:
            ConsoleReport(self._console, quiet=self._quiet).show_check(refused, ())
        else:
            self._verdict(comparison)
        if refused is not None and all(result.unusable for result in comparison.results):
            return  # there are no figures to compare
        if self._quiet:
            self._unconfirmed(comparison)
            return
        self._console.print()
        self._table(comparison)
        self._remarks(comparison, refused)
        if self._chart and any(result.executions for result in comparison.results):
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
                (first, finders), *others = finders_of(comparison).items()
                said = f"{first}; found {_by(finders, comparison)}"
                if others:
                    said += f" (and {count(len(others), 'other finding')})"
            case Verdict.INCOMPLETE:
                doubtful = any(result.unconfirmed for result in comparison.results)
                said = (
                    "nothing counts as a failure, and nothing is proved"
                    if doubtful
                    else "nothing failed, but not every class was explored"
                )
        line = Text.assemble((f"{verdict.value}: ", STYLES[verdict]), said)
        for part in unfinished(comparison):
            line += Text("; ") + Text(part, style="yellow")
        self._say(line)

    def _unconfirmed(self, comparison: Comparison) -> None:
        """Also where only the verdict is wanted: it says what that is worth."""
        found = [describe(finding) for result in comparison.results for finding in result.unconfirmed]
        for text in dict.fromkeys(found):
            self._say(Text(text))

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
        columns, left_out = lay_out(comparison, self._console.width)
        styles = [STYLES[result.verdict] for result in comparison.results] + [""] * len(comparison.left_out)
        widths = {title: _width(title, cells) for title, cells in columns.items()}
        self._row({title: title for title in columns}, widths, "bold", "bold")
        for number, style in enumerate(styles):
            self._row({title: cells[number] for title, cells in columns.items()}, widths, "", style)
        if any("≥" in cell for cell in columns.get("classes", ())):
            self._say(Text("≥: at least so many; not every class was explored"))
        if left_out:
            self._say(Text(f"no room for: {', '.join(left_out)}", style="dim"))

    def _row(self, cells: dict[str, str], widths: dict[str, int], style: str, verdict_style: str) -> None:
        line = Text()
        for title, cell in cells.items():
            match title:
                case "verdict":
                    line += Text(cell, style=verdict_style)
                case "equivalence":
                    line += Text(f"{cell:<{widths[title]}}{_GAP}", style=style)
                case _:
                    line += Text(f"{cell:>{widths[title]}}{_GAP}", style=style)
        self._console.print(line, soft_wrap=True)

    def _remarks(self, comparison: Comparison, refused: Result | None) -> None:
        findings = finders_of(comparison)
        if len(findings) > 1:
            for said, names in findings.items():
                self._say(Text(f"found {_by(names, comparison)}: {said}"))
        if any("finding" in result.bounds and result.findings for result in comparison.results):
            self._say(
                Text(
                    "each stopped at its first finding: --keep-going explores the other classes, too, and "
                    "`norn check` shows how it fails"
                )
            )
        told: dict[str, list[str]] = {}
        for result in comparison.results:
            for problem in result.problems:
                told.setdefault(problem, []).append(result.equivalence)
        for problem, names in told.items():
            if refused is None or problem not in refused.problems:
                self._say(Text(f"{_list(names)}: {problem}"))

    def _say(self, text: Text) -> None:
        """Wrapped between words on a terminal; one line in a file."""
        self._console.print(text, soft_wrap=not self._console.is_terminal)

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


def lay_out(comparison: Comparison, width: int) -> tuple[Columns, list[str]]:
    """The columns that there is room for, and what the others are."""
    layouts = list(_layouts(comparison))
    fitting = (columns for columns in layouts if _total_width(columns) <= width)
    columns = next(fitting, layouts[-1])
    left_out = {title: cells for title, cells in layouts[0].items() if title not in columns}
    return columns, [f"{title} (all 0)" if _is_zero(cells) else title for title, cells in left_out.items()]


def _layouts(comparison: Comparison) -> Iterator[Columns]:
    """Ever narrower ones. What says least goes first."""
    results, more = comparison.results, len(comparison.left_out)
    names = [*(result.equivalence for result in results), *comparison.left_out]
    columns = {
        "equivalence": names,
        "classes": [_classes(result) for result in results] + [_NOTHING] * more,
        "blocked": [f"{result.blocked:,}" for result in results] + [_NOTHING] * more,
        "redundant": [f"{result.redundant:,}" for result in results] + [_NOTHING] * more,
        "time": [seconds(result.seconds) for result in results] + [_NOTHING] * more,
        "peak MB": [_megabytes(result) for result in results] + [_NOTHING] * more,
        "verdict": [_verdict_of(result) for result in results] + ["not run"] * more,
    }
    yield columns
    zeros = [title for title in ("redundant", "blocked") if _is_zero(columns[title])]
    for title in (*zeros, "peak MB"):
        columns = _without(columns, title)
        yield columns
    columns = {**columns, "equivalence": [EQUIVALENCES.get(name, name) for name in names]}
    yield columns
    for title in ("redundant", "blocked", "time"):
        columns = _without(columns, title)
        yield columns
    columns = {**columns, "verdict": [text.split(" (")[0] for text in columns["verdict"]]}
    yield columns
    yield _without(columns, "classes")


def _is_zero(cells: Sequence[str]) -> bool:
    return set(cells) <= {"0", _NOTHING}


def _without(columns: Columns, unwanted: str) -> Columns:
    return {title: cells for title, cells in columns.items() if title != unwanted}


def _width(title: str, cells: Sequence[str]) -> int:
    return max(map(len, (title, *cells)))


def _total_width(columns: Columns) -> int:
    return sum(_width(title, cells) for title, cells in columns.items()) + len(_GAP) * (len(columns) - 1)


def finders_of(comparison: Comparison) -> dict[str, list[str]]:
    """Each distinct finding, in words and with its place, and the equivalences that found it."""
    finders: dict[str, list[str]] = {}
    for result in comparison.results:
        for finding in result.findings:
            said = f"{headline(finding)}{f', {finding.location}' if finding.location else ''}"
            if result.equivalence not in finders.setdefault(said, []):
                finders[said].append(result.equivalence)
    return finders


def unfinished(comparison: Comparison) -> list[str]:
    """Which equivalences have not explored everything, and why; not those that stopped at a finding."""
    interrupted = []
    why: dict[str, list[str]] = {}
    for result in comparison.results:
        if "interrupted" in result.bounds:
            interrupted.append(result.equivalence)
        elif not result.complete and result.bounds != ("finding",):
            reason = describe_bounds(result.bounds) or "it could not be finished"
            why.setdefault(reason, []).append(result.equivalence)
    said = [f"{_list(names)} did not finish: {reason}" for reason, names in why.items()]
    ended = [f"{_list(interrupted)} did not finish"] if interrupted else []
    if comparison.left_out:
        ended.append(f"{_list(comparison.left_out)} {_was(comparison.left_out)} not run")
    if ended:
        refused = any(result.refusal is not None for result in comparison.results)
        said.append(f"{'' if refused else 'the comparison was interrupted: '}{', '.join(ended)}")
    return said


def comparison_to_json(
    comparison: Comparison, files: Sequence[Path], flags: Sequence[str], arguments: Sequence[str]
) -> str:
    """One JSON object, docs/json.md: also which program was compared, and the classes of each result."""
    value = json_report.comparison_to_dict(comparison)
    program = {"files": [str(file) for file in files], "flags": list(flags), "arguments": list(arguments)}
    results = [{**json_report.to_dict(result), "classes": result.classes} for result in comparison.results]
    whole = {"schema": value["schema"], "program": program, **value, "results": results}
    return document(whole)


def _what_cannot_be_checked(comparison: Comparison) -> Result | None:
    """The result that says why, if no equivalence can say anything about this program."""
    if comparison.verdict is not Verdict.INCOMPLETE:
        return None
    refused = [result for result in comparison.results if result.refusal is not None]
    if refused or all(result.unusable for result in comparison.results):
        return next(iter(refused or comparison.results), None)
    return None


def _list(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _was(names: Sequence[str]) -> str:
    return "was" if len(names) == 1 else "were"


def _by(names: Sequence[str], comparison: Comparison) -> str:
    total = len(comparison.results) + len(comparison.left_out)
    if len(names) < total or total == 1:
        return f"by {_list(names)}"
    return "by both equivalences" if total == 2 else f"by all {total} equivalences"


def _classes(result: Result) -> str:
    return f"{'' if result.complete else '≥ '}{result.executions:,}"


def _megabytes(result: Result) -> str:
    return f"{result.peak_rss_mb:,.1f}" if result.peak_rss_mb else "?"


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
