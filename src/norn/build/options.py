"""Compiler options of the user, sorted by the step that needs them.

`norn check` takes -D -I -L -l -std= -O wherever a compiler would, joined or separate; anything else comes by
--cflags. Here the flat list becomes: what to compile with, what to link with, which optimisation level.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from norn.errors import UsageError

# Options that may have their value in the next word.
WITH_VALUE = ("-D", "-U", "-I", "-L", "-l")
# Options of compilers that norn has no letter in common with: a hint is better than "no such option".
_OTHER_PREFIXES = ("-W", "-f", "-g", "-m", "-n", "-pedantic", "-s", "-x", "-i", "-a")
_LINK_PREFIXES = ("-L", "-l", "-Wl,")
_LINK_EXACT = frozenset({"-static-libstdc++", "-static-libgcc", "-rdynamic"})


@dataclass(frozen=True)
class CompilerOptions:
    compile: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    optimisation: str = "-O0"

    @property
    def library_directories(self) -> list[str]:
        return [option[2:] for option in self.link if option.startswith("-L")]

    @property
    def libraries(self) -> list[str]:
        return [option[2:] for option in self.link if option.startswith("-l")]


def sort_options(flags: Sequence[str] = (), cflags: str = "") -> CompilerOptions:
    """Sorts the user's compiler options. The last -O wins, as in a compiler."""
    compile_options: list[str] = []
    link_options: list[str] = []
    optimisation = "-O0"
    for flag in _joined([*flags, *shlex.split(cflags)]):
        if flag.startswith("-O"):
            optimisation = "-O1" if flag == "-O" else flag
        elif flag in ("-pthread", "-g"):
            continue  # always on
        elif flag.startswith(_LINK_PREFIXES) or flag in _LINK_EXACT:
            link_options.append(flag)
        else:
            compile_options.append(flag)
    return CompilerOptions(tuple(compile_options), tuple(link_options), optimisation)


def _joined(words: Sequence[str]) -> list[str]:
    joined: list[str] = []
    rest = iter(words)
    for word in rest:
        joined.append(word + next(rest, "") if word in WITH_VALUE else word)
    return joined


def split_command_line(arguments: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """Takes a command line apart: norn's own words, compiler options, arguments of the checked program."""
    own: list[str] = []
    compiler: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            return own, compiler, list(words)
        if word == "--cflags":
            own += [word, *([value] if (value := next(words, None)) is not None else [])]
        elif word in WITH_VALUE:
            compiler += [word, *([value] if (value := next(words, None)) is not None else [])]
        elif word.startswith((*WITH_VALUE, "-std=", "-O")) or word == "-pthread":
            compiler.append(word)
        else:
            own.append(word)
    return own, compiler, []


def refuse_other_options(own: Sequence[str], commands: Sequence[str]) -> None:
    """Says how to pass the compiler options that are not recognised by themselves.

    commands: those that build a program.
    """
    others = [
        word
        for previous, word in zip(("", *own), own, strict=False)
        if word.startswith(_OTHER_PREFIXES) and previous != "--cflags"
    ]
    if own and own[0] in commands and others:
        raise UsageError(
            f'unknown option {others[0]}; other compiler options go into --cflags "{" ".join(others)}"'
        )
