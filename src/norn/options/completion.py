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
_HINTS = {
    "bash": "this needs the package bash-completion",
    "zsh": "add this to ~/.zshrc, if it is not there: fpath+=~/.zfunc; autoload -Uz compinit; compinit",
}


def answer(program: click.Group) -> int | None:
    """The exit code if the shell asks; nothing if a person does."""
    asked = os.environ.get(_VARIABLE)
    return shell_complete(program, {}, "norn", _VARIABLE, asked) if asked else None


def show_script(program: click.Command, shell: str) -> None:
    print(_script_for(shell, program))


def install_script(program: click.Command, shell: str) -> None:
    place = Path.home() / _PLACES[shell]
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_script_for(shell, program), encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"{place}: {problem.strerror}") from None
    print(f"{place} is written; it works in the next {shell} that is started")
    if shell in _HINTS:
        print(_HINTS[shell])


def _script_for(shell: str, program: click.Command) -> str:
    kind = get_completion_class(shell)
    assert kind is not None, "click knows the shells of the table"
    return kind(program, {}, "norn", _VARIABLE).source()
