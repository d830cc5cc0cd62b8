"""Options from norn.toml and pyproject.toml: which file, what holds, what is refused and how it is said."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from norn.cli import whole_program
from norn.errors import UsageError
from norn.options import config
from norn.options.again import replay_command, svcomp_command
from norn.options.given import Call, Taken, make_call
from norn.options.option import Config, Kind, Option
from norn.options.table import OPTIONS, options_of
from tests.test_cli import RACE, SAFE, replay_words

# A value of each kind, as TOML has it, and as the command line would give it.
SAMPLES = {
    Kind.FLAG: ("true", True),
    Kind.COUNT: ("7", 7),
    Kind.SECONDS: ("2.5", 2.5),
    Kind.TEXT: ('"some text"', "some text"),
    Kind.FILE: ('"-"', "-"),
    Kind.NAMES: ('["threads", "locks"]', ("threads", "locks")),
    Kind.REPEATED: ('["one", "two"]', ("one", "two")),
}
WRONG = {
    Kind.FLAG: '"yes"',
    Kind.COUNT: "1.5",
    Kind.SECONDS: '"1"',
    Kind.TEXT: "3",
    Kind.FILE: "false",
    Kind.NAMES: "3",
    Kind.REPEATED: "[1, 2]",
}
PAIRS = [
    pytest.param(option, command, id=f"{command}-{option.name}")
    for option in OPTIONS
    for command in option.commands
    if option.config is not Config.NOWHERE
]


def sample_of(option: Option) -> tuple[str, object]:
    if option.noun and option.kind is Kind.TEXT:
        return f'"{option.choices[-1]}"', option.choices[-1]
    if option.noun and option.kind is Kind.REPEATED:
        return f'["{option.choices[-1]}"]', (option.choices[-1],)
    return SAMPLES[option.kind]


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def given_to(command: str, *words: str):
    """What holds for a call of the command."""
    program = whole_program()
    positional = ["t.yml"] if command == "svcomp" else ["a.c"]
    if command == "replay":
        positional.insert(0, "norn1.AAAA")
    context = program.commands[command].make_context(command, [*positional, *words], obj=Taken())
    return make_call(command, context)


def refused(text: str, name: str = "norn.toml") -> str:
    Path(name).write_text(text)
    with pytest.raises(UsageError) as problem:
        config.load()
    return str(problem.value)


# --- every option


@pytest.mark.parametrize(("option", "command"), PAIRS)
def test_every_option_may_stand_in_a_file(here, option, command):
    written, value = sample_of(option)
    for head in ("", f"[{command}]\n"):
        if head == "" and option.config is Config.COMMAND:
            continue
        (here / "norn.toml").write_text(f"{head}{option.name} = {written}\n")
        call = given_to(command)
        assert call.values[option.parameter] == value
        assert [each.name for each in call.configured] == [option.name]


@pytest.mark.parametrize(("option", "command"), PAIRS)
def test_the_command_line_wins(here, option, command):
    written, value = sample_of(option)
    (here / "norn.toml").write_text(f"[{command}]\n{option.name} = {written}\n")
    other: dict[Kind, tuple[list[str], object]] = {
        Kind.FLAG: ([f"--no-{option.name}"], False),
        Kind.COUNT: ([f"{option.flag}=9"], 9),
        Kind.SECONDS: ([f"{option.flag}=9"], 9.0),
        Kind.TEXT: ([option.flag, "other"], "other"),
        Kind.FILE: ([option.flag, "other"], "other"),
        Kind.NAMES: ([f"{option.flag}=memory"], ("memory",)),
        Kind.REPEATED: ([f"{option.flag}=a", f"{option.flag}=b"], ("a", "b")),
    }
    words, wanted = other[option.kind]
    assert given_to(command, *words).values[option.parameter] == wanted != value
    assert given_to(command, "--no-config").values[option.parameter] == option.initial


@pytest.mark.parametrize(("option", "command"), PAIRS)
def test_a_value_of_another_type_is_refused(here, option, command):
    said = refused(f"[{command}]\n{option.name} = {WRONG[option.kind]}\n")
    assert said.startswith(f"{here}/norn.toml: {command}.{option.name}: must be {option.kind.value}, not ")


@pytest.mark.parametrize("option", [each for each in OPTIONS if each.config is Config.NOWHERE])
def test_what_is_for_one_call_only_is_refused(here, option):
    said = refused(f"{option.name} = true\n" if option.name != "replay" else "[svcomp]\nreplay = 'norn1.A'\n")
    if option.hidden:
        assert "has no such option" in said
    else:
        assert said.endswith(f"cannot stand in a file; give {option.flag} on the command line")


# --- which file


def test_the_nearest_file_holds(here, monkeypatch):
    inner = here / "a" / "b"
    inner.mkdir(parents=True)
    (here / "pyproject.toml").write_text("[tool.norn]\nmax-events = 1\n")
    (here / "a" / "pyproject.toml").write_text("[tool.other]\nmax-events = 2\n")
    monkeypatch.chdir(inner)
    assert given_to("check").values["max_events"] == 1
    (here / "norn.toml").write_text("max-events = 3\n")
    assert given_to("check").values["max_events"] == 3
    (here / "a" / "norn.toml").write_text("")
    assert given_to("check").values["max_events"] is None
    assert given_to("check", "--config", "../../norn.toml").values["max_events"] == 3
    assert given_to("check", "--config", "../../pyproject.toml").values["max_events"] == 1


def test_the_table_of_a_command_wins(here):
    (here / "pyproject.toml").write_text("[tool.norn]\nmax-events = 1\n[tool.norn.compare]\nmax-events = 2\n")
    assert given_to("check").values["max_events"] == 1
    assert given_to("compare").values["max_events"] == 2


def test_the_equivalence_of_a_check_is_none_to_compare(here):
    (here / "norn.toml").write_text('equivalence = "auto"\n')
    assert given_to("check").values["equivalence"] == "auto"
    assert given_to("compare").values["equivalences"] == ()
    (here / "norn.toml").write_text('[compare]\nequivalence = ["rf", "maz"]\n')
    assert given_to("compare").values["equivalences"] == ("rf", "maz")


def test_files_and_directories_are_those_beside_the_file(here, monkeypatch):
    (here / "norn.toml").write_text(
        'json = "out.json"\ncflags = "-Iinc -I more -isystem /sys -DX=-Iinc -Wall -L\'a b\'"\n'
    )
    (here / "inner").mkdir()
    monkeypatch.chdir(here / "inner")
    values = given_to("check").values
    assert values["json"] == str(here / "out.json")
    assert values["cflags"] == f"-I{here}/inc -I {here}/more -isystem /sys -DX=-Iinc -Wall '-L{here}/a b'"


# --- what is refused


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("max-event = 3", "max-event: norn has no such option; did you mean max-events?"),
        ("max_events = 3", "max_events: norn has no such option; did you mean max-events?"),
        ("[chekc]\njson = '-'", "chekc: norn has no such option; did you mean check?"),
        ("[compare]\nsed = 3", "compare.sed: norn compare has no such option; there are: equivalence, "),
        ("check = 3", "check: must be a table with options of this command"),
        ("isolate = 'fokr'", "isolate: unknown isolation “fokr”; there are: memory, fork"),
        ("leaks = ['locks', 'hearts']", "leaks: unknown kind of leak “hearts”; there are: memory, "),
        (
            "equivalence = 'rff'",
            "equivalence: unknown equivalence “rff”; there are: reads-value-from (rvf), ",
        ),
        ("[compare]\nequivalence = ['auto']", "compare.equivalence: unknown equivalence to compare “auto”; "),
        ("time-limit = 0", "time-limit: the limit --time-limit must be positive, not 0"),
        ("time-limit = nan", "time-limit: must be a number, not the number nan"),
        ("max-events = true", "max-events: must be a whole number, not true"),
        ("keep-going = 1", "keep-going: must be true or false, not the number 1"),
        ("[tool.norn]\nquiet = true", "tool: in norn.toml options stand at the top, without [tool.norn]"),
        ("max-events = = 3", "not TOML: "),
    ],
)
def test_mistakes_are_named(here, text, said):
    place = f"{here}/norn.toml: "
    assert refused(text).startswith(place + said)


def test_keys_of_pyproject_have_their_full_name(here):
    said = refused("[tool.norn]\nmax-event = 3\n", "pyproject.toml")
    assert said.startswith(f"{here}/pyproject.toml: tool.norn.max-event: ")
    said = refused("[tool.norn.check]\nmax-event = 3\n", "pyproject.toml")
    assert said.startswith(f"{here}/pyproject.toml: tool.norn.check.max-event: ")
    assert "must be a table" in refused("tool.norn = 3\n", "pyproject.toml")


def test_a_file_that_is_asked_for_must_be_there(here):
    with pytest.raises(UsageError, match=r"nowhere\.toml: No such file"):
        given_to("check", "--config", "nowhere.toml")
    (here / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(UsageError, match=r"there is no table \[tool.norn\] in it"):
        given_to("check", "--config", "pyproject.toml")
    with pytest.raises(UsageError, match="contradict"):
        given_to("check", "--config", "pyproject.toml", "--no-config")


def test_a_file_that_somebody_left_for_others_is_not_taken(here, monkeypatch):
    (here / "norn.toml").write_text("max-events = 3\n")
    here.chmod(0o777)
    assert given_to("check").values["max_events"] == 3
    monkeypatch.setattr(os, "getuid", lambda: (here / "norn.toml").stat().st_uid + 1)
    with pytest.raises(UsageError, match="somebody else has put it where everybody can write"):
        config.load()
    assert given_to("check", "--config", "norn.toml").values["max_events"] == 3
    here.chmod(0o755)
    assert given_to("check").values["max_events"] == 3


def test_other_tables_of_pyproject_are_not_read(here):
    (here / "pyproject.toml").write_text("[tool]\nnorm = 3\n")
    assert config.load().file is None


# --- the command that replays


def replay_of(call: Call) -> list[str]:
    return replay_command(call.files, call.settings(), call.configuration)


def test_a_replay_is_told_what_it_would_not_do_by_itself(here):
    call = given_to("check", "--isolate=fork", "--spurious", "--benign-races=a b")
    words = ["--benign-races=a b", "--isolate=fork", "--spurious"]
    assert replay_of(call)[4:] == ["'--benign-races=a b'", *words[1:]]
    (here / "norn.toml").write_text("isolate = 'fork'\nspurious = true\n")
    call = given_to("check")
    assert replay_of(call)[4:] == words[1:], "it may be run elsewhere"
    call = given_to("check", "--isolate=memory", "--no-spurious")
    assert replay_of(call)[4:] == ["--isolate=memory", "--no-spurious"]
    call = given_to("check", "--no-config", "--sample=3", "--max-executions=2")
    assert replay_of(call)[4:] == ["--no-config"]
    call = given_to("svcomp", "--max-events=3", "--config=norn.toml", "--time-limit=3")
    words = svcomp_command(Path("t.yml"), "no-data-race", call.settings(), call.configuration)
    line = "norn svcomp t.yml --property=no-data-race --replay TOKEN --max-events=3 --isolate=fork"
    assert words == [*line.split(), "--config=norn.toml"]


# --- as a user has it


def test_a_check_takes_options_from_a_file(norn, program, tmp_path):
    program(SAFE)
    (tmp_path / "norn.toml").write_text('equivalence = "maz"\ncflags = "-DN=3"\n')
    done = norn("check", "program.c", "--json", "-", cwd=tmp_path)
    assert (json.loads(done.stdout)["equivalence"], json.loads(done.stdout)["executions"]) == (
        "mazurkiewicz",
        6,
    )
    done = norn("check", "program.c", "--json", "-", "-e", "rf", "--no-config", cwd=tmp_path)
    assert (json.loads(done.stdout)["equivalence"], json.loads(done.stdout)["executions"]) == (
        "reads-from",
        2,
    )
    done = norn("check", "program.c", "-v", cwd=tmp_path)
    assert f"from {tmp_path}/norn.toml: equivalence, cflags\n" in done.stderr


def test_a_mistake_ends_the_command(norn, program, tmp_path):
    program(SAFE)
    (tmp_path / "norn.toml").write_text("max-event = 3\n")
    done = norn("check", "program.c", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"norn: {tmp_path}/norn.toml: max-event: norn has no such option")


def test_a_conflict_with_the_file_is_explained(norn, program, tmp_path):
    program(SAFE)
    (tmp_path / "norn.toml").write_text('equivalence = "maz"\n')
    done = norn("check", "program.c", "--sample", "3", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith(f"leave -e out ({tmp_path}/norn.toml has: equivalence)\n")
    assert norn("check", "program.c", "--sample", "3", "-e", "auto", cwd=tmp_path).returncode == 3


def test_the_printed_command_replays_with_a_file_and_without(norn, program, tmp_path):
    program(RACE)
    (tmp_path / "norn.toml").write_text('isolate = "fork"\ncflags = "-DN=3"\n')
    words = replay_words(norn("check", "program.c", cwd=tmp_path).stdout)
    for more in ([], ["--no-config"]):
        again = norn(*words, *more, cwd=tmp_path)
        assert again.returncode == 1, again.stderr
        assert "reproduced: " in again.stdout


def test_doctor_names_the_file(norn, tmp_path):
    (tmp_path / "norn.toml").write_text("quiet = true\n")
    assert f"{tmp_path}/norn.toml" in norn("doctor", cwd=tmp_path).stdout
    (tmp_path / "norn.toml").write_text("quite = true\n")
    done = norn("doctor", cwd=tmp_path)
    assert done.returncode == 2
    assert re.search(r"^wrong +configuration ", done.stdout, re.MULTILINE)
    assert "did you mean quiet?" in done.stdout


def test_functions_do_not_read_files(here, program):
    import norn as package

    (here / "norn.toml").write_text('equivalence = "maz"\n')
    assert package.check(program(SAFE), equivalence="rf").equivalence == "reads-from"
    assert package.check(program(SAFE)).choice is not None


def test_options_outside_of_their_command_are_none(here):
    (here / "norn.toml").write_text("chart = true\n")
    assert "chart" not in given_to("check").values
    assert all(option.name != "chart" for option in options_of("check"))
