"""What the failing line saw: the values it read, and who had written them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from norn.model import Step
from norn.report.explanation.context import Context
from norn.report.explanation.sentence import Sentence, enumerated
from norn.report.memory_history import READS, is_named

_MOST_READS = 3
# Kinds in which values led to the failure. Of the others the message says it all, or the life of a block.
_BY_VALUES = frozenset(
    {
        "assertion",
        "abort",
        "reach-error",
        "exception",
        "exit-status",
        "killed",
        "segmentation-fault",
        "bus-error",
        "arithmetic-fault",
        "heap-overflow",
        "global-overflow",
        "trap",
    }
)


def tell_failing_reads(about: Context) -> Iterator[Sentence]:
    if about.finding.kind not in _BY_VALUES:
        return
    own = [step for step in about.trace.steps if step.thread == about.failed]
    reads = [step for step in own if step.operation in READS and is_named(step)]
    there = _last_of_each([step for step in reads if about.places.is_failing(step)])
    # One who has read a value on an earlier line may have compared it here.
    candidates = there or _last_of_each(reads)
    # What it has written itself says little, unless there is nothing else.
    shown = [step for step in candidates if not _is_own(step, about)] or there
    if not shown:
        return
    parts = [_told(step, "" if there else about.behind(step), about) for step in shown]
    did = f"T{about.failed} read" if there else f"T{about.failed} failed after reading"
    sources = [source.number for step in shown for source in about.history.sources(step)]
    cites = (*(step.number for step in shown), *sources)
    yield Sentence(f"{did} {', and '.join(parts)}.", about.failed, cites=cites)


def _last_of_each(reads: Sequence[Step]) -> list[Step]:
    """Of each location the last read, in order; the last few of these."""
    last = {step.location: step for step in reads}
    return sorted(last.values(), key=lambda step: step.number)[-_MOST_READS:]


def _is_own(step: Step, about: Context) -> bool:
    """Whether the thread has read what it had written itself."""
    return {source.thread for source in about.history.sources(step)} == {step.thread}


def _told(step: Step, where: str, about: Context) -> str:
    """`balance = 110, which T1 had written (line 14)`."""
    sources = about.history.sources(step)
    whole = about.history.source(step)
    if not sources:
        by = "nobody had written yet"
    elif whole is not None:
        who = "it had written itself" if _is_own(step, about) else f"T{whole.thread} had written"
        by = f"{who}{about.behind(whole)}"
    else:
        writers = dict.fromkeys(f"T{source.thread}" for source in sources)
        by = f"{enumerated(list(writers))} had written in part"
    return f"{step.location} = {step.before}{where}, which {by}"
