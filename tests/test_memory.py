"""Exploring more executions of one program must not need more memory."""

from __future__ import annotations

import json
import subprocess

from norn.build import build
from norn.build.options import sort_options
from tests.conftest import ROOT


def peak_kb(executions: int) -> int:
    """Peak memory of the checked process alone.

    It is started by a shell: Linux counts the memory of whoever called exec into the peak, and Python's is
    larger than what is measured here.
    """
    source = ROOT / "benchmarks" / "programs" / "lastzero.c"
    program = build([source], sort_options(["-DN=13"]))
    options = f"mode=check;max_executions={executions}"
    line = f"NORN_FD=3 NORN_OPTIONS='{options}' {program.executable} 3>&1"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)
    result = json.loads(done.stdout.strip().split("\n")[-1])
    assert result["executions"] == executions
    return int(result["peak_rss_kb"])


def test_ten_times_the_executions_need_no_more_memory():
    few, many = peak_kb(3_000), peak_kb(30_000)
    assert many <= few * 1.1, f"{few} KB for 3,000 executions, {many} KB for 30,000"
