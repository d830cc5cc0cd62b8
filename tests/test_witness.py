"""Violation witnesses: valid by the format, with waypoints that the execution passes, and no others."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from norn.nondet import value_of
from norn.report.run_context import RunContext
from norn.report.statement_starts import call_columns, statement_starts
from norn.report.witness import SPECIFICATIONS, NoWitnessError, witness_of
from tests.conftest import ROOT, check
from tests.written import CASES, written

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "violation-witness.schema.json").read_text())
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
WITH_WITNESS = ("failed", "use-after-free", "race-failed", "several")
TASKS = Path(__file__).parent / "svcomp"


def entries_in(text: str) -> list[dict[str, Any]]:
    entries = yaml.safe_load(text)
    errors = [f"{list(error.absolute_path)}: {error.message}" for error in VALIDATOR.iter_errors(entries)]
    assert not errors
    for entry in entries:
        require_sense(entry)
    return entries


def segments_of(entry: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return [[each["waypoint"] for each in segment["segment"]] for segment in entry["content"]]


def require_sense(entry: dict[str, Any]) -> None:
    """What a schema cannot say: the form of segments, threads that exist, places that do."""
    *normal, last = segments_of(entry)
    version = entry["metadata"]["format_version"]
    assert all(len(segment) == 1 and segment[0]["type"] != "target" for segment in normal)
    assert all(waypoint["type"] == "target" for waypoint in last)
    assert len(last) <= (2 if version == "2.2" else 1)
    known = 1
    for waypoint in (each for segment in (*normal, last) for each in segment):
        assert (version == "2.0") == ("thread_id" not in waypoint)
        assert waypoint.get("thread_id", 0) < known
        known += waypoint["type"] == "function_enter"
    task = entry["metadata"]["task"]
    for name, digest in task["input_file_hashes"].items():
        assert name in task["input_files"]
        if Path(ROOT / name).exists():
            assert hashlib.sha256(Path(ROOT / name).read_bytes()).hexdigest() == digest


def require_places(entry: dict[str, Any], source: str) -> None:
    """Every waypoint stands where the format wants it."""
    lines = source.split("\n")
    for waypoint in (each for segment in segments_of(entry) for each in segment):
        place = waypoint["location"]
        text = lines[place["line"] - 1]
        match waypoint["type"]:
            case "function_enter":
                assert "pthread_create" in text
                assert text[place["column"] - 1] == "("
            case "function_return":
                assert "__VERIFIER_nondet" in text
                assert text[place["column"] - 1] == ")"
            case "assumption":
                assert text.strip()[0].isalpha() or text.strip()[0] in "_*("
                assert not text.strip().startswith(("for", "while", "else", "}", "#"))


@pytest.mark.parametrize("case", CASES)
def test_there_is_one_for_each_violation_that_the_format_knows(case):
    done = written(case)
    if case in WITH_WITNESS:
        (entry,) = entries_in(done.texts["witness"])
        assert entry["metadata"]["format_version"] == "2.2"
        require_places(entry, done.file.read_text())
    else:
        assert "witness" not in done.texts
        assert "no witness: " in done.errors


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("verified", "nothing failed"),
        ("incomplete", "nothing failed"),
        ("deadlock", "no property for: deadlock"),
        ("names", "sources in C only"),
        ("hostile", "where it failed is not known"),
    ],
)
def test_why_there_is_none(case, why):
    assert why in written(case).errors


def test_lines_of_other_files_are_not_taken_for_those_of_the_source(norn, program):
    text = (ROOT / "examples/lost_update.c").read_text()
    done = norn("check", program(f'#line 100 "other.c"\n{text}'), "--format=witness")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "its lines are not those of the sources" in done.stderr


def test_two_accesses_that_race_are_two_targets():
    (entry,) = entries_in(written("race-failed").texts["witness"])
    targets = segments_of(entry)[-1]
    assert len(targets) == 2
    assert len({target["thread_id"] for target in targets}) == 2
    assert {target["location"]["line"] for target in targets} == {4}
    assert "data-race" in entry["metadata"]["task"]["specification"]


VIOLATED = [
    "counter_racy",
    "nondet_bug",
    "lazy",
    "peterson_hasty",
    "stack_careless",
    "used_after_free",
    "fib_unsafe",
]


@pytest.mark.parametrize("version", ["2.2", "2.0"])
@pytest.mark.parametrize("task", VIOLATED)
def test_tasks_of_the_competition(norn, tmp_path, task, version):
    target = tmp_path / "witness.yml"
    done = norn("svcomp", TASKS / f"{task}.yml", f"--witness={target}", f"--witness-version={version}", "-q")
    assert done.returncode == 0, done.stderr
    entries = entries_in(target.read_text())
    assert entries
    for entry in entries:
        assert entry["metadata"]["format_version"] == version
        require_places(entry, (TASKS / f"{task}.c").read_text())


@pytest.mark.parametrize(
    "example", ["lost_update", "double_checked_locking", "bounded_buffer_wrong", "aba_stack"]
)
def test_the_execution_passes_every_waypoint_in_order(example):
    file = ROOT / "examples" / f"{example}.c"
    result = check(file)
    trace = result.findings[0].trace
    try:
        text = witness_of(result, RunContext((file,)))
    except NoWitnessError:
        assert result.findings[0].kind not in SPECIFICATIONS
        return
    (entry,) = entries_in(text)
    require_places(entry, file.read_text())
    created = [step.location for step in trace.steps if step.operation == "spawn"]
    ids = {trace.threads[0]: 0, **{name: number for number, name in enumerate(created, 1)}}
    passed = iter(
        (ids[trace.threads[step.thread]], frame.line) for step in trace.steps for frame in step.stack
    )
    for segment in segments_of(entry)[:-1]:
        (waypoint,) = segment
        assert (
            waypoint["thread_id"],
            waypoint["location"]["line"],
        ) in passed  # and what is before it is used up


def test_values_that_were_left_open_and_turns_of_threads(norn):
    done = norn("svcomp", TASKS / "nondet_bug.yml", "--witness=-", "-q")
    (entry,) = entries_in(done.stdout)
    said = [
        (waypoint["type"], waypoint["thread_id"], waypoint["location"]["line"])
        for segment in segments_of(entry)
        for waypoint in segment
    ]
    returned = said.index(("function_return", 1, 10))
    assert said.index(("function_enter", 0, 18)) < returned < said.index(("assumption", 1, 11))
    assert said[-1] == ("target", 0, 19)
    values = [waypoint.get("constraint", {}).get("value") for (waypoint,) in segments_of(entry)]
    assert values[returned] == "\\result == 1"


def test_a_task_that_is_not_violated_has_none_and_an_old_one_goes(norn, tmp_path):
    target = tmp_path / "witness.yml"
    target.write_text("of an earlier run")
    done = norn("svcomp", TASKS / "counter_mutex.yml", f"--witness={target}", "-q")
    assert done.returncode == 0
    assert not target.exists()
    assert "no property is violated; the file of an earlier run was removed" in done.stderr


def test_a_witness_is_the_same_again(norn):
    runs = [norn("check", "examples/lost_update.c", "-e", "rf", "--format=witness").stdout for _ in range(2)]
    first, second = (entries_in(text)[0] for text in runs)
    first["metadata"]["creation_time"] = second["metadata"]["creation_time"] = ""
    assert first == second


def test_a_version_that_does_not_exist(norn):
    done = norn("check", "examples/lost_update.c", "--witness-version=1.0")
    assert done.returncode == 2
    assert "unknown version of the witness format “1.0”; there are: 2.2, 2.0" in done.stderr


STATEMENTS = """#include <x.h>
struct point {
    int x;
};
int table[] = {
    1,
    2,
};
static int f(int a,
             int b) {
    a = b; /* a comment; with a
    b = a; statement */
    if (a)
        b = 1;
    for (int i = 0;
         i < 3;
         i++) {
        *p = i;
    }
    call("string; {",
         b);
    while (a) b++;
    do {
        x();
    } while (a);
    else_ = 1;
    struct point q = {
        1
    };
    q = (struct point){
        counter,
    };
    if (a) {
        z();
    } else {
        z();
    }
    a = 1; {
        z();
    }
    return a
        + b;
}
#define M do { \\
    y(); \\
} while (0)
"""


def test_lines_that_begin_a_statement():
    lines = STATEMENTS.split("\n")
    found = [lines[number - 1].strip() for number in sorted(statement_starts(STATEMENTS))]
    assert found == [
        "a = b; /* a comment; with a",
        "if (a)",
        "*p = i;",
        'call("string; {",',
        "x();",
        "else_ = 1;",
        "q = (struct point){",
        "if (a) {",
        "z();",
        "z();",
        "a = 1; {",
        "z();",
        "return a",
    ]


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        ("  f(1);", (4, 6)),
        ("x = g(f (a, b(c)), 2);", (9, 17)),
        ("f(1) + f(2);", None),
        ("// f(1)", None),
        ('puts("f(1)");', None),
        ("f(1,", None),
        ("off(1);", None),
    ],
)
def test_parentheses_of_a_call(line, columns):
    assert call_columns(line, "f") == columns


@pytest.mark.parametrize(
    ("nondet", "kind", "choice", "alternatives", "value"),
    [
        ("0,1", "int", 1, 2, 1),
        ("0,1,5", "bool", 1, 2, 1),
        ("0,-1", "int", 1, 2, -1),
        ("0,-1", "uchar", 1, 2, 255),
        ("0,256,1", "char", 1, 2, 1),
        ("0,1", "int", 1, 3, None),
        ("random:7", "int", 0, 1, None),
        ("0,1", "pointer", 0, 2, None),
    ],
)
def test_values_by_type(nondet, kind, choice, alternatives, value):
    assert value_of(nondet, f"__VERIFIER_nondet_{kind}", choice, alternatives) == value
