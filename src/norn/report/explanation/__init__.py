"""What went wrong, in a few sentences, after the story: who waits for whom, what changed while a thread was
stopped, where the values came from that the failing line saw, both accesses of a race, the life of a block.

Everything said follows from the steps of the replayed execution. No layout: the reports print it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from norn.model import Finding
from norn.report.explanation.context import Context
from norn.report.explanation.failing_reads import tell_failing_reads
from norn.report.explanation.interruptions import tell_interruptions
from norn.report.explanation.sentence import Sentence
from norn.report.explanation.waiting import tell_waiting, waits_on_condition
from norn.report.explanation.wakeups import tell_wakeups
from norn.report.same import Same
from norn.report.words import describe_state, is_about_now

__all__ = ["Sentence", "explain"]

# More is no explanation any more; those nearest to the failure say most.
_MOST_MOMENTS = 3


def explain(finding: Finding) -> tuple[Sentence, ...]:
    """Once for each finding, however many reports explain it."""
    return _explained(Same(finding))


@lru_cache(maxsize=8)
def _explained(of: Same[Finding]) -> tuple[Sentence, ...]:
    return tuple(_sentences(of.it))


def _sentences(finding: Finding) -> Iterator[Sentence]:
    about = Context(finding)
    match finding.kind:
        case "deadlock" | "livelock":
            if waits_on_condition(finding):
                yield from _moments(about)
            yield from tell_waiting(about)
        case "data-race":
            for thread in reversed(finding.threads[:2]):
                where = about.places.calls(thread.stack)
                yield Sentence(f"{thread.name}: {describe_state(thread)}, at {where}", thread.id)
            yield Sentence("Nothing orders these two: no lock, no join, no release and acquire.")
        case _:
            yield from _moments(about)
            yield from tell_failing_reads(about)
            for thread in finding.threads:
                if not is_about_now(thread):
                    where = about.places.calls(thread.stack)
                    yield Sentence(f"{thread.name} {thread.detail} in {where}.", thread.id)


def _moments(about: Context) -> list[Sentence]:
    told = sorted([*tell_interruptions(about), *tell_wakeups(about)], key=lambda moment: moment.number)
    certain = [moment for moment in told if moment.is_certain]
    return [moment.said for moment in (certain or told)[-_MOST_MOMENTS:]]
