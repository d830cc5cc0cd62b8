"""Runs a tool (compiler, objcopy, ar) to its end. What it says goes into the error."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from norn.errors import BuildError


def run(command: Sequence[str], failure: str, text: bytes | None = None) -> str:
    """Returns what the tool printed. text: what it finds on its standard input, if anything."""
    try:
        done = subprocess.run(command, capture_output=True, check=False, input=text or b"")
    except OSError as problem:
        raise BuildError(f"{failure}: {command[0]}: {problem.strerror}") from problem
    said = str(done.stderr, "utf-8", "replace")
    if done.returncode < 0:
        raise BuildError(f"{failure}: {command[0]} was killed by signal {-done.returncode}", said)
    if done.returncode != 0:
        raise BuildError(failure, said)
    return str(done.stdout, "utf-8", "replace")


def diagnostics(command: Sequence[str]) -> str:
    """What a compiler says about a source, in English, whether it accepts it or not."""
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(
        command, capture_output=True, check=False, stdin=subprocess.DEVNULL, env=environment
    )
    return str(done.stderr, "utf-8", "replace")
