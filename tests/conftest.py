"""Shared by all tests: a cache of their own, and a way to run the command line as a user does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import norn as package

ROOT = Path(__file__).resolve().parent.parent

# For tests that count: the default chooses an equivalence as time goes.
check = partial(package.check, equivalence="reads-from")

# Some tests interrupt what they have started. In a job that a shell has put into the background interrupts
# are ignored, and whatever it starts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests must neither use nor fill the user's cache, nor depend on the user's choice of compiler."""
    os.environ["NORN_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    for variable in ("CC", "CXX"):
        os.environ.pop(variable, None)


def norn_command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "norn", *map(str, arguments)]


@pytest.fixture
def norn() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command line and returns what it printed."""

    def run(*arguments: str | Path, **settings: object) -> subprocess.CompletedProcess[str]:
        given = {"cwd": ROOT, "capture_output": True, "text": True, "timeout": 300, **settings}
        return subprocess.run(norn_command(*arguments), check=False, **given)

    return run


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., Path]:
    """Writes a source file and returns its path."""

    def write(text: str, name: str = "program.c") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write
