"""Explores the programs, compares the counts with what is known, and times them: the core of `bench`.

Each exploration becomes a `Record`, written as soon as it is there. After each, the other checkers that are
on PATH run on the same program (`foreign`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from cases import Case
from foreign import Ours, Tool
from records import Record
from rich.console import Console
from rich.markup import escape
from rows import has_bounds

import norn
from norn.model import EQUIVALENCES

TOLD_SECONDS = 0.1  # the console does not tell of less


@dataclass(frozen=True)
class Limits:
    """What a run may take."""

    seconds: float  # for one exploration, and for one run of another checker
    classes: int | None  # of an exploration that is not left out; the usual limits if none is given


def run(
    console: Console,
    cases: Sequence[Case],
    limits: Limits,
    tools: Sequence[Tool],
    keep: Callable[[Record], None],
) -> None:
    """Explores, prints a line for each program and size, hands on the records. An interrupt goes through."""
    for _, group in groupby(cases, key=lambda case: (case.row.program, case.row.size)):
        records = []
        try:
            for case in group:
                record = explore(case, limits, tools)
                keep(record)
                records.append(record)
        finally:
            if any(each.is_done or each.note for each in records):
                console.print(line(records))


def explore(case: Case, limits: Limits, tools: Sequence[Tool]) -> Record:
    left_out = case.why_not(limits.classes)
    if left_out is not None:
        return case.record(left_out)
    interrupts: list[bool] = []
    start = time.monotonic()
    result = norn.check(
        case.row.source,
        flags=case.row.flags,
        equivalence=case.equivalence,
        time_limit=limits.seconds,
        races="off",  # as the other checkers; plain variables are raced on here on purpose
        on_interrupt=lambda: interrupts.append(True),
    )
    whole = time.monotonic() - start - result.build_seconds
    if interrupts:
        raise KeyboardInterrupt
    record = judge(case, result, whole, limits)
    if record.match != "yes" or case.row.finding is not None:
        return record
    ours = Ours(result.executions + result.blocked, whole)
    theirs = {
        tool.name: tool.check(case.row, case.equivalence, ours, limits.seconds)
        for tool in tools
        if case.equivalence in tool.modes
    }
    return replace(record, foreign=theirs)


def judge(case: Case, result: norn.Result, whole: float, limits: Limits) -> Record:
    classes = result.executions + result.blocked
    record = replace(
        case.record(),
        classes=classes,
        blocked=result.blocked,
        seconds=result.seconds,
        whole_seconds=whole,
        rate=result.runs / result.seconds if result.seconds else None,
        peak_mb=result.peak_rss_mb,
    )
    if not result.complete and not result.findings and result.seconds >= limits.seconds:
        so_far = f"not done in {limits.seconds:g} s, {classes:,} classes so far"
        return replace(record, classes=None, blocked=None, note=so_far)
    wrong = why_wrong(case, result)
    return replace(record, match="NO" if wrong else "yes", note=wrong or "")


def why_wrong(case: Case, result: norn.Result) -> str | None:
    """What is not as it must be, in words; nothing if all is."""
    row, equivalence = case.row, case.equivalence
    kinds = [finding.kind for finding in result.findings]
    if row.finding is not None:
        within = row.expected.get(f"{EQUIVALENCES[equivalence]}_within", result.runs)
        if kinds != [row.finding]:
            return f"{result.verdict}: {', '.join(kinds) or 'no finding'}"
        return None if result.runs <= within else f"found after {result.runs} executions, not {within}"
    if row.agrees(result, equivalence):
        return None
    if not result.complete or kinds:
        return f"{result.verdict}: {', '.join([*kinds, *result.problems]) or 'not complete'}"
    if result.redundant and not has_bounds(equivalence):
        return f"{result.redundant} redundant executions"
    if row.least(equivalence) != row.most(equivalence):
        return f"not from {row.least(equivalence) or 1} to {row.most(equivalence)}"
    return f"not {row.expectation(equivalence)}, or not as many of them blocked"


def line(records: Sequence[Record]) -> str:
    """One program at one size, for the console."""
    cells = [f"{escape(records[0].name):<26}"]
    for each in records:
        if each.match == "NO":
            cells.append(f"[red]{each.equivalence} {each.classes}: WRONG ({escape(each.note)})[/]")
        elif each.is_done:
            shown = each.expected if each.fails else f"{each.classes:,}"
            published = "*" if each.origin == "published" else ""
            ratios = "".join(f", {tool} {theirs}" for tool, theirs in _ratios(each))
            seconds = f" {each.seconds:.2g} s" if each.seconds and each.seconds >= TOLD_SECONDS else ""
            cells.append(f"{each.equivalence} {shown}{published}[dim]{seconds}{ratios}[/]")
        else:
            cells.append(f"[dim]{each.equivalence} –[/]")
    return "  ".join(cells)


def _ratios(record: Record) -> Iterator[tuple[str, str]]:
    for tool, theirs in record.foreign.items():
        if theirs.ratio is not None:
            yield tool, f"×{theirs.ratio:.2g}"
        elif theirs.note:
            yield tool, f"– ({theirs.classes:,})" if theirs.classes is not None else "–"
