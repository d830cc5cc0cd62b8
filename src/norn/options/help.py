"""`norn --help` and `norn COMMAND --help`, from the tables: options in sections, then the exit codes.

Words are never broken at their hyphens: the names of options and equivalences have some.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import click

from norn.options.commands import COMPILER_OPTIONS, CONFIGURATION, FIRST_STEPS, Command
from norn.options.option import Group
from norn.options.table import NORN, options_of

# Names of options; those that are longer have their text below.
_WIDEST_NAME = 24
_WIDEST_EXAMPLE = 36
_GAP = 2
_HELP = ("-h, --help", "Show this message and exit.")

Rows = Sequence[tuple[str, str]]


class Formatter(click.HelpFormatter):
    """Wraps between words only; names of options are as wide in all sections."""

    narrowest_name = 0

    def write_text(self, text: str) -> None:
        for number, paragraph in enumerate(text.split("\n\n")):
            if number:
                self.write_paragraph()
            for line in self._wrapped(paragraph, self.current_indent):
                self.write(f"{'':{self.current_indent}}{line}\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _WIDEST_NAME, col_spacing: int = _GAP
    ) -> None:
        rows = list(rows)
        width = max(self.narrowest_name, min(col_max, max(len(name) for name, _ in rows)))
        column = self.current_indent + width + col_spacing
        for name, text in rows:
            first, *others = self._wrapped(text, column) or [""]
            if len(name) > width:
                self.write(f"{'':{self.current_indent}}{name}\n{'':{column}}{first}\n")
            else:
                self.write(f"{'':{self.current_indent}}{name:{width + col_spacing}}{first}".rstrip() + "\n")
            for line in others:
                self.write(f"{'':{column}}{line}\n")

    def _wrapped(self, text: str, column: int) -> list[str]:
        room = max(self.width - column, 20)
        return textwrap.wrap(text, room, break_on_hyphens=False, break_long_words=False)


class _Context(click.Context):
    formatter_class = Formatter


class GroupedHelp(click.Command):
    """A command of the table."""

    context_class = _Context

    def __init__(
        self,
        described: Command,
        parameters: Sequence[click.Parameter],
        callback: Callable[..., Any],
        settings: Mapping[str, Any],
    ) -> None:
        super().__init__(
            described.name,
            params=list(parameters),
            callback=callback,
            help="\n\n".join(described.paragraphs),
            short_help=described.summary,
            context_settings=dict(settings),
        )
        self._described = described

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write(formatter, "Examples", self._described.examples, _WIDEST_EXAMPLE)
        _write(formatter, "Arguments", [(each.metavar, each.help) for each in self._described.arguments])
        sections = {group: _rows(self._described.name, group) for group in Group}
        sections[Group.GENERAL].append(_HELP)
        for group, rows in sections.items():
            _write(formatter, str(group), rows, min(_WIDEST_NAME, _widest(sections.values())))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self._described.takes_program:
            with formatter.section("Compiler options and arguments"):
                formatter.write_text(COMPILER_OPTIONS)
            with formatter.section("Configuration"):
                formatter.write_text(CONFIGURATION)
        _write(formatter, "Exit codes", [(str(code), what) for code, what in self._described.exit_codes])


class OrderedGroup(click.Group):
    """Lists its commands as the table does: the one that most people want first."""

    context_class = _Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write(formatter, "First steps", FIRST_STEPS)
        self.format_commands(ctx, formatter)
        _write(formatter, str(Group.GENERAL), [*_rows(NORN, Group.GENERAL), _HELP])


def _rows(command: str, group: Group) -> list[tuple[str, str]]:
    options = (option for option in options_of(command) if option.group is group and not option.hidden)
    return [(option.label, option.description) for option in options]


def _widest(sections: Iterable[Rows]) -> int:
    return max(len(name) for rows in sections for name, _ in rows)


def _write(formatter: click.HelpFormatter, title: str, rows: Rows, narrowest: int = 0) -> None:
    if not rows:
        return
    assert isinstance(formatter, Formatter)
    formatter.narrowest_name = narrowest
    with formatter.section(title):
        formatter.write_dl(rows)
    formatter.narrowest_name = 0
