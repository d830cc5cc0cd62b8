"""`norn demo`: the tour runs anywhere, runs real commands, and can be left at any time."""

from __future__ import annotations

import os
import re
import shlex
import shutil

import pytest

from norn.tour import TOUR
from tests.conftest import ROOT, norn_command
from tests.terminal import Terminal

ASKED_TO_RUN = "[Enter: run it; q: leave]"
ASKED_TO_GO_ON = "[Enter: the next stop; q: leave]"


def test_the_tour_runs_through_where_nobody_looks(norn, tmp_path):
    done = norn("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Enter:" not in done.stdout
    assert "failed: assertion `balance == 130` failed in main" in done.stdout
    assert "verified: every one of 2 interleaving classes" in done.stdout
    assert "A cycle: " in done.stdout
    assert re.search(r"^reads-value-from +2 ", done.stdout, re.MULTILINE)
    assert re.search(r"^mazurkiewicz +720 ", done.stdout, re.MULTILINE)
    assert "norn check yours.c" in done.stdout
    assert not any(line.endswith(" ") for line in done.stdout.split("\n"))
    for stop in TOUR:
        assert (tmp_path / "norn-demo" / stop.example).read_text() == (
            ROOT / "examples" / stop.example
        ).read_text()


def test_the_commands_that_are_shown_can_be_typed(norn, tmp_path):
    """Also where a configuration would change what they show."""
    (tmp_path / "norn.toml").write_text("quiet = true\n")
    tour = norn("demo", "--directory", "of mine", cwd=tmp_path)
    assert tour.returncode == 0 and "How it happens" in tour.stdout
    commands = re.findall(r"^\$ norn (.*)$", tour.stdout, re.MULTILINE)
    assert len(commands) == len(TOUR)
    for command, stop in zip(commands, TOUR, strict=True):
        assert norn(*shlex.split(command), cwd=tmp_path).returncode == stop.expected


def test_a_person_is_waited_for(tmp_path):
    with Terminal(norn_command("demo"), tmp_path) as terminal:
        for number in range(1, len(TOUR) + 1):
            terminal.until(ASKED_TO_RUN, number)
            if number == 1:
                assert "failed:" not in terminal.shown
            terminal.type("\n")
            if number < len(TOUR):
                terminal.until(ASKED_TO_GO_ON, number)
                terminal.type("\n")
        assert terminal.end() == 0
        assert "What next" in terminal.shown
        assert "\x1b[" in terminal.raw


@pytest.mark.parametrize(("typed", "code"), [("q\n", 0), ("\x04", 0), ("\x03", 130)])
def test_a_person_can_leave(typed, code, tmp_path):
    """By q, by the end of the input, by Ctrl-C."""
    with Terminal(norn_command("demo"), tmp_path, {"NO_COLOR": "1"}) as terminal:
        terminal.until(ASKED_TO_RUN)
        terminal.type(typed)
        assert terminal.end() == code
        assert "failed:" not in terminal.shown
        assert "Traceback" not in terminal.shown
        assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", terminal.raw)


def test_no_pause_on_a_terminal(tmp_path):
    with Terminal(norn_command("demo", "--no-pause"), tmp_path) as terminal:
        assert terminal.end() == 0
        assert "Enter:" not in terminal.shown and "What next" in terminal.shown


def test_what_a_person_has_changed_is_not_written_over(norn, tmp_path):
    mine = tmp_path / "norn-demo" / "lost_update.c"
    mine.parent.mkdir()
    mine.write_text("int main(void) { return 0; }\n")
    done = norn("demo", cwd=tmp_path)
    assert done.returncode == 2
    assert "norn: norn-demo/lost_update.c is there already" in done.stderr and "--directory" in done.stderr
    assert mine.read_text() == "int main(void) { return 0; }\n"


def test_where_nothing_can_be_written(norn, tmp_path):
    done = norn("demo", "--directory", "/dev/null/demo", cwd=tmp_path)
    assert done.returncode == 2
    assert "norn: /dev/null/demo: Not a directory; --directory DIRECTORY" in done.stderr


def test_a_machine_that_lacks_something(norn, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gcc").symlink_to(shutil.which("gcc"))
    done = norn("demo", cwd=tmp_path, env=os.environ | {"PATH": str(tmp_path / "bin")})
    assert done.returncode == 2
    assert "apt install binutils" in done.stdout
    assert not (tmp_path / "norn-demo").exists()


def test_a_stop_that_goes_otherwise_than_the_tour_says(tmp_path):
    with Terminal(norn_command("demo"), tmp_path) as terminal:
        terminal.until(ASKED_TO_RUN)
        (tmp_path / "norn-demo" / "lost_update.c").write_text("int main(void) { return 0; }\n")
        terminal.type("\n")
        assert terminal.end() == 1
        assert "exit code 1, not 0" in terminal.shown
