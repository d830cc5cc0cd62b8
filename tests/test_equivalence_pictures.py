"""The pictures of docs/equivalences.md: of the explorers and the oracle, with the counts of programs in C."""

import re
import subprocess
import sys

import pytest

import norn
from tests.conftest import ROOT

SCRIPT = ROOT / "tools" / "equivalence_pictures.py"


def test_they_are_up_to_date():
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("picture", "program", "flags"),
    [("write-read", "monabsex1", ["-DN=2"]), ("last-write", "lastwrite", ["-DN=3"])],
)
def test_the_programs_beside_them_have_as_many_classes(picture, program, flags):
    text = (ROOT / "docs" / "pictures" / f"equivalences-{picture}.svg").read_text()
    drawn = {name: int(count) for name, count in re.findall(r">([a-z-]+): (\d+) class", text)}
    compared = norn.compare(ROOT / "benchmarks" / "programs" / f"{program}.c", flags=flags)
    assert drawn == {result.equivalence: result.executions for result in compared.results}
