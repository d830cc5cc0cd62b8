"""Findings as violation witnesses of the software verification competition, in the YAML format.

    finding ──► waypoints, in the order of the execution ──► segments ──► YAML

Version 2.0 of the format cannot say which thread passes a waypoint, nor that two accesses race; version 2.2
can (`thread_id`, threads registered where they are created, two targets in the last segment). A waypoint that
the execution might not pass would make the witness wrong, so there are only those of which norn is certain.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import norn
from norn.model import Finding, Frame, Result, Step, Trace, telling_frame
from norn.nondet import value_of
from norn.races import KIND as DATA_RACE
from norn.report.json_text import to_json
from norn.report.run_context import RunContext, one_line
from norn.report.source_text import SourceText
from norn.report.statement_starts import call_columns, statement_starts

DATA_MODEL = "LP64"
_CALL = "CHECK( init(main()), LTL(G ! call({}())) )"
_DEREF = "CHECK( init(main()), LTL(G valid-deref) )"
_FREE = "CHECK( init(main()), LTL(G valid-free) )"
# What a finding violates, in the words of the competition.
SPECIFICATIONS = {
    "reach-error": _CALL.format("reach_error"),
    "assertion": _CALL.format("__assert_fail"),
    "abort": _CALL.format("abort"),
    "use-after-free": _DEREF,
    "use-after-return": _DEREF,
    "global-overflow": _DEREF,
    "heap-overflow": _DEREF,
    "segmentation-fault": _DEREF,
    "bus-error": _DEREF,
    "double-free": _FREE,
    "invalid-free": _FREE,
    DATA_RACE: "CHECK( init(main()), LTL(G ! data-race) )",
}
_ERROR_FUNCTIONS = frozenset({"reach_error", "__VERIFIER_error"})
_NONDET = re.compile(r"\b__VERIFIER_nondet_\w+")
_C_SUFFIXES = frozenset({".c", ".i", ".h"})
_SOURCES_OF_IDS = uuid.UUID("6f1c2d5e-7a3b-5c84-9e0d-2b6a4f8c1d37")  # any constant: makes ids repeatable

Waypoint = dict[str, Any]


class NoWitnessError(Exception):
    """There is nothing that a witness could say; the text says why."""


def witness_of(result: Result, run: RunContext) -> str:
    """The witness of the first finding that the format has a property for."""
    found = next((each for each in result.findings if each.kind in SPECIFICATIONS), None)
    if found is None:
        kinds = ", ".join(dict.fromkeys(each.kind for each in result.findings))
        if kinds:
            raise NoWitnessError(f"the format has no property for: {kinds}")
        if result.unconfirmed:
            raise NoWitnessError("a replay did not show what was found, which is a bug in norn")
        raise NoWitnessError(f"nothing failed (the verdict is {result.verdict.value})")
    return witnesses_to_yaml([found], run)


def witnesses_to_yaml(findings: Sequence[Finding], run: RunContext) -> str:
    """An entry for each finding."""
    sources = [file for file in run.files if file.suffix in _C_SUFFIXES]
    if len(sources) != len(run.files) or not sources:
        raise NoWitnessError("the format is for sources in C only")
    entries = [_Entry(finding, run, sources).as_data() for finding in findings]
    return "".join(f"- {line[2:]}" if first else line for entry in entries for first, line in _lines(entry))


@dataclass(frozen=True)
class _Visit:
    """A thread comes to a line: the step with which it does."""

    step: Step
    frame: Frame


class _Entry:
    """One finding as an entry of the format."""

    def __init__(self, finding: Finding, run: RunContext, sources: Sequence[Path]) -> None:
        self._finding = finding
        self._run = run
        self._sources = sources
        self._text = SourceText()
        self._with_threads = run.witness_version != "2.0"

    def as_data(self) -> dict[str, Any]:
        targets = self._targets()
        way = list(self._way()) if self._finding.trace is not None else []
        if way and _is_at(way[-1], targets[0]):
            way.pop()  # to come to the target and to fail there are one waypoint
        segments = [*([waypoint] for waypoint in way), targets]
        metadata = self._metadata()
        return {
            "entry_type": "violation_sequence",
            "metadata": {
                "format_version": self._run.witness_version,
                "uuid": self._id(segments),
                **metadata,
            },
            "content": [
                {"segment": [{"waypoint": waypoint} for waypoint in segment]} for segment in segments
            ],
        }

    def _id(self, segments: Sequence[Sequence[Waypoint]]) -> str:
        """The same for the same witness."""
        said = json.dumps([self._finding.token, self._run.witness_version, segments])
        return str(uuid.uuid5(_SOURCES_OF_IDS, said))

    def _metadata(self) -> dict[str, Any]:
        hashes = {_name(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in self._sources}
        return {
            "creation_time": f"{self._run.started:%Y-%m-%dT%H:%M:%SZ}",
            "producer": {
                "name": "norn",
                "version": norn.__version__,
                **({"command_line": self._run.command_line} if self._run.command else {}),
            },
            "task": {
                "input_files": list(hashes),
                "input_file_hashes": hashes,
                "specification": SPECIFICATIONS[self._finding.kind],
                "data_model": DATA_MODEL,
                "language": "C",
            },
        }

    # --- the way to the violation

    def _way(self) -> Iterator[Waypoint]:
        """Creations of threads, values that were left open, and the lines at which threads take turns."""
        trace = self._finding.trace
        assert trace is not None
        ids = _WitnessThreads(trace) if self._with_threads else None
        turns = self._turns(trace) if ids is not None and self._finding.kind != DATA_RACE else {}
        for step in trace.steps:
            if step.number in turns:
                waypoint = self._assumption(turns[step.number])
                yield self._of_thread(waypoint, ids, step)
            if step.operation == "spawn":
                if ids is not None:
                    yield self._of_thread(self._creation(step), ids, step)
                    ids.register(step)
            elif step.operation == "choose":
                returned = self._returned_value(step)
                if returned is not None:
                    yield self._of_thread(returned, ids, step)

    def _targets(self) -> list[Waypoint]:
        """Where it is violated; of a race both accesses, which must stay unordered."""
        finding = self._finding
        threads = finding.threads if finding.kind == DATA_RACE and self._with_threads else finding.threads[:1]
        ids = _WitnessThreads(finding.trace) if self._with_threads and finding.trace is not None else None
        if ids is not None and finding.trace is not None:
            for step in finding.trace.steps:
                if step.operation == "spawn":
                    ids.register(step)
        found = []
        for thread in threads:
            frame = self._violating_frame(thread.stack)
            if frame is not None and frame.file and frame.line:
                target: Waypoint = {"type": "target", "action": "follow", "location": self._location(frame)}
                found.append(_with_thread(target, ids.of(thread.id)) if ids is not None else target)
        if not found:
            raise NoWitnessError("where it failed is not known")
        return found

    @staticmethod
    def _violating_frame(stack: Sequence[Frame]) -> Frame | None:
        """The call of an error function, not what that function does."""
        outermost = [index for index, frame in enumerate(stack) if frame.function in _ERROR_FUNCTIONS]
        return telling_frame(stack[outermost[-1] + 1 :] if outermost else stack)

    def _turns(self, trace: Trace) -> dict[int, _Visit]:
        """Steps at which a thread begins a line: the first after, and the last before, another one's turn."""
        visits = list(self._visits(trace))
        return {
            visit.step.number: visit
            for index, visit in enumerate(visits)
            if any(
                visits[beside].step.thread != visit.step.thread
                for beside in (index - 1, index + 1)
                if 0 <= beside < len(visits)
            )
        }

    def _visits(self, trace: Trace) -> Iterator[_Visit]:
        starts: dict[str, frozenset[int]] = {}
        before: dict[int, Step] = {}
        for step in trace.steps:
            previous = before.get(step.thread)
            before[step.thread] = step
            frame = step.stack[0] if step.stack and step.stack[0].place else telling_frame(step.stack)
            if frame is None or not frame.file or not frame.line or self._source_name(frame.file) is None:
                continue
            # Back from a call, or still on the line: the statement was begun before.
            if previous is not None and any(frame.place == each.place for each in previous.stack):
                continue
            if frame.file not in starts:
                starts[frame.file] = statement_starts("\n".join(self._text.lines(frame.file)))
            if frame.line in starts[frame.file] and step.operation != "end":
                yield _Visit(step, frame)

    def _assumption(self, visit: _Visit) -> Waypoint:
        return {
            "type": "assumption",
            "action": "follow",
            "location": self._location(visit.frame),
            "constraint": {"value": "1", "format": "c_expression"},
        }

    def _creation(self, step: Step) -> Waypoint:
        frame = telling_frame(step.stack)
        if frame is None or not frame.file or not frame.line:
            raise NoWitnessError("where a thread is created is not known")
        columns = call_columns(self._line(frame), "pthread_create")
        return {
            "type": "function_enter",
            "action": "follow",
            "location": self._location(frame, columns[0] if columns is not None else None),
        }

    def _returned_value(self, step: Step) -> Waypoint | None:
        """A value that the program left open, where it is clear which call gave it."""
        frame = telling_frame(step.stack)
        if frame is None or not frame.file or not frame.line:
            return None
        line = self._line(frame)
        names = _NONDET.findall(line)
        columns = call_columns(line, names[0]) if len(names) == 1 else None
        value = value_of(self._run.nondet, names[0], step.choice, step.alternatives) if names else None
        if columns is None or value is None:
            return None
        return {
            "type": "function_return",
            "action": "follow",
            "location": self._location(frame, columns[1]),
            "constraint": {"value": f"\\result == {value}", "format": "acsl_expression"},
        }

    def _of_thread(self, waypoint: Waypoint, ids: _WitnessThreads | None, step: Step) -> Waypoint:
        return _with_thread(waypoint, ids.of(step.thread)) if ids is not None else waypoint

    def _location(self, frame: Frame, column: int | None = None) -> dict[str, Any]:
        name = self._source_name(frame.file)
        if name is None or not frame.line:
            raise NoWitnessError("its lines are not those of the sources (included files, #line)")
        return {
            "file_name": name,
            "line": frame.line,
            **({"column": column} if column is not None else {}),
            "function": one_line(frame.function),
        }

    def _line(self, frame: Frame) -> str:
        lines = self._text.lines(frame.file or "")
        return lines[frame.line - 1] if frame.line and frame.line <= len(lines) else ""

    def _source_name(self, file: str | None) -> str | None:
        """The name of a source as the task has it."""
        path = Path(file or "").resolve()
        return next((_name(source) for source in self._sources if source.resolve() == path), None)


class _WitnessThreads:
    """Ids of threads as the format has them: 0 is the first, the n-th that is registered is n."""

    def __init__(self, trace: Trace) -> None:
        self._by_name = {name: thread for thread, name in trace.threads.items()}
        self._ids = {0: 0}

    def register(self, spawn: Step) -> None:
        thread = self._by_name.get(spawn.location)
        if thread is None:
            raise NoWitnessError("which thread is created where is not known")
        self._ids[thread] = len(self._ids)

    def of(self, thread: int) -> int:
        if thread not in self._ids:
            raise NoWitnessError("which thread is created where is not known")
        return self._ids[thread]


def _with_thread(waypoint: Waypoint, thread: int) -> Waypoint:
    return {"type": waypoint["type"], "action": waypoint["action"], "thread_id": thread, **waypoint}


def _is_at(waypoint: Waypoint, target: Waypoint) -> bool:
    same_line = waypoint["location"]["line"] == target["location"]["line"]
    return (
        same_line
        and waypoint["type"] == "assumption"
        and waypoint["location"]["file_name"] == target["location"]["file_name"]
        and waypoint.get("thread_id") == target.get("thread_id")
    )


def _name(file: Path) -> str:
    """As it was given: that is how the files of a task are named."""
    return one_line(str(file))


# --- YAML


def _lines(entry: dict[str, Any]) -> Iterator[tuple[bool, str]]:
    """The lines of an entry, each with whether it is the first one."""
    for number, line in enumerate(_block(entry, 1)):
        yield number == 0, line + "\n"


def _block(value: Any, depth: int) -> Iterator[str]:
    """Lists and mappings as blocks; strings in quotes, with the escapes of JSON, which YAML has too."""
    indent = "  " * depth
    if isinstance(value, dict):
        for key, item in value.items():
            shown = key if re.fullmatch(r"[a-z_]+", key) else _scalar(key)
            if isinstance(item, dict | list):
                yield f"{indent}{shown}:"
                yield from _block(item, depth + 1)
            else:
                yield f"{indent}{shown}: {_scalar(item)}"
    else:
        for item in value:
            if isinstance(item, dict | list):
                first, *rest = _block(item, depth + 1)
                yield f"{indent}- {first[len(indent) + 2 :]}"
                yield from rest
            else:
                yield f"{indent}- {_scalar(item)}"


def _scalar(value: str | int) -> str:
    return to_json(value) if isinstance(value, str) else str(value)
