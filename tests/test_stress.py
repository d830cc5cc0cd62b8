"""benchmarks/stress.py: which runs count as failed, and the table that it prints."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT

BENCHMARKS = ROOT / "benchmarks"
BUSY = "import time; end = time.monotonic() + 0.6\nwhile time.monotonic() < end: pass"


@pytest.fixture
def stress(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import stress

    return stress


@pytest.mark.parametrize(
    ("command", "expected"),
    [(["true"], False), ([sys.executable, "-c", BUSY], False), (["sleep", "1000"], True)],
    ids=["ends", "runs", "sleeps"],
)
def test_only_what_sleeps_hangs(stress, command, expected):
    with subprocess.Popen(command) as process:
        assert stress.hangs(process) is expected
        process.kill()


def test_failures_and_reports_are_counted(stress, tmp_path):
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho 'WARNING: ThreadSanitizer: data race (pid=1)' >&2\nexit 1\n")
    program.chmod(0o755)
    done = stress.run_often(program, 3, 60)
    assert (done.outcome, dict(done.reports)) == ("3 of 3", {"data race": 3})


def test_every_failing_example_that_runs_alone_is_in_the_page(stress):
    page = (ROOT / "docs" / "comparison.md").read_text()
    names = [path.stem for path in stress.failing_examples([])]
    assert names
    assert set(names) <= set(re.findall(r"^\| (\w+) \|", page, re.MULTILINE))
