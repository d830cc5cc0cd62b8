"""Standard output and standard error that lack letters, as in a locale without UTF-8: others stand for them.

Without this the report would end in the middle, with an error of Python.
"""

from __future__ import annotations

import codecs
import io
import sys

_HANDLER = "norn-plain"
_PLAIN = str.maketrans(
    {"│": "|", "─": "-", "→": ">", "…": "...", "–": "-", "“": '"', "”": '"', "’": "'", "µ": "u", "×": "x"}
)


def allow_any_letter() -> None:
    """From now on whatever is printed can be."""
    codecs.register_error(_HANDLER, _stand_in)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # not one of a test, nor one that was closed by the caller
            stream.reconfigure(errors=_HANDLER)


def _stand_in(problem: UnicodeError) -> tuple[str, int]:
    """Keeps the widths of columns, but for the dots."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lacking = problem.object[problem.start : problem.end].translate(_PLAIN)
    return "".join(letter if letter.isascii() else "?" for letter in lacking), problem.end
