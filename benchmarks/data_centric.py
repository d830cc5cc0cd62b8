"""`observation` against `reads-from` and against the times of its paper. Part of `make bench`.

The programs are those of Table 3 of "Data-centric Dynamic Partial Order Reduction", whose prototype was in
Python. Where the topology is acyclic, and here it always is, both equivalences have the same classes.
How times are measured: `turns`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rows import Row
from turns import compare, judged, make_table, milliseconds

FINE, COARSE = "observation", "reads-from"
MOST_TIMES = 5.0  # the time of reads-from
LEAST_FASTER = 100.0  # than published

# Seconds of the column DC-DPOR, by program and macros. (Peterson: the program that was measured then is not
# quite the one that was printed.)
PUBLISHED: dict[str, dict[tuple[int, ...], float]] = {
    "alternate-write-read": {(4,): 5, (5,): 63, (6,): 790},
    "pipeline": {(9,): 43, (10,): 156, (11,): 544, (12,): 1893},
    "commits": {(2,): 1.8, (3,): 216},
    "eratosthenes": {(5,): 8, (6,): 26, (7,): 173, (8,): 444},
    "peterson-bounded": {(1, 2): 0.6, (1, 3): 2, (2, 1): 18},
    "keyrotation": {(2,): 0.9, (3,): 65, (4,): 4291},
}


def published_seconds(row: Row) -> float | None:
    return PUBLISHED.get(row.program, {}).get(tuple(row.expected["macros"].values()))


def choose(expected: Sequence[Row], wanted: Callable[[Row], bool]) -> list[Row]:
    return [row for row in expected if published_seconds(row) is not None and wanted(row)]


def show(console: Console, rows: Sequence[Row]) -> int:
    """Prints the table. Returns how many of its rows are over a limit, or wrong."""
    table = make_table("classes", "rf ms", "obs ms", "obs by rf", "published s", "times faster")
    failures = 0
    for row in rows:
        compared = compare(row, COARSE, FINE)
        published = published_seconds(row)
        assert published is not None
        slowdown, faster = compared.slowdown, published / compared.coarse.seconds
        failures += not (slowdown <= MOST_TIMES and faster >= LEAST_FASTER and compared.right)
        table.add_row(
            row.name,
            judged(str(compared.coarse.classes), compared.right),
            milliseconds(compared.fine.seconds),
            milliseconds(compared.coarse.seconds),
            judged(f"{slowdown:.2f}", slowdown <= MOST_TIMES),
            f"{published:g}",
            judged(f"{faster:,.0f}", faster >= LEAST_FASTER),
        )
    console.print(f"\n[bold]{FINE} against {COARSE} and the published times[/]")
    console.print(
        f"the time of obs by the time of rf, at most {MOST_TIMES:g}; and at least {LEAST_FASTER:g} times "
        "faster than published"
    )
    console.print(table)
    return failures
