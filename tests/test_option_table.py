"""The table of options: it is consistent, and parsing, help and completion are made from it."""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
import subprocess
from itertools import combinations
from pathlib import Path
from typing import get_type_hints

import click
import pytest

import norn as package
from norn import keywords
from norn.cli import whole_program
from norn.commands.check import ShownInFormats, Techniques
from norn.commands.compare import ShownComparison
from norn.commands.replay import Replayed
from norn.commands.svcomp import Asked
from norn.commands.topology import ShownTopology
from norn.model import EQUIVALENCES
from norn.options import table as option_table
from norn.options.commands import COMMANDS
from norn.options.option import Group, Kind, Option
from norn.options.parse import make_option
from norn.options.table import OPTIONS, options_of
from norn.report.formats import FORMATS
from norn.settings import Settings, Watch
from tests.conftest import norn_command

WITH_OPTIONS = [command.name for command in COMMANDS if command.takes_program]
# What a command takes for itself, beside Settings.
PARTS = {
    "check": (ShownInFormats, Techniques),
    "compare": (ShownComparison,),
    "topology": (ShownTopology,),
    "replay": (Replayed,),
    "svcomp": (Asked,),
}
TYPES = {
    Kind.FLAG: bool,
    Kind.COUNT: int | None,
    Kind.SECONDS: float | None,
    Kind.TEXT: str,
    Kind.FILE: str | None,
}


def types_of(command: str) -> dict[str, object]:
    return {name: kind for part in (Settings, *PARTS[command]) for name, kind in get_type_hints(part).items()}


@pytest.mark.parametrize("command", WITH_OPTIONS)
def test_every_option_has_a_typed_place(command):
    types = types_of(command)
    for option in options_of(command):
        if option.name in ("config", "no-config"):
            continue
        assert option.parameter in types, f"{option.flag}: no field of Settings or of the command takes it"
        if option.kind in TYPES:
            wanted = TYPES[option.kind]
            assert types[option.parameter] in (wanted, wanted | None), option.flag


@pytest.mark.parametrize("command", WITH_OPTIONS)
def test_every_field_of_a_command_has_an_option(command):
    known = {option.parameter for option in options_of(command)}
    known |= {argument.name for each in COMMANDS if each.name == command for argument in each.arguments}
    for part in PARTS[command]:
        assert {each.name for each in dataclasses.fields(part)} <= known


def test_defaults_are_those_of_settings():
    """Those of a competition's task are its own."""
    defaults = {each.name: each.default for each in dataclasses.fields(Settings)}
    for option in OPTIONS:
        if option.parameter in defaults and option.commands != ("svcomp",):
            assert option.initial == defaults[option.parameter], option.flag


@pytest.mark.parametrize("command", WITH_OPTIONS)
def test_no_name_stands_twice(command):
    own = options_of(command)
    for one, other in combinations(own, 2):
        assert one.name != other.name and one.parameter != other.parameter
        assert not one.short or one.short != other.short


def test_every_row_says_what_it_is():
    for option in OPTIONS:
        assert option.hidden or re.fullmatch(r"[A-Z].*\.", option.help), option.flag
        assert bool(option.metavar) is (option.kind is not Kind.FLAG), option.flag
        assert not option.default or not option.choices or option.default in option.choices


def test_each_default_and_choice_passes_its_own_check():
    for option in OPTIONS:
        assert option.refusal_of(option.initial) is None
        assert all(option.refusal_of(choice) is None for choice in option.choices)
        if option.noun:
            assert "there are: " in (option.refusal_of("telepathy") or "")


def test_a_flag_that_is_on():
    option = Option("shrink", Kind.FLAG, Group.OUTPUT, ("check",), "Show it as it was found.", on=True)
    assert (option.initial, option.label, option.can_be_undone) == (True, "--no-shrink", True)
    assert [option.words(value) for value in (True, False)] == [["--shrink"], ["--no-shrink"]]
    made = click.Command("check", params=[make_option(option)])
    assert [made.make_context("", words).params["shrink"] for words in ([], ["--no-shrink"])] == [True, False]


# --- the functions of the package


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (package.check, keywords.CheckKeywords),
        (package.compare, keywords.CompareKeywords),
        (package.topology, keywords.TopologyKeywords),
        (package.replay, keywords.ReplayKeywords),
    ],
)
def test_keywords_have_the_types_and_defaults_of_settings(function, kind):
    fields = {each.name: each for owner in (Settings, Watch) for each in dataclasses.fields(owner)}
    types = {**get_type_hints(Settings), **get_type_hints(Watch)}
    for name, wanted in get_type_hints(kind).items():
        assert wanted == types[name], name
        parameter = inspect.signature(function).parameters[name]
        assert parameter.default == fields[name].default
        assert parameter.kind is parameter.KEYWORD_ONLY


@pytest.mark.parametrize("command", ["check", "compare", "topology", "replay"])
def test_a_function_takes_what_its_command_takes(command):
    taken = set(inspect.signature(getattr(package, command)).parameters)
    for option in options_of(command):
        if option.group in (Group.OUTPUT, Group.GENERAL) or option.hidden or option.name == "gdb":
            continue
        assert option.parameter in taken, option.flag


def test_an_unknown_keyword_is_an_error():
    with pytest.raises(TypeError, match=r"check\(\) got an unexpected keyword argument 'telepathy'$"):
        package.check("a.c", telepathy=True)
    with pytest.raises(TypeError, match=r"'keepgoing'. Did you mean 'keep_going'\?"):
        package.check("a.c", keepgoing=True)
    with pytest.raises(TypeError, match="races"):
        package.compare("a.c", races="off")


# --- help


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("command", [None, *(command.name for command in COMMANDS)])
def test_help_fits(norn, command, width):
    words = [command, "--help"] if command else ["--help"]
    done = norn(*words, env=os.environ | {"COLUMNS": str(width)})
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: norn ")
    assert max(map(len, done.stdout.splitlines())) <= min(width, 80)
    assert not re.search(r"\w-$", done.stdout, re.MULTILINE), "a word is broken at its hyphen"


@pytest.mark.parametrize("command", WITH_OPTIONS)
def test_help_has_every_option_in_its_section(norn, command):
    text = norn(command, "--help").stdout
    sections = dict(re.findall(r"^(\S[^\n]*):\n((?:  .*\n?)+)", text, re.MULTILINE))
    for option in options_of(command):
        if option.hidden:
            assert option.flag not in text
        else:
            assert f"  {option.label}" in sections[option.group]
    assert list(sections)[-1] == "Exit codes"


def test_h_is_help(norn):
    assert norn("check", "-h").stdout == norn("check", "--help").stdout


# --- parsing


@pytest.mark.parametrize("command", ["norn", *WITH_OPTIONS])
def test_click_has_what_the_table_has(command):
    made = whole_program() if command == "norn" else whole_program().commands[command]
    options = {each.name: each for each in made.params if isinstance(each, click.Option)}
    assert set(options) == {option.parameter for option in options_of(command)}
    for option in options_of(command):
        assert option.flag in options[option.parameter].opts
        assert not option.short or option.short in options[option.parameter].opts
        assert bool(options[option.parameter].secondary_opts) is option.can_be_undone


def test_a_misspelled_option_is_refused(norn):
    done = norn("check", "a.c", "--max-event", "3")
    assert done.returncode == 2
    assert "--max-event" in done.stderr and "--max-events" in done.stderr


def test_other_compiler_options_are_explained_by_every_command(norn):
    for command in WITH_OPTIONS:
        done = norn(command, "a.c", "-nostdinc")
        assert (done.returncode, '--cflags "-nostdinc"' in done.stderr) == (2, True)


# --- completion


def completed(words: str, shell: str = "bash") -> list[str]:
    """What the shell would offer for the last word."""
    given = words.split(" ")
    environment = os.environ | {
        "_NORN_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(given) - 1),
    }
    done = subprocess.run(norn_command(), env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("norn check -e ", [*EQUIVALENCES, "auto"]),
        ("norn check --equivalence o", ["observation"]),
        ("norn check -e rv", ["rvf"]),
        ("norn compare -e ", [*EQUIVALENCES]),
        ("norn check a.c -DN=3 -I inc -e m", ["mazurkiewicz"]),
        ("norn check --isolate ", ["memory", "fork"]),
        ("norn check --races e", ["error"]),
        ("norn check --leaks = threads,l", ["threads,locks"]),
        ("norn check --max-ev", ["--max-events"]),
        ("norn to", ["topology"]),
        ("norn svcomp --property no-d", ["no-data-race"]),
    ],
)
def test_the_shell_completes(words, offered):
    assert completed(words) == offered


def test_the_shell_completes_every_option():
    for command in WITH_OPTIONS:
        offered = completed(f"norn {command} --")
        assert {option.flag for option in options_of(command) if not option.hidden} <= set(offered)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_shown_and_installed(norn, shell, tmp_path):
    environment = os.environ | {"HOME": str(tmp_path)}
    script = norn("--show-completion", shell, env=environment)
    assert script.returncode == 0 and "_NORN_COMPLETE" in script.stdout
    done = norn("--install-completion", shell, env=environment)
    assert done.returncode == 0, done.stderr
    place = Path(done.stdout.split(" is written")[0])
    assert place.is_relative_to(tmp_path)
    assert place.read_text().strip() == script.stdout.strip()


def test_another_shell_is_refused(norn):
    done = norn("--show-completion", "tcsh")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "norn: unknown shell “tcsh”; there are: bash, fish, zsh\n"


def test_bash_takes_the_script(tmp_path):
    """The real shell, with the script: what it would offer after `-e`."""
    command = tmp_path / "norn"
    command.write_text(f'#!/bin/sh\nexec {" ".join(norn_command())} "$@"\n')
    command.chmod(0o755)
    text = """
        eval "$(norn --show-completion bash)"
        COMP_WORDS=(norn check -e rea) COMP_CWORD=3
        _norn_completion norn
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.split() == ["reads-value-from", "reads-from"], done.stderr


def test_formats_that_may_be_asked_for_can_be_written():
    assert tuple(FORMATS) == option_table.FORMATS
