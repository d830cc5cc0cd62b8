"""The pictures of `bench`: classes by equivalence, growth with the size; ours against theirs is in `versus`.

Drawn from the records of a run. What is drawn depends on counts only, except in the pictures that compare
times, which exist only if another tool was run in the same run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from records import Record
from series import NAMES, SHORT, STYLES, by_row
from svg import FAINT, Axis, Canvas, Style, decades, power
from versus import draw_published, draw_times

# Those of finer equivalences are larger and lie below, so that equal counts show as rings.
SIZES = {"rvf": 2.6, "rf": 3.9, "obs": 4.9, "maz": 6.0}
LONGEST_NAME = 30  # that fits beside the picture
LEAST_SIZES = 4  # of a program whose growth is drawn
LEAST_GROWTH = 10  # from its smallest to its largest count


def draw(records: Sequence[Record]) -> dict[str, str]:
    """The pictures by name of the file, as far as there is something to draw."""
    done = [each for each in records if each.classes and each.match != "NO" and not each.fails]
    pictures = {
        "classes.svg": draw_classes(done),
        "growth.svg": draw_growth(done),
        "published.svg": draw_published(done),
    }
    tools = dict.fromkeys(tool for each in done for tool in each.foreign)
    pictures |= {f"against-{tool}.svg": draw_times(done, tool) for tool in tools}
    return {name: picture for name, picture in pictures.items() if picture is not None}


def write(pictures: Mapping[str, str], directory: Path) -> None:
    """Writes the pictures, and removes those of another run."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.glob("*.svg"):
        if old.name not in pictures:
            old.unlink()
    for name, picture in pictures.items():
        (directory / name).write_text(picture, encoding="utf-8")


# --- classes by equivalence ---


def largest_in_all(rows: Mapping[tuple[str, str], Mapping[str, Record]]) -> tuple[str, dict[str, int]] | None:
    """Of one program: the size that as many equivalences as possible explored, and of those the largest."""
    counts = [
        (name, {short: int(each.classes or 0) for short, each in found.items()})
        for (_, name), found in rows.items()
    ]
    counts = [(name, found) for name, found in counts if len(found) > 1]
    return max(counts, key=lambda row: (len(row[1]), max(row[1].values()))) if counts else None


def draw_classes(records: Sequence[Record]) -> str | None:
    rows = [row for rows in by_row(records).values() if (row := largest_in_all(rows)) is not None]
    if not rows:
        return None
    rows.sort(key=lambda row: (-_reduction(row[1]), row[0]))
    left, top, step = 200.0, 56.0, 17.0
    canvas = Canvas(860, top + step * len(rows) + 44, "Classes of each program, by equivalence")
    bottom = top + step * len(rows)
    low, high = decades([count for _, found in rows for count in found.values()])
    axis = Axis(low, high, left + 10, canvas.width - 24)
    canvas.text(16, 22, "Classes by equivalence", bold=True, size=14)
    legend(canvas, 16, 42, [(NAMES[short], STYLES[short]) for short in SHORT])
    for tick in axis.ticks():
        canvas.line(axis.at(tick), top - 4, axis.at(tick), bottom)
        canvas.text(axis.at(tick), bottom + 16, power(tick), "middle", FAINT)
    canvas.text((axis.start + axis.end) / 2, bottom + 34, "classes (logarithmic)", "middle", FAINT)
    for index, (name, found) in enumerate(rows):
        y = top + step * (index + 0.5)
        short_name = name if len(name) <= LONGEST_NAME else f"{name.split('(')[0]}(…)"
        canvas.text(left, y + 4, short_name, "end")
        spots = [axis.at(count) for count in found.values()]
        canvas.line(min(spots), y, max(spots), y, "#c6cbd1")
        for short in reversed(SHORT):  # the coarsest on top
            if short in found:
                words = f"{name}, {NAMES[short]}: {found[short]:,}"
                canvas.mark(axis.at(found[short]), y, STYLES[short], words, SIZES[short])
    return canvas.render()


def _reduction(found: Mapping[str, int]) -> float:
    return max(found.values()) / min(found.values())


# --- growth with the size ---


def growing(records: Sequence[Record]) -> dict[str, dict[str, list[tuple[int, int]]]]:
    """By program and equivalence: sizes and counts, where the size is one number and there are enough."""
    programs: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for program, rows in by_row(records).items():
        lines: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for (size, _), found in rows.items():
            if size.isdigit():
                for short, each in found.items():
                    lines[short].append((int(size), int(each.classes or 0)))
        counts = [count for line in lines.values() for _, count in line]
        sizes = {size for line in lines.values() for size, _ in line}
        if len(sizes) >= LEAST_SIZES and max(counts) >= LEAST_GROWTH * min(counts):
            programs[program] = {short: sorted(lines[short]) for short in SHORT if short in lines}
    return programs


def draw_growth(records: Sequence[Record]) -> str | None:
    programs = growing(records)
    if not programs:
        return None
    columns, width, height, top = 4, 220.0, 170.0, 60.0
    lines = -(-len(programs) // columns)
    canvas = Canvas(columns * width + 16, top + lines * height + 8, "Growth of the classes with the size")
    canvas.text(16, 22, "Growth with the size: classes (logarithmic) over N", bold=True, size=14)
    legend(canvas, 16, 42, [(NAMES[short], STYLES[short]) for short in SHORT])
    for index, (program, series) in enumerate(programs.items()):
        draw_panel(canvas, index % columns * width + 8, top + index // columns * height, program, series)
    return canvas.render()


def draw_panel(
    canvas: Canvas, left: float, top: float, program: str, series: Mapping[str, list[tuple[int, int]]]
) -> None:
    points = [point for line in series.values() for point in line]
    low, high = decades([float(count) for _, count in points])
    sizes = [size for size, _ in points]
    wide = max(sizes) >= 50 * max(1, min(sizes))  # opt-lock goes from 1 to 1000
    across = Axis(max(min(sizes), 1) if wide else min(sizes), max(sizes), left + 44, left + 206, wide)
    up = Axis(low, high, top + 140, top + 22)
    canvas.text(left + 44, top + 12, program, bold=True)
    for tick in up.ticks(5):
        canvas.line(across.start, up.at(tick), across.end, up.at(tick))
        canvas.text(across.start - 6, up.at(tick) + 4, power(tick), "end", FAINT, 10)
    for tick in across.ticks(6):
        canvas.text(across.at(tick), up.start + 14, f"{tick:,.0f}", "middle", FAINT, 10)
    for short in reversed(list(series)):
        spots = [(across.at(size), up.at(count)) for size, count in series[short]]
        canvas.path(spots, STYLES[short].colour)
        for (size, count), (x, y) in zip(series[short], spots, strict=True):
            canvas.mark(
                x, y, STYLES[short], f"{program}({size}), {NAMES[short]}: {count:,}", SIZES[short] - 0.6
            )


def legend(canvas: Canvas, x: float, y: float, entries: Sequence[tuple[str, Style]]) -> None:
    for words, style in entries:
        canvas.mark(x + 5, y, style, size=4)
        canvas.text(x + 14, y + 4, words)
        x += 40 + 6.2 * len(words)
