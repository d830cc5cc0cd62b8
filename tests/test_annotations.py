"""Workflow commands of GitHub Actions: levels, places, and nothing that a program can add."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from norn.model import Finding, Result, ThreadState, Verdict
from norn.report.github import github_of
from norn.report.run_context import RunContext
from tests.written import CASES, written

_COMMAND = re.compile(r"::(?P<name>[a-z-]+) (?P<properties>[^:]*)::(?P<text>.*)")


def unescaped(text: str, of_property: bool) -> str:
    for letter, code in ((":", "%3A"), (",", "%2C")) if of_property else ():
        text = text.replace(code, letter)
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def commands_in(text: str) -> list[tuple[str, dict[str, str], str]]:
    """As the runner reads them: lines that begin with two colons, whatever space is before these."""
    found = []
    for line in text.split("\n"):
        if line.lstrip().startswith("::"):
            command = _COMMAND.fullmatch(line)
            assert command is not None, line
            pairs = [pair.split("=", 1) for pair in command["properties"].split(",")]
            properties = {key: unescaped(value, of_property=True) for key, value in pairs}
            found.append((command["name"], properties, unescaped(command["text"], of_property=False)))
        else:
            assert "##[" not in line
    return found


LEVELS = {
    "failed": ["error", "warning"],
    "deadlock": ["error"],
    "verified": [],
    "incomplete": ["notice"],
    "cannot-check": ["error"],
    "race-failed": ["error"],
    "race-warned": ["warning"],
}


@pytest.mark.parametrize("case", CASES)
def test_levels(case):
    commands = commands_in(written(case).texts["github"])
    names = [name for name, properties, _ in commands if properties["title"] != "norn: warning"]
    if case in LEVELS:
        assert list(dict.fromkeys(names)) == LEVELS[case]
    else:
        assert names[0] == "error"


def test_an_error_is_at_its_line_and_tells_the_story():
    name, properties, text = commands_in(written("failed").texts["github"])[0]
    assert name == "error"
    assert properties["file"] == "examples/lost_update.c"
    assert properties["line"] == "24"
    lines = text.split("\n")
    assert "balance == 130" in lines[0]
    assert lines.index("T1 deposit: read balance = 100  (examples/lost_update.c:14)") < len(lines) - 1
    assert lines[-1].startswith("See it again: norn replay norn1.")


def test_names_of_files_come_back_as_they_are():
    done = written("names")
    _, properties, _ = commands_in(done.texts["github"])[0]
    assert done.directory / "program" / properties["file"] == done.file


def test_a_program_cannot_give_commands():
    text = written("hostile").texts["github"]
    commands = commands_in(text)
    assert all(properties["title"].startswith("norn: ") for _, properties, _ in commands)
    assert not any(properties.get("file") in ("x", "y") for _, properties, _ in commands)
    assert any("::error file=x::owned" in said for _, _, said in commands)  # as text, and only so


@pytest.mark.parametrize("text", ["%", "%0A", "\r\n", "::", ",", "a,b:c%25", "\n::error::x", "##[error]x"])
def test_escapes(text):
    finding = Finding(f"kind{text}", f"message{text}", 0, f"file{text}.c:3", (), f"token{text}")
    result = Result(Verdict.FAILED, "reads-from", findings=(finding,), problems=(text,), warnings=(text,))
    run = RunContext((Path("a.c"),), directory=Path("/p"), root=Path("/p"), replay_command=("norn", "TOKEN"))
    commands = commands_in(github_of(result, run))
    assert [name for name, _, _ in commands] == ["error", "notice", "notice"]
    _, properties, said = commands[0]
    assert properties["line"] == "3"
    assert set(properties) == {"file", "line", "title"}
    assert said.split("\n")[0].startswith("kind")


@pytest.mark.parametrize(
    ("threads", "title"), [(1, "A thread waits for ever"), (2, "Threads wait for each other")]
)
def test_the_title_counts_who_waits(threads, title):
    waiting = tuple(ThreadState(each, f"T{each}", "waiting", "", None, ()) for each in range(threads))
    finding = Finding("deadlock", "waits for ever", 0, "a.c:1", waiting, "norn1.AAAA", None)
    result = Result(Verdict.FAILED, "reads-from", findings=(finding,))
    (command, *_) = commands_in(github_of(result, RunContext((Path("a.c"),))))
    assert command[1]["title"].startswith(f"norn: {title}")
