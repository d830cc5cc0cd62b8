"""Runs the parts of one page in order, in a scratch directory, and tells what came of each command."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.documented.blocks import Block, Command, Setup, parts_of
from tests.documented.normal import AUTO, TOKEN, agrees
from tests.documented.shell import Shell, lay_out

# What a block may be: commands, a file, or (`text`) what is neither.
LANGUAGES = ("console", "sh", "c", "cpp", "python", "yaml", "toml", "make", "cmake", "text")
ALWAYS_FILES = ("cpp", "toml", "make", "cmake")  # the others can do something by themselves
# Norn is installed where this runs, and a test installs nothing.
INSTALLATIONS = ("pip install ", "apt install ", "sudo apt install ")
# Readers may have these or not: without them, the commands of these programs are left out.
OPTIONAL = ("dot",)
UNUSABLE = 2  # an exit code of norn: a wrong option, a program that does not build


@dataclass(frozen=True)
class Outcome:
    """What came of one command."""

    text: str  # as it was run: with a token of this run
    code: int
    printed: str
    shown: Command | None = None  # if the page shows what it prints
    as_kept: str = (
        ""  # what it prints with the equivalence that `auto` has kept on the page, if it kept another one
    )

    @property
    def agrees(self) -> bool:
        """Whether it prints what the page shows."""
        shown = self.shown
        if shown is None or agrees(shown.output, self.printed.split("\n")):
            return True
        return bool(self.as_kept) and agrees(shown.output, self.as_kept.split("\n"))

    @property
    def problem(self) -> str:
        """Why the command as such is wrong, whatever it prints; nothing if it is not."""
        is_norn = shlex.split(self.text, comments=True)[:1] == ["norn"]
        # Norn's exit code is its verdict; where the page shows what is printed, an error may be meant.
        allowed = 3 if is_norn else 0
        wrong = self.code > allowed or (self.code == UNUSABLE and self.shown is None)
        return f"exit code {self.code}: {self.text}\n{self.printed}" if wrong else ""


def outcomes(text: str, folder: Path) -> Iterator[Outcome]:
    """Runs a page, in a directory that is empty or not there yet."""
    place, notes = folder / "place", folder / "notes"
    for each in (place, notes):
        each.mkdir(parents=True)
    lay_out(place)
    with Shell(place, notes) as shell:
        page = _Page(shell, place)
        for part in parts_of(text):
            yield from page.run(part)


class _Page:
    def __init__(self, shell: Shell, place: Path) -> None:
        self._shell = shell
        self._place = place
        self._token = ""  # the last one that was printed
        self._scripts = 0

    def run(self, part: Block | Setup) -> Iterator[Outcome]:
        if isinstance(part, Setup):
            yield self._outcome(part.command)
            return
        if part.not_run:
            return
        if part.file:
            target = self._place / part.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(part.text)
        match part.language:
            case "console":
                for command in part.commands:
                    yield self._outcome(command.text, command)
            case "sh":
                for line in filter(str.strip, part.text.replace("\\\n", " ").split("\n")):
                    tool = line.split()[0]
                    if tool not in OPTIONAL or shutil.which(tool):
                        yield self._outcome(line)
            case "python" if not part.file:
                self._scripts += 1
                script = self._place / f"block_{self._scripts}.py"
                script.write_text(part.text)
                yield self._outcome(f"python {script.name}")
            case "c" if not part.file:
                self._scripts += 1
                piece = self._place / f"block_{self._scripts}.c"
                piece.write_text(f"#include <norn.h>\n{part.text}")
                yield self._outcome(f"norn-cc -fsyntax-only {piece.name}")
            case "yaml":
                for command in scripts_in(yaml.safe_load(part.text)):
                    if not command.startswith(INSTALLATIONS):
                        yield self._outcome(command)

    def _outcome(self, command: str, shown: Command | None = None) -> Outcome:
        # A token is one of this very program, of this compiler: that of the page is as good as any other.
        text = TOKEN.sub(self._token, command) if self._token else command
        code, printed = self._shell.run(text)
        tokens = TOKEN.findall(printed)
        self._token = tokens[-1] if tokens else self._token
        kept, shown_kept = AUTO.search(printed), AUTO.search("\n".join(shown.output) if shown else "")
        as_kept = ""
        if kept and shown_kept and kept["equivalence"] != shown_kept["equivalence"]:
            _, as_kept = self._shell.run(
                text.replace("norn check", f"norn check -e {shown_kept['equivalence']}")
            )
        return Outcome(text, code, printed, shown, as_kept)


def scripts_in(value: Any) -> Iterator[str]:
    """The commands in the configuration of a CI service."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "run":
                yield item
            elif key == "script":
                yield from item
            else:
                yield from scripts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from scripts_in(item)
