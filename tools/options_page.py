"""Writes docs/options.md and the manual page docs/norn.1 from the tables of commands and options.

`make docs-options` refreshes them; a test fails if they are out of date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generated import ROOT, write_or_check
from manual_page import manual_page

from norn.options.commands import COMMANDS, COMPILER_OPTIONS, Command
from norn.options.option import Config, Group, Option
from norn.options.table import OPTIONS, options_of

PAGE = ROOT / "docs" / "options.md"
MANUAL = ROOT / "docs" / "norn.1"

INTRODUCTION = """# Commands, options and configuration

Generated from the code by `make docs-options`: do not edit. `norn --help` and `norn COMMAND --help` say the
same, and so does `man norn`.

Keywords of the functions in [Python](api.md), `norn.check("program.c", max_events=100)`, have the same names,
with `_` for `-`.
"""

CONFIGURATION = """## Configuration files

What is the same for every run of a project can stand in a file: in `norn.toml`, or in `pyproject.toml` below
`[tool.norn]`. norn takes the nearest one: of the current directory, or of the first directory above that has
one. Keys are the names of options, without the dashes. `norn doctor` says which file holds, `-v` what was
taken from it.

```toml
# norn.toml
equivalence = "rf"
time-limit = 60
cflags = "-Iinclude -DNDEBUG"
benign-races = ["statistics_*", "log.c:12"]

[compare]                      # for norn compare only
equivalence = ["rf", "maz"]
chart = true
```

```toml
# pyproject.toml
[tool.norn]
time-limit = 60

[tool.norn.check]
keep-going = true
```

- A key at the top holds for every command that has this option; one in the table of a command only for that
  command, where it wins.
- The command line wins over the file. A switch is taken back by its `--no-` form: `--no-keep-going`. A list
  or a text is replaced, not added to.
- `--config FILE` takes another file, `--no-config` none.
- Files that are named in it, and the directories of `-I` and `-L` in `cflags`, are those beside the file.
- A key that norn does not know, or a value of the wrong type, ends the command with exit code 2, the name of
  the file and the key.
- Functions in Python do not read configuration files.
"""


def page() -> str:
    return "\n".join([INTRODUCTION, *_commands(), *_options(), CONFIGURATION])


def _commands() -> Iterator[str]:
    yield "## Commands\n"
    for command in COMMANDS:
        yield f"### norn {command.name}\n"
        yield f"`{usage(command)}`\n"
        for paragraph in command.paragraphs:
            yield re.sub(r"docs/([\w-]+\.md)", r"[\1](\1)", paragraph) + "\n"
        yield from (f"- `{each.metavar}`: {each.help}" for each in command.arguments)
        names = [_linked(option) for option in options_of(command.name)]
        if names:
            yield f"- Options: {', '.join(dict.fromkeys(filter(None, names)))}\n"
        if command.examples:
            yield "Examples:\n"
            yield "\n".join([*(f"- `{example}`: {what}" for example, what in command.examples), ""])
        codes = [f"{code} {what}" for code, what in command.exit_codes]
        yield f"Exit codes: {'; '.join(codes)}.\n"


def usage(command: Command) -> str:
    words = [
        *(["[OPTIONS]"] if options_of(command.name) else []),
        *(each.metavar for each in command.arguments),
    ]
    return " ".join(["norn", command.name, *words])


def _linked(option: Option) -> str:
    return "" if option.hidden else f"[`{option.flag}`](#{_anchor(option)})"


def _anchor(option: Option) -> str:
    return f"option-{option.name}"


def _options() -> Iterator[str]:
    yield "## Options\n"
    yield f"{COMPILER_OPTIONS}\n"
    for group in Group:
        rows = [option for option in OPTIONS if option.group is group and not option.hidden]
        yield f"### {group}\n"
        yield "| option | what it does | of | in a file |"
        yield "|---|---|---|---|"
        for option in rows:
            first = next(each for each in OPTIONS if each.name == option.name)
            anchor = f'<a id="{_anchor(option)}"></a>' if option is first else ""
            cells = [
                f"{anchor}`{_escaped(option.label)}`",
                _escaped(option.description),
                ", ".join(option.commands),
                _in_a_file(option),
            ]
            yield f"| {' | '.join(cells)} |"
        yield ""


def _in_a_file(option: Option) -> str:
    match option.config:
        case Config.NOWHERE:
            return "no"
        case Config.COMMAND:
            return f"{option.kind.value}; in `[{option.commands[0]}]` only"
    return option.kind.value


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("__", "\\_\\_")


def main() -> None:
    about = (__doc__ or "").split("\n")[0]
    write_or_check(about, {PAGE: page(), MANUAL: manual_page()}, "docs-options")


if __name__ == "__main__":
    main()
