"""Pictures of ours against theirs, both axes logarithmic.

Counts, against what papers print of other tools (`literature.toml`). Times, only against a tool that was run
in the same run.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from records import Record
from rows import HERE
from series import NAMES, SHORT, STYLES
from svg import FAINT, INK, Axis, Canvas, Style, decades, power

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


@dataclass(frozen=True)
class Point:
    """One program under two tools."""

    name: str
    series: str
    theirs: float
    ours: float


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
        if (theirs := each.foreign.get(tool)) and theirs.ratio and theirs.seconds and each.whole_seconds
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
