"""docs/support.md says what the code does."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

SCRIPT = ROOT / "tools" / "support_matrix.py"
PAGE = ROOT / "docs" / "support.md"


def rows_with(function: str) -> list[list[str]]:
    by_header, _, _ = PAGE.read_text().partition("## How they use memory")
    rows = [line.strip("|").split(" | ") for line in by_header.splitlines() if f"`{function}`" in line]
    return [[cell.strip() for cell in row] for row in rows]


def test_the_page_is_up_to_date():
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_functions_are_where_they_belong():
    ((how, what, _),) = rows_with("pthread_mutex_lock")
    assert how == "modelled" and "mutex.cpp" in what
    ((how, what, _),) = rows_with("malloc")
    assert how == "modelled" and "heap.cpp" in what
    ((how, what, _),) = rows_with("fork")
    assert (how, what) == ("refused", "processes are not modelled")
    ((how, what, _),) = rows_with("sscanf")
    assert (how, what) == ("passed through", "touches memory that norn does not see")


def test_every_modelled_function_names_its_source():
    modelled = [line for line in PAGE.read_text().splitlines() if line.startswith("| modelled |")]
    assert modelled
    assert all(".cpp](../engine/" in line for line in modelled)


def test_no_function_is_without_a_header():
    _, _, others = PAGE.read_text().partition("## others")
    assert not others, "add these to HEADERS of tools/support_matrix.py"
