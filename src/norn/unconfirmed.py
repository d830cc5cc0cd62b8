"""Findings that their replay did not show: never a verdict, always named.

Every finding is replayed in a process of its own before it is reported. One that does not show up again there
proves nothing about the program: norn ran something else than it noted, or the program depends on something
that norn does not control. Taken for a failure it might be a wrong answer, left out it might hide a failure.
So the result has it apart from its findings (`Result.unconfirmed`), is *incomplete* unless something else
failed, and says so among its `problems`, which every report shows.

    findings, replayed ──► split ──► Result.findings, Result.unconfirmed (+ `describe` for its problems)
"""

from __future__ import annotations

from collections.abc import Iterable

from norn.model import Finding
from norn.token_file import argument_for

# The name of the limit that such a result has met.
BOUND = "unconfirmed"

# Why no replay could have shown it. These are not bugs: more time may confirm it.
NO_TIME = "there was no time left to replay it"
INTERRUPTED = "its replay was interrupted"
_LIMITS = {NO_TIME: "time-limit", INTERRUPTED: "interrupted"}


def split(findings: Iterable[Finding]) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Those that a replay has shown, and the others."""
    all_of_them = tuple(findings)
    confirmed = tuple(finding for finding in all_of_them if finding.unconfirmed is None)
    return confirmed, tuple(finding for finding in all_of_them if finding.unconfirmed is not None)


def bound_of(finding: Finding) -> str:
    """The limit that a result has met by a finding that was not confirmed."""
    return _LIMITS.get(finding.unconfirmed or "", BOUND)


def describe(finding: Finding) -> str:
    """What was found, why it does not count, and what to do."""
    where = f" at {finding.location}" if finding.location else ""
    found = f"“{finding.message}”{where} ({finding.kind}) was found"
    if finding.unconfirmed in _LIMITS:
        return (
            f"{found}, but {finding.unconfirmed}, so that it is not a verdict yet: give more time, or replay "
            f"it: norn replay {argument_for(finding.token)}"
        )
    return (
        f"BUG IN NORN: {found}, but its replay did not show it: {finding.unconfirmed}. So it does not count "
        "as a failure. Unless the program depends on something that norn does not control (a clock of the "
        "processor, random numbers, a file that changes), please report this, with the program"
    )
