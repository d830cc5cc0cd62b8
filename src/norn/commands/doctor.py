"""`norn doctor`: what norn needs, what it found, and what to install."""

from __future__ import annotations

from rich.text import Text

from norn import doctor
from norn.commands.shell import consoles
from norn.model import ExitCode
from norn.options.given import Call


def examine(_: Call) -> ExitCode:
    console, _errors = consoles()
    checks = doctor.examine()
    width = max(len(found.name) for found in checks)
    for found in checks:
        mark = Text("ok     ", style="green") if found.ok else Text("missing", style="bold red")
        console.print(mark + Text(f"  {found.name:<{width}}  {found.found}"), soft_wrap=True)
        if found.advice:
            console.print(Text(f"         {'':<{width}}  {found.advice}", style="yellow"), soft_wrap=True)
    if not doctor.works(checks):
        console.print(Text("C programs cannot be checked yet: see what is missing above.", style="bold red"))
        return ExitCode.UNUSABLE
    languages = "C and C++" if doctor.works_for_cxx(checks) else "C"
    console.print(Text(f"{languages} programs can be checked.", style="bold green"))
    return ExitCode.VERIFIED
