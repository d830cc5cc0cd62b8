"""Source files as they stand beside the diagram: coloured, line by line, everything in them as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup
from pygments.lexers.c_cpp import CppLexer
from pygments.token import Comment, Keyword, Literal, Name

from norn.report.words import printable

# Of longer files only what is around the lines that are needed.
_WHOLE = 600
_AROUND = 40
_TAB = 4
# The first that fits; what is none of these has the colour of plain text.
_CLASSES = (
    (Comment.Preproc, "pp"),
    (Comment, "co"),
    (Keyword, "kw"),
    (Literal.String, "st"),
    (Literal.Number, "nu"),
    (Name.Function, "fn"),
)


@dataclass(frozen=True)
class Line:
    number: int
    code: Markup
    gap: bool = False  # lines are left out before it


@dataclass(frozen=True)
class Listing:
    """One file, or what is needed of it."""

    name: str
    lines: tuple[Line, ...]


def list_sources(places: Iterable[tuple[str, int]]) -> list[Listing]:
    """The files in the order in which they are first needed. One that cannot be read has no lines."""
    wanted: dict[str, set[int]] = {}
    for file, line in places:
        wanted.setdefault(file, set()).add(line)
    return [Listing(file, tuple(_lines(file, lines))) for file, lines in wanted.items()]


def _lines(file: str, wanted: set[int]) -> Iterator[Line]:
    try:
        text = Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    coloured = _coloured(text.replace("\r", ""))  # the lexer takes it for the end of a line; compilers do not
    kept = range(1, len(coloured) + 1)
    shown = [
        number
        for number in kept
        if len(coloured) <= _WHOLE or any(abs(number - line) <= _AROUND for line in wanted)
    ]
    previous = 0
    for number in shown:
        yield Line(number, coloured[number - 1], gap=number > previous + 1)
        previous = number


def _coloured(text: str) -> list[Markup]:
    """The lines of a file. The lexer keeps every letter, whatever it makes of them."""
    lines: list[list[Markup]] = [[]]
    lexer = CppLexer(stripnl=False, stripall=False, ensurenl=False)
    for kind, value in lexer.get_tokens(text):
        name = next((name for family, name in _CLASSES if kind in family), "")
        for number, part in enumerate(value.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append(_span(name, printable(part.replace("\t", " " * _TAB))))
    if len(lines) > 1 and not lines[-1]:
        lines.pop()  # what comes after the last line break is no line
    return [Markup("").join(parts) for parts in lines]


def _span(name: str, text: str) -> Markup:
    return Markup('<span class="{}">{}</span>').format(name, text) if name else Markup("{}").format(text)
