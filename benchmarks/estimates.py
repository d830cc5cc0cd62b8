"""How good the estimate of what is left is (docs/estimate.md): estimated executions for each true one.

    python benchmarks/estimates.py [rf maz rvf obs]

Each program is explored to its end once, and again until a part of its executions was explored. A star says
that the true number lies in the range that users are shown. Prints a table for each equivalence, in Markdown.
"""

from __future__ import annotations

import sys
from pathlib import Path

import norn
from norn.model import Estimate

PROGRAMS = Path(__file__).resolve().parent / "programs"
PARTS = (1, 5, 10, 20, 50)  # percent
TIME_LIMIT = 10.0  # what takes longer is left out
LIKE = 3.0  # the factor that counts as near
SIZES: dict[str, tuple[str, ...]] = {
    "lastzero": ("N=11", "N=13"),
    "readers": ("N=13", "N=15"),
    "fib-bench": ("N=4", "N=5"),
    "circular-buffer": ("N=8", "N=9"),
    "casrot": ("N=9", "N=10"),
    "sigma": ("N=6", "N=7", "N=8"),
    "control-flow": ("N=6", "N=13"),
    "race-parametric": ("N=5", "N=6"),
    "exponential-bug": ("N=4", "N=7"),
    "parker": ("N=12", "N=16"),
    "lamport": ("N=3",),
    "approxds-append": ("N=5", "N=6"),
    "opt-lock": ("N=8", "N=1000"),
    "reorder-good": ("N=5", "N=20"),
    "linuxrwlocks": ("N=4", "N=5"),
    "monabsex1": ("N=6", "N=7"),
    "boop": ("N=1", "N=2"),
    "unverif": ("N=5", "N=6"),
    "chase-lev-dq": ("N=5",),
    "pipeline": ("N=8", "N=11"),
    "commits": ("N=3",),
    "keyrotation": ("N=3", "N=4"),
    "indexer": ("N=15", "N=16"),
    "peterson": ("R=2 L=2",),
}


def main(equivalences: list[str]) -> None:
    for equivalence in equivalences:
        print(f"\n{equivalence}\n")
        print("| program | executions |" + "".join(f" {part} % |" for part in PARTS))
        print("|---|---|" + "---|" * len(PARTS))
        near, within, counted = ([0] * len(PARTS) for _ in range(3))
        for name, sizes in SIZES.items():
            for size in sizes:
                total, covered = _measure(name, size, equivalence)
                if total is None:
                    continue
                cells = []
                for i, each in enumerate(covered):
                    if each is None:
                        cells.append("-")
                        continue
                    counted[i] += 1
                    near[i] += 1 / LIKE <= each.likely / total <= LIKE
                    is_within = each.low <= total <= each.high
                    within[i] += is_within
                    cells.append(f"{each.likely / total:.2f}{' *' if is_within else ''}")
                print(f"| {name} {size} | {total:,} | {' | '.join(cells)} |", flush=True)
        for what, numbers in ((f"within a factor of {LIKE:.0f}", near), ("within the range", within)):
            of = [f"{number} of {all_}" for number, all_ in zip(numbers, counted, strict=True)]
            print(f"| {what} | | {' | '.join(of)} |")


def _measure(name: str, size: str, equivalence: str) -> tuple[int | None, list[Estimate | None]]:
    def check(executions: int | None) -> norn.Result:
        return norn.check(
            PROGRAMS / f"{name}.c",
            flags=[f"-D{each}" for each in size.split()],
            equivalence=equivalence,
            races="off",
            max_executions=executions,
            time_limit=TIME_LIMIT,
        )

    whole = check(None)
    if not whole.complete or whole.runs < 1000:
        return None, []
    ended = [check(whole.runs * part // 100).coverage for part in PARTS]
    return whole.runs, [each if isinstance(each, Estimate) else None for each in ended]


if __name__ == "__main__":
    main(sys.argv[1:] or ["rf", "maz", "rvf"])
