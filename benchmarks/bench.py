"""Measures the executor and the explorers; `make bench` runs it. Exit code 1 if a number of classes is wrong.

The bare executor runs one schedule again and again without exploring: once with as few switches as the
program allows, once with a switch at every event. First both figures for lastzero(8), then for each
equivalence one row per program: classes found and expected, executions a second, and that as a share of the
faster of the two bare rates of the same program. A share can exceed 100 %, or mean little: the executions of
an exploration are not all as long as the one the bare executor repeats. Rates are per second of processor
time, the best of several rounds where a round is short, since machines are shared; compare ratios all the
same.

    bench.py                        everything
    bench.py fib-bench lastzero:13  only these programs, or these sizes
    bench.py -e rf                  one equivalence only
    bench.py -e rf --all            every row of expected.toml: counts and checks, no bare rates
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import norn
from norn import api, protocol, session
from norn.build import build
from norn.build.options import sort_options
from norn.model import EQUIVALENCES

HERE = Path(__file__).resolve().parent
ROWS = {
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
BARE_SECONDS = 1.0
ENOUGH_SECONDS = 3.0  # of processor time for all rounds of a row together
MOST_ROUNDS = 5
MOST_CLASSES = 100_000  # of a row of --all


@dataclass(frozen=True)
class Row:
    """One program at one size, with its line of expected.toml."""

    program: str
    expected: dict[str, Any]

    @property
    def name(self) -> str:
        macros = self.expected["macros"]
        sizes = ", ".join(str(v) if k == "N" else f"{k}={v}" for k, v in macros.items())
        return f"{self.program}({sizes})" if sizes else self.program

    @property
    def source(self) -> Path:
        return HERE / "programs" / f"{self.program}.c"

    @property
    def flags(self) -> list[str]:
        return [f"-D{name}={value}" for name, value in self.expected["macros"].items()]

    def classes(self, equivalence: str) -> int | None:
        return self.expected.get(EQUIVALENCES[equivalence])

    def agrees(self, result: norn.Result, equivalence: str) -> bool:
        """Whether the exploration was complete, found the expected classes, and each of them once."""
        blocked = self.expected.get(f"{EQUIVALENCES[equivalence]}_blocked", result.blocked)
        return (
            result.executions + result.blocked == self.classes(equivalence)
            and result.blocked == blocked
            and result.redundant == 0
            and result.verdict is norn.Verdict.VERIFIED
        )


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
    program = build([row.source], sort_options(row.flags))
    outcome = session.run([str(program.executable)], {"mode": "bare", "time_limit": BARE_SECONDS})
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


def measure(row: Row, equivalence: str, rates: bool) -> Measured:
    """Explores the program again and again, until the time is long enough for a figure."""
    rounds: list[norn.Result] = []
    while (
        len(rounds) < (MOST_ROUNDS if rates else 1)
        and sum(each.cpu_seconds for each in rounds) < ENOUGH_SECONDS
    ):
        rounds.append(norn.check(row.source, flags=row.flags, equivalence=equivalence))
    right = all(row.agrees(result, equivalence) for result in rounds)
    rounds.sort(key=lambda each: each.cpu_seconds)
    return Measured(row, rounds, right, max(map(rate, bare(row))) if rates else 0.0)


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


def show_explorer(console: Console, equivalence: str, rows: Sequence[Row], rates: bool) -> int:
    """Prints the table of one equivalence. Returns how many of its counts are wrong."""
    table = Table(box=None, header_style="bold", title_justify="left", title_style="bold")
    table.add_column("program")
    titles = ["classes", "expected", "redundant", "events", "cpu s", "executions/s"]
    titles += ["bare/s", "of bare"] if rates else []
    for title in [*titles, "peak MB", "checks", "decided"]:
        table.add_column(title, justify="right")
    done = []
    for row in rows:
        measured = measure(row, equivalence, rates)
        done.append(measured)
        result = measured.result
        table.add_row(
            row.name,
            str(measured.classes) if measured.right else f"[red]{measured.classes} ({result.verdict})[/]",
            str(row.classes(equivalence)),
            str(result.redundant),
            f"{result.events_per_execution:.1f}",
            f"{result.cpu_seconds:.3f}",
            f"{measured.rate:,.0f}",
            *([f"{measured.bare_rate:,.0f}", f"{measured.rate / measured.bare_rate:.0%}"] if rates else []),
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
    if small is None or large is None or not small.bare_rate:
        return
    speed = large.mean_rate / small.mean_rate
    alone = large.bare_rate / small.bare_rate
    length = large.result.events_per_execution / small.result.events_per_execution
    memory = large.result.peak_rss_mb / small.result.peak_rss_mb
    console.print(
        f"fib-bench(6) by fib-bench(4): executions/s {speed:.2f} (mean of all rounds; the bare executor "
        f"{alone:.2f}, events per execution {length:.2f}), peak memory {memory:.2f}"
    )


def read_expected() -> list[Row]:
    with (HERE / "expected.toml").open("rb") as file:
        table = tomllib.load(file)
    return [Row(program, entry) for program, entries in table.items() for entry in entries]


def rows_of(equivalence: str, expected: Sequence[Row], every: bool) -> Iterator[Row]:
    if every:
        yield from (row for row in expected if (row.classes(equivalence) or MOST_CLASSES + 1) <= MOST_CLASSES)
        return
    for program, size in ROWS[equivalence]:
        yield find(expected, program, size)


def find(expected: Sequence[Row], program: str, size: int) -> Row:
    """The row of expected.toml; one without counts, which then are wrong, where there is none."""
    macros = {"N": size}
    known = (row for row in expected if row.program == program and row.expected["macros"] == macros)
    return next(known, Row(program, {"macros": macros}))


def wanted(row: Row, names: Sequence[str]) -> bool:
    return not names or row.program in names or f"{row.program}:{row.expected['macros'].get('N')}" in names


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures the executor and the explorers.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM[:N]", help="only these rows")
    parser.add_argument("-e", "--equivalence", metavar="NAME", help="only this one")
    parser.add_argument("--all", action="store_true", help="every row of expected.toml, without bare rates")
    options = parser.parse_args()
    chosen = [api.canonical_equivalence(options.equivalence)] if options.equivalence else list(ROWS)
    expected = read_expected()
    rows = {
        equivalence: [
            row for row in rows_of(equivalence, expected, options.all) if wanted(row, options.programs)
        ]
        for equivalence in chosen
    }
    if not any(rows.values()):
        parser.error("there is no such row")
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)
    if not options.programs and not options.all:
        show_executor(console, find(expected, "lastzero", 8))
    wrong = sum(
        show_explorer(console, equivalence, rows[equivalence], not options.all)
        for equivalence in chosen
        if rows[equivalence]
    )
    console.print("\nall counts as expected" if not wrong else f"\n[red]rows that differ: {wrong}[/]")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
