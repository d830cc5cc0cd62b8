"""The pictures of `bench`: classes by equivalence, growth with the size, ours against theirs.

Drawn from the records of a run (`records`) and, for counts alone, from what papers print of other tools
(`literature.toml`). What is drawn depends on counts only, except in the pictures that compare times, which
exist only if another tool was run in the same run.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from records import Record
from rows import HERE
from svg import FAINT, INK, Axis, Canvas, Style, decades, power

from norn.model import EQUIVALENCES

SHORT = tuple(EQUIVALENCES.values())  # the coarsest first
NAMES = {short: name for name, short in EQUIVALENCES.items()}
STYLES = {
    "rvf": Style("#0072b2", "circle"),
    "rf": Style("#009e73", "square"),
    "obs": Style("#e69f00", "diamond"),
    "maz": Style("#d55e00", "triangle"),
}
# Tools of the literature, and the equivalence of ours that each is nearest to.
LITERATURE = {
    "RVF-SMC": ("rvf", Style("#0072b2", "circle")),
    "VC-DPOR": ("rvf", Style("#cc79a7", "circle")),
    "Nidhugg/rfsc": ("rf", Style("#009e73", "square")),
    "Nidhugg/observers": ("rf", Style("#56b4e9", "triangle")),
    "DC-DPOR": ("obs", Style("#e69f00", "diamond")),
    "Nidhugg/optimal": ("maz", Style("#d55e00", "triangle")),
    "Nidhugg/source": ("maz", Style("#8c510a", "square")),
    "RCMC": ("maz", Style("#24292f", "cross")),
    "CDSChecker": ("maz", Style("#7f7f7f", "diamond")),
}
# Those of finer equivalences are larger and lie below, so that equal counts show as rings.
SIZES = {"rvf": 2.6, "rf": 3.9, "obs": 4.9, "maz": 6.0}
LONGEST_NAME = 30  # that fits beside the picture
LEAST_SIZES = 4  # of a program whose growth is drawn
LEAST_GROWTH = 10  # from its smallest to its largest count


@dataclass(frozen=True)
class Point:
    """One program under two tools."""

    name: str
    series: str
    theirs: float
    ours: float


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


def by_row(records: Iterable[Record]) -> dict[str, dict[tuple[str, str], dict[str, Record]]]:
    """By program, then by size and its name, then by equivalence; in the order of the records."""
    programs: dict[str, dict[tuple[str, str], dict[str, Record]]] = defaultdict(dict)
    for each in records:
        programs[each.program].setdefault((each.size, each.name), {})[each.equivalence] = each
    return dict(programs)


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


# --- ours against theirs ---


def published_points(records: Sequence[Record]) -> list[Point]:
    """Programs for which papers print how many executions other tools explored, and norn has a count."""
    with (HERE / "literature.toml").open("rb") as file:
        literature = tomllib.load(file)
    ours = {(each.program, each.size, each.equivalence): each for each in records}
    points = []
    for program, table in literature.items():
        for tool, (short, _) in LITERATURE.items():
            for size, count in zip(table["sizes"], table.get(tool, ()), strict=False):
                record = ours.get((program, str(size), short))
                if count and record is not None and record.classes:
                    points.append(Point(record.name, tool, count, record.classes))
    return points


def draw_published(records: Sequence[Record]) -> str | None:
    points = published_points(records)
    if not points:
        return None
    return draw_scatter(
        points,
        {tool: (f"{tool} (norn: {short})", style) for tool, (short, style) in LITERATURE.items()},
        "Executions explored: norn and what papers print of other tools",
        "executions of the other tool, as published",
        "executions of norn",
        "",
    )


def draw_times(records: Sequence[Record], tool: str) -> str | None:
    points = [
        Point(each.name, each.equivalence, theirs.seconds, each.whole_seconds)
        for each in records
        if (theirs := each.foreign.get(tool)) is not None and theirs.seconds and each.whole_seconds
    ]
    if not points:
        return None
    return draw_scatter(
        points,
        {short: (NAMES[short], STYLES[short]) for short in SHORT},
        f"Seconds: norn and {tool}, same programs, same machine, same run",
        f"seconds of {tool}",
        "seconds of norn",
        " s",
    )


def draw_scatter(
    points: Sequence[Point],
    series: Mapping[str, tuple[str, Style]],
    title: str,
    across_title: str,
    up_title: str,
    unit: str,
) -> str:
    left, top, side = 76.0, 48.0, 480.0
    canvas = Canvas(left + side + 220, top + side + 56, title)
    low, high = decades([value for point in points for value in (point.theirs, point.ours)])
    across, up = Axis(low, high, left, left + side), Axis(low, high, top + side, top)
    canvas.text(16, 24, title, bold=True, size=14)
    for tick in across.ticks(12):
        canvas.line(across.at(tick), up.start, across.at(tick), up.end)
        canvas.line(across.start, up.at(tick), across.end, up.at(tick))
        canvas.text(across.at(tick), up.start + 16, power(tick), "middle", FAINT)
        canvas.text(across.start - 8, up.at(tick) + 4, power(tick), "end", FAINT)
    canvas.line(across.start, up.start, across.end, up.end, INK, "4 3")
    canvas.text(left + side / 2, up.start + 38, across_title + " (logarithmic)", "middle", FAINT)
    canvas.text(20, top + side / 2, up_title + " (logarithmic)", "middle", FAINT, turned=True)
    canvas.text(left + side - 8, up.start - 10, "below the line norn needs less", "end", FAINT)
    for point in points:
        theirs, ours = (f"{value:,.4g}" if unit else f"{value:,}" for value in (point.theirs, point.ours))
        words = f"{point.name}, {series[point.series][0]}: theirs {theirs}{unit}, ours {ours}{unit}"
        canvas.mark(across.at(point.theirs), up.at(point.ours), series[point.series][1], words)
    used = [entry for name, entry in series.items() if any(point.series == name for point in points)]
    for index, (words, style) in enumerate(used):
        y = top + 12 + 20 * index
        canvas.mark(left + side + 22, y, style)
        canvas.text(left + side + 34, y + 4, words)
    return canvas.render()


def legend(canvas: Canvas, x: float, y: float, entries: Sequence[tuple[str, Style]]) -> None:
    for words, style in entries:
        canvas.mark(x + 5, y, style, size=4)
        canvas.text(x + 14, y + 4, words)
        x += 40 + 6.2 * len(words)
