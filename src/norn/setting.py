"""What was checked, and how, in words: the commands that do it again. For the end of every report."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from norn.build import Program
from norn.model import Setting
from norn.options.again import command_again, replay_command
from norn.settings import Settings


def make_setting(
    program: Program, files: Sequence[str | Path], settings: Settings, command: str | None
) -> Setting:
    """command: the one that does all of it again; None if that is not known."""
    says_all = not settings.only  # what else is a failure here no command line can say
    return Setting(
        files=tuple(map(str, files)),
        flags=(*settings.flags, *shlex.split(settings.cflags)),
        arguments=tuple(settings.arguments),
        compiler=program.compiler,
        check_command=tuple(command_again(command, files, settings)) if command and says_all else (),
        replay_command=tuple(replay_command(files, settings)) if says_all else (),
    )
