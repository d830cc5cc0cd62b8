"""What a run of `bench` leaves behind: table, pictures and page, and its last words on the console."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Sequence
from pathlib import Path

from counts import Limits
from page import make_page
from plots import draw, write
from records import Record
from rich.console import Console
from rich.markup import escape
from rows import ROOT

TABLE = "benchmarks.tsv"
MOST_NAMED = 40  # published numbers that were left out


def describe(limits: Limits) -> str:
    """What was measured on."""
    names = (line.partition(":") for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines())
    cpu = next((name.strip() for key, _, name in names if key.startswith("model name")), platform.machine())
    return f"processor: {cpu}; one exploration at a time, each at most {limits.seconds:g} seconds"


def publish(records: Sequence[Record], about: Sequence[str], table: Path, directory: Path) -> None:
    """Writes pictures and page, and the table where it is not yet."""
    pictures = draw(records)
    write(pictures, directory / "pictures" / "bench")
    (directory / "benchmarks.md").write_text(make_page(records, pictures, about), encoding="utf-8")
    if table.resolve() != (directory / TABLE).resolve():
        shutil.copyfile(table, directory / TABLE)


def summarize(console: Console, records: Sequence[Record]) -> int:
    """Says what was checked, what not, and what is wrong. Returns how many rows are wrong."""
    done = [each for each in records if each.is_done]
    published = sum(each.origin == "published" for each in done)
    wrong = [each for each in done if each.match == "NO"]
    left_out = [each for each in records if not each.is_done]
    console.print(f"\n{len(done):,} explorations checked, {published:,} of them against a published number")
    if left_out:
        lost = [each for each in left_out if each.origin == "published"]
        which = "the published ones of them:" if lost else "none of them published"
        console.print(f"{len(left_out):,} known numbers left out, {which}")
        for each in lost[:MOST_NAMED]:
            console.print(f"  {each.name} {each.equivalence} {each.expected}: {each.note}")
        if lost[MOST_NAMED:]:
            console.print(f"  and {len(lost[MOST_NAMED:])} more; the page has them all")
    for each in wrong:
        console.print(
            f"[red]WRONG: {escape(each.name)} {each.equivalence}: {each.classes}, expected {each.expected} "
            f"({each.origin}): {escape(each.note)}[/]"
        )
    console.print("no mismatch" if not wrong else f"[red]mismatches: {len(wrong)}[/]", style="bold")
    return len(wrong)


def shown(path: Path) -> str:
    return escape(str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path))
