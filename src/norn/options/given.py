"""What holds for one call of a command: the command line, then the configuration file, then the table.

The command takes it as typed values: `settings()` for what norn is to do, `take(...)` for its own part.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from norn.errors import UsageError
from norn.options import config
from norn.options.config import Configuration
from norn.options.option import Kind, Option
from norn.options.table import options_of
from norn.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True)
class Taken:
    """What was taken out of the command line before it was parsed."""

    flags: Sequence[str] = ()  # compiler options
    arguments: Sequence[str] = ()  # of the program


@dataclass(frozen=True)
class Call:
    command: str
    values: Mapping[str, Any]  # of options and arguments, by parameter
    taken: Taken
    configuration: Configuration
    configured: tuple[Option, ...] = ()  # those whose value comes from the configuration

    @property
    def files(self) -> list[Path]:
        return [Path(file) for file in self.values["files"]]

    def explained(self, problem: UsageError) -> UsageError:
        """Says so if it is about an option that stands in the configuration, where few look first."""
        words = set(re.findall(r"--?[\w-]+", str(problem)))
        blamed = [option.name for option in self.configured if words & {option.flag, option.short}]
        if not blamed:
            return problem
        return UsageError(f"{problem} ({self.configuration.file} has: {', '.join(blamed)})")

    def settings(self) -> Settings:
        """What to explore and how; found sensible."""
        known = {each.name for each in dataclasses.fields(Settings)}
        asked = {name: value for name, value in self.values.items() if name in known}
        settings = Settings(flags=self.taken.flags, arguments=self.taken.arguments, **asked)
        return settings.settled()

    def take(self, kind: type[T]) -> T:
        """The part of a command: a dataclass whose fields are named as parameters, all sensible."""
        names = [each.name for each in dataclasses.fields(kind)]  # type: ignore[arg-type]
        for option in options_of(self.command):
            if option.parameter in names:
                refused = option.refusal_of(self.values[option.parameter])
                if refused is not None:
                    raise UsageError(refused)
        return kind(**{name: self.values[name] for name in names})


def make_call(command: str, context: click.Context) -> Call:
    """Puts together what was given, once the command line is parsed."""
    given: dict[str, Any] = dict(context.params)
    file, without = given.pop("config", None), given.pop("no_config", False)
    if file is not None and without:
        raise UsageError("--config and --no-config contradict each other; give one of them")
    words = (f"--config={file}",) if file is not None else ("--no-config",) if without else ()
    options = [option for option in options_of(command) if option.parameter in given]
    is_asked = any(option.is_configurable for option in options) and not without
    configuration = config.load(file) if is_asked else Configuration()
    configuration = dataclasses.replace(configuration, words=words)
    configured = configuration.of(command)
    effective = []
    for option in options:
        name = option.parameter
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            given[name] = _from_command_line(option, given[name])
            continue
        given[name] = configured.get(name, option.initial)
        effective += [option] if name in configured else []
    taken = context.obj if isinstance(context.obj, Taken) else Taken()
    return Call(command, given, taken, configuration, tuple(effective))


def _from_command_line(option: Option, value: Any) -> Any:
    if option.kind is Kind.NAMES:
        return tuple(value.split(",")) if value else ()
    return value
