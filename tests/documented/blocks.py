"""A page of the documentation as data: its fenced blocks, in order, with the marks before them.

Knows Markdown and the conventions of CONTRIBUTING.md, and runs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

PROMPT, CONTINUED = "$ ", "> "
LEFT_OUT = "…"  # alone on a line: any number of lines

_FENCE = re.compile(r"^\s*(?P<marks>`{3,}|~{3,})\s*(?P<language>[\w+-]*)\s*$")
_NOT_RUN = re.compile(r"^<!-- not run: (?P<reason>.+) -->$")
_SETUP = re.compile(r"^<!-- setup: (?P<command>.+) -->$")
# The first line of a block that is a file: a comment with nothing but its name.
_FILE_NAME = re.compile(r"^(?://|#|/\*) (?P<name>[\w./-]*\w\.\w+|Makefile)(?: \*/)?$")


@dataclass(frozen=True)
class Command:
    """A command of a `console` block, and what it prints."""

    text: str  # without the prompts; several lines if it is continued
    line: int  # of the page, from 0: the first one of the command
    length: int  # in lines, without the output
    output: tuple[str, ...]

    @property
    def output_line(self) -> int:
        return self.line + self.length


@dataclass(frozen=True)
class Block:
    """What stands between two fences."""

    language: str
    lines: tuple[str, ...]
    line: int  # of the page, from 0: the first one behind the fence
    not_run: str = ""  # why, if it is not

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def file(self) -> str:
        """The name of the file that it is, if it is one."""
        found = _FILE_NAME.match(self.lines[0]) if self.lines else None
        return found["name"] if found else ""

    @property
    def commands(self) -> list[Command]:
        """Those of a `console` block."""
        starts = [n for n, line in enumerate(self.lines) if line.startswith(PROMPT)]
        return [self._command(at, after) for at, after in zip(starts, [*starts[1:], None], strict=True)]

    def _command(self, at: int, after: int | None) -> Command:
        first, *rest = self.lines[at:after]
        words = [first.removeprefix(PROMPT)]
        while words[-1].endswith("\\") and rest and rest[0].startswith(CONTINUED):
            words.append(rest.pop(0).removeprefix(CONTINUED))
        return Command("\n".join(words), self.line + at, len(words), tuple(without_blank_end(rest)))


@dataclass(frozen=True)
class Setup:
    """A command that readers need not see: it puts a file where the page takes it for granted."""

    command: str


def without_blank_end(lines: Sequence[str]) -> list[str]:
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def parts_of(text: str) -> list[Block | Setup]:
    """The blocks and set-ups of a page, in its order."""
    parts: list[Block | Setup] = []
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        if setup := _SETUP.match(lines[number]):
            parts.append(Setup(setup["command"]))
        elif fence := _FENCE.match(lines[number]):
            end = next(n for n in range(number + 1, len(lines)) if lines[n].strip() == fence["marks"])
            mark = _NOT_RUN.match(lines[number - 1]) if number else None
            within = tuple(lines[number + 1 : end])
            parts.append(Block(fence["language"], within, number + 1, mark["reason"] if mark else ""))
            number = end
        number += 1
    return parts


def prose_of(text: str) -> list[str]:
    """The lines of a page that are in no block; a blank one instead of each line that is."""
    lines = text.split("\n")
    for part in parts_of(text):
        if isinstance(part, Block):
            for number in range(part.line - 1, part.line + len(part.lines) + 1):
                lines[number] = ""
    return lines
