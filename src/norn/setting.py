"""What was checked, and how, in words: the commands that do it again. For the end of every report."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from norn.build import Program
from norn.model import Setting

# Options that a replay needs as well: what the program does, or what counts as a failure, depends on them.
_FOR_REPLAY = frozenset({"isolate", "max_events", "leaks", "spurious", "nondet", "races", "benign_races"})
# These list several words in one option; `benign_races` has an option for each.
_JOINED = frozenset({"leaks"})

Option = str | int | float | bool | Sequence[str] | None


def make_setting(
    program: Program,
    files: Sequence[str | Path],
    flags: Sequence[str],
    cflags: str,
    arguments: Sequence[str],
    options: Mapping[str, Option],
    command: str = "check",
) -> Setting:
    """options: parameters of `api.check`, or of another command, by name; None where they are as always."""
    words = [*map(str, files), *flags, *(["--cflags", cflags] if cflags else [])]
    behind = ["--", *arguments] if arguments else []
    replayed = {name: value for name, value in options.items() if name in _FOR_REPLAY}
    if replayed.get("races") != "error":
        replayed = {name: value for name, value in replayed.items() if name not in ("races", "benign_races")}
    return Setting(
        files=tuple(map(str, files)),
        flags=(*flags, *shlex.split(cflags)),
        arguments=tuple(arguments),
        compiler=program.compiler,
        check_command=_quoted(["norn", command, *words, *_options(options), *behind]),
        replay_command=_quoted(["norn", "replay", "TOKEN", *words, *_options(replayed), *behind]),
    )


def _options(options: Mapping[str, Option]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False or value in ((), []):
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, str | int | float):
            words.append(f"{option}={value}")
        elif name in _JOINED:
            words.append(f"{option}={','.join(value)}")
        else:
            words += [f"{option}={each}" for each in value]
    return words


def _quoted(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(shlex.quote, words))
