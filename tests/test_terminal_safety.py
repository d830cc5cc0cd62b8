"""Text of the checked program cannot drive the terminal, nor break the files that are made of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from norn.report.words import printable, printable_lines
from tests.conftest import norn_command
from tests.terminal import Terminal

# Changes the title, colours and the position of the cursor: in comments and an assertion.
EVIL = "\x1b]0;owned\x07\x1b[31m\x9b2J\x08\x7f"
HOSTILE = """#include <assert.h>
#include <pthread.h>
int value;
static void *worker(void *unused) { (void)unused; value = value + 1; /*\tEVIL */ return 0; }
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(other, 0); /* EVIL */
    assert(value == 2 && "EVIL");
    return 0;
}
"""


def controls(text):
    """Those a terminal acts upon; C1 ones too."""
    return {letter for letter in text if (letter < " " and letter not in "\n") or "\x7f" <= letter < "\xa0"}


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / "hos\x1b[35mtile.c"
    path.write_text(HOSTILE.replace("EVIL", EVIL))
    return path


@pytest.mark.parametrize("more", [[], ["-v"]])
def test_no_control_characters_in_what_is_shown(norn, hostile, more):
    done = norn("check", hostile, *more, encoding="utf-8")
    assert done.returncode == 1
    assert "␛[31m" in done.stdout
    assert not controls(done.stdout) and not controls(done.stderr)


def test_no_control_characters_in_other_formats(norn, hostile, tmp_path):
    files = {name: tmp_path / name for name in ("json", "sarif", "junit", "witness", "dot")}
    options = [f"--{name}={file}" for name, file in files.items()]
    done = norn("check", hostile, "--format=github", *options, encoding="utf-8")
    assert done.returncode == 1
    assert not controls(done.stdout) and not controls(done.stderr)
    for name, file in files.items():
        assert not controls(file.read_text()), name
    ElementTree.parse(files["junit"])


@pytest.mark.parametrize("command", ["compare", "topology"])
def test_nor_from_other_commands(norn, hostile, command):
    done = norn(command, hostile, encoding="utf-8")
    assert not controls(done.stdout) and not controls(done.stderr)


def test_nor_in_messages_about_wrong_input(norn, tmp_path):
    evil = tmp_path / "\x1b[31mnowhere.c"
    broken = tmp_path / "broken.c"
    broken.write_text(f'#error "{EVIL}"\n')
    for words in (["check", evil], ["check", broken], ["check", "--\x1b[31m"], ["\x1b[31m"]):
        done = norn(*words, encoding="utf-8")
        assert done.returncode == 2
        assert not controls(done.stderr), done.stderr


def test_a_terminal_gets_norns_own_sequences_only(hostile):
    with Terminal(norn_command("check", hostile.name), hostile.parent) as terminal:
        assert terminal.end() == 1
    assert "owned" in terminal.raw and "\x1b]" not in terminal.raw
    assert "\x1b[1;31m" in terminal.raw  # the verdict is in colour all the same


def test_pictures_of_control_characters():
    assert printable("a\x1bb\x00c\x7fd\u202ee\tf\n") == "a␛b␀c␡d�e f␊"
    assert printable_lines("a\tb\n\x1b") == "a       b\n␛"


def test_help_on_a_full_disk():
    for words in (["--help"], ["check", "--help"], ["--version"], ["doctor"], ["--show-completion=bash"]):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                norn_command(*words), stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert done.returncode == 2, words
        assert done.stderr == "norn: standard output: No space left on device\n"


def test_a_reader_of_the_help_that_has_gone():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        norn_command("check", "--help"), stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")
