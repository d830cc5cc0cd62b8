"""A result as a SARIF 2.1.0 log: what services that scan code read, to show findings at their lines.

The findings and races are results; whatever else ended the check, or makes it doubtful, is a notification.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import norn
from norn.model import ExitCode, Finding, Race, Result, Verdict, telling_frame
from norn.races import KIND as DATA_RACE
from norn.report.json_text import document
from norn.report.kinds import KINDS, Kind, kind_of
from norn.report.run_context import RunContext, one_line
from norn.report.sarif_parts import (
    BASE,
    Places,
    code_flow_of_finding,
    code_flow_of_race,
    message,
    related_to_finding,
    related_to_race,
    split_place,
    stack_of_thread,
)
from norn.report.words import describe_bounds, headline
from norn.unconfirmed import describe

VERSION = "2.1.0"
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_FINGERPRINT = "nornFinding/v1"
_CXX_SUFFIXES = frozenset({".cc", ".cpp", ".cxx", ".c++", ".C", ".hpp", ".hh", ".hxx", ".ipp"})
_NOTIFICATIONS = {
    "cannot-check": "The program cannot be checked, and nothing is claimed about it",
    "incomplete": "Not every class of interleavings was explored: that nothing was found proves nothing",
    "unconfirmed": "A replay did not show what was found: a bug in norn, and no failure of the program",
    "warning": "What makes the result worth less",
}
_EXIT_CODES = {
    ExitCode.VERIFIED: "verified: every class was explored, none failed",
    ExitCode.FAILED: "failed: there are findings",
    ExitCode.UNUSABLE: "the program cannot be checked",
    ExitCode.INCOMPLETE: "incomplete: not every class was explored",
}


def sarif_of(result: Result, run: RunContext) -> str:
    places = Places(run)
    for file in run.files:
        places.artifact(str(file))
    rules = _rules_for(result)
    indices = {kind.name: index for index, kind in enumerate(rules)}
    results = [_finding(finding, indices, places, run) for finding in result.findings]
    results += [_race(race, indices, places, run) for race in result.races]
    invocation = _invocation(result, run, places)
    log = {
        "$schema": _SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {"driver": _driver(rules)},
                "automationDetails": {"id": f"norn/{run.program}/"},
                "invocations": [invocation],
                "originalUriBaseIds": {BASE: {"uri": run.root_uri}},
                "artifacts": [_artifact(file, run, places) for file in places.files],
                "results": results,
                "columnKind": "unicodeCodePoints",
                "defaultEncoding": "utf-8",
                "language": "en-US",
                "properties": {
                    "verdict": result.verdict.value,
                    "equivalence": result.equivalence,
                    "executions": result.executions,
                    "bounds": list(result.bounds),
                },
            }
        ],
    }
    return document(log)


def _rules_for(result: Result) -> list[Kind]:
    """Every kind there is, so that the list says what was looked for."""
    named = [*KINDS, *(finding.kind for finding in result.findings)]
    return [kind_of(name) for name in dict.fromkeys(named)]


def _driver(rules: list[Kind]) -> dict[str, Any]:
    return {
        "name": "norn",
        "fullName": "norn, a model checker for concurrent C and C++ programs",
        "version": norn.__version__,
        "semanticVersion": norn.__version__,
        "rules": [_rule(kind) for kind in rules],
        "notifications": [
            {"id": name, **{part: {"text": text} for part in ("shortDescription", "fullDescription", "help")}}
            for name, text in _NOTIFICATIONS.items()
        ],
    }


def _rule(kind: Kind) -> dict[str, Any]:
    meaning = kind.meaning or kind.short
    warning = kind.name == DATA_RACE
    return {
        "id": kind.name,
        **({"name": kind.title} if kind.title.lower() != kind.name else {}),  # the format wants another
        "shortDescription": {"text": kind.short},
        "fullDescription": {"text": meaning},
        "help": {
            "text": f"{meaning} {kind.advice}",
            "markdown": f"**{kind.short}.** {meaning}\n\n{kind.advice}\n",
        },
        "defaultConfiguration": {"level": "warning" if warning else "error"},
        "properties": {
            "tags": ["concurrency", "correctness"],
            "precision": "very-high",
            "problem.severity": "warning" if warning else "error",
        },
    }


def _finding(finding: Finding, indices: dict[str, int], places: Places, run: RunContext) -> dict[str, Any]:
    replay = run.replay_of(finding.token)
    again = f" See it again: {replay}" if replay else ""
    why = "".join(f" {sentence.removesuffix('.')}." for sentence in finding.explanation)
    found: dict[str, Any] = {
        "ruleId": finding.kind,
        "ruleIndex": indices[finding.kind],
        "kind": "fail",
        "level": "error",
        "message": message(f"{headline(finding)}.{why}{again}"),
        "partialFingerprints": {_FINGERPRINT: _fingerprint_of_finding(finding, places, run)},
        "properties": {"token": finding.token, "confirmed": True},
    }
    at = split_place(finding.location)
    if at is not None:
        found["locations"] = [_at(finding, at, places)]
    related = related_to_finding(finding, places)
    stacks = [stack_of_thread(thread, places) for thread in finding.threads if thread.stack]
    flow = code_flow_of_finding(finding, places)
    return {
        **found,
        **({"relatedLocations": related} if related else {}),
        **({"stacks": stacks} if stacks else {}),
        **({"codeFlows": [flow]} if flow is not None else {}),
    }


def _at(finding: Finding, at: tuple[str, int], places: Places) -> dict[str, Any]:
    found: dict[str, Any] = {"physicalLocation": places.physical(*at)}
    for thread in finding.threads:
        frame = telling_frame(thread.stack)
        if thread.id == finding.thread and frame is not None and frame.place == finding.location:
            found["logicalLocations"] = places.location(frame)["logicalLocations"]
            break
    return found


def _race(race: Race, indices: dict[str, int], places: Places, run: RunContext) -> dict[str, Any]:
    first, second = race.accesses
    replay = run.replay_of(race.token)
    again = f" See an execution that has it: {replay}" if replay else ""
    frame = telling_frame(second.stack)
    flow = code_flow_of_race(race, places)
    related = related_to_race(first, places)
    return {
        "ruleId": DATA_RACE,
        "ruleIndex": indices[DATA_RACE],
        "kind": "fail",
        "level": "warning",
        "message": message(f"data race: {race}.{again}"),
        **({"locations": [places.location(frame)]} if frame is not None else {}),
        **({"relatedLocations": related} if related else {}),
        "stacks": [
            places.stack(access.stack, f"{access.name}: {access.what}", access.thread)
            for access in race.accesses
        ],
        **({"codeFlows": [flow]} if flow is not None else {}),
        "partialFingerprints": {_FINGERPRINT: _fingerprint_of_race(race, places, run)},
        "properties": {"token": race.token},
    }


def _fingerprint_of_finding(finding: Finding, places: Places, run: RunContext) -> str:
    """The same after edits elsewhere in the file: by the text of the line, not by its number."""
    at = split_place(finding.location)
    places_of_others = sorted(
        _without_number(thread.stack, places, run) for thread in finding.threads if thread.stack
    )
    where = [run.relative(at[0]), places.line_text(*at)] if at is not None else []
    return _digest([finding.kind, *where, *places_of_others])


def _fingerprint_of_race(race: Race, places: Places, run: RunContext) -> str:
    variable = race.location.partition("[")[0].partition("+")[0]
    return _digest(
        [DATA_RACE, variable, *sorted(_without_number(access.stack, places, run) for access in race.accesses)]
    )


def _without_number(stack: Any, places: Places, run: RunContext) -> str:
    frame = telling_frame(stack)
    if frame is None or frame.file is None:
        return ""
    return "\n".join([run.relative(frame.file), frame.function, places.line_text(frame.file, frame.line)])


def _digest(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", errors="replace")).hexdigest()


def _invocation(result: Result, run: RunContext, places: Places) -> dict[str, Any]:
    arguments = [one_line(word) for word in run.command[1:]]
    code = result.exit_code
    return {
        **({"commandLine": run.command_line, "arguments": arguments} if run.command else {}),
        # An incomplete check is no success: else a service takes old findings for mended.
        "executionSuccessful": code in (ExitCode.VERIFIED, ExitCode.FAILED),
        "exitCode": int(code),
        "exitCodeDescription": _EXIT_CODES[code],
        "startTimeUtc": f"{run.started:%Y-%m-%dT%H:%M:%S}.{run.started.microsecond // 1000:03}Z",
        "endTimeUtc": f"{run.ended:%Y-%m-%dT%H:%M:%S}.{run.ended.microsecond // 1000:03}Z",
        "toolExecutionNotifications": _notifications(result, places),
    }


def _notifications(result: Result, places: Places) -> list[dict[str, Any]]:
    found = []
    if result.refusal is not None:
        frame = result.refusal.frame
        where = {"locations": [places.location(frame)]} if frame is not None else {}
        reason = f": {result.refusal.reason}" if result.refusal.reason else ""
        text = f"{result.refusal.message}{reason}; {result.refusal.advice}"
        found.append({**_notification("cannot-check", "error", text), **where})
    elif result.unusable:
        found.append(
            _notification("cannot-check", "error", "; ".join(result.problems) or "norn could not run it")
        )
    elif result.verdict is Verdict.INCOMPLETE:
        why = "; ".join(result.problems) or describe_bounds(result.bounds) or "it could not be finished"
        found.append(_notification("incomplete", "warning", why))
    elif result.problems:
        found.append(_notification("incomplete", "warning", "; ".join(result.problems)))
    found += [_unconfirmed(finding, places) for finding in result.unconfirmed]
    return [*found, *(_notification("warning", "note", warning) for warning in result.warnings)]


def _unconfirmed(finding: Finding, places: Places) -> dict[str, Any]:
    at = split_place(finding.location)
    where = {"locations": [{"physicalLocation": places.physical(*at)}]} if at is not None else {}
    return {**_notification("unconfirmed", "error", describe(finding)), **where}


def _notification(name: str, level: str, text: str) -> dict[str, Any]:
    index = list(_NOTIFICATIONS).index(name)
    return {"descriptor": {"id": name, "index": index}, "level": level, "message": message(text)}


def _artifact(file: str, run: RunContext, places: Places) -> dict[str, Any]:
    path = Path(file)
    found: dict[str, Any] = {"location": places.named(file)}
    if found["location"]["uri"] in {run.uri(str(each)) for each in run.files}:
        found["roles"] = ["analysisTarget"]
    if path.suffix in _CXX_SUFFIXES:
        found["sourceLanguage"] = "cplusplus"
    elif path.suffix in (".c", ".h", ".i"):
        found["sourceLanguage"] = "c"
    try:
        found["hashes"] = {"sha-256": hashlib.sha256(path.read_bytes()).hexdigest()}
    except OSError:
        pass
    return found
