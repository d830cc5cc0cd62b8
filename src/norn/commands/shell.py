"""What the commands share of the terminal: consoles, the live line, warnings."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from norn.model import Comparison, Result
from norn.report.clean_console import CleanConsole
from norn.report.progress import ProgressLine
from norn.report.warning_lines import labelled, warning_lines
from norn.settings import Watch

INTERRUPTED = 130  # as shells have it: 128 and the number of the signal
_WIDTH_OF_FILES = 160


def consoles() -> tuple[Console, Console]:
    """Standard output and standard error. Plain, and as wide as needed, where they are not terminals."""
    output = CleanConsole(highlight=False)
    errors = CleanConsole(stderr=True, highlight=False)
    if not output.is_terminal:
        output = CleanConsole(highlight=False, width=_WIDTH_OF_FILES, color_system=None)
    return output, errors


@contextmanager
def watched(errors: Console, wanted: bool) -> Iterator[Watch]:
    """The live line of an exploration; says so if Ctrl-C comes while nothing is explored."""
    building = True

    def on_built(program: object) -> None:
        nonlocal building
        building = False
        progress.built(program)

    try:
        with ProgressLine(errors, wanted) as progress:
            yield Watch(
                on_progress=progress.update if progress.active else None,
                on_found=progress.found,
                on_interrupt=progress.stopping,
                on_built=on_built,
                on_start=progress.exploring,
            )
    except KeyboardInterrupt:
        print(f"norn: interrupted{' while building' if building else ''}", file=sys.stderr)
        sys.exit(INTERRUPTED)


def show_notes(notes: Sequence[str], errors: Console) -> None:
    for note in notes:
        show_lines(list(labelled("norn: ", "", note, _width_of(errors))), errors)


def lines_of_warnings(result: Result, errors: Console, verbose: bool) -> list[Text]:
    """What to say of a result beside its verdict: what that is worth, and races."""
    return warning_lines(result.warnings, result.races, verbose, _width_of(errors))


def _width_of(console: Console) -> int | None:
    """Lines are wrapped on a terminal only: files are searched by line."""
    return console.width if console.is_terminal else None


def show_lines(lines: Sequence[Text], errors: Console) -> None:
    for line in lines:
        errors.print(line, soft_wrap=True)


def show_warnings(warnings: Sequence[str], errors: Console, verbose: bool) -> None:
    """Also when only the verdict is wanted: they say what it is worth."""
    show_lines(warning_lines(warnings, (), verbose, _width_of(errors)), errors)


def distinct_warnings(comparison: Comparison) -> list[str]:
    """Each once, also where only figures in it differ from one equivalence to the other."""
    distinct: list[str] = []
    for result in comparison.results:
        known = {_without_figures(text) for text in distinct}
        distinct += [text for text in result.warnings if _without_figures(text) not in known]
    return list(dict.fromkeys(distinct))


def _without_figures(text: str) -> str:
    return re.sub(r"\d[\d,.]*", "", text)
