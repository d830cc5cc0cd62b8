"""Every example has the verdict that its first line claims, `// norn: verified` or `// norn: failed KIND`."""

import json

import pytest

from norn.model import EQUIVALENCES
from tests.conftest import ROOT
from tests.expectation import read_expectation

EXAMPLES = sorted((ROOT / "examples").glob("*.c*"))
# These explore each class exactly once.
WITHOUT_REDUNDANT = ("mazurkiewicz", "reads-from")


def test_there_are_examples_of_both_kinds():
    assert {read_expectation(path).verdict for path in EXAMPLES} == {"verified", "failed"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("equivalence", EQUIVALENCES)
def test_example(equivalence, path, norn):
    expected = read_expectation(path)
    done = norn("check", path.relative_to(ROOT), "-e", equivalence, "--json", "-")
    assert done.returncode in (0, 1), done.stderr
    value = json.loads(done.stdout)
    if expected.verdict == "verified":
        assert (value["verdict"], done.returncode) == ("verified", 0), value
        assert value["redundant"] == 0 or equivalence not in WITHOUT_REDUNDANT
    else:
        assert (value["verdict"], done.returncode) == ("failed", 1), value
        (finding,) = value["findings"]
        assert finding["kind"] == expected.subject
        assert finding["confirmed"], finding
        assert finding["location"].startswith(f"examples/{path.name}:")
