"""What people and programs read. The JSON shape is a contract: a change here is a change of `schema`."""

import io
import json
import re
from dataclasses import replace

import pytest
from rich.console import Console

from norn.model import (
    ExitCode,
    Finding,
    Frame,
    Refusal,
    Result,
    Sample,
    Step,
    ThreadState,
    Trace,
    Verdict,
    telling_frame,
)
from norn.report import json as json_report
from norn.report.console import ConsoleReport
from norn.report.words import describe_state, figures

FRAME = Frame("main", "a.c", 7)
TRACE = Trace(
    {0: "T0 main", 1: "T1 worker"},
    (
        Step(1, 0, "store", "x", "0", "1", True, True, 0, 1, (FRAME,)),
        Step(2, 1, "load", "private", "0", "0", False, False, 0, 1, (FRAME,)),
        Step(3, 1, "load", "x", "1", "1", False, True, 0, 1, (FRAME,)),
    ),
)
FINDING = Finding(
    kind="assertion",
    message="assertion `x == 2' failed",
    thread=0,
    location="a.c:7",
    threads=(ThreadState(0, "T0 main", "failed", "", None, (FRAME,)),),
    token="norn1.AAAA",
    trace=TRACE,
)
VERIFIED = Result(
    Verdict.VERIFIED,
    "reads-from",
    executions=1536,
    events=69120,
    threads=10,
    longest=47,
    checks=20480,
    decided=3,
    seconds=0.5,
    peak_rss_mb=3.5,
)
FAILED = Result(Verdict.FAILED, "reads-from", executions=2, bounds=("finding",), findings=(FINDING,))
INCOMPLETE = Result(Verdict.INCOMPLETE, "reads-from", executions=9, bounds=("time-limit",))


def shown(result: Result, width: int = 120, **how: bool) -> str:
    output = io.StringIO()
    console = Console(file=output, width=width, color_system=None, highlight=False)
    ConsoleReport(console, **how).show_check(result, ["norn", "replay", "TOKEN", "a.c"])
    return output.getvalue()


def test_verdict_comes_first():
    assert shown(VERIFIED).startswith(
        "verified: every one of 1,536 interleaving classes (reads-from) was explored; nothing failed\n"
    )
    assert shown(FAILED).startswith("failed: assertion `x == 2' failed")
    assert shown(INCOMPLETE).startswith("incomplete: the time limit was met")


def test_only_steps_that_matter_unless_asked():
    assert "private" not in shown(FAILED)
    assert "private" in shown(FAILED, verbose=True)
    assert "read x = 1" in shown(FAILED)


def test_replay_command_is_never_broken():
    long = replace(FAILED, findings=(replace(FINDING, token="norn1." + "A" * 400),))
    assert "norn replay norn1." + "A" * 400 + " a.c" in shown(long, width=40)


def test_quiet_is_one_line():
    assert shown(FAILED, quiet=True).count("\n") == 1


def test_problems_are_shown():
    assert "killed by SIGKILL" in shown(replace(INCOMPLETE, problems=("killed by SIGKILL",)))


@pytest.mark.parametrize(
    ("detail", "thing", "said"),
    [
        ("waits to lock the mutex", "a", "waits to lock the mutex a"),
        ("waits on the condition variable", "c", "waits on the condition variable c"),
        ("waits for a thread to end", "T1 waiter", "waits for T1 waiter to end"),
        (
            "was signalled and waits to lock the mutex again",
            "m",
            "was signalled and waits to lock the mutex m again",
        ),
        ("", None, "waiting"),
    ],
)
def test_what_a_thread_waits_for_is_always_named(detail, thing, said):
    assert describe_state(ThreadState(1, "T1", "waiting", detail, thing, ())) == said


def test_each_finding_has_its_headline_and_the_extent_is_said():
    other = replace(FINDING, kind="deadlock", message="2 threads wait for ever")
    both = replace(FAILED, executions=1200, findings=(FINDING, other), bounds=(), complete=True)
    text = shown(both)
    assert "Finding 1 of 2: assertion `x == 2' failed\n" in text
    assert "Finding 2 of 2: deadlock: 2 threads wait for ever\n" in text
    assert "all 1,200 classes (reads-from) explored" in text
    assert "the time limit was met" in shown(replace(both, complete=False, bounds=("time-limit",)))
    assert "--keep-going" in shown(FAILED)


REFUSED = replace(
    INCOMPLETE,
    executions=0,
    unusable=True,
    bounds=("unsupported",),
    problems=("the program calls fork, which norn does not model, at a.c:7",),
    refusal=Refusal(
        "the program calls fork, which norn does not model", "no processes", "T0 main", FRAME, "see the list"
    ),
)


def test_a_refusal_claims_nothing():
    text = shown(REFUSED)
    assert text.startswith("cannot check: the program calls fork, which norn does not model\n")
    assert "a.c:7 in main, thread T0 main: no processes" in text
    assert "see the list" in text
    assert "nothing is claimed" in text
    assert "execution" not in text
    assert json_report.to_dict(REFUSED)["verdict"] == "incomplete"
    assert REFUSED.exit_code == ExitCode.UNUSABLE


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (
            VERIFIED,
            "1,536 executions in 500 ms, 3,072 a second; 45 events each; 10 threads; 3.5 MB; built in 0 µs",
        ),
        (
            replace(VERIFIED, executions=1, events=1, seconds=0.0002, threads=1),
            "1 execution in 200 µs; 1 event;",
        ),
        (replace(VERIFIED, seconds=0.007), "1,536 executions in 7 ms; 45 events each"),
        (REFUSED, "built in 0 µs"),
        (replace(VERIFIED, redundant=4000, blocked=1), "4,000 redundant"),
    ],
)
def test_figures(result, said):
    assert said in figures(result)


def test_figures_of_other_executions_are_explained():
    text = shown(replace(VERIFIED, blocked=2, redundant=3), verbose=True)
    assert "  blocked             2, in which an assume, or a loop that waits in vain, stopped" in text
    assert "  redundant           3, of classes that had been explored already" in text
    assert "redundant" not in shown(VERIFIED, verbose=True)


@pytest.mark.parametrize("bound", ["time-limit", "max-executions", "interrupted"])
def test_a_limit_comes_with_advice(bound):
    advice = "--preemptions 2 explores all executions with few switches, --sample N some by chance"
    stopped = replace(INCOMPLETE, bounds=(bound,))
    assert advice in shown(stopped)
    assert advice not in shown(replace(stopped, bounds=("nondet",)))
    assert advice not in shown(replace(stopped, coverage=Sample("random", 1, None, 9, 9)))
    assert advice not in shown(replace(FAILED, bounds=(bound,)))


def test_several_findings_are_not_the_first_one():
    assert "stopped at the first finding; --keep-going" in shown(FAILED)
    text = shown(replace(FAILED, findings=(FINDING, replace(FINDING, kind="data-race"))))
    assert "stopped at the first execution with findings; --keep-going" in text


def test_the_equivalence_is_always_named():
    assert all("(reads-from)" in shown(result) for result in (VERIFIED, FAILED, INCOMPLETE))


def test_more_figures_on_request():
    text = shown(VERIFIED, verbose=True)
    assert "  consistency checks  20,480; the complete search (decide) was needed for 3\n" in text
    assert "  events              69,120, in the longest execution 47\n" in text
    assert "consistency checks" not in shown(VERIFIED)
    assert "consistency checks" not in shown(REFUSED, verbose=True)


LIBRARY = Frame("std::queue<int, std::deque<int> >::push(int&&)", "/usr/include/c++/12/bits/stl_queue.h", 250)
ATOMIC = Frame("std::atomic<int>::load()", "/usr/include/c++/12/bits/atomic_base.h", 488)


def test_the_users_own_line_is_shown():
    assert telling_frame((LIBRARY, FRAME)) == FRAME
    assert telling_frame((Frame("f", None, None), LIBRARY)) == LIBRARY
    assert telling_frame(()) is None
    state = ThreadState(0, "T0 main", "failed", "", None, (LIBRARY, FRAME))
    result = replace(FAILED, findings=(replace(FINDING, threads=(state,)),))
    assert "stl_queue.h" not in shown(result)
    assert "stl_queue.h" in shown(result, verbose=True)


def test_accesses_inside_a_library_are_one_line():
    steps = (
        Step(1, 0, "load", "heap of T0+0x10", "0", "0", False, True, 0, 1, (LIBRARY, FRAME)),
        Step(2, 0, "store", "heap of T0+0x18", "0", "1", True, True, 0, 1, (LIBRARY, FRAME)),
        Step(3, 0, "lock", "m", "0", "1", True, True, 0, 1, (LIBRARY, FRAME)),
        Step(4, 0, "load", "ready", "0", "0", False, True, 0, 1, (ATOMIC, FRAME)),
        Step(5, 1, "load", "heap of T0+0x20", "0", "0", False, True, 0, 1, (LIBRARY,)),
    )
    result = replace(FAILED, findings=(replace(FINDING, trace=Trace({0: "T0 main", 1: "T1"}, steps)),))
    text = shown(result)
    assert "std::queue::push(), lock m, read ready = 0" in text
    assert "heap of" not in text
    assert shown(result, verbose=True).count("heap of") == 3


def test_narrow_lines_keep_the_place():
    long = replace(TRACE.steps[0], location="a_long_name" * 8)
    result = replace(FAILED, findings=(replace(FINDING, trace=replace(TRACE, steps=(long,))),))
    (line,) = [line for line in shown(result, width=80).split("\n") if "a_long_name" in line]
    assert re.match(r" +7  a_long_name.*…$", line)
    assert len(line) <= 80


def test_wrapped_stack_lines_are_indented():
    deep = Frame("outer(" + "some_type, " * 12 + "int)", "a.c", 7)
    state = ThreadState(0, "T0 main", "failed", "", None, (deep,))
    text = shown(replace(FAILED, findings=(replace(FINDING, threads=(state,)),)), width=80, verbose=True)
    lines = text[text.index("Threads at the failure") :].split("\n")
    wrapped = [line for line in lines if "some_type" in line]
    assert len(wrapped) > 1
    assert all(line.startswith("      ") for line in wrapped)


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (VERIFIED, ExitCode.VERIFIED),
        (FAILED, ExitCode.FAILED),
        (INCOMPLETE, ExitCode.INCOMPLETE),
        (replace(INCOMPLETE, unusable=True), ExitCode.UNUSABLE),
        (replace(FAILED, unusable=True), ExitCode.FAILED),
    ],
)
def test_exit_codes(result: Result, code: ExitCode):
    assert result.exit_code == code


def test_json_contract():
    value = json.loads(json_report.to_text(VERIFIED))
    assert list(value) == [
        "schema",
        "verdict",
        "equivalence",
        "executions",
        "blocked",
        "redundant",
        "cut",
        "seconds",
        "cpu_seconds",
        "build_seconds",
        "peak_rss_mb",
        "events_per_execution",
        "threads",
        "checks",
        "decided",
        "annotations",
        "bounds",
        "coverage",
        "failures",
        "findings",
        "unconfirmed",
        "problems",
        "warnings",
        "races",
        "benign_races",
    ]
    assert value["schema"] == 1
    assert value["verdict"] == "verified"
    assert value["events_per_execution"] == 45.0
    assert (value["checks"], value["decided"]) == (20480, 3)


def test_json_finding():
    (finding,) = json_report.to_dict(FAILED)["findings"]
    assert finding == {
        "kind": "assertion",
        "message": "assertion `x == 2' failed",
        "location": "a.c:7",
        "thread": 0,
        "threads": [
            {
                "id": 0,
                "name": "T0 main",
                "state": "failed",
                "detail": "",
                "object": None,
                "stack": [{"function": "main", "file": "a.c", "line": 7}],
            }
        ],
        "token": "norn1.AAAA",
        "confirmed": True,
        "shrunk": None,
        "explanation": [],
    }
