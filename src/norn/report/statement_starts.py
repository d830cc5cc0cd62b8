"""Which lines of a C source begin a statement, and where a call on a line has its parentheses.

A waypoint of a witness must stand at the beginning of a statement. One in a wrong place makes a witness
wrong, one that is missing only makes it weaker; so a line counts only if nothing speaks against it.
"""

from __future__ import annotations

import re

_COMMENTS_AND_LITERALS = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\n|[^\n])*""",
    re.DOTALL | re.MULTILINE,
)
_WORD = re.compile(r"[A-Za-z_]\w*")
# Loops come back to their first line without being begun again; the others are no statements by themselves.
_NO_START = frozenset({"for", "while", "do", "else", "case", "default", "struct", "union", "enum", "typedef"})
# Statements that can have a block.
_BLOCKS = frozenset({"if", "else", "for", "while", "do", "switch"})


def statement_starts(source: str) -> frozenset[int]:
    """Numbers of the lines whose first word begins a statement inside of a function."""
    text = _COMMENTS_AND_LITERALS.sub(_blank, source)
    starts = set()
    parentheses = 0
    braces: list[bool] = []  # whether each open one is of statements
    before = ";"  # the last character that is no space
    head = ""  # the first word of the statement
    line = 1
    fresh = True  # nothing was seen on this line yet
    for index, letter in enumerate(text):
        if letter == "\n":
            line, fresh = line + 1, True
            continue
        if letter.isspace():
            continue
        if parentheses == 0 and before in ";{}":
            word = _WORD.match(text, index)
            head = word[0] if word is not None else letter
            if (
                fresh
                and braces
                and braces[-1]
                and (word is not None or head in "*(+-")
                and head not in _NO_START
            ):
                starts.add(line)
        fresh = False
        if letter in "([":
            parentheses += 1
        elif letter in ")]":
            parentheses = max(0, parentheses - 1)
        elif letter == "{":
            # Those of functions and of what is in them; not those of types and of values.
            braces.append(
                parentheses == 0
                and (
                    (not braces and before == ")")
                    or (bool(braces) and braces[-1] and (before in ";{}" or head in _BLOCKS))
                )
            )
        elif letter == "}" and braces:
            braces.pop()
        before = letter
    return frozenset(starts)


def call_columns(line: str, function: str) -> tuple[int, int] | None:
    """Columns, from 1, of the parentheses of the only call of a function on a line; None if unclear."""
    text = _COMMENTS_AND_LITERALS.sub(_blank, line)
    calls = list(re.finditer(rf"\b{re.escape(function)}\s*\(", text))
    if len(calls) != 1:
        return None
    opening = calls[0].end() - 1
    depth = 0
    for index in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return opening + 1, index + 1
    return None


def _blank(found: re.Match[str]) -> str:
    """As long as before, with the same lines; a literal stays something."""
    kept = "0" if found[0][0] in "\"'" else " "
    return "".join("\n" if letter == "\n" else kept for letter in found[0])
