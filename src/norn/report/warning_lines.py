"""Warnings and data races as lines of text, wrapped where there is a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rich.text import Text

from norn.model import Race
from norn.report.words import printable

_WARNING = "warning: "
_FEW = 5


def warning_lines(
    warnings: Sequence[str], races: Sequence[Race], verbose: bool = False, width: int | None = None
) -> list[Text]:
    """width: of the terminal; None: one line each, however long. With `verbose` all of them, with stacks."""
    lines: list[Text] = []
    most = len(warnings) if verbose else _FEW
    for warning in warnings[:most]:
        lines += _wrapped(warning, width)
    if len(warnings) > most:
        lines += _wrapped(f"{len(warnings) - most} more of this kind (-v shows them)", width)
    for race in races:
        lines += _wrapped(f"data race: {race}", width)
        lines += _stacks(race) if verbose else ()
    return lines


def _wrapped(text: str, width: int | None) -> Iterator[Text]:
    said = printable(text.replace("\n", " "))
    room = max(width - len(_WARNING), 20) if width is not None else max(len(said), 1)
    parts = textwrap.wrap(said, room, break_long_words=False, break_on_hyphens=False) or [""]
    yield Text.assemble((_WARNING, "yellow"), parts[0])
    yield from (Text(" " * len(_WARNING) + part) for part in parts[1:])


def _stacks(race: Race) -> Iterator[Text]:
    for access in race.accesses:
        yield Text(printable(f"  {access.name}: {access.what}"))
        for frame in access.stack:
            yield Text(printable(f"      {frame.function}  {frame.place or ''}".rstrip()), style="dim")
