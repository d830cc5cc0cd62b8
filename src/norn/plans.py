"""What `norn check` can be asked for beside every class: a sample, or executions with few preemptions.

A plan becomes options of the engine (docs/protocol.md); what came of it is in `Result.coverage`.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

from norn import protocol
from norn.errors import UsageError
from norn.model import MAZURKIEWICZ, SAMPLE, PreemptionBound, Sample

SCHEDULERS = ("random", "pct")
DEFAULT_DEPTH = 3
_LARGEST_SEED = 2**64 - 1
# A seed that nobody has chosen is short: people copy it.
_SEED_BITS = 32
_MOST_PREEMPTIONS = 2**32 - 1


@dataclass(frozen=True)
class Plan:
    """One of the two, as asked for: nothing is known of it yet."""

    coverage: Sample | PreemptionBound

    @property
    def name(self) -> str:
        """What stands in the place of an equivalence: the one that the search is complete for, if any."""
        return SAMPLE if isinstance(self.coverage, Sample) else MAZURKIEWICZ

    def options(self) -> dict[str, str | int | float]:
        match self.coverage:
            case Sample(scheduler, seed, wanted, depth):
                options: dict[str, str | int | float] = {
                    "sample": wanted,
                    "scheduler": scheduler,
                    "seed": seed,
                }
                # A sample has an end of its own: a long execution need not be it.
                return {**options, "cut_long": 1, **({"depth": depth} if depth is not None else {})}
            case PreemptionBound(wanted):
                return {"preemptions": wanted}

    def covered(self, ended: protocol.Result) -> Sample | PreemptionBound:
        seen = replace(self.coverage, sources=ended.sources_seen, orders=ended.orders_seen)
        return replace(seen, reached=ended.preemptions) if isinstance(seen, PreemptionBound) else seen


def make_plan(
    *,
    sample: int | None,
    scheduler: str | None,
    depth: int | None,
    seed: int | None,
    preemptions: int | None,
    has_equivalence: bool,
) -> Plan | None:
    """Nothing if every class is to be explored. has_equivalence: one was asked for by name."""
    if sample is None:
        given = (("--scheduler", scheduler), ("--depth", depth), ("--seed", seed))
        for option, value in given:
            if value is not None:
                raise UsageError(f"{option} says how to sample; how many executions? add --sample N")
    if sample is None and preemptions is None:
        return None
    if sample is not None and preemptions is not None:
        raise UsageError("--sample and --preemptions are two ways to explore; give one of them")
    if has_equivalence:
        option = "--sample" if sample is not None else "--preemptions"
        raise UsageError(f"{option} does not explore by an equivalence; leave -e out")
    if preemptions is not None:
        if not 0 <= preemptions <= _MOST_PREEMPTIONS:
            raise UsageError(f"--preemptions must not be negative or huge, as {preemptions} is")
        return Plan(PreemptionBound(preemptions))
    assert sample is not None
    return Plan(_sample(sample, scheduler or SCHEDULERS[0], depth, seed))


def _sample(executions: int, scheduler: str, depth: int | None, seed: int | None) -> Sample:
    if executions <= 0:
        raise UsageError(f"--sample must be positive, not {executions}")
    if scheduler not in SCHEDULERS:
        raise UsageError(f"unknown scheduler “{scheduler}”; there are: {', '.join(SCHEDULERS)}")
    if depth is not None and scheduler != "pct":
        raise UsageError("--depth is for --scheduler pct; other samples have none")
    if depth is not None and not 1 <= depth <= 1000:
        raise UsageError(f"--depth must be from 1 to 1000, not {depth}")
    if seed is not None and not 0 <= seed <= _LARGEST_SEED:
        raise UsageError(f"--seed must be from 0 to {_LARGEST_SEED}, not {seed}")
    if scheduler == "pct" and depth is None:
        depth = DEFAULT_DEPTH
    return Sample(scheduler, secrets.randbits(_SEED_BITS) if seed is None else seed, executions, depth)
