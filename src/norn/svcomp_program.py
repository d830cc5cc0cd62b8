"""The program of a verification task as it is checked: what it is compiled and linked with.

    sources ──► linked ──► cut_values ──► the check
                                              │
                   before an answer is `true`  └──► taken_from_outside, with_other_memory

Tasks are older than the compiler, or cut out of something larger: `linked` adds what makes them link
(build/link_advice.py), by itself. Undefined behaviour that an ordinary program would just run through is
made to stop it: `TRAPS`. Nothing of this changes what a program does whose behaviour is defined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from norn import inputs, undeclared
from norn.build import Program, build, link_advice
from norn.build.toolchain import find_compiler, is_cxx
from norn.errors import BuildError
from norn.settings import Settings

# Without these an overflow wraps around, an index beyond an array finds its neighbour, and code that is
# declared unreachable runs into what comes next: one of many things that the program may do.
TRAPS = (
    "-fsanitize=signed-integer-overflow,bounds,shift-exponent,unreachable,vla-bound",
    "-fsanitize-undefined-trap-on-error",
)
# Each attempt may show what else is missing.
_MOST_ATTEMPTS = 4

_OTHER_BYTE = 0xA5  # of the heap; zero is what norn's own has
_ALLOCATES = re.compile(rb"\b(?:\w*alloc|posix_memalign|new)\b")


def linked(sources: Sequence[Path], settings: Settings) -> tuple[Settings, Program]:
    """The settings with all options that the program needs to link; a BuildError if none do."""
    given = list(settings.flags)
    for _ in range(_MOST_ATTEMPTS):
        asked = replace(settings, flags=given)
        try:
            return asked, build(sources, asked.compiler_options)
        except BuildError as problem:
            text = "".join(source.read_text(encoding="utf-8", errors="replace") for source in sources)
            more = [flag for flag in link_advice.flags(problem.output, text) if flag not in given]
            if not more:
                raise
            given += more
    asked = replace(settings, flags=given)
    return asked, build(sources, asked.compiler_options)


def cut_values(sources: Sequence[Path], settings: Settings) -> list[str]:
    """Functions whose values the program gets only a part of: their declarations are missing."""
    if all(is_cxx(source) for source in sources):
        return []
    return undeclared.cut_values(find_compiler(cxx=False), sources, settings.compiler_options.compile)


def taken_from_outside(sources: Sequence[Path], settings: Settings) -> list[str]:
    """Functions that give the program what a task leaves open."""
    options = settings.compiler_options.compile
    groups = [(cxx, [source for source in sources if is_cxx(source) == cxx]) for cxx in (False, True)]
    return [
        name
        for cxx, group in groups
        if group
        for name in inputs.taken_from_outside(find_compiler(cxx), group, options)
    ]


def with_other_memory(sources: Sequence[Path], settings: Settings) -> Settings | None:
    """The same program with other values in memory that it has not written; none if there is no way."""
    flags = find_compiler(cxx=any(is_cxx(source) for source in sources)).flags_for_other_memory
    allocates = any(_ALLOCATES.search(source.read_bytes()) for source in sources)
    if not flags and not allocates:
        return None
    return replace(settings, own_flags=(*settings.own_flags, *flags), fill=_OTHER_BYTE)
