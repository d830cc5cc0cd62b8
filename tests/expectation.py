"""What a program of `examples` or `tests/programs` says of itself, for the tests that hold it to that.

First line: `// norn: verified`, `// norn: failed KIND` or `// norn: cannot check FUNCTION`. After it may come
`// options: --spurious -std=gnu++20`, what the program is to be checked with (see `_KEYWORDS`), and
`// classes: maz=3 rf=3`, the exact numbers by short name of the equivalence. A line that ends with
`// found here` is the only place for the finding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from norn.model import EQUIVALENCES

_VERDICT = re.compile(r"// norn: (?:(verified)|(failed) ([a-z-]+)|(cannot check) (\S+))")
_OPTIONS = re.compile(r"// options:((?: -\S+)+)")
_CLASSES = re.compile(r"// classes:((?: [a-z]+=[0-9]+)+)")
# Options of norn that programs may ask for: keywords of `norn.check`, and the equivalences that have them.
_KEYWORDS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "--spurious": ({"spurious": True}, tuple(EQUIVALENCES)),
    "--races=error": ({"races": "error"}, ("reads-from", "observation", "mazurkiewicz")),
    "--leaks=memory": ({"leaks": ("memory",)}, ("mazurkiewicz",)),
    "--preemptions=30": ({"preemptions": 30, "equivalence": "auto"}, ("mazurkiewicz",)),
}
_MARK = "  // found here"


@dataclass(frozen=True)
class Expectation:
    verdict: str  # "verified", "failed" or "cannot check"
    subject: str  # the kind of the finding, or the function that is not modelled
    classes: dict[str, int]  # by short name of the equivalence
    line: int | None  # of the finding
    keywords: dict[str, Any]  # for `norn.check`
    equivalences: tuple[str, ...]  # to be checked with
    flags: tuple[str, ...]  # for the compiler


def read_expectation(path: Path) -> Expectation:
    lines = path.read_text().splitlines()
    verdict = _VERDICT.fullmatch(lines[0])
    assert verdict is not None, f"{path.name} does not begin with its verdict: {lines[0]}"
    options = _OPTIONS.fullmatch(lines[1])
    words = options[1].split() if options is not None else []
    asked = [word for word in words if word in _KEYWORDS]
    counts = _CLASSES.fullmatch(lines[2 if options is not None else 1])
    classes = {}
    for count in counts[1].split() if counts is not None else ():
        name, number = count.split("=")
        assert name in EQUIVALENCES.values(), f"{path.name} counts classes of an unknown equivalence: {name}"
        classes[name] = int(number)
    marked = [number for number, line in enumerate(lines, start=1) if line.endswith(_MARK)]
    assert len(marked) <= 1, f"{path.name} has more than one line for its finding"
    return Expectation(
        verdict=verdict[1] or verdict[2] or verdict[4],
        subject=verdict[3] or verdict[5] or "",
        classes=classes,
        line=marked[0] if marked else None,
        keywords={key: value for option in asked for key, value in _KEYWORDS[option][0].items()},
        equivalences=tuple(
            name for name in EQUIVALENCES if all(name in _KEYWORDS[option][1] for option in asked)
        ),
        flags=tuple(word for word in words if word not in _KEYWORDS),
    )
