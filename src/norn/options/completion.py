"""Completion by the shell: the script that it runs, where to put it, and the answers to its questions."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class, shell_complete

from norn.errors import UsageError

_VARIABLE = "_NORN_COMPLETE"
# Where each shell looks by itself, from the home directory.
_PLACES = {
    "bash": ".local/share/bash-completion/completions/norn",
    "fish": ".config/fish/completions/norn.fish",
    "zsh": ".zfunc/_norn",
}
_ZSH_HINT = "add this to ~/.zshrc, if it is not there: fpath+=~/.zfunc; autoload -Uz compinit; compinit"
_BASH_HINT = "this needs the package bash-completion"


def answer(program: click.Group) -> int | None:
    """The exit code if the shell asks; nothing if a person does."""
    asked = os.environ.get(_VARIABLE)
    return shell_complete(program, {}, "norn", _VARIABLE, asked) if asked else None


def options() -> list[click.Option]:
    shells = "|".join(_PLACES)
    return [
        click.Option(
            ["--show-completion"],
            is_eager=True,
            expose_value=False,
            callback=_show,
            metavar=shells,
            help="Show the script by which this shell completes commands.",
        ),
        click.Option(
            ["--install-completion"],
            is_eager=True,
            expose_value=False,
            callback=_install,
            metavar=shells,
            help="Put it where the shell finds it.",
        ),
    ]


def script_for(shell: str, program: click.Command) -> str:
    kind = get_completion_class(shell) if shell in _PLACES else None
    if kind is None:
        raise UsageError(f"norn does not know how {shell} completes; it knows {', '.join(_PLACES)}")
    return kind(program, {}, "norn", _VARIABLE).source()


def _show(context: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is not None and not context.resilient_parsing:
        print(script_for(shell, context.command))
        context.exit()


def _install(context: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is None or context.resilient_parsing:
        return
    script = script_for(shell, context.command)
    place = Path.home() / _PLACES[shell]
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(script, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"{place}: {problem.strerror}") from None
    print(f"{place} is written; it works in the next {shell} that is started")
    print({"zsh": _ZSH_HINT, "bash": _BASH_HINT}.get(shell, ""), end="\n" if shell != "fish" else "")
    context.exit()
