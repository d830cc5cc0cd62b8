"""Every example has the verdict that its first line claims, `// norn: verified` or `// norn: failed KIND`."""

import json
import re

import pytest

from norn.model import EQUIVALENCES
from tests.conftest import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.c*"))
# These explore each class exactly once.
WITHOUT_REDUNDANT = ("mazurkiewicz", "reads-from")
CLAIM = re.compile(r"^// norn: (?:(verified)|failed ([a-z-]+))$", re.MULTILINE)


def test_there_are_examples_of_both_kinds():
    claims = [CLAIM.search(path.read_text()) for path in EXAMPLES]
    assert all(claims), [path.name for path, claim in zip(EXAMPLES, claims, strict=True) if not claim]
    assert len({bool(claim and claim.group(1)) for claim in claims}) == 2


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("equivalence", EQUIVALENCES)
def test_example(equivalence, path, norn):
    claim = CLAIM.search(path.read_text())
    assert claim is not None
    done = norn("check", path.relative_to(ROOT), "-e", equivalence, "--json", "-")
    assert done.returncode in (0, 1), done.stderr
    value = json.loads(done.stdout)
    if claim.group(1):
        assert (value["verdict"], done.returncode) == ("verified", 0), value
        assert value["redundant"] == 0 or equivalence not in WITHOUT_REDUNDANT
    else:
        assert (value["verdict"], done.returncode) == ("failed", 1), value
        (finding,) = value["findings"]
        assert finding["kind"] == claim.group(2)
        assert finding["confirmed"], finding
        assert finding["location"].startswith(f"examples/{path.name}:")
