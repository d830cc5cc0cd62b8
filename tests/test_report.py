"""What people and programs read. The JSON shape is a contract: a change here is a change of `schema`."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from norn.model import ExitCode, Finding, Frame, Result, Step, ThreadState, Trace, Verdict
from norn.report import json as json_report
from norn.report.console import ConsoleReport

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
    Verdict.VERIFIED, "mazurkiewicz", executions=1536, events=69120, threads=10, seconds=0.5, peak_rss_mb=3.5
)
FAILED = Result(Verdict.FAILED, "mazurkiewicz", executions=2, bounds=("finding",), findings=(FINDING,))
INCOMPLETE = Result(Verdict.INCOMPLETE, "mazurkiewicz", executions=9, bounds=("time-limit",))


def shown(result: Result, width: int = 120, **how: bool) -> str:
    output = io.StringIO()
    console = Console(file=output, width=width, color_system=None, highlight=False)
    ConsoleReport(console, **how).show_check(result, ["norn", "replay", "TOKEN", "a.c"])
    return output.getvalue()


def test_verdict_comes_first():
    assert shown(VERIFIED).startswith("verified: every one of 1536 mazurkiewicz classes was explored")
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


def test_unconfirmed_finding_is_said_aloud():
    text = shown(replace(FAILED, findings=(replace(FINDING, unconfirmed="it ended well"),)))
    assert "INTERNAL ERROR" in text
    assert "it ended well" in text


def test_problems_are_shown():
    assert "killed by SIGKILL" in shown(replace(INCOMPLETE, problems=("killed by SIGKILL",)))


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
        "seconds",
        "cpu_seconds",
        "build_seconds",
        "peak_rss_mb",
        "events_per_execution",
        "threads",
        "bounds",
        "findings",
        "problems",
        "warnings",
    ]
    assert value["schema"] == 1
    assert value["verdict"] == "verified"
    assert value["events_per_execution"] == 45.0


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
    }
