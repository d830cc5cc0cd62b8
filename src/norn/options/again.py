"""The command line that replays a finding of a check: what the program does must not change. And the one that
does it all again.

An option is in it unless the replay has its value by itself, with the configuration file and without it: the
command may be run elsewhere.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from norn.options.config import Configuration
from norn.options.option import Group
from norn.options.table import REPLAY, SVCOMP, options_of
from norn.settings import Settings
from norn.token_file import PLACE

_NO_FILE = Configuration()


def replay_command(
    files: Sequence[str | Path],
    settings: Settings,
    configuration: Configuration = _NO_FILE,
) -> list[str]:
    """The words of the command line, quoted. settings: those of the check, settled."""
    words = ["norn", REPLAY, PLACE, *map(str, files), *settings.flags]
    return _quoted([*words, *_options(REPLAY, settings, configuration)], settings)


def command_again(command: str, files: Sequence[str | Path], settings: Settings) -> list[str]:
    """The words of the command line that explores it again, quoted. settings: settled."""
    words = ["norn", command, *map(str, files), *settings.flags]
    for option in options_of(command):
        value = getattr(settings, option.parameter, None)
        if option.group in (Group.OUTPUT, Group.GENERAL) or value is None or value == option.initial:
            continue
        words += option.words(value)
    return _quoted([*words, *(f"--without-{name}" for name in settings.without)], settings)


def svcomp_command(
    task_file: Path, property_name: str, settings: Settings, configuration: Configuration = _NO_FILE
) -> list[str]:
    """The same for a violation of a task."""
    words = ["norn", SVCOMP, str(task_file), *settings.flags]
    words += [f"--property={property_name}", "--replay", PLACE]
    return _quoted([*words, *_options(SVCOMP, settings, configuration)], settings)


def _options(command: str, settings: Settings, configuration: Configuration) -> list[str]:
    """Those of this command that a replay has, too."""
    replayed = {option.parameter for option in options_of(REPLAY)}
    by_itself = configuration.of(command)
    words = []
    for option in options_of(command):
        if option.group in (Group.OUTPUT, Group.GENERAL) or option.parameter not in replayed:
            continue
        value = getattr(settings, option.parameter, None)
        same = all(value == other for other in (option.initial, by_itself.get(option.parameter, value)))
        if value is not None and not same:
            words += option.words(value)
    return [*words, *configuration.words]


def _quoted(words: Sequence[str], settings: Settings) -> list[str]:
    arguments = ["--", *settings.arguments] if settings.arguments else []
    return [shlex.quote(word) for word in (*words, *arguments)]
