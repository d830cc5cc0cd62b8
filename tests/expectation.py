"""What a program of `examples` or `tests/programs` says of itself, for the tests that hold it to that.

First line: `// norn: verified`, `// norn: failed KIND` or `// norn: cannot check FUNCTION`. After it may come
`// options: --spurious -std=gnu++20`, what the program is to be checked with, and `// classes: maz=3 rf=3`,
the exact numbers by short name of the equivalence. A line that ends with `// found here` is the only place
for the finding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from norn.model import EQUIVALENCES

_VERDICT = re.compile(r"// norn: (?:(verified)|(failed) ([a-z-]+)|(cannot check) (\S+))")
_OPTIONS = re.compile(r"// options:((?: -\S+)+)")
_CLASSES = re.compile(r"// classes:((?: [a-z]+=[0-9]+)+)")
_SPURIOUS = "--spurious"
_MARK = "  // found here"


@dataclass(frozen=True)
class Expectation:
    verdict: str  # "verified", "failed" or "cannot check"
    subject: str  # the kind of the finding, or the function that is not modelled
    classes: dict[str, int]  # by short name of the equivalence
    line: int | None  # of the finding
    spurious: bool  # let waits on condition variables end without a signal
    flags: tuple[str, ...]  # for the compiler


def read_expectation(path: Path) -> Expectation:
    lines = path.read_text().splitlines()
    verdict = _VERDICT.fullmatch(lines[0])
    assert verdict is not None, f"{path.name} does not begin with its verdict: {lines[0]}"
    options = _OPTIONS.fullmatch(lines[1])
    words = options[1].split() if options is not None else []
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
        spurious=_SPURIOUS in words,
        flags=tuple(word for word in words if word != _SPURIOUS),
    )
