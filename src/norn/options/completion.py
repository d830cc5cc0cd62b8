"""Completion by the shell: the script that it runs, where to put it, and the answers to its questions."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
    shell_complete,
)

from norn.build.options import split_command_line
from norn.errors import UsageError
from norn.options.parse import with_values

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


class _AsNornReads(ShellComplete):
    """The words before the cursor as norn reads them: without compiler options, with values that are implied.

    Also for `--isolate=f`, where shells differ in what they take for the word to be completed.
    """

    whole_word = True  # it is all of `--isolate=f`

    def get_completion_args(self) -> tuple[list[str], str]:
        words, incomplete = super().get_completion_args()
        if words[-1:] == ["="]:  # which bash makes a word of its own
            words.pop()
        elif incomplete != "=":
            return _read(words), incomplete
        return [*_read(words[:-1]), *words[-1:]], incomplete  # the value of the last one is to be completed

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        option, sign, _ = incomplete.partition("=")
        found = super().get_completions(args, incomplete)
        if not self.whole_word or not sign or not option.startswith("--"):
            return found
        return [CompletionItem(f"{option}={item.value}", item.type, item.help) for item in found]


class _Bash(_AsNornReads, BashComplete):
    whole_word = False


class _Zsh(_AsNornReads, ZshComplete):
    pass


class _Fish(_AsNornReads, FishComplete):
    # Values may have commas.
    source_template = FishComplete.source_template.replace("string split ", "string split --max 1 ")


for _kind in (_Bash, _Fish, _Zsh):
    add_completion_class(_kind)


def _read(words: list[str]) -> list[str]:
    return with_values(split_command_line(words)[0])


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
