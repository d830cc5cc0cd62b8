"""Text of the checked program, made safe to print: it must not steer the terminal or hide anything."""

from __future__ import annotations

_SUBSTITUTE = "\N{REPLACEMENT CHARACTER}"


def printable(text: str) -> str:
    """Without control characters and marks of writing direction; tabs and newlines are spaces."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else " " if each in "\t\n\r" else _SUBSTITUTE for each in text)
