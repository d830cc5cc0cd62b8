"""A result, or a comparison of several, as one JSON object.

The shape is a contract (docs/json.md): change it only with `SCHEMA`.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from norn.model import Comparison, Estimate, Finding, Frame, Race, Result, Sample, ThreadState
from norn.report.json_text import document

SCHEMA = 1


def to_dict(result: Result) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "verdict": result.verdict.value,
        "equivalence": result.equivalence,
        **_choice(result),
        "executions": result.executions,
        "blocked": result.blocked,
        "redundant": result.redundant,
        "cut": result.cut,
        "seconds": result.seconds,
        "cpu_seconds": result.cpu_seconds,
        "build_seconds": round(result.build_seconds, 6),
        "peak_rss_mb": result.peak_rss_mb,
        "events_per_execution": result.events_per_execution,
        "threads": result.threads,
        "checks": result.checks,
        "decided": result.decided,
        "annotations": result.annotations,
        "bounds": list(result.bounds),
        "coverage": _coverage(result),
        "failures": dict(result.failures),
        "findings": [_finding(finding) for finding in result.findings],
        "unconfirmed": [
            {**_finding(finding), "why_unconfirmed": finding.unconfirmed} for finding in result.unconfirmed
        ],
        "problems": list(result.problems),
        "warnings": list(result.warnings),
        "races": [_race(race) for race in result.races],
        "benign_races": result.benign_races,
    }


def comparison_to_dict(comparison: Comparison) -> dict[str, Any]:
    verdict = comparison.verdict
    return {
        "schema": SCHEMA,
        "verdict": verdict.value if verdict is not None else None,
        "contradictions": list(comparison.contradictions),
        "left_out": list(comparison.left_out),
        "results": [to_dict(result) for result in comparison.results],
    }


def to_text(result: Result | Comparison) -> str:
    value = comparison_to_dict(result) if isinstance(result, Comparison) else to_dict(result)
    return document(value)


def _choice(result: Result) -> dict[str, str]:
    if result.choice is None:
        return {}
    return {"chosen_by": result.choice.by.value, "chosen_because": result.choice.because}


def _coverage(result: Result) -> dict[str, Any] | None:
    covered = result.coverage
    if covered is None:
        return None
    if isinstance(covered, Estimate):
        parts = [round(part, 6) for part in covered.parts]
        return {"by": "estimate", **asdict(covered), "parts": parts}
    kind = "sample" if isinstance(covered, Sample) else "preemptions"
    return {"by": kind, **asdict(covered)}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "message": finding.message,
        "location": finding.location,
        "thread": finding.thread,
        "threads": [_thread(thread) for thread in finding.threads],
        "token": finding.token,
        "confirmed": finding.unconfirmed is None,
        "shrunk": asdict(finding.shrunk) if finding.shrunk is not None else None,
        "explanation": list(finding.explanation),
    }


def _thread(thread: ThreadState) -> dict[str, Any]:
    return {
        "id": thread.id,
        "name": thread.name,
        "state": thread.state,
        "detail": thread.detail,
        "object": thread.object,
        "stack": _stack(thread.stack),
    }


def _race(race: Race) -> dict[str, Any]:
    return {
        "location": race.location,
        "accesses": [
            {
                "thread": access.thread,
                "name": access.name,
                "operation": access.operation,
                "writes": access.writes,
                "atomic": access.atomic,
                "location": access.place,
                "stack": _stack(access.stack),
            }
            for access in race.accesses
        ],
        "token": race.token,
    }


def _stack(stack: tuple[Frame, ...]) -> list[dict[str, Any]]:
    return [{"function": frame.function, "file": frame.file, "line": frame.line} for frame in stack]
