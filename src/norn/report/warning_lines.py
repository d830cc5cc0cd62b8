"""Warnings and data races as lines of text, wrapped where there is a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rich.text import Text

from norn.model import Race
from norn.report.words import printable

_WARNING = ("warning: ", "yellow")
_FEW = 5


def warning_lines(
    warnings: Sequence[str], races: Sequence[Race], verbose: bool = False, width: int | None = None
) -> list[Text]:
    """width: of the terminal; None: one line each, however long. With `verbose` all of them, with stacks."""
    lines: list[Text] = []
    most = len(warnings) if verbose else _FEW
    for warning in warnings[:most]:
        lines += _warning(warning, width)
    if len(warnings) > most:
        lines += _warning(f"{len(warnings) - most} more of this kind (-v shows them)", width)
    for race in races:
        lines += _warning(f"data race: {race}", width)
        lines += _stacks(race) if verbose else ()
    return lines


def labelled(label: str, style: str, text: str, width: int | None) -> Iterator[Text]:
    """A text behind its label, in which further lines stand below the first. width: as of `warning_lines`."""
    room = max(width - len(label), 20) if width is not None else None
    parts = [part for line in text.split("\n") for part in _wrapped(printable(line), room)]
    yield Text.assemble((label, style), parts[0])
    yield from (Text(" " * len(label) + part) for part in parts[1:])


def _wrapped(line: str, room: int | None) -> list[str]:
    if room is None:
        return [line]
    return textwrap.wrap(line, room, break_long_words=False, break_on_hyphens=False) or [""]


def _warning(text: str, width: int | None) -> Iterator[Text]:
    return labelled(*_WARNING, text.replace("\n", " "), width)


def _stacks(race: Race) -> Iterator[Text]:
    for access in race.accesses:
        yield Text(printable(f"  {access.name}: {access.what}"))
        for frame in access.stack:
            yield Text(printable(f"      {frame.function}  {frame.place or ''}".rstrip()), style="dim")
