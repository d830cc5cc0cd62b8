"""Two equivalences on one program, measured in turns. Shared by `against_reads_from` and `data_centric`.

Times are processor times of one exploration. The first one in a process pays for what only the first can: the
executor touches its memory, and learns which words are shared. Of an exploration of one class, which takes
some millionths of a second, that would be nearly all. So what counts are further explorations of the same
program in the same process, as many as it takes to measure them. Since machines are shared, those that are
compared take turns, and what counts is the sum over all turns.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.table import Table
from rows import Row, explore_again

from norn import protocol

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


def compare(row: Row, fine_name: str, coarse_name: str) -> Compared:
    fine, coarse = Explored(row, fine_name), Explored(row, coarse_name)
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


def make_table(*titles: str) -> Table:
    table = Table(box=None, header_style="bold")
    table.add_column("program")
    for title in titles:
        table.add_column(title, justify="right")
    return table


def judged(figure: str, holds: bool) -> str:
    return figure if holds else f"[red]{figure}[/]"


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3f}"
