"""`norn svcomp TASK.yml`: reads a task definition of the software verification competition and answers it.

A task names sources, the model of their integers, and properties with the answers that are expected. For each
property the program is checked with only those failures counted that violate it. Everything else that goes
wrong just ends an execution, if it is an end that the language defines: a deadlock, a failed assertion,
abort(). The answer is `true`, `false(...)` or `unknown`, and a reason.

    task file ──► Task ──► svcomp_program: built ──► deepening.check, once a property ──► Answer

`unknown` is never a guess in disguise. An answer is `true` only if every class was explored: with every value
that the program leaves open, with waits that end by themselves, without a cut, and if no execution did what
the language leaves undefined, for from there on norn would follow one of many programs. Memory that the
program reads before it has written it is left open, too: see `_depends_on_unwritten`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from norn import deepening, run, svcomp_program
from norn.build import Program
from norn.build.own_functions import OWN_CODE
from norn.errors import BuildError, UsageError
from norn.keywords import AnswerKeywords, split
from norn.model import ExitCode, Finding, Result, Verdict
from norn.properties import PROPERTIES, Property
from norn.races import KIND as RACE
from norn.report.words import describe_bounds
from norn.settings import Settings, Watch

DATA_MODEL = "LP64"

# Sources of tasks are often older than the compiler: declarations are missing, types are left out, functions
# are defined in the style of K&R. Newer standards, and with older ones newer compilers, refuse that.
_C_FLAGS = (
    "-std=gnu17",
    "-w",
    "-Wno-implicit-int",
    "-Wno-implicit-function-declaration",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-return-mismatch",
    "-Wno-declaration-missing-parameter-type",
)
# Of the time limit: what a second look at the program has at least.
_LEAST_PART = 0.1
# Enough for what a program does with memory that it has not written; all executions of small programs.
_EXECUTIONS_AGAIN = 20_000

_LANGUAGES = ("C", "C++")
_DATA_MODELS = ("ILP32", "LP64")


@dataclass(frozen=True)
class Expected:
    """A property of a task, and the answer that its author expects."""

    name: str
    verdict: bool | None = None
    subproperty: str | None = None  # which part of it is violated

    @property
    def text(self) -> str | None:
        if self.verdict is None:
            return None
        return "true" if self.verdict else f"false({self.subproperty or self.name})"


@dataclass(frozen=True)
class Task:
    file: Path
    sources: tuple[Path, ...]
    data_model: str
    cxx: bool
    properties: tuple[Expected, ...]

    @property
    def flags(self) -> tuple[str, ...]:
        """What to compile it with, before what the user wants."""
        return ("-w",) if self.cxx else _C_FLAGS

    def choose(self, wanted: str | None) -> tuple[Expected, ...]:
        """The property of that name or file; all of the task if none is given."""
        if wanted is None:
            if not self.properties:
                raise UsageError(
                    f"{self.file}: the task names no property; give one: --property unreach-call"
                )
            return self.properties
        name = wanted if wanted in PROPERTIES else property_of(Path(wanted))
        known = [each for each in self.properties if each.name == name]
        return tuple(known) or (Expected(name),)


@dataclass(frozen=True)
class Answer:
    task: Task
    expected: Expected
    verdict: bool | None  # None: unknown
    violated: str = ""
    reason: str = ""  # of `unknown`
    finding: Finding | None = None
    result: Result | None = None
    failed_build: BuildError | None = None

    @property
    def text(self) -> str:
        """As tools of the competition say it."""
        if self.verdict is None:
            return "unknown"
        return "true" if self.verdict else f"false({self.violated})"

    @property
    def is_wrong(self) -> bool:
        """Whether it contradicts what is expected."""
        if self.verdict is None or self.expected.verdict is None:
            return False
        if self.verdict != self.expected.verdict:
            return True
        part = self.expected.subproperty
        return not self.verdict and part is not None and part != self.violated

    @property
    def exit_code(self) -> ExitCode:
        if self.is_wrong:
            return ExitCode.FAILED
        if self.verdict is not None:
            return ExitCode.VERIFIED
        unusable = self.failed_build is not None or (self.result is not None and self.result.unusable)
        return ExitCode.UNUSABLE if unusable else ExitCode.INCOMPLETE


def exit_code(answers: Sequence[Answer]) -> ExitCode:
    """A wrong answer counts most, then none."""
    order = (ExitCode.FAILED, ExitCode.UNUSABLE, ExitCode.INCOMPLETE, ExitCode.VERIFIED)
    return min((answer.exit_code for answer in answers), key=order.index)


def read_task(file: Path) -> Task:
    """The task of a file, or a UsageError that says what is wrong with it."""
    value = _load(file)
    wrong = partial(_wrong, file)
    if not isinstance(value, dict) or not str(value.get("format_version", "")).startswith("2."):
        raise wrong("not a task definition of format version 2")
    names = value.get("input_files")
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise wrong("input_files must be the name of a file, or a list of names")
    sources = tuple(file.parent / name for name in names)
    for source in sources:
        if not source.is_file():
            raise wrong(f"the input file {source} does not exist")
    options = value.get("options") or {}
    if not isinstance(options, dict):
        raise wrong("options must be names with values")
    language = options.get("language", "C")
    if language not in _LANGUAGES:
        raise wrong(f"the language is {language}; norn checks C and C++")
    data_model = options.get("data_model", DATA_MODEL)
    if data_model not in _DATA_MODELS:
        raise wrong(f"unknown data_model {data_model}; there are: {', '.join(_DATA_MODELS)}")
    properties = value.get("properties") or []
    if not isinstance(properties, list):
        raise wrong("properties must be a list")
    expected = tuple(_read_expected(file, each) for each in properties)
    return Task(file, sources, data_model, language == "C++", expected)


def property_of(file: Path) -> str:
    """The name of the property that a file describes; by its own name where it cannot be read."""
    try:
        text = re.sub(r"\s", "", file.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        if file.stem in PROPERTIES:
            return file.stem
        raise UsageError(
            f"{file}: no such file, and no such property; there are: {', '.join(PROPERTIES)}"
        ) from None
    for each in PROPERTIES.values():
        if each.formula.search(text):
            return each.name
    raise UsageError(f"{file}: norn does not know this property; it knows {', '.join(PROPERTIES)}")


def answer(
    task: Task, expected: Expected, *, data_model: str | None = None, **options: Unpack[AnswerKeywords]
) -> Answer:
    """Checks one property. options: as for `api.check`, but for what counts as a failure.

    data_model: instead of that of the task.
    """
    return answer_with(task, expected, *split(options), data_model)


def answer_with(
    task: Task, expected: Expected, settings: Settings, watch: Watch, data_model: str | None = None
) -> Answer:
    """The same, with all options in one value."""
    wanted = PROPERTIES[expected.name]
    unknown = partial(Answer, task, expected, None)
    if wanted.undecided:
        return unknown(reason=wanted.undecided)
    asked = settings_for(task, expected, settings)
    began = time.monotonic()
    try:
        asked, program = svcomp_program.linked(task.sources, asked)
        cut = svcomp_program.cut_values(task.sources, asked)
        if cut:
            return unknown(
                reason=f"{', '.join(cut)}: called without a declaration, so that what it returns is cut to "
                "an int; include its header"
            )
        result = deepening.check(task.sources, asked, watch)
    except BuildError as problem:
        return unknown(reason=problem.message, failed_build=problem)
    found = next((each for each in result.findings if each.kind in wanted.violations), None)
    reason = _doubt(result, wanted, found)
    if asked.time_limit is not None:  # what is to come has the rest of it, or a part of its own
        rest = asked.time_limit - (time.monotonic() - began)
        asked = replace(asked, time_limit=max(rest, asked.time_limit * _LEAST_PART))
    if not reason and found is not None and wanted.name == "no-data-race":
        reason = _only_by_memory_orders(task, asked, watch)
    if not reason and found is None:
        reason = _left_open(task, asked, program, result) or _depends_on_unwritten(task, asked, watch, result)
    if reason:
        return unknown(reason=reason, finding=found, result=result)
    model = data_model or task.data_model
    if model != DATA_MODEL:
        seen = "a violation was found" if found is not None else "no violation was found"
        return unknown(
            reason=f"the task is for {model}, where integers and pointers have other sizes than in "
            f"{DATA_MODEL}, as which norn checked it: {seen}; "
            f"--data-model={DATA_MODEL} takes that for the answer",
            finding=found,
            result=result,
        )
    if found is not None:
        return Answer(task, expected, False, wanted.violations[found.kind], finding=found, result=result)
    return Answer(task, expected, True, result=result)


def settings_for(task: Task, expected: Expected, settings: Settings) -> Settings:
    """Only what violates the property is a failure, and what POSIX leaves open is open."""
    violations = PROPERTIES[expected.name].violations
    return replace(
        settings,
        flags=[*task.flags, *settings.flags],
        own_flags=svcomp_program.TRAPS,
        only=list(violations),
        races="error" if RACE in violations else "off",
        spurious=True,
    )


def _only_by_memory_orders(task: Task, settings: Settings, watch: Watch) -> str:
    """Why a race is no answer: the competition's races are accesses that can come side by side.

    That is so if it is still there when every atomic operation orders as much as it can. Else it is one by
    the memory orders of the language only, which the competition does not speak of.
    """
    strong = deepening.check(task.sources, replace(settings, strong_atomics=True, shrink=False), watch)
    if any(each.kind == RACE and each.unconfirmed is None for each in strong.findings):
        return ""
    return "it is a data race only by the memory orders that the program gives to its atomic operations"


def _left_open(task: Task, settings: Settings, program: Program, result: Result) -> str:
    """Why `true` is no answer: what the program does depends on more than norn has explored."""
    unseen = [text for text in program.warnings if not text.endswith(OWN_CODE)]
    if unseen or result.unseen:
        return (*unseen, *result.unseen)[0]
    outside = svcomp_program.taken_from_outside(task.sources, settings)
    if "main" in outside:
        return "the program looks at its arguments, which the task leaves open: norn gives it none"
    if outside:
        return f"{', '.join(outside)}: what it gives is left open by the task, and norn has tried one value"
    return ""


def _depends_on_unwritten(task: Task, settings: Settings, watch: Watch, result: Result) -> str:
    """Why `true` is no answer: the program reads memory that it has not written.

    Such memory holds any value; norn's holds zeros. So the program is checked once more with something else
    in it. Whatever is different then comes from there. (Two values are not all: docs/limitations.md.)
    """
    other = svcomp_program.with_other_memory(task.sources, settings)
    if other is None:
        return ""
    other = replace(other, equivalence=result.equivalence, max_executions=_EXECUTIONS_AGAIN, shrink=False)
    again = run.check(task.sources, other, watch)
    limited = bool({"max-executions", "time-limit", "interrupted"} & set(again.bounds))
    same = (again.executions, again.events) == (result.executions, result.events)
    # How often a loop that waits goes round depends on what lies on the stack.
    if again.findings or not (limited or again.complete) or not (limited or result.blocked or same):
        return "the program does something else if memory that it has not written holds other values"
    return ""


def _doubt(result: Result, wanted: Property, found: Finding | None) -> str:
    """Why the result of the check is no answer; nothing if it is one."""
    if found is not None:
        return ""
    if result.findings:
        other = result.findings[0]
        return f"{other.message}, after which the program cannot be run on"
    if result.verdict is Verdict.VERIFIED:
        return wanted.unproved
    return "; ".join(result.problems) or describe_bounds(result.bounds) or "the check could not be finished"


def _load(file: Path) -> Any:
    try:
        import yaml
    except ImportError:
        raise UsageError("norn svcomp needs PyYAML to read tasks: pip install pyyaml") from None
    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as problem:
        raise UsageError(f"{file}: {problem.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise UsageError(f"{file}: not YAML: {' '.join(str(problem).split())}") from None


def _read_expected(file: Path, value: Any) -> Expected:
    if not isinstance(value, dict) or not isinstance(value.get("property_file"), str):
        raise _wrong(file, "each of the properties must have a property_file")
    verdict = value.get("expected_verdict")
    if verdict is not None and not isinstance(verdict, bool):
        raise _wrong(file, f"expected_verdict is {verdict!r}, not true or false")
    part = value.get("subproperty")
    return Expected(property_of(file.parent / value["property_file"]), verdict, part)


def _wrong(file: Path, what: str) -> UsageError:
    return UsageError(f"{file}: {what}")
