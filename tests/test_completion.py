"""Completion by the shell: in a real bash that a person types into, and what other shells are told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.conftest import norn_command
from tests.terminal import Terminal

SHELL = [shutil.which("bash") or "bash", "--norc", "--noprofile", "-i"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A directory with some files, and a `norn` to be found on PATH."""
    directory = tmp_path_factory.mktemp("home")
    for name in ("alpha.c", "beta.c"):
        (directory / name).touch()
    (directory / "norn").write_text(f'#!/bin/sh\nexec {sys.executable} -m norn "$@"\n')
    (directory / "norn").chmod(0o755)
    return directory


@pytest.fixture(scope="module")
def bash(home):
    environment = {"PATH": f"{home}:{os.environ['PATH']}", "PS1": "ready> ", "HOME": str(home)}
    with Terminal(SHELL, home, environment) as terminal:
        terminal.until("ready> ")
        terminal.type("eval \"$(norn --show-completion bash)\"; echo has''been''read\n")
        terminal.until("hasbeenread")
        yield terminal


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("norn ch", "norn check "),
        ("norn dem", "norn demo "),
        ("norn check --eq", "norn check --equivalence "),
        ("norn check -e reads-v", "norn check -e reads-value-from "),
        ("norn check al", "norn check alpha.c "),
        ("norn check --html be", "norn check --html beta.c "),
        ("norn check --isolate=f", "norn check --isolate=fork "),
        ("norn check --leaks=memory,th", "norn check --leaks=memory,threads "),
        ("norn check --leaks al", "norn check --leaks alpha.c "),
        ("norn check -DN=2 -std=c11 -e auto be", "norn check -DN=2 -std=c11 -e auto beta.c "),
    ],
)
def test_tab_in_bash(bash, typed, completed):
    bash.raw = ""
    bash.type(f"{typed}\t")
    bash.until(completed)
    bash.type("\x15")  # takes the line away


def test_all_values_are_offered_in_bash(bash):
    bash.raw = ""
    bash.type("norn check -e \t\t")
    for name in ("reads-value-from", "reads-from", "observation", "mazurkiewicz", "auto"):
        bash.until(name)
    bash.type("\x15")


def told(shell, home, words, number):
    """What the script of a shell is answered. number: of the word at the cursor; of fish: the word itself."""
    asked = {"_NORN_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": number}
    return subprocess.run(
        norn_command(), env=os.environ | asked, cwd=home, capture_output=True, text=True, check=True
    ).stdout


def test_other_shells_complete_whole_words(home):
    """They take `--isolate=f` for one word; what they are told must have all of it."""
    assert told("zsh", home, "norn check --isolate=f", "2").split("\n")[1] == "--isolate=fork"
    assert told("fish", home, "norn check --isolate=f", "--isolate=f") == "plain,--isolate=fork\n"
    assert "Only the verdict" in told("zsh", home, "norn check --qui", "2")


def test_fish_keeps_commas(norn):
    assert 'string split --max 1 ","' in norn("--show-completion", "fish").stdout
