"""Compiler options of the user, sorted by the step that needs them.

`norn check` takes most of them wherever a compiler would (`TAKEN`), joined or separate; anything else comes
by --cflags. Here the flat list becomes: what to compile with, what to link with, which optimisation level,
and what is left out, since norn's own instrumentation does not go with it.
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from norn.build.checked_options import clashes
from norn.errors import UsageError

# Options that may have their value in the next word: those of one letter, and others.
_LETTERS = ("-D", "-U", "-I", "-L", "-l")
_FILES_AND_DIRECTORIES = ("-include", "-imacros", "-isystem", "-idirafter", "-iquote")
WITH_VALUE = (*_LETTERS, *_FILES_AND_DIRECTORIES)
# Beginnings of options that have all in one word. norn has no letter in common with them.
_IN_ONE_WORD = ("-std=", "-O", "-W", "-f", "-g", "-m")
_WHOLE = frozenset({"-pthread", "-ansi", "-pedantic", "-pedantic-errors", "-w"})
# All of them, for people.
TAKEN = "-D -U -I -L -l -std= -O -W -f -g -m -include -isystem -idirafter -iquote -pthread"
# Other options of compilers: a hint is better than "no such option".
_OTHER_PREFIXES = ("-n", "-s", "-x", "-i", "-a")
_LINK_PREFIXES = ("-L", "-l", "-Wl,")
_LINK_EXACT = frozenset({"-static-libstdc++", "-static-libgcc", "-rdynamic"})


@dataclass(frozen=True)
class CompilerOptions:
    compile: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    optimisation: str = "-O0"
    left_out: tuple[str, ...] = ()

    @property
    def warnings(self) -> list[str]:
        if not self.left_out:
            return []
        return [
            f"left out: {' '.join(self.left_out)}; norn compiles with an instrumentation of its own, which "
            "does not go with that"
        ]

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
    left_out: list[str] = []
    optimisation = "-O0"
    for flag, *value in _with_values([*flags, *shlex.split(cflags)]):
        if value:
            compile_options += [flag, *value]
        elif flag.startswith("-O"):
            optimisation = "-O1" if flag == "-O" else flag
        elif flag == "-pthread" or flag.startswith("-g"):
            continue  # always on, and the form of debug information is norn's to choose
        elif clashes(flag):
            left_out.append(flag)
        elif flag.startswith(_LINK_PREFIXES) or flag in _LINK_EXACT:
            link_options.append(flag)
        else:
            compile_options.append(flag)
    return CompilerOptions(tuple(compile_options), tuple(link_options), optimisation, tuple(left_out))


def _with_values(words: Sequence[str]) -> Iterator[list[str]]:
    """One option each: letters joined with their values, others beside theirs."""
    rest = iter(words)
    for word in rest:
        if word in _LETTERS:
            yield [word + next(rest, "")]
        elif word in _FILES_AND_DIRECTORIES:
            yield [word, *itertools.islice(rest, 1)]
        else:
            yield [word]


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
        elif word.startswith((*WITH_VALUE, *_IN_ONE_WORD)) or word in _WHOLE:
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
