"""What continuous integration runs: it installs what tests would else be skipped for, where it may."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from tests.conftest import ROOT


@pytest.fixture
def run_ci(tmp_path):
    """With a few tools only, an apt-get that has no gdb, and a make that just says so."""
    log = tmp_path / "log"
    scripts = {
        "id": 'echo "$USER_ID"',
        "make": f'echo "make $*" >> {log}',
        "apt-get": f'echo "apt-get $*" >> {log}; case "$*" in *gdb*|*update*) exit 100;; esac',
        "timeout": 'shift; exec "$@"',
        "chromium": "exit 0",
    }
    for name, script in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "dirname").symlink_to(shutil.which("dirname"))

    def run(**environment):
        whole = {"PATH": str(tmp_path), **environment}
        bash = shutil.which("bash")
        done = subprocess.run(
            [bash, ROOT / ".ci" / "run"], env=whole, capture_output=True, text=True, check=False
        )
        return done, log.read_text().splitlines()

    return run


def test_what_is_missing_is_installed_and_what_is_not_there_is_told(run_ci):
    done, log = run_ci(CI="true", USER_ID="0")
    assert done.returncode == 0, done.stderr
    assert log[0] == "apt-get update -qq" and log[-2:] == ["make lint", "make test"]
    assert [line.split()[-1] for line in log[1:-2]] == ["gdb", "clang", "graphviz", "groff-base"]
    assert "gdb could not be installed: the tests that need it are skipped" in done.stdout


@pytest.mark.parametrize("where", [{"USER_ID": "0"}, {"CI": "true", "USER_ID": str(os.getuid() or 1000)}])
def test_nothing_is_installed_elsewhere(run_ci, where):
    assert run_ci(**where)[1] == ["make lint", "make test"]
