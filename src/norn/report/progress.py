"""The live line of a running check, on a terminal only: executions, rate, time, and what may be left.

What was found is told at once, before it is confirmed and its report is prepared: in the live line, or, where
there is no terminal, on a line of its own if the report takes longer than a moment.
"""

from __future__ import annotations

import threading
import time
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.text import Text

from norn.protocol import Progress
from norn.report import estimate
from norn.report.words import count, printable

# Seconds after which a report is overdue.
_MOMENT = 1.5
# Executions after which a search that is going to have an estimate has it.
_ENOUGH = 1000


class ProgressLine:
    """A context manager. Silent unless the console is a terminal, or something was found."""

    def __init__(self, console: Console, wanted: bool) -> None:
        self.active = wanted and console.is_terminal
        self._console = console
        self._started = time.monotonic()
        self._live: Live | None = None
        self._running: dict[str, str] = {}  # equivalence -> what is known of it; two with `-e auto`
        self._is_wanted = wanted
        self._found = ""  # what is being prepared
        self._note: threading.Timer | None = None  # tells of it where there is no live line

    def __enter__(self) -> ProgressLine:
        if self.active:
            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            self._live.start()
            self._show("building …")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._note is not None:
            self._note.cancel()
            self._note.join()  # not in the middle of what comes next
        if self._live is not None:
            self._live.stop()

    def found(self, what: str) -> None:
        """The first of all findings; those after it are told with it."""
        if self._found or not self._is_wanted:
            return
        self._found = f"found: {printable(what)}; preparing its report …"
        if self._live is not None:
            self._show("\n".join(self._running.values()))
        else:
            self._note = threading.Timer(_MOMENT, self._tell_found)
            self._note.daemon = True
            self._note.start()

    def _tell_found(self) -> None:
        self._console.print(Text(f"norn: {self._found}"), soft_wrap=True)

    def built(self, program: object) -> None:
        self._started = time.monotonic()
        self._show("exploring …")

    def exploring(self, equivalence: str) -> None:
        """One of several equivalences begins; those before it are done."""
        self._running.clear()
        self._found = ""
        self._started = time.monotonic()
        self._show(f"{equivalence}: exploring …")

    def update(self, progress: Progress, equivalence: str) -> None:
        elapsed = progress.seconds or time.monotonic() - self._started
        runs = progress.executions + progress.blocked + progress.redundant + progress.cut
        rate = runs / elapsed if elapsed > 0 else 0.0
        self._running[equivalence] = (
            f"{equivalence}: {count(progress.executions, 'execution')}"
            + (f", {progress.blocked:,} blocked" if progress.blocked else "")
            + f"; {rate:,.0f}/s, {elapsed:,.0f} s{_what_is_left(progress, runs, rate)}"
        )
        self._show("\n".join(self._running.values()))

    def stopping(self) -> None:
        if self._console.is_terminal and (self._live is None or self._console.is_dumb_terminal):
            self._console.print()  # the terminal has shown ^C, and nothing covers it
        self._show("stopping … (Ctrl-C again to kill)")

    def _show(self, text: str) -> None:
        if self._live is not None:
            lines = [line for line in (text, self._found) if line]
            self._live.update(Text("\n".join(lines), style="dim"), refresh=True)


def _what_is_left(progress: Progress, runs: int, rate: float) -> str:
    guess = progress.estimate
    if guess is None:  # a sample and a bounded search never have one
        return "\n  no estimate yet of what is left" if runs < _ENOUGH else ""
    left = estimate.time_left((guess.low - runs) / rate, (guess.high - runs) / rate)
    return f"\n  about {estimate.in_all(guess.low, guess.high)} in all; {left}"
