"""docs/api.md is what the package says of itself, and leaves nothing out."""

from __future__ import annotations

import re
import subprocess
import sys

import norn
from norn.model import Finding, Result, Step
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "api.md").read_text()


def test_it_is_up_to_date():
    script = ROOT / "tools" / "api_page.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_it_has_everything_that_the_package_exports():
    for name in norn.__all__:
        if not name.startswith("_"):
            assert re.search(rf"^### (norn\.)?{name}$|`norn\.{name}`", PAGE, re.MULTILINE), name


def test_every_row_says_something():
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert len(rows) > 150
    assert not [row for row in rows if re.search(r"\|\s*\.?\s*\|$", row)]
    assert {len(re.split(r"(?<!\\)\|", row)) for row in rows} <= {4, 5, 6}


def test_a_result_leads_to_the_steps_of_its_failure(monkeypatch):
    monkeypatch.chdir(ROOT)
    result = norn.check("examples/lost_update.c", equivalence="rf")
    assert isinstance(result, Result) and result.verdict == "failed"
    finding = result.findings[0]
    assert isinstance(finding, Finding) and finding.trace is not None
    last = finding.trace.steps[-1]
    assert isinstance(last, Step) and last.place == finding.location
    assert str(finding.trace).splitlines()[-1].split()[:3] == [str(last.number), "read", "balance"]
