"""Measures the executor and the explorers; `make bench` runs it. Exit code 1 if a number of classes is wrong.

The bare executor runs one schedule again and again without exploring: once with as few switches as the
program allows, once with a switch at every event. First both figures for lastzero(8), then one row per
program: classes found and expected, executions a second, and that as a share of the faster of the two bare
rates of the same program. A share can exceed 100 %: the executions of an exploration are not all as long as
the one the bare executor repeats. Rates are per second of processor time, the best of several rounds, since
machines are shared; compare ratios all the same.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import norn
from norn import protocol, session
from norn.build import build
from norn.build.options import sort_options

HERE = Path(__file__).resolve().parent
ROWS = (
    ("lastzero", 9),
    ("lastzero", 11),
    ("readers", 9),
    ("readers", 11),
    ("circular-buffer", 7),
    ("race-parametric", 4),
    ("sigma", 5),
    ("lastwrite", 7),
    ("fib-bench", 4),
)
BARE_SECONDS = 1.0
ROUNDS = 5


def source(name: str) -> Path:
    return HERE / "programs" / f"{name}.c"


def bare(name: str, size: int) -> tuple[protocol.Bare, protocol.Bare]:
    """The executor alone: with few switches, and with one at every event."""
    program = build([source(name)], sort_options([f"-DN={size}"]))
    outcome = session.run([str(program.executable)], {"mode": "bare", "time_limit": BARE_SECONDS})
    if len(outcome.bare) != 2:
        sys.exit(f"{name}({size}): no figures: {outcome.death or outcome.errors}")
    return outcome.bare[0], outcome.bare[1]


def rate(figures: protocol.Bare) -> float:
    return figures.executions / figures.cpu_seconds


def switch_cost(few: protocol.Bare, many: protocol.Bare) -> float:
    """Nanoseconds a switch adds: the difference in time per event by the difference in switches per event."""
    time = many.cpu_seconds / many.events - few.cpu_seconds / few.events
    switches = many.switches / many.events - few.switches / few.events
    return time / switches * 1e9 if switches > 0 else 0.0


def expected_classes(table: dict[str, Any], name: str, size: int) -> int | None:
    for entry in table.get(name, []):
        if entry["macros"] == {"N": size}:
            classes = entry.get("maz")
            return int(classes) if classes is not None else None
    return None


def main() -> int:
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    few, many = bare("lastzero", 8)
    console.print("bare executor, lastzero(8)")
    console.print(f"  few switches:            {rate(few):>9,.0f} executions/s")
    console.print(f"  a switch at every event: {rate(many):>9,.0f} executions/s")
    per_event = few.cpu_seconds / few.events * 1e9
    console.print(f"  {per_event:.0f} ns/event (whole time by events: reset and thread starts included)")
    console.print(
        f"  {switch_cost(few, many):.0f} ns/switch (difference of the two; noisy on a busy machine)\n"
    )
    with (HERE / "expected.toml").open("rb") as file:
        published = tomllib.load(file)
    table = Table(box=None, header_style="bold")
    table.add_column("program")
    for title in ("classes", "expected", "redundant", "cpu s", "executions/s", "of bare", "peak MB"):
        table.add_column(title, justify="right")
    wrong = 0
    for name, size in ROWS:
        rounds = [norn.check(source(name), flags=[f"-DN={size}"]) for _ in range(ROUNDS)]
        result = min(rounds, key=lambda each: each.cpu_seconds)
        alone = max(rate(figures) for figures in bare(name, size))
        classes = result.executions + result.blocked
        expected = expected_classes(published, name, size)
        right = classes == expected and result.redundant == 0 and result.verdict is norn.Verdict.VERIFIED
        wrong += not right
        speed = classes / result.cpu_seconds if result.cpu_seconds else 0.0
        share = speed / alone
        table.add_row(
            f"{name}({size})",
            str(classes) if right else f"[red]{classes} ({result.verdict})[/]",
            str(expected),
            str(result.redundant),
            f"{result.cpu_seconds:.3f}",
            f"{speed:,.0f}",
            f"{share:.0%}",
            f"{result.peak_rss_mb:g}",
        )
    console.print(table)
    console.print("\nall counts as expected" if not wrong else f"\n[red]{wrong} rows differ[/]")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
