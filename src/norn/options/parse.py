"""Click's parameters and commands, made from the tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from norn.errors import UsageError
from norn.model import ExitCode
from norn.options.commands import ABOUT, Argument, Command
from norn.options.given import Call, Taken, make_call
from norn.options.help import GroupedHelp, OrderedGroup
from norn.options.option import Kind, Option
from norn.options.table import NORN, OPTIONS, options_of

Run = Callable[[Call], int]
Action = Callable[[click.Command, Any], None]
_Callback = Callable[[click.Context, click.Parameter, Any], None]

HELP_NAMES = {"help_option_names": ["-h", "--help"]}
_TYPES: dict[Kind, Any] = {Kind.COUNT: int, Kind.SECONDS: float, Kind.FILE: click.Path(path_type=str)}


def make_command(described: Command, run: Run) -> click.Command:
    """A command that runs with what was given to it, and ends with the exit code of that."""

    def call(**_: object) -> None:
        context = click.get_current_context()
        given = make_call(described.name, context)
        if given.configured and given.values.get("verbose"):
            names = ", ".join(option.name for option in given.configured)
            click.echo(f"from {given.configuration.file}: {names}", err=True)
        try:
            context.exit(run(given))
        except UsageError as problem:
            raise given.explained(problem) from None

    parameters: list[click.Parameter] = [_argument(each) for each in described.arguments]
    parameters += [make_option(each) for each in options_of(described.name)]
    return GroupedHelp(described, parameters, call, HELP_NAMES)


def make_program(commands: Sequence[click.Command], actions: Mapping[str, Action]) -> click.Group:
    """`norn` with its commands. actions: what its own options do, before any command, and end with."""
    options = [make_option(option, _ending(option, actions[option.name])) for option in options_of(NORN)]
    return OrderedGroup(
        NORN,
        {each.name or "": each for each in commands},
        help=ABOUT,
        params=list(options),
        context_settings=dict(HELP_NAMES),
        no_args_is_help=True,
    )


def run_words(program: click.Group, words: Sequence[str], taken: Taken | None = None) -> int:
    """Runs the words of a command line; returns the exit code. taken: what was taken out of them before."""
    try:
        with program.make_context(NORN, with_values(words), obj=taken or Taken()) as context:
            program.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return ExitCode.VERIFIED


def with_values(words: Sequence[str]) -> list[str]:
    """The words of a command line, those included that options without a value stand for."""
    alone = {option.flag: option.alone for option in OPTIONS if option.alone}
    return [f"{word}={alone[word]}" if word in alone else word for word in words]


def _argument(described: Argument) -> click.Argument:
    return click.Argument(
        [described.name],
        nargs=-1 if described.repeated else 1,
        required=True,
        metavar=described.metavar,
        type=str if described.name == "token_text" else click.Path(path_type=Path),
    )


def make_option(option: Option, ending: _Callback | None = None) -> click.Option:
    """Its help is for the shell, which shows it beside the names that it offers."""
    names = [option.parameter, *filter(None, [option.short])]
    eager: dict[str, Any] = (
        {"callback": ending, "is_eager": True, "expose_value": False} if ending is not None else {}
    )
    if option.kind is Kind.FLAG:
        both = f"{option.flag}/{option.negation}" if option.can_be_undone else option.flag
        return click.Option(
            [*names, both], is_flag=True, default=option.on, hidden=option.hidden, help=option.help, **eager
        )
    return click.Option(
        [*names, option.flag],
        help=option.help,
        type=_TYPES.get(option.kind, str),
        multiple=option.kind is Kind.REPEATED,
        metavar=option.metavar,
        hidden=option.hidden,
        shell_complete=_completion_of(option) if option.choices else None,
        **eager,
    )


def _ending(option: Option, action: Action) -> _Callback:
    """Does what an option of `norn` itself is for, and ends."""

    def end(context: click.Context, _: click.Parameter, value: Any) -> None:
        if not value or context.resilient_parsing:
            return
        refused = option.refusal_of(value) if option.choices else None
        if refused is not None:
            raise UsageError(refused)
        action(context.command, value)
        context.exit()

    return end


def _completion_of(
    option: Option,
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, word = (
            incomplete.rpartition(",") if option.kind is Kind.NAMES else ("", "", incomplete)
        )
        offered = [each for each in option.offered or option.choices if each.startswith(word)]
        chosen = offered or [each for each in option.choices if each.startswith(word)]
        return [CompletionItem(f"{before}{comma}{each}") for each in chosen]

    return complete
