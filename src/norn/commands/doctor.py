"""`norn doctor`: what norn needs, what it found, and what to install."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from norn import doctor
from norn.commands.shell import consoles
from norn.model import ExitCode
from norn.options.given import Call

_STYLES = {"ok": "green", "missing": "bold red", "wrong": "bold red", "without": "yellow"}
_WIDEST_STATE = max(map(len, _STYLES))


def examine(_: Call) -> ExitCode:
    console, _errors = consoles()
    checks = doctor.examine()
    if not doctor.works(checks):
        show_missing(checks, console)
        return ExitCode.UNUSABLE
    _show(checks, console)
    languages = "C and C++" if doctor.works_for_cxx(checks) else "C"
    console.print(Text(f"{languages} programs can be checked.", style="bold green"))
    return ExitCode.VERIFIED


def show_missing(checks: Sequence[doctor.Check], console: Console) -> None:
    _show(checks, console)
    console.print(Text("C programs cannot be checked yet: see above what is missing.", style="bold red"))


def _show(checks: Sequence[doctor.Check], console: Console) -> None:
    width = max(len(found.name) for found in checks)
    indent = " " * (_WIDEST_STATE + width + 4)
    room = max(console.width - len(indent), 30)
    for found in checks:
        mark = Text.assemble((f"{found.state:<{_WIDEST_STATE}}", _STYLES[found.state]))
        first, *others = _wrapped(found.found, room) if console.is_terminal else [found.found]
        console.print(mark + f"  {found.name:<{width}}  {first}", soft_wrap=True)
        for line in others:
            console.print(Text(f"{indent}{line}"), soft_wrap=True)
        for line in _wrapped(found.advice, room) if found.advice else ():
            console.print(Text(f"{indent}{line}", style="yellow"), soft_wrap=True)


def _wrapped(text: str, room: int) -> list[str]:
    return textwrap.wrap(text, room, break_on_hyphens=False, break_long_words=False) or [""]
