"""What the techniques of reads-value-from buy: explores with all of them, and without one at a time.

`make ablation` runs it and prints a table for docs/ablation.md, which says what the techniques are. The runs
compared take turns; times are processor times of the exploration, summed over all rounds.
"""

from __future__ import annotations

import sys

from rows import Row, explore, find, read_expected

from norn import protocol

EQUIVALENCE = "reads-value-from"
ROWS = (
    ("monabsex1", 12),
    ("reorder_5", 30),
    ("scull_loop", 2),
    ("boop", 2),
    ("unverif", 5),
    ("approxds-append", 5),
    ("chase-lev-dq", 5),
    ("linuxrwlocks-rvf", 2),
    ("pgsql-rvf", 3),
)
VARIANTS: dict[str, dict[str, int]] = {
    "everything": {},
    "no signals": {"without_signals": 1},
    "no closure": {"without_closure": 1},
    "no constants": {"without_constants": 1},
}
TITLES = ("program", "", "executions", "redundant", "checks", "searched", "ms", "times")
ROUNDS = 10
ENOUGH_SECONDS = 10.0  # of processor time for all rounds of a row together
MOST_SECONDS = 60.0  # for one exploration


def explore_in_turns(row: Row) -> dict[str, list[protocol.Result]]:
    """Some explorations of each variant; a single one where that takes long."""
    results: dict[str, list[protocol.Result]] = {variant: [] for variant in VARIANTS}
    for _ in range(ROUNDS):
        for variant, options in VARIANTS.items():
            results[variant].append(explore(row, EQUIVALENCE, time_limit=MOST_SECONDS, **options))
        if sum(each.cpu_seconds for runs in results.values() for each in runs) > ENOUGH_SECONDS:
            break
    return results


def mean_seconds(runs: list[protocol.Result]) -> float:
    return sum(each.cpu_seconds for each in runs) / len(runs)


def lines(row: Row) -> list[str]:
    """The rows of the table for one program."""
    results = explore_in_turns(row)
    whole = mean_seconds(results["everything"])
    table = []
    for variant, runs in results.items():
        result, seconds = runs[0], mean_seconds(runs)
        over = "" if result.complete else "> "
        cells = (
            row.name if variant == "everything" else "",
            variant,
            f"{over}{result.executions + result.blocked:,}",
            f"{over}{result.redundant:,}",
            f"{over}{result.checks:,}",
            f"{over}{result.decided:,}",
            f"{over}{seconds * 1e3:,.2f}",
            f"{over}{seconds / whole:,.2f}",
        )
        table.append(f"| {' | '.join(cells)} |")
    return table


def main() -> int:
    expected = read_expected()
    names = sys.argv[1:]
    print(f"| {' | '.join(TITLES)} |")
    print("|---|---|" + "---:|" * (len(TITLES) - 2))
    for program, size in ROWS:
        if not names or program in names:
            print("\n".join(lines(find(expected, program, size))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
