"""`norn demo`: a tour over some examples. Every command of it is run as if it had been typed."""

from __future__ import annotations

import difflib
import shlex
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from norn import doctor, tour
from norn.commands.doctor import show_missing
from norn.commands.shell import consoles
from norn.errors import NornError
from norn.model import ExitCode
from norn.options import config
from norn.options.given import Call
from norn.options.parse import run_words
from norn.tour import TOUR, Stop

_WIDEST_TEXT = 80
_NARROWEST_CODE = 20


@dataclass(frozen=True)
class Asked:
    directory: str
    no_pause: bool


def demo(call: Call) -> ExitCode:
    console, _errors = consoles()
    asked = call.take(Asked)
    missing = [check for check in doctor.look_around() if check.needed and not check.ok]
    if [check for check in missing if check.name != doctor.CONFIGURATION]:  # which the tour does without
        show_missing(missing, console)
        return ExitCode.UNUSABLE
    directory = Path(asked.directory)
    tour.lay_out(directory, (stop.example for stop in TOUR))
    guide = _Guide(console, directory, pauses=not asked.no_pause and _is_watched(console))
    guide.say(
        f"{len(TOUR)} short stops, a few seconds each. The programs are now in {directory}: look at them, "
        "change them, check them again."
    )
    for number, stop in enumerate(TOUR, 1):
        if not guide.shows(number, stop):
            return ExitCode.VERIFIED
        code = guide.runs(stop)
        if code != stop.expected:
            guide.say(
                f"This should have ended with exit code {stop.expected}, not {code}. Either {directory} was "
                "changed meanwhile, or this is a bug of norn; please report it, with what `norn doctor` says."
            )
            return ExitCode.FAILED
        guide.say(stop.after)
    guide.says_goodbye()
    return ExitCode.VERIFIED


@dataclass(frozen=True)
class _Guide:
    console: Console
    directory: Path
    pauses: bool

    def say(self, text: str) -> None:
        self.console.print()
        for line in textwrap.wrap(text, self._width, break_on_hyphens=False):
            self.console.print(Text(line), soft_wrap=True)

    @property
    def _width(self) -> int:
        return min(self.console.width, _WIDEST_TEXT)

    def _headline(self, text: str) -> None:
        self.console.print()
        title = Text(f"── {text} ", style="bold")
        self.console.print(title + Text("─" * max(0, self._width - len(title)), style="dim"))

    def shows(self, number: int, stop: Stop) -> bool:
        """What is about to be run. Whether it is to be run."""
        if number > 1 and not self._goes_on("Enter: the next stop; q: leave"):
            return False
        self._headline(f"{number} of {len(TOUR)}: {stop.title}")
        self.say(stop.before)
        self.console.print()
        self.console.print(Text(f"{self.directory / stop.example}", style="bold"))
        for margin, line in _difference(stop) if stop.changed_from else _listing(stop):
            self._source_line(margin, line)
        self.console.print()
        self.console.print(
            Text("$ ", style="dim") + Text(f"norn {shlex.join(self._words(stop))}", style="bold cyan"),
            soft_wrap=True,
        )
        return self._goes_on("Enter: run it; q: leave")

    def _source_line(self, margin: str, line: Text) -> None:
        """What does not fit goes on below it, right of the margin."""
        room = max(self.console.width - len(margin), _NARROWEST_CODE)
        for part in line.wrap(self.console, room) if line.plain else [line]:
            whole = Text.assemble((margin, "dim"), part)
            whole.rstrip()
            self.console.print(whole, soft_wrap=True)
            margin = " " * len(margin)

    def runs(self, stop: Stop) -> int:
        self.console.print()
        program = click.get_current_context().find_root().command
        assert isinstance(program, click.Group)
        return run_words(program, self._words(stop))

    def says_goodbye(self) -> None:
        self._headline("What next")
        self.console.print()
        for command, what in tour.NEXT:
            self.console.print(Text(f"  {command}", style="bold cyan"))
            self.console.print(Text(f"      {what}"))

    def _words(self, stop: Stop) -> list[str]:
        own = [] if _is_without_configuration() else ["--no-config"]
        return [stop.command, *own, str(self.directory / stop.example)]

    def _goes_on(self, question: str) -> bool:
        """Waits for Enter on a terminal. The end of the input leaves, too."""
        if not self.pauses:
            return True
        self.console.print()
        self.console.print(Text(f"[{question}] ", style="dim"), end="")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line.endswith("\n"):
            self.console.print()
        return bool(line) and line.strip().lower() not in ("q", "quit")


def _is_watched(console: Console) -> bool:
    return console.is_terminal and sys.stdin is not None and sys.stdin.isatty()


def _is_without_configuration() -> bool:
    """A file of the user's would change what the tour shows."""
    try:
        return config.load().file is None
    except NornError:
        return False


def _listing(stop: Stop) -> list[tuple[str, Text]]:
    """Each line with what stands in its margin: its number."""
    lines, first = tour.code_of(stop.example)
    numbered = enumerate(_highlighted(lines, "c"), first)
    return [(f"{number:>4}  ", line) for number, line in numbered]


def _difference(stop: Stop) -> list[tuple[str, Text]]:
    assert stop.changed_from is not None
    before, after = tour.code_of(stop.changed_from)[0], tour.code_of(stop.example)[0]
    changes = list(difflib.unified_diff(before, after, n=1, lineterm=""))[2:]
    lines = [line for line in changes if not line.startswith("@@")]
    return [("    ", line) for line in _highlighted(lines, "diff")]


def _highlighted(lines: list[str], language: str) -> list[Text]:
    """In the terminal's own colours, on its own background."""
    text = Syntax("", language, theme="ansi_dark", background_color="default").highlight("\n".join(lines))
    return list(text.split("\n", allow_blank=True))[: len(lines)]
