"""Options from a file: norn.toml, or [tool.norn] of pyproject.toml, of this directory or the nearest above.

    file ──► table of TOML ──► each key checked against the table of options ──► values by command

Keys are the names of options. They hold for every command that has the option; those below the name of a
command, [check] or [tool.norn.check], for this one only. A key that nobody knows is an error: it would be
ignored for ever.
"""

from __future__ import annotations

import difflib
import math
import os
import shlex
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from norn.errors import UsageError
from norn.options.option import Config, Kind, Option
from norn.options.table import OPTIONS, options_of

_OWN_FILE = "norn.toml"
_SHARED_FILE = "pyproject.toml"
_COMMANDS = tuple(dict.fromkeys(name for each in OPTIONS if each.is_configurable for name in each.commands))
# Compiler options whose value is a directory.
_WITH_DIRECTORY = ("-isystem", "-iquote", "-idirafter", "-I", "-L")

Values = dict[str, object]  # by parameter


@dataclass(frozen=True)
class Configuration:
    """What a file says, for each command."""

    file: Path | None = None
    values: Mapping[str, Values] = field(default_factory=dict)
    words: tuple[str, ...] = ()  # of the command line that chose it

    def of(self, command: str) -> Values:
        return self.values.get(command, {})


def load(file: str | None = None) -> Configuration:
    """Of this file, or of the one that is found from the current directory upwards, if any."""
    if file is not None:
        path = Path(file)
        table = _table_of(path)
        if table is None:
            raise UsageError(f"{path}: there is no table [tool.norn] in it")
        return _read(path, table)
    for path in _candidates(Path.cwd()):
        table = _table_of(path) if path.is_file() else None
        if table is not None:
            _require_trust(path)
            return _read(path, table)
    return Configuration()


def _candidates(start: Path) -> Iterator[Path]:
    for directory in (start, *start.parents):
        yield directory / _OWN_FILE
        yield directory / _SHARED_FILE


def _require_trust(path: Path) -> None:
    """Compiler options can run code: nobody may leave a file for others where all can write, as in /tmp."""
    foreign = path.stat().st_uid != os.getuid()
    if foreign and path.parent.stat().st_mode & stat.S_IWOTH:
        raise UsageError(
            f"{path}: somebody else has put it where everybody can write; --config {path} takes it all the "
            "same, --no-config does without it"
        )


def _table_of(path: Path) -> dict[str, Any] | None:
    """The part of a file that is norn's; nothing if it has none."""
    try:
        whole = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise UsageError(f"{path}: {problem.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise UsageError(f"{path}: not TOML: {problem} (--no-config does without it)") from None
    if path.name != _SHARED_FILE:
        return whole
    tool = whole.get("tool")
    table = tool.get("norn") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{path}: tool.norn: must be a table of options")
    return table


def _read(path: Path, table: Mapping[str, Any]) -> Configuration:
    reader = _Reader(path)
    values: dict[str, Values] = {command: {} for command in _COMMANDS}
    for key, value in table.items():
        if key in _COMMANDS and isinstance(value, dict):
            continue
        for option in reader.shared_options(key):
            for command in option.commands:
                values[command][option.parameter] = reader.value_of(key, option, value)
    for command in _COMMANDS:  # after those for all commands: these win
        own = table.get(command)
        for key, value in own.items() if isinstance(own, dict) else ():
            option = reader.option_of(command, key)
            values[command][option.parameter] = reader.value_of(f"{command}.{key}", option, value)
    return Configuration(path, values)


@dataclass(frozen=True)
class _Reader:
    """Checks keys and values, and says what is wrong with them, and where."""

    path: Path

    def shared_options(self, key: str) -> list[Option]:
        """Those that a key outside of the table of a command means."""
        if key == "tool":
            raise self._wrong(key, f"in {_OWN_FILE} options stand at the top, without [tool.norn]")
        if key in _COMMANDS:
            raise self._wrong(key, "must be a table with options of this command")
        named = [option for option in OPTIONS if option.name == key and not option.hidden]
        found = [option for option in named if option.config is Config.ANYWHERE]
        if found:
            return found
        if any(option.config is Config.COMMAND for option in named):
            raise self._wrong(key, f"may only stand in the table of a command: [{named[0].commands[0]}]")
        raise self._unknown(key, key, named, (each for each in OPTIONS if each.is_configurable))

    def option_of(self, command: str, key: str) -> Option:
        own = options_of(command)
        named = [option for option in own if option.name == key and not option.hidden]
        found = [option for option in named if option.is_configurable]
        if found:
            return found[0]
        raise self._unknown(
            f"{command}.{key}", key, named, (each for each in own if each.is_configurable), command
        )

    def value_of(self, key: str, option: Option, value: object) -> object:
        """The value as the command line would have given it."""
        converted = _convert(option, value, self.path.parent)
        if converted is None:
            raise self._wrong(key, f"must be {option.kind.value}, not {_in_words(value)}")
        refused = option.refusal_of(converted)
        if refused is not None:
            raise self._wrong(key, refused)
        return converted

    def _unknown(
        self, place: str, key: str, named: list[Option], known: Iterable[Option], command: str = ""
    ) -> UsageError:
        if named:
            return self._wrong(place, f"cannot stand in a file; give {named[0].flag} on the command line")
        names = list(dict.fromkeys(option.name for option in known))
        near = difflib.get_close_matches(key.replace("_", "-"), [*names, *("" if command else _COMMANDS)], 1)
        hint = f"; did you mean {near[0]}?" if near else f"; there are: {', '.join(names)}"
        owner = f"norn {command}" if command else "norn"
        return self._wrong(place, f"{owner} has no such option{hint}")

    def _wrong(self, key: str, what: str) -> UsageError:
        place = f"tool.norn.{key}" if self.path.name == _SHARED_FILE else key
        return UsageError(f"{self.path}: {place}: {what}")


def _convert(option: Option, value: object, directory: Path) -> object:
    """Nothing if it is of the wrong type."""
    match option.kind, value:
        case Kind.FLAG, bool():
            return value
        case ((Kind.COUNT | Kind.SECONDS), bool()):
            return None  # which Python takes for a number
        case Kind.COUNT, int():
            return value
        case Kind.SECONDS, int() | float() if math.isfinite(value):
            return float(value)
        case Kind.FILE, str():
            return value if value == "-" else str(directory / value)
        case Kind.TEXT, str():
            return _seen_from(directory, value) if option.name == "cflags" else value
        case Kind.NAMES, str():
            return tuple(value.split(",")) if value else ()
        case ((Kind.NAMES | Kind.REPEATED), list()) if all(isinstance(each, str) for each in value):
            return tuple(value)
    return None


def _seen_from(directory: Path, cflags: str) -> str:
    """Directories in compiler options are those beside the file, wherever norn is started."""
    words = []
    before = ""
    for word in shlex.split(cflags):
        prefix = next((each for each in _WITH_DIRECTORY if word.startswith(each) and word != each), "")
        named = word.removeprefix(prefix) if prefix else word if before in _WITH_DIRECTORY else ""
        words.append(f"{prefix}{directory / named}" if named else word)
        before = word
    return shlex.join(words)


def _in_words(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text “{value}”"
        case int() | float():
            return f"the number {value}"
        case list():
            return "a list"
        case dict():
            return "a table"
    return f"{value}"
