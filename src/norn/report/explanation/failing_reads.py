"""What the failing line saw: the values it read last, and who had written them."""

from __future__ import annotations

from collections.abc import Iterator

from norn.model import Finding, Step, Trace
from norn.report.explanation.history import READS, History, is_told
from norn.report.explanation.sentence import Places, Sentence

_MOST_READS = 3
# Kinds in which values led to the failure. Of the others the message says it all, or the life of a block.
_BY_VALUES = frozenset(
    {
        "assertion",
        "abort",
        "reach-error",
        "exception",
        "segmentation-fault",
        "bus-error",
        "arithmetic-fault",
        "heap-overflow",
        "global-overflow",
        "trap",
    }
)


def tell_failing_reads(
    finding: Finding, trace: Trace, history: History, places: Places
) -> Iterator[Sentence]:
    if finding.kind not in _BY_VALUES:
        return
    own = [step for step in trace.steps if step.thread == finding.thread]
    reads = [step for step in own if step.operation in READS and is_told(step)]
    there = {step.location: step for step in reads if places.is_failing(step)}
    shown = list(there.values())[-_MOST_READS:] or reads[-1:]
    if not shown:
        return
    # One who has read a value on an earlier line may have compared it here.
    parts = [_told(step, "" if there else places.behind(step), history, places) for step in shown]
    did = "read" if there else "last read"
    yield Sentence(f"T{finding.thread} {did} {', and '.join(parts)}.", finding.thread)


def _told(step: Step, where: str, history: History, places: Places) -> str:
    """`balance = 110, which T1 had written (line 14)`."""
    source = history.source(step)
    if source is None:
        by = "nobody had written yet"
    else:
        who = "it had written itself" if source.thread == step.thread else f"T{source.thread} had written"
        by = f"{who}{places.behind(source)}"
    return f"{step.location} = {step.before}{where}, which {by}"
