"""What was found is reported, however long the execution, however large the heap, and in time."""

from __future__ import annotations

import io
import resource
import subprocess
from pathlib import Path

import pytest
from rich.console import Console

import norn as package
from norn import deadline, token
from norn.deadline import Deadline
from norn.errors import TokenError
from norn.model import ExitCode, Verdict
from norn.report import progress
from norn.report.progress import ProgressLine
from norn.token_file import argument_for, command_with, given
from tests import programs_in_time as programs
from tests.conftest import ROOT, norn_command
from tests.test_cli import RACE

# What is promised is two seconds of processor time; machines differ, and others use them too.
MOST_SECONDS = 4.0


# --- the time from a failure to its report


def processor_seconds(*words: str | Path) -> tuple[float, str]:
    """Of the command and all that it starts, and what it says."""

    def used() -> float:
        of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return of_children.ru_utime + of_children.ru_stime

    before = used()
    done = subprocess.run(norn_command(*words), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return used() - before, done.stdout


@pytest.mark.parametrize(
    ("text", "number", "told"),
    [
        (programs.POINTERS, 10_000, "node#"),
        (programs.SLAB, 10_000, "x: 0 → 1"),
        (programs.PRIVATE, 1_000_000, "on memory of one thread"),
        (programs.EVENTS, 100_000, "update c: "),
    ],
    ids=["10,000 pointers", "10,000 pointers in a slab", "1,000,000 private writes", "100,000 events"],
)
def test_a_failure_is_reported_at_once(program, text, number, told) -> None:
    source = program(text)
    how = (source, f"-DN={number}", "-e", "rf", "--races=off", "--max-events=1000000")
    processor_seconds("check", *how, "-q")  # builds it
    # What a check takes whose failure is small: the start of norn, and the search.
    small = ("check", program(RACE, "small.c"), "-e", "rf", "--races=off")
    processor_seconds(*small)
    start, _ = processor_seconds(*small)
    seconds, report = processor_seconds("check", *how)
    print(f"{number:,}: {seconds - start:.2f} s of processor time, {start:.2f} s more to start")
    assert seconds - start < MOST_SECONDS
    assert told in report and "See it again" in report
    assert "the change by T1 was lost" in " ".join(report.split())


def test_what_is_left_out_of_a_long_execution_is_of_one_thread_only(program) -> None:
    source = program(programs.PRIVATE)
    (finding,) = package.check(source, flags=["-DN=50000"], equivalence="rf").findings
    assert finding.unconfirmed is None and finding.trace is not None
    assert len(finding.trace.steps) < 5000 and finding.trace.left_out > 40_000
    again = package.replay(finding.token, source, flags=["-DN=50000"])
    assert again.trace is not None and again.trace.left_out == 0
    assert len(again.trace.steps) == len(finding.trace.steps) + finding.trace.left_out
    shared = [step.operation for step in again.trace.steps if step.location == "x"]
    assert [step.operation for step in finding.trace.steps if step.location == "x"] == shared


def test_races_of_long_executions_are_confirmed(program) -> None:
    """The steps of their two accesses are found among those that are told."""
    source = program(programs.PRIVATE)
    result = package.check(source, flags=["-DN=50000"], equivalence="rf", races="error", keep_going=True)
    races = [finding for finding in result.findings if finding.kind == "data-race"]
    assert races and not result.unconfirmed
    assert all(race.trace is not None and race.trace.left_out > 0 for race in races)


def test_names_of_many_blocks_are_those_of_few(program) -> None:
    """In a long list the first blocks are looked for everywhere, the others nearby: all are nodes."""
    (finding,) = package.check(program(programs.POINTERS), flags=["-DN=3000"], equivalence="rf").findings
    assert finding.trace is not None
    names = {step.location for step in finding.trace.steps if step.location.endswith(".next")}
    assert len(names) == 3000 and all(name.startswith("node#") for name in names)


# --- schedules of any length


def test_a_schedule_longer_than_an_environment(norn, program) -> None:
    source = program(programs.SWITCHES)
    how = [source, "-DN=20000", "--max-events=1000000", "--races=off"]
    told = norn("check", *how, "-e", "rf")
    assert told.returncode == 1 and "BUG" not in told.stdout
    (command,) = [line.strip() for line in told.stdout.splitlines() if line.startswith("  norn replay")]
    words = command.split()
    assert words[2].startswith("@") and len(command) < 1000
    assert len(Path(words[2][1:]).read_text()) > 128 * 1024  # the longest argument that the system takes
    again = norn("replay", words[2], *how, "-q")
    assert again.returncode == 1 and again.stdout.startswith("reproduced: ")


def test_tokens_by_file(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NORN_CACHE", str(tmp_path / "a cache"))
    short, long = "norn1.A", "norn1." + "A" * 5000
    assert (argument_for(short), given(short)) == (short, short)
    assert argument_for(long).startswith("@") and given(argument_for(long)) == long
    assert argument_for(long) == argument_for(long)
    assert command_with(long, ["norn", "replay", "TOKEN", "a.c"]).startswith("norn replay '@")
    with pytest.raises(TokenError, match="No such file"):
        given(f"@{tmp_path / 'nothing'}")
    (tmp_path / "other").write_bytes(b"\xff")
    with pytest.raises(TokenError, match="no replay token"):
        given(f"@{tmp_path / 'other'}")
    monkeypatch.setenv("NORN_CACHE", "/proc/nothing")  # nothing can be written there
    assert given(argument_for(long)) == long


# --- races in executions that meet a limit


@pytest.mark.parametrize(
    "how",
    [
        {"max_events": 60},
        {"max_events": 60, "shrink": False, "equivalence": "maz"},
        {"max_events": 60, "isolate": "fork"},
        {"max_events": 60, "keep_going": True, "max_executions": 50, "equivalence": "obs"},
        {"max_thread_events": 20},
        {"max_events": 60, "sample": 5, "seed": 1},
        {},
    ],
    ids=str,
)
def test_a_race_in_an_execution_that_is_cut(program, how) -> None:
    source = program(programs.ENDLESS)
    result = package.check(source, races="error", **how)
    assert (result.verdict, result.unconfirmed) == (Verdict.FAILED, ())
    race = result.findings[0]
    assert race.kind == "data-race" and race.message.startswith("x: ") and race.trace is not None
    # The replay ends where the race has happened, whatever the program would go on to do.
    isolate = {"isolate": how["isolate"]} if "isolate" in how else {}
    again = package.replay(race.token, source, races="error", **isolate)
    assert [finding.kind for finding in again.findings] == ["data-race"]


def test_such_a_race_is_a_warning_by_default(norn, program) -> None:
    told = norn(
        "check", program(programs.ENDLESS), "--max-events", "60", "--max-executions", "20", "-e", "rf"
    )
    assert told.returncode == 3
    assert "data race: x: write at " in told.stderr


def test_a_store_that_is_the_last_event_of_all(program) -> None:
    """Its value is not in memory yet when the execution is cut."""
    source = program(programs.ENDLESS)
    for most in range(4, 9):
        result = package.check(source, races="error", max_events=most, max_executions=100, equivalence="maz")
        assert not result.unconfirmed
        for finding in result.findings:
            assert finding.kind == "data-race"


# --- the time limit


def test_no_time_to_confirm(program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "_EXTRA_SECONDS", -1000.0)
    for options in ({}, {"races": "error", "keep_going": True}):
        result = package.check(program(RACE), equivalence="rf", time_limit=100, **options)
        assert (result.verdict, result.exit_code) == (Verdict.INCOMPLETE, ExitCode.INCOMPLETE)
        assert result.unconfirmed and result.findings == () and "time-limit" in result.bounds
        assert "BUG" not in str(result)
        assert f"norn replay {result.unconfirmed[0].token}" in " ".join(str(result).split())


def test_no_time_to_tell(program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "_SECONDS_OF_STEP", 1e9)
    monkeypatch.setattr(deadline, "_FEW_STEPS", 0)
    result = package.check(program(RACE), equivalence="rf", time_limit=100)
    assert result.verdict is Verdict.FAILED
    assert result.findings[0].trace is None and token.decode(result.findings[0].token)
    assert any("left no time to tell how it happens" in warning for warning in result.warnings)
    assert "See it again" in str(result)


def test_a_deadline() -> None:
    assert Deadline().left(7.0) == 7.0 and Deadline().allows(10**9)
    assert 0 < Deadline(1).left(100) <= 3 and not Deadline(1).allows(10**9) and Deadline(1).allows(1000)


def test_shrinking_keeps_the_time_limit(program) -> None:
    """The engine has so little time left after the search that it does not begin."""
    source = program(programs.EVENTS)
    result = package.check(source, flags=["-DN=20000"], equivalence="rf", time_limit=0.001)
    assert all(finding.shrunk is None for finding in (*result.findings, *result.unconfirmed))


# --- what is shown while a report is prepared


def test_what_was_found_is_told_at_once(program) -> None:
    found: list[str] = []
    result = package.check(program(RACE), equivalence="rf", on_found=found.append)
    assert len(found) == 1 and result.findings[0].message.split(" in ")[0] in found[0]
    assert package.check(program(RACE), equivalence="rf", races="off", on_found=found.append).findings
    package.check(program(programs.ENDLESS), max_events=60, races="error", on_found=found.append)
    assert found[-1] == "a data race"


def test_without_a_terminal_it_is_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_MOMENT", 0.0)
    page = io.StringIO()
    with ProgressLine(Console(file=page, width=200), wanted=True) as line:
        line.found("assertion `x` failed")
        assert line._note is not None
        line._note.join()
        line.found("another one")
    assert page.getvalue() == "norn: found: assertion `x` failed; preparing its report …\n"
    quiet = io.StringIO()
    with ProgressLine(Console(file=quiet), wanted=False) as line:
        line.found("assertion `x` failed")
    assert quiet.getvalue() == ""


def test_on_a_terminal_it_is_in_the_live_line() -> None:
    page = io.StringIO()
    with ProgressLine(Console(file=page, width=200, force_terminal=True), wanted=True) as line:
        line.built(None)
        line.found("assertion `x` failed")
    assert "found: assertion `x` failed; preparing its report" in page.getvalue()
