"""What a terminal gets: colours only where they are wanted, and lines that do not run into each other."""

from __future__ import annotations

import io
import os

import pytest
from rich.console import Console

from norn.commands import doctor
from norn.doctor import Check
from norn.report.progress import ProgressLine
from tests.conftest import ROOT, norn_command
from tests.terminal import Terminal

FAILING = ROOT / "examples" / "lost_update.c"


def shown_by(**environment):
    with Terminal(norn_command("check", FAILING), ROOT, environment) as terminal:
        assert terminal.end() == 1
    assert "failed: assertion" in terminal.shown
    return terminal


def test_no_sequences_for_a_terminal_that_has_none():
    assert "\x1b" not in shown_by(TERM="dumb").raw


def test_no_colours_if_none_are_wanted():
    assert "\x1b[1;31m" in shown_by().raw
    assert "\x1b[1;31m" not in shown_by(NO_COLOR="1").raw


@pytest.mark.parametrize(
    ("kind", "wanted", "broken"), [("xterm", True, False), ("xterm", False, True), ("dumb", True, True)]
)
def test_the_result_does_not_begin_behind_the_interrupt(kind, wanted, broken):
    """A terminal shows ^C. The live line covers it; where there is none, the line is ended."""
    page = io.StringIO()
    console = Console(file=page, force_terminal=True, width=80, _environ={"TERM": kind})
    with ProgressLine(console, wanted) as line:
        page.seek(0)
        page.truncate()
        line.stopping()
        assert page.getvalue().startswith("\n") is broken


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_letters_that_the_terminal_does_not_have(norn, encoding):
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = norn("check", FAILING, env=environment, encoding=encoding)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "balance: 100 > 120" in done.stdout
    assert "See it again" in done.stdout


def test_messages_are_wrapped_between_words(tmp_path):
    """In files they are one line each."""
    name = tmp_path / ("-".join(["long"] * 12) + ".txt")
    name.write_text("")
    with Terminal(norn_command("check", name), ROOT, columns=60) as terminal:
        assert terminal.end() == 2
    lines = [line.rstrip() for line in terminal.shown.split("\n")]
    assert all(len(line) <= 60 or str(name) in line for line in lines)
    assert any(line.startswith("      ") for line in lines)
    assert "preprocessed .i .ii), nor a program" in " ".join(terminal.shown.split())


def test_what_the_doctor_found_is_wrapped_between_words():
    page = io.StringIO()
    console = Console(file=page, force_terminal=True, width=50, color_system=None)
    doctor._show([Check("engine", True, "a place with many words in its name, all of them whole")], console)
    first, second, *_ = page.getvalue().split("\n")
    assert first == "ok       engine  a place with many words in its"
    assert second.strip() == "name, all of them whole" and second.startswith("                 ")
