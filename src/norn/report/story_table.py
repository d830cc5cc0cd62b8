"""A story as lines of text: a column for each thread that matters, or names in front where these do not fit.

Only one thread acts in a line, so that its text may run over the columns to its right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from norn.model import Frame
from norn.report.source_text import SourceText
from norn.report.story import Fold, Line, Stop, Story, folded, with_locks_beside, without_middle
from norn.report.words import count, printable
from norn.symbolize import short_function

_COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_red", "bright_cyan", "bright_green")
_BAR = "│"
# Columns narrower than this say nothing; what the last thread does needs some room.
_NARROWEST_COLUMN = 10
_WIDEST_COLUMN = 30
# However often threads take turns, nobody reads more.
_MOST_ITEMS = 400
_LAST_COLUMN = 40
_WIDEST_PLACE = 24
# Code is shown beside what it did if so much of it fits.
_LEAST_CODE = 16
_GAP = "  "
_BEFORE_CODE = "// "


def colour(thread: int) -> str:
    return _COLOURS[thread % len(_COLOURS)]


def cut(text: str, width: int) -> str:
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - 1, 0)).rstrip() + "…" if width > 0 else ""


def story_lines(
    story: Story, source: SourceText, width: int, most: int, cited: Sequence[int] = ()
) -> tuple[list[Text], int]:
    """At most so many lines, if that can be, and how many steps they tell of. Code gets lines of its own
    where there is room for them.

    cited: numbers of steps that are spoken of elsewhere, the most important first; left out last.
    """
    story = without_middle(story, _MOST_ITEMS)
    brief = with_locks_beside(story)
    for each, code_below in ((story, True), (story, False), (brief, False)):
        if len(each.items) >= most:
            continue
        lines = list(_Table(each, source, width, code_below).lines())
        if len(lines) <= most:
            return lines, each.steps_told
    heading = 1
    short = folded(brief, max(most - heading, 4), cited)
    return list(_Table(short, source, width, False).lines()), short.steps_told


@dataclass
class _Table:
    story: Story
    source: SourceText
    width: int
    code_below: bool

    def __post_init__(self) -> None:
        self._has_one_file = len(self.story.files) == 1
        places = [self._place(item) for item in self.story.items if isinstance(item, Line)]
        self._gutter = max([4, *(cell_len(place) for place in places)])
        self._room = self.width - self._gutter - 3
        count_of_columns = len(self.story.columns)
        between = max(count_of_columns - 1, 1)
        self._step = min((self._room - _LAST_COLUMN) // between, _WIDEST_COLUMN)
        self._has_columns = self._step >= _NARROWEST_COLUMN or count_of_columns == 1
        self._functions: dict[int, str] = {}  # thread -> where it was told to be

    def lines(self) -> Iterator[Text]:
        if self._has_columns:
            yield self._heading()
        previous: int | None = None
        for item in self.story.items:
            match item:
                case Line():
                    yield from self._line(item, item.thread != previous)
                    previous = item.thread
                case Fold():
                    who = "" if self._is_column(item.thread) else f" of {self.story.name(item.thread)}"
                    who = " of several threads" if item.of_all else who
                    yield self._at(item.thread, "", f"… {count(item.steps, 'step')}{who}", "dim")
                case Stop():
                    yield self._at(item.thread, "", _stopped(item), f"bold {colour(item.thread)}")

    def _heading(self) -> Text:
        text = Text().append(f" {'line':>{self._gutter}}  ", style="dim")
        for number, thread in enumerate(self.story.columns):
            is_last = number == len(self.story.columns) - 1
            room = self._room - number * self._step if is_last else self._step - 1
            name = cut(printable(self.story.name(thread)), room)
            text.append(name if is_last else set_cell_size(name, self._step), style=f"bold {colour(thread)}")
        return text

    def _line(self, line: Line, is_new: bool) -> Iterator[Text]:
        said = printable(line.said)
        if not self._is_column(line.thread) and (is_new or self._has_columns):
            said = f"{printable(self.story.name(line.thread))}: {said}"
        elif not self._is_column(line.thread):
            said = f"  {said}"
        code = self._code(line)
        place = self._place(line)
        room = self._room - self._offset(line.thread)
        left = room - cell_len(said) - len(_GAP)
        if cell_len(code) <= left or (not self.code_below and left >= _LEAST_CODE):
            text = self._at(line.thread, place, said, colour(line.thread))
            text.append(_GAP + cut(code, left) if code else "", style="dim")
            yield text
            return
        yield self._at(line.thread, place, said, colour(line.thread))
        if self.code_below and code:
            yield self._at(line.thread, "", f"    {code}", "dim")

    def _at(self, thread: int, place: str, said: str, style: str) -> Text:
        """One line, the text in the column of the thread."""
        text = Text().append(f" {place:>{self._gutter}}  ", style="dim")
        offset = self._offset(thread)
        for before in range(offset // self._step if offset else 0):
            text.append(set_cell_size(_BAR, self._step), style=colour(self.story.columns[before]))
        text.append(cut(said, self._room - offset), style=style)
        return text

    def _is_column(self, thread: int) -> bool:
        return self._has_columns and thread in self.story.columns

    def _offset(self, thread: int) -> int:
        return self.story.columns.index(thread) * self._step if self._is_column(thread) else 0

    def _place(self, line: Line) -> str:
        if line.frame is None or line.frame.file is None or line.frame.line is None:
            return ""
        if self._has_one_file:
            return str(line.frame.line)
        name = printable(Path(line.frame.file).name)
        number = f":{line.frame.line}"
        return cut(name, _WIDEST_PLACE - len(number)) + number

    def _code(self, line: Line) -> str:
        if line.only_others or line.frame is None:
            return ""
        code = printable(self.source.line(line.frame.file, line.frame.line))
        return f"{_BEFORE_CODE}{self._entered(line.thread, line.frame)}{code}" if code else ""

    def _entered(self, thread: int, frame: Frame) -> str:
        """`take: ` where a thread comes to another function than the one that it was in."""
        function = short_function(frame.function)
        started = self.story.name(thread).partition(" ")[2]
        before = self._functions.get(thread, started)
        self._functions[thread] = function
        return f"{printable(function)}: " if function != before else ""


def _stopped(stop: Stop) -> str:
    name = f"T{stop.thread}"
    holds = f", holding {printable(', '.join(stop.holds))}" if stop.holds else ""
    if stop.waits_for:
        return f"-- {name} waits for {printable(stop.waits_for)}{holds} --"
    return f"-- {name} is stopped here{holds} --"
