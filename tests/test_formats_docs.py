"""Every command in docs/formats.md is run, those of the CI configurations too."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from norn.report.formats import FORMATS
from tests.conftest import ROOT, norn_command

TEXT = (ROOT / "docs" / "formats.md").read_text()


def commands() -> Iterator[str]:
    for language, block in re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL):
        if language == "sh":
            yield from block.strip().split("\n")
        elif language == "yaml":
            yield from scripts_in(yaml.safe_load(block))


def scripts_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "run":
                yield item
            elif key == "script":
                yield from item
            else:
                yield from scripts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from scripts_in(item)


COMMANDS = list(dict.fromkeys(commands()))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(ROOT / "examples" / "lost_update.c", folder / "program.c")
    for file in ("properties", "counter_racy.c"):
        source = ROOT / "tests" / "svcomp" / file
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / file)
    shutil.copy(ROOT / "tests" / "svcomp" / "counter_racy.yml", folder / "task.yml")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command, place):
    words = shlex.split(command)
    if words[0] == "pip":
        pytest.skip("installs norn, which is installed")
    if words[0] == "dot" and shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed")
    if words[0] == "dot" and not (place / words[2]).exists():
        subprocess.run(norn_command("check", "program.c", "--dot", words[2]), cwd=place, check=False)
    ran = norn_command(*words[1:]) if words[0] == "norn" else words
    done = subprocess.run(ran, cwd=place, capture_output=True, text=True, check=False)
    expected = 1 if words[:2] == ["norn", "check"] else 0
    assert done.returncode == expected, done.stderr
    for before, after in pairwise(words):
        if before in ("--sarif", "--junit", "--json", "--witness", "--dot", "--output", "-o"):
            assert (place / after).stat().st_size > 0


def test_there_are_commands_and_every_format_is_described():
    assert len(COMMANDS) >= 9
    for name in FORMATS:
        assert f"| `{name}` |" in TEXT
    for service in ("upload-sarif", "junit: norn.xml"):
        assert service in TEXT
