"""reads-value-from against reads-from: what the coarser classes cost and what they buy. Part of `make bench`.

Two tables, each with a limit. Where there is little to gain, reads-value-from does the same work in a harder
way: its time by the time of reads-from. Where there is much, it has fewer classes by the factor *reduction*,
and should be faster by nearly as much: three times the speed-up by the reduction.

Times are processor times of one exploration. The first one in a process pays for what only the first can: the
executor touches its memory, and learns which words are shared. Of an exploration of one class, which takes
some millionths of a second, that would be nearly all. So what counts are further explorations of the same
program in the same process, as many as it takes to measure them. Since machines are shared, those that are
compared take turns, and what counts is the sum over all turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table
from rows import Row, explore_again, find

from norn import protocol

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

ROUNDS = 5
ROUND_SECONDS = 0.2  # of processor time, at least, for each equivalence in each round
MOST_AGAIN = 100_000


@dataclass
class Explored:
    """All explorations of a row by one equivalence."""

    row: Row
    equivalence: str
    results: list[protocol.Result] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def run(self, times: int) -> None:
        result, seconds = explore_again(self.row, self.equivalence, times)
        self.results.append(result)
        self.times.append(seconds)

    def enough(self) -> int:
        """How many explorations take long enough to be measured."""
        return max(1, min(MOST_AGAIN, int(ROUND_SECONDS / max(self.times[-1], 1e-9))))

    @property
    def seconds(self) -> float:
        return sum(self.times) / len(self.times)

    @property
    def classes(self) -> int:
        return self.results[0].executions + self.results[0].blocked

    @property
    def right(self) -> bool:
        return all(self.row.agrees(result, self.equivalence) for result in self.results)


@dataclass(frozen=True)
class Compared:
    """One row by both equivalences."""

    row: Row
    fine: Explored
    coarse: Explored

    @property
    def right(self) -> bool:
        return self.fine.right and self.coarse.right

    @property
    def slowdown(self) -> float:
        return self.coarse.seconds / self.fine.seconds

    @property
    def reduction(self) -> float:
        return self.fine.classes / self.coarse.classes

    @property
    def kept(self) -> float:
        """How much of the reduction the speed-up keeps, times what may be lost of it: at least 1."""
        return MOST_LOST / self.slowdown / self.reduction


def compare(row: Row) -> Compared:
    fine, coarse = Explored(row, FINE), Explored(row, COARSE)
    for explored in (fine, coarse):
        explored.run(1)
        if explored.enough() > 1:
            times = explored.enough()
            explored.times.clear()
            explored.run(times)
    for _ in range(ROUNDS - 1):
        for explored in (fine, coarse):
            explored.run(explored.enough())
    return Compared(row, fine, coarse)


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


def make_table(*titles: str) -> Table:
    table = Table(box=None, header_style="bold")
    table.add_column("program")
    for title in titles:
        table.add_column(title, justify="right")
    return table


def judged(figure: str, holds: bool) -> str:
    return figure if holds else f"[red]{figure}[/]"


def counted(compared: Compared) -> list[str]:
    figures = [str(compared.fine.classes), str(compared.coarse.classes)]
    return [judged(figure, compared.right) for figure in figures]


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3f}"


def show_little(console: Console, rows: Sequence[Row]) -> int:
    table = make_table("rf", "rvf", "rf ms", "rvf ms", "rvf by rf")
    failures = 0
    for row in rows:
        compared = compare(row)
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
        compared = compare(row)
        holds = compared.kept >= 1
        failures += not (holds and compared.right)
        table.add_row(
            row.name,
            *counted(compared),
            f"{compared.reduction:,.2f}",
            milliseconds(compared.fine.seconds),
            milliseconds(compared.coarse.seconds),
            f"{1 / compared.slowdown:,.2f}",
            judged(f"{compared.kept:.2f}", holds),
        )
    console.print("much to gain: the speed-up by the reduction; the last column at least 1")
    console.print(table)
    return failures
