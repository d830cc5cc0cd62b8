"""docs/options.md and the manual page are those of the table."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from norn.options.commands import COMMANDS
from norn.options.table import OPTIONS
from tests.conftest import ROOT

SCRIPT = ROOT / "tools" / "options_page.py"
PAGE = ROOT / "docs" / "options.md"
MANUAL = ROOT / "docs" / "norn.1"


def test_they_are_up_to_date():
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_link_leads_somewhere():
    text = PAGE.read_text()
    assert set(re.findall(r"\(#([\w-]+)\)", text)) <= set(re.findall(r'<a id="([\w-]+)">', text))
    for target in re.findall(r"\]\(([\w./-]+)\)", text):
        assert (PAGE.parent / target).is_file(), target


def test_every_row_has_four_cells():
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("|")]
    assert rows
    assert {len(re.split(r"(?<!\\)\|", row)) for row in rows} == {6}


def test_the_example_is_a_configuration_that_holds(tmp_path, monkeypatch):
    from norn.options import config

    monkeypatch.chdir(tmp_path)
    for name, text in re.findall(r"```toml\n# (\S+)\n(.*?)```", PAGE.read_text(), re.DOTALL):
        (tmp_path / name).write_text(text)
        assert config.load(name).of("check")["time_limit"] == 60


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_manual_page_has_every_command_and_option():
    done = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", "-P-c", "-rLL=80n", MANUAL],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    text = re.sub(r".\x08", "", done.stdout)  # bold is printed twice
    assert max(map(len, text.splitlines())) <= 80
    for option in OPTIONS:
        assert option.hidden or option.label in text
    assert all(f"norn {command.name}" in text for command in COMMANDS)
