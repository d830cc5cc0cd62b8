"""How fast the executor and the explorers are: `bench.py --rates`.

The bare executor runs one schedule again and again without exploring: once with as few switches as the
program allows, once with a switch at every event. First both figures for lastzero(8), then for each
equivalence one row per program: classes found and expected, executions a second, and that as a share of the
faster of the two bare rates of the same program. A share can exceed 100 %, or mean little: the executions of
an exploration are not all as long as the one the bare executor repeats. Rates are per second of processor
time, the best of several rounds where a round is short, since machines are shared; compare ratios all the
same.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from cases import is_wanted
from rich.console import Console
from rich.table import Table
from rows import Row, find

import norn
from norn import protocol, session

ROWS: dict[str, tuple[tuple[str, int | None], ...]] = {
    "reads-value-from": (
        ("rvf-fig1", None),
        ("monabsex1", 8),
        ("monabsex1", 12),
        ("reorder_5", 30),
        ("singleton", 30),
        ("scull_loop", 2),
        ("boop", 2),
        ("unverif", 5),
        ("approxds-append", 6),
        ("chase-lev-dq", 5),
        ("linuxrwlocks-rw2", None),
        ("linuxrwlocks-rvf", 2),
        ("pgsql-rvf", 3),
        ("lastzero", 13),
        ("fib-bench", 4),
        ("exponential-bug", 7),
        ("opt-lock", 100),
        ("lamport", 3),
    ),
    "reads-from": (
        ("lastzero", 13),
        ("fib-bench", 4),
        ("fib-bench", 6),
        ("race-parametric", 6),
        ("sigma", 8),
        ("approxds-append", 6),
        ("readers", 13),
        ("circular-buffer", 9),
        ("casrot", 10),
        ("lastwrite", 9),
        ("floating-read", 16),
        ("control-flow", 13),
        ("opt-lock", 1000),
        ("exponential-bug", 7),
        ("parker", 16),
        ("lamport", 3),
        ("reorder-good", 10),
    ),
    "observation": (
        ("alternate-write-read", 6),
        ("pipeline", 12),
        ("commits", 3),
        ("eratosthenes", 7),
        ("keyrotation", 3),
        ("dc-fig13", 5),
    ),
    "mazurkiewicz": (
        ("lastzero", 9),
        ("lastzero", 11),
        ("readers", 9),
        ("readers", 11),
        ("circular-buffer", 7),
        ("race-parametric", 4),
        ("sigma", 5),
        ("lastwrite", 7),
        ("fib-bench", 4),
    ),
}
TITLES = (
    *("classes", "expected", "redundant", "events", "cpu s", "executions/s"),
    *("bare/s", "of bare", "peak MB", "checks", "decided"),
)
BARE_SECONDS = 1.0
ENOUGH_SECONDS = 3.0  # of processor time for all rounds of a row together
MOST_ROUNDS = 5


@dataclass(frozen=True)
class Measured:
    """The rounds of a row, the best of them first."""

    row: Row
    rounds: list[norn.Result]
    right: bool
    bare_rate: float

    @property
    def result(self) -> norn.Result:
        return self.rounds[0]

    @property
    def classes(self) -> int:
        return self.result.executions + self.result.blocked

    @property
    def rate(self) -> float:
        return self.classes / self.result.cpu_seconds if self.result.cpu_seconds else 0.0

    @property
    def mean_rate(self) -> float:
        """Of all rounds. Fairer than the best where rows with one round and with several are compared."""
        return self.classes * len(self.rounds) / sum(each.cpu_seconds for each in self.rounds)


def bare(row: Row) -> tuple[protocol.Bare, protocol.Bare]:
    """The executor alone: with few switches, and with one at every event."""
    outcome = session.run(row.command, {"mode": "bare", "time_limit": BARE_SECONDS})
    if len(outcome.bare) != 2:
        sys.exit(f"{row.name}: no figures: {outcome.death or outcome.errors}")
    return outcome.bare[0], outcome.bare[1]


def rate(figures: protocol.Bare) -> float:
    return figures.executions / figures.cpu_seconds


def switch_cost(few: protocol.Bare, many: protocol.Bare) -> float:
    """Nanoseconds a switch adds: the difference in time per event by the difference in switches per event."""
    time = many.cpu_seconds / many.events - few.cpu_seconds / few.events
    switches = many.switches / many.events - few.switches / few.events
    return time / switches * 1e9 if switches > 0 else 0.0


def measure(row: Row, equivalence: str) -> Measured:
    """Explores the program again and again, until the time is long enough for a figure."""
    rounds: list[norn.Result] = []
    while len(rounds) < MOST_ROUNDS and sum(each.cpu_seconds for each in rounds) < ENOUGH_SECONDS:
        rounds.append(norn.check(row.source, flags=row.flags, equivalence=equivalence))
    right = all(row.agrees(result, equivalence) for result in rounds)
    rounds.sort(key=lambda each: each.cpu_seconds)
    return Measured(row, rounds, right, max(map(rate, bare(row))))


def show_executor(console: Console, row: Row) -> None:
    few, many = bare(row)
    console.print(f"bare executor, {row.name}")
    console.print(f"  few switches:            {rate(few):>9,.0f} executions/s")
    console.print(f"  a switch at every event: {rate(many):>9,.0f} executions/s")
    per_event = few.cpu_seconds / few.events * 1e9
    console.print(f"  {per_event:.0f} ns/event (whole time by events: reset and thread starts included)")
    console.print(
        f"  {switch_cost(few, many):.0f} ns/switch (difference of the two; noisy on a busy machine)"
    )


def show_explorer(console: Console, equivalence: str, rows: Sequence[Row]) -> int:
    """Prints the table of one equivalence. Returns how many of its counts are wrong."""
    table = Table(box=None, header_style="bold", title_justify="left", title_style="bold")
    table.add_column("program")
    for title in TITLES:
        table.add_column(title, justify="right")
    done = []
    for row in rows:
        measured = measure(row, equivalence)
        done.append(measured)
        result = measured.result
        table.add_row(
            row.name,
            str(measured.classes) if measured.right else f"[red]{measured.classes} ({result.verdict})[/]",
            row.expectation(equivalence),
            str(result.redundant),
            f"{result.events_per_execution:.1f}",
            f"{result.cpu_seconds:.3f}",
            f"{measured.rate:,.0f}",
            f"{measured.bare_rate:,.0f}",
            f"{measured.rate / measured.bare_rate:.0%}",
            f"{result.peak_rss_mb:g}",
            str(result.checks),
            str(result.decided),
        )
    console.print(f"\n[bold]{equivalence}[/]")
    console.print(table)
    checks, decided = (sum(getattr(each.result, name) for each in done) for name in ("checks", "decided"))
    if checks:
        console.print(f"{checks:,} consistency checks in all, {decided:,} of them by the complete search")
    show_growth(console, {each.row.name: each for each in done})
    return sum(not each.right for each in done)


def show_growth(console: Console, done: dict[str, Measured]) -> None:
    """What a class costs must not depend on how many there are: here 19,605 and 2,364,418."""
    small, large = done.get("fib-bench(4)"), done.get("fib-bench(6)")
    if small is None or large is None:
        return
    speed = large.mean_rate / small.mean_rate
    alone = large.bare_rate / small.bare_rate
    length = large.result.events_per_execution / small.result.events_per_execution
    memory = large.result.peak_rss_mb / small.result.peak_rss_mb
    console.print(
        f"fib-bench(6) by fib-bench(4): executions/s {speed:.2f} (mean of all rounds; the bare executor "
        f"{alone:.2f}, events per execution {length:.2f}), peak memory {memory:.2f}"
    )


def choose(
    expected: Sequence[Row], equivalences: Sequence[str], names: Sequence[str]
) -> dict[str, list[Row]]:
    """The rows of each table: of its own those that are wanted, and every other size that is named."""
    by_size = [name for name in names if ":" in name]
    chosen: dict[str, list[Row]] = {}
    for equivalence in equivalences:
        own = [find(expected, program, size) for program, size in ROWS[equivalence]]
        named = [row for row in expected if by_size and is_wanted(row, by_size)]
        chosen[equivalence] = [
            *(row for row in own if is_wanted(row, names)),
            *(row for row in named if row not in own and row.most(equivalence) is not None),
        ]
    return chosen


def show(console: Console, expected: Sequence[Row], rows: dict[str, list[Row]]) -> int:
    """Prints all tables. Returns how many counts are wrong."""
    show_executor(console, find(expected, "lastzero", 8))
    return sum(show_explorer(console, equivalence, its) for equivalence, its in rows.items() if its)
