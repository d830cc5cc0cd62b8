"""The command line that replays a finding of a check: what the program does must not change.

An option is in it unless the replay has its value by itself, with the configuration file and without it: the
command may be run elsewhere.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from norn.options.given import Call
from norn.options.option import Group
from norn.options.table import REPLAY, options_of
from norn.settings import Settings

# Where the token goes.
TOKEN = "TOKEN"


def replay_command(call: Call, settings: Settings) -> list[str]:
    """The words of the command line, quoted."""
    words = ["norn", REPLAY, TOKEN, *map(str, call.files), *call.taken.flags]
    return _quoted([*words, *_options(call, settings, REPLAY)], call)


def svcomp_command(call: Call, settings: Settings, property_name: str) -> list[str]:
    """The same for a violation of a task."""
    words = ["norn", call.command, str(call.values["task_file"]), *call.taken.flags]
    words += [f"--property={property_name}", "--replay", TOKEN]
    return _quoted([*words, *_options(call, settings, call.command)], call)


def _options(call: Call, settings: Settings, command: str) -> list[str]:
    """Those of this command that a replay has, too."""
    replayed = {option.parameter for option in options_of(REPLAY)}
    by_itself = call.configuration.of(command)
    words = []
    for option in options_of(command):
        if option.group in (Group.OUTPUT, Group.GENERAL) or option.parameter not in replayed:
            continue
        value = getattr(settings, option.parameter, None)
        same = all(value == other for other in (option.initial, by_itself.get(option.parameter, value)))
        if value is not None and not same:
            words += option.words(value)
    return [*words, *call.config_words]


def _quoted(words: Sequence[str], call: Call) -> list[str]:
    arguments = ["--", *call.taken.arguments] if call.taken.arguments else []
    return [shlex.quote(word) for word in (*words, *arguments)]
