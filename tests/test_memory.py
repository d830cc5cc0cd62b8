"""Exploring more executions must not need more memory."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from norn.build import build
from norn.build.options import sort_options
from tests.conftest import ROOT


def explored(name: str, size: int, options: str) -> dict[str, Any]:
    """The result message, with the peak memory of the checked process alone.

    It is started by a shell: Linux counts the memory of whoever called exec into the peak, and Python's is
    larger than what is measured here.
    """
    source = ROOT / "benchmarks" / "programs" / f"{name}.c"
    program = build([source], sort_options([f"-DN={size}"]))
    line = f"NORN_FD=3 NORN_OPTIONS='mode=check;{options}' {program.executable} 3>&1"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout.strip().split("\n")[-1])
    return result


def assert_no_more_memory(few: dict[str, Any], many: dict[str, Any]) -> None:
    told = [f"{each['peak_rss_kb']} KB for {each['executions']:,} executions" for each in (few, many)]
    assert many["executions"] >= 10 * few["executions"], told
    assert many["peak_rss_kb"] <= few["peak_rss_kb"] * 1.1, told


@pytest.mark.parametrize("equivalence", ["reads-from", "mazurkiewicz"])
def test_ten_times_the_executions_need_no_more_memory(equivalence):
    few, many = (
        explored("lastzero", 13, f"equivalence={equivalence};max_executions={most}")
        for most in (3_000, 30_000)
    )
    assert_no_more_memory(few, many)


def test_ten_times_the_classes_need_no_more_memory():
    small, large = (explored("fib-bench", size, "equivalence=reads-from") for size in (4, 5))
    assert small["complete"]
    assert large["complete"]
    assert_no_more_memory(small, large)
