"""Whether a command prints what a page shows: equal but for what differs from run to run.

Times, rates, memory, addresses and tokens do. What `auto` kept does, too: `running` takes care of that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tests.documented.blocks import LEFT_OUT, without_blank_end

TOKEN = re.compile(r"norn1\.[\w-]+…?")

_VARYING = (
    (TOKEN, "TOKEN"),
    (re.compile(r", [\d,]+ a second"), ""),  # only said of runs that take long enough
    (re.compile(r"\b[\d,.]+ ?(ns|µs|ms|s|min|h)\b"), "TIME"),
    (re.compile(r"\b\d+\.\d+\b"), "DECIMAL"),  # MB, parts: what norn counts has no point
    (re.compile(r"0x[0-9a-f]+"), "ADDRESS"),
)
# What `auto` says of itself: which equivalence it kept, and why.
AUTO = re.compile(r"^auto kept (?P<equivalence>[\w-]+): .*$", re.MULTILINE)


def normal(lines: Sequence[str]) -> list[str]:
    """The lines with what varies replaced, and spaces as one: columns move with their numbers."""
    found = []
    for given in lines:
        if AUTO.match(given):
            continue
        line = given
        for pattern, word in _VARYING:
            line = pattern.sub(word, line)
        found.append(re.sub(r"\s+", " ", line).strip())
    return without_blank_end(found)


def agrees(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether this was printed; the shown one may have one line of LEFT_OUT."""
    if LEFT_OUT not in shown:
        return normal(shown) == normal(printed)
    kept = as_shown(printed, shown)
    return normal(shown) == normal(kept)


def as_shown(printed: Sequence[str], shown: Sequence[str]) -> list[str]:
    """What a page should show for what was printed: left out is what it leaves out now."""
    whole = without_blank_end([line.rstrip() for line in printed])
    if LEFT_OUT not in shown:
        return whole
    at = list(shown).index(LEFT_OUT)
    after = len(shown) - at - 1
    if at + after > len(whole):
        return whole
    return [*whole[:at], LEFT_OUT, *whole[len(whole) - after :]]
