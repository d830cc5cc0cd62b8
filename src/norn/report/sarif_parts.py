"""Parts of a SARIF log that tell of places in the sources: locations, stacks, the flow of the threads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from norn.model import Finding, Frame, Race, RacedAccess, Step, ThreadState, telling_frame
from norn.report.interleaving import Row
from norn.report.rows import rows_that_matter
from norn.report.run_context import RunContext, one_line
from norn.report.source_text import SourceText
from norn.report.words import describe_state

BASE = "%SRCROOT%"  # what code-scanning services take for the root of the repository
# Services cut longer flows at their end, which is the part that matters.
_MOST_LOCATIONS = 1000
# Words that the format has for what happens at a place of a flow.
_FLOW_KINDS = {
    "lock": ["acquire", "lock"],
    "robust-lock": ["acquire", "lock"],
    "wake-lock": ["acquire", "lock"],
    "rwlock-read": ["acquire", "lock"],
    "rwlock-write": ["acquire", "lock"],
    "unlock": ["release", "lock"],
    "robust-unlock": ["release", "lock"],
    "rwlock-unlock": ["release", "lock"],
    "sem-wait": ["acquire", "resource"],
    "sem-post": ["release", "resource"],
    "spawn": ["call", "function"],
    "free": ["release", "memory"],
    "load": ["memory", "value"],
    "store": ["memory", "value"],
    "rmw": ["memory", "value"],
    "compare-exchange": ["memory", "value"],
}


def message(text: str) -> dict[str, str]:
    """A message string. What looks like a link or a placeholder of the format in it is neither."""
    shown = one_line(text).replace("](", "] (")
    return {"text": re.sub(r"\{(\d+)\}", r"{{\1}}", shown)}


class Places:
    """Locations of one log; remembers which files they name."""

    def __init__(self, run: RunContext) -> None:
        self._run = run
        self._source = SourceText()
        self._files: dict[str, tuple[int, str]] = {}  # by URI, since one file can be named in several ways

    @property
    def files(self) -> list[str]:
        return [file for _, file in self._files.values()]

    def artifact(self, file: str) -> dict[str, Any]:
        named = self.named(file)
        index, _ = self._files.setdefault(named["uri"], (len(self._files), file))
        return {**named, "index": index}

    def named(self, file: str) -> dict[str, Any]:
        uri = self._run.uri(file)
        return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": BASE}

    def physical(self, file: str, line: int) -> dict[str, Any]:
        region: dict[str, Any] = {"startLine": line}
        text = one_line(self._source.line(file, line))
        if text:
            region["snippet"] = {"text": text}
        return {"artifactLocation": self.artifact(file), "region": region}

    def line_text(self, file: str | None, line: int | None) -> str:
        return self._source.line(file, line)

    def location(self, frame: Frame, said: str = "") -> dict[str, Any]:
        found: dict[str, Any] = {}
        if frame.file and frame.line:
            found["physicalLocation"] = self.physical(frame.file, frame.line)
        name = one_line(frame.function) or "?"
        found["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "function"}]
        return {**found, "message": message(said)} if said else found

    def stack(self, frames: Sequence[Frame], said: str, thread: int) -> dict[str, Any]:
        return {
            "message": message(said),
            "frames": [{"location": self.location(frame), "threadId": thread} for frame in frames],
        }


def stack_of_thread(thread: ThreadState, places: Places) -> dict[str, Any]:
    return places.stack(thread.stack, f"{thread.name}: {describe_state(thread)}", thread.id)


def split_place(place: str | None) -> tuple[str, int] | None:
    """`file:line` as two."""
    file, _, line = (place or "").rpartition(":")
    return (file, int(line)) if file and line.isdigit() and int(line) > 0 else None


def code_flow_of_finding(finding: Finding, places: Places) -> dict[str, Any] | None:
    """The steps that matter, a flow for each thread, numbered as they happened; then the failure."""
    if finding.trace is None:
        return None
    by_number = {step.number: step for step in finding.trace.steps}
    rows = [row for row in rows_that_matter(finding.trace.steps) if row.frame is not None]
    flows: dict[int, list[dict[str, Any]]] = {}
    for order, row in enumerate(rows[-_MOST_LOCATIONS:], 1):
        flows.setdefault(row.thread, []).append(_flow_location(row, by_number[row.number], order, places))
    at = split_place(finding.location)
    if at is not None:
        failed = {"physicalLocation": places.physical(*at), "message": message(finding.message)}
        flows.setdefault(finding.thread, []).append(
            {
                "location": failed,
                "executionOrder": min(len(rows), _MOST_LOCATIONS) + 1,
                "importance": "essential",
                "kinds": ["danger"],
            }
        )
    return _code_flow(flows, finding.trace.threads, "How it happens, step by step across the threads")


def code_flow_of_race(race: Race, places: Places) -> dict[str, Any] | None:
    """The two accesses, in the order in which they happened to come."""
    flows: dict[int, list[dict[str, Any]]] = {}
    for order, access in enumerate(race.accesses, 1):
        frame = telling_frame(access.stack)
        if frame is not None:
            said = f"{access.what} of {race.location or 'memory'}"
            flows.setdefault(access.thread, []).append(
                {
                    "location": places.location(frame, said),
                    "executionOrder": order,
                    "importance": "essential",
                    "kinds": ["danger", "memory"],
                }
            )
    names = {access.thread: access.name for access in race.accesses}
    return _code_flow(flows, names, "Two accesses that nothing orders")


def related_to_finding(finding: Finding, places: Places) -> list[dict[str, Any]]:
    """Where the other threads were."""
    found: list[dict[str, Any]] = []
    for thread in finding.threads:
        frame = telling_frame(thread.stack)
        if frame is not None and (thread.id != finding.thread or frame.place != finding.location):
            said = f"{thread.name}: {describe_state(thread)}"
            found.append({"id": len(found) + 1, **places.location(frame, said)})
    return found


def related_to_race(other: RacedAccess, places: Places) -> list[dict[str, Any]]:
    frame = telling_frame(other.stack)
    return [{"id": 1, **places.location(frame, f"{other.name}: {other.what}")}] if frame is not None else []


def _flow_location(row: Row, step: Step, order: int, places: Places) -> dict[str, Any]:
    assert row.frame is not None
    found: dict[str, Any] = {
        "location": places.location(row.frame, row.said),
        "executionOrder": order,
        "importance": "important",
    }
    if step.operation in _FLOW_KINDS:
        found["kinds"] = _FLOW_KINDS[step.operation]
    if "memory" in found.get("kinds", ()) and step.location and step.operation != "free":
        value = step.after if step.writes else step.before
        found["state"] = {one_line(step.location): message(value)}
    return found


def _code_flow(
    flows: dict[int, list[dict[str, Any]]], names: dict[int, str], said: str
) -> dict[str, Any] | None:
    if not flows:
        return None
    threads = [
        {
            "id": f"T{thread}",
            "message": message(names.get(thread, f"T{thread}")),
            "locations": locations,
        }
        for thread, locations in sorted(flows.items())
    ]
    return {"message": message(said), "threadFlows": threads}
