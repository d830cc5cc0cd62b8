"""What a report for machines says beside the result: what was run, where and when, and how to name files.

Files are named relative to the root of the project, since another machine reads the report: the folder that
the CI system says, else that of the repository, else the current one.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from norn.report.words import printable
from norn.token_file import command_with

_BREAKS = re.compile(r"[\t\n\v\f\r]+")
# Variables in which CI systems tell where the project was checked out.
_ROOT_VARIABLES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


@dataclass(frozen=True)
class RunContext:
    """One run of norn, for the reports that tell of it."""

    files: tuple[Path, ...]
    command: tuple[str, ...] = ()  # the whole command line
    replay_command: Sequence[str] = ()  # quoted words, with TOKEN in the place of a finding's token
    nondet: str = ""  # what __VERIFIER_nondet_*() gave, as the engine has it
    verbose: bool = False  # of reports for people
    quiet: bool = False
    witness_version: str = "2.2"
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    ended: datetime = field(default_factory=lambda: datetime.now(UTC))
    directory: Path = field(default_factory=Path.cwd)
    root: Path = field(default_factory=lambda: find_root(Path.cwd()))

    @property
    def command_line(self) -> str:
        """The command as a shell takes it."""
        return one_line(shlex.join(self.command))

    @property
    def program(self) -> str:
        """The name of what was checked."""
        return self.relative(str(self.files[0])) if self.files else "program"

    def replay_of(self, token: str) -> str:
        return command_with(token, self.replay_command)

    def relative(self, file: str) -> str:
        """A file's name from the root on; absolute for one that is not below it."""
        path = Path(os.path.normpath(self.directory / file))
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else path.as_posix()

    def uri(self, file: str) -> str:
        """The same as a URI; a relative one if the file is below the root."""
        name = self.relative(file)
        escaped = quote(os.fsencode(name), safe="/")
        return f"file://{escaped}" if name.startswith("/") else escaped

    @property
    def root_uri(self) -> str:
        return folder_uri(self.root)


def folder_uri(folder: Path) -> str:
    return f"file://{quote(os.fsencode(folder.as_posix().rstrip('/')), safe='/')}/"


def find_root(directory: Path) -> Path:
    """The root of the project that a directory is in."""
    for variable in _ROOT_VARIABLES:
        told = os.environ.get(variable)
        if told and directory.is_relative_to(told):
            return Path(told)
    return next((each for each in (directory, *directory.parents) if (each / ".git").exists()), directory)


def one_line(text: str) -> str:
    """Text from the program as one line without control characters."""
    return printable(_BREAKS.sub(" ", text))
