"""What everything for people is printed by: consoles whose terminal the checked program cannot drive.

Names, messages, lines of source and names of files come from the program and may hold any character, also
those by which a terminal is told to change its title, its colours or what stands on the screen already.
"""

from __future__ import annotations

import io
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from norn.report.words import printable_lines


class CleanConsole(Console):
    """Shows control characters of a text instead of sending them; those of the console itself are sent."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control is None and not segment.text.isprintable():
                yield Segment(printable_lines(segment.text), segment.style)
            else:
                yield segment


def plain_console(width: int) -> tuple[Console, io.StringIO]:
    """For text that goes elsewhere: no colours. Returns where it goes, too."""
    page = io.StringIO()
    return CleanConsole(file=page, width=width, color_system=None, highlight=False), page
