"""reads-value-from against reads-from: what the coarser classes cost and what they buy. Part of `make bench`.

Two tables, each with a limit. Where there is little to gain, reads-value-from does the same work in a harder
way: its time by the time of reads-from. Where there is much, it has fewer classes by the factor *reduction*,
and should be faster by nearly as much: three times the speed-up by the reduction. How times
are measured: `turns`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rows import Row, find
from turns import Compared, compare, judged, make_table, milliseconds

FINE, COARSE = "reads-from", "reads-value-from"
LITTLE_TO_GAIN = (
    ("unverif", 5),
    ("pgsql-rvf", 3),
    ("linuxrwlocks-rw2", None),
    ("linuxrwlocks-rvf", 2),
    ("chase-lev-dq", 5),
)
MUCH_TO_GAIN = (("scull_loop", 2), ("boop", 2), ("monabsex1", 7), ("reorder_5", 30))
MOST_TIMES = 2.0  # the time of reads-from, where there is little to gain
MOST_LOST = 3.0  # of the reduction, where there is much


def kept(compared: Compared) -> float:
    """How much of the reduction the speed-up keeps, times what may be lost of it: at least 1."""
    return MOST_LOST / compared.slowdown / compared.reduction


def choose(expected: Sequence[Row], wanted: Callable[[Row], bool]) -> tuple[list[Row], list[Row]]:
    """The rows of the two tables."""
    little, much = (
        [row for program, size in rows if wanted(row := find(expected, program, size))]
        for rows in (LITTLE_TO_GAIN, MUCH_TO_GAIN)
    )
    return little, much


def show(console: Console, little: Sequence[Row], much: Sequence[Row]) -> int:
    """Prints both tables. Returns how many of their rows are over the limit, or wrong."""
    console.print(f"\n[bold]{COARSE} against {FINE}[/]")
    return (show_little(console, little) if little else 0) + (show_much(console, much) if much else 0)


def counted(compared: Compared) -> list[str]:
    figures = [str(compared.fine.classes), str(compared.coarse.classes)]
    return [judged(figure, compared.right) for figure in figures]


def show_little(console: Console, rows: Sequence[Row]) -> int:
    table = make_table("rf", "rvf", "rf ms", "rvf ms", "rvf by rf")
    failures = 0
    for row in rows:
        compared = compare(row, FINE, COARSE)
        holds = compared.slowdown <= MOST_TIMES
        failures += not (holds and compared.right)
        table.add_row(
            row.name,
            *counted(compared),
            milliseconds(compared.fine.seconds),
            milliseconds(compared.coarse.seconds),
            judged(f"{compared.slowdown:.2f}", holds),
        )
    console.print(f"little to gain: the time of rvf by the time of rf, at most {MOST_TIMES:g}")
    console.print(table)
    return failures


def show_much(console: Console, rows: Sequence[Row]) -> int:
    titles = ("rf ms", "rvf ms", "speed-up", f"speed-up · {MOST_LOST:g} / reduction")
    table = make_table("rf", "rvf", "reduction", *titles)
    failures = 0
    for row in rows:
        compared = compare(row, FINE, COARSE)
        holds = kept(compared) >= 1
        failures += not (holds and compared.right)
        table.add_row(
            row.name,
            *counted(compared),
            f"{compared.reduction:,.2f}",
            milliseconds(compared.fine.seconds),
            milliseconds(compared.coarse.seconds),
            f"{1 / compared.slowdown:,.2f}",
            judged(f"{kept(compared):.2f}", holds),
        )
    console.print("much to gain: the speed-up by the reduction; the last column at least 1")
    console.print(table)
    return failures
