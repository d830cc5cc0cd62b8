"""`-e auto`: whatever its two engines do, one is kept, and nothing is claimed that it has not seen."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from norn import api, auto
from norn.equivalences import canonical_equivalence
from norn.errors import UsageError
from norn.model import AUTO, EQUIVALENCES, ChosenBy
from tests.conftest import ROOT, norn_command
from tests.test_cli import RACE, SAFE

FAKE = Path(__file__).with_name("fake_contender.py")
RVF, RF = auto.CONTENDERS


@pytest.fixture
def race(tmp_path):
    """Runs two fake engines side by side and makes sure that neither is left behind."""

    def run(rvf: str, rf: str, options: dict | None = None, **settings) -> auto.Chosen:
        command = [sys.executable, str(FAKE), str(tmp_path), f"{RVF}={rvf}", f"{RF}={rf}"]
        chosen = auto.run(command, options or {}, **settings)
        for name in (RVF, RF):
            if (tmp_path / name).exists():
                with pytest.raises(ProcessLookupError):
                    os.kill(int((tmp_path / name).read_text()), 0)
        return chosen

    return run


def is_complete(chosen: auto.Chosen) -> bool:
    outcome = chosen.outcome
    return outcome.result is not None and outcome.result.complete and not outcome.errors


@pytest.mark.parametrize(("rvf", "rf", "kept"), [("verified", "hang", RVF), ("hang", "verified", RF)])
def test_the_first_to_finish_is_kept(race, rvf, rf, kept):
    chosen = race(rvf, rf)
    assert (chosen.equivalence, chosen.choice.by) == (kept, ChosenBy.FINISHED_FIRST)
    assert "it finished first" in chosen.choice.because
    assert "was stopped" in chosen.choice.because
    assert is_complete(chosen)
    assert chosen.warnings == ()


@pytest.mark.parametrize("answer", ["verified", "finding"])
def test_of_two_at_the_same_time_the_coarser_is_kept(race, answer, monkeypatch):
    monkeypatch.setattr(auto, "TIE_SECONDS", 60)
    monkeypatch.setattr(auto, "TIE_PART", 1000)
    chosen = race(f"then-{answer}", answer)
    assert (chosen.equivalence, chosen.choice.by) == (RVF, ChosenBy.TIE)
    assert chosen.choice.because == f"as fast as {RF}, and coarser"
    assert chosen.warnings == ()


def test_of_two_at_the_same_time_the_one_with_an_answer_is_kept(race, monkeypatch):
    monkeypatch.setattr(auto, "TIE_SECONDS", 60)
    monkeypatch.setattr(auto, "TIE_PART", 1000)
    chosen = race("then-limit", "verified")
    assert (chosen.equivalence, chosen.choice.by) == (RF, ChosenBy.FINISHED_FIRST)
    assert is_complete(chosen)


def test_how_far_the_other_had_come_is_said(race):
    chosen = race("verified-after-word", "word-goes-on-for-ever")
    assert chosen.equivalence == RVF
    assert f"{RF} was stopped after some 3 executions" in chosen.choice.because


def test_progress_of_both_is_told(race):
    heard = set()

    def on_progress(progress, equivalence):
        assert progress.executions == 3
        heard.add(equivalence)
        if len(heard) == 2:
            os.kill(os.getpid(), signal.SIGINT)

    race("interrupt", "interrupt", on_progress=on_progress, on_interrupt=lambda: None)
    assert heard == {RVF, RF}


@pytest.mark.parametrize(("rvf", "rf", "kept"), [("finding", "hang", RVF), ("hang", "finding", RF)])
def test_the_first_to_fail_is_kept(race, rvf, rf, kept):
    chosen = race(rvf, rf)
    assert (chosen.equivalence, chosen.choice.by) == (kept, ChosenBy.FAILURE_FIRST)
    assert len(chosen.outcome.findings) == 1


def test_what_cannot_be_checked_ends_both(race):
    chosen = race("hang", "unsupported")
    assert (chosen.equivalence, chosen.choice.by) == (RF, ChosenBy.REFUSAL_FIRST)
    assert chosen.outcome.unsupported is not None
    assert not is_complete(chosen)


@pytest.mark.parametrize(
    ("rvf", "said"),
    [
        ("segfault", "killed by SIGSEGV"),
        ("killed", "killed by SIGKILL"),
        ("silent", "ended with status 3"),
        ("cut", "in the middle of a message"),
        ("error", "out of memory"),
        ("garbage", "unreadable message"),
    ],
)
def test_one_that_breaks_down_does_not_end_the_other(race, rvf, said):
    chosen = race(rvf, "then-verified")
    assert (chosen.equivalence, chosen.choice.by) == (RF, ChosenBy.OTHER_ENDED)
    assert is_complete(chosen)
    assert any(said in warning for warning in chosen.warnings)
    assert all(warning.startswith(f"{RVF} ended early: ") for warning in chosen.warnings)


def test_one_that_meets_a_limit_does_not_end_the_other(race):
    chosen = race("then-verified", "limit")
    assert (chosen.equivalence, chosen.choice.by) == (RVF, ChosenBy.OTHER_ENDED)
    assert f"{RF} ended as well (max-executions)" in chosen.choice.because
    assert is_complete(chosen)
    assert chosen.warnings == ()


def test_if_neither_finishes_nothing_is_complete(race):
    chosen = race("limit", "limit-later")
    assert (chosen.equivalence, chosen.choice.by) == (RF, ChosenBy.NONE_FINISHED)
    assert re.match(
        r"neither finished; it explored more executions \(\d+ against \d+\); ", chosen.choice.because
    )
    assert not is_complete(chosen)


def test_if_neither_finishes_the_healthy_one_is_kept(race):
    chosen = race("limit", "killed")
    assert (chosen.equivalence, chosen.choice.by) == (RVF, ChosenBy.NONE_FINISHED)
    assert chosen.choice.because == f"neither finished; it kept working; {RF} ended early"
    assert chosen.outcome.result.bounds == ["max-executions"]


def test_both_break_down(race):
    chosen = race("segfault", "silent")
    assert chosen.choice.by is ChosenBy.NONE_FINISHED
    assert chosen.outcome.result is None
    assert chosen.outcome.death is not None
    assert not is_complete(chosen)


def test_the_time_limit_holds_for_both(race):
    chosen = race("hang", "hang", time_limit=0.2, grace=0.3)
    assert chosen.outcome.killed_at_limit
    assert chosen.choice.by is ChosenBy.NONE_FINISHED
    assert chosen.warnings == ()


# --- findings with --keep-going


def test_after_a_finding_both_go_on(race):
    chosen = race("finding-at-limit", "then-finding-at-limit", {"keep_going": 1})
    assert chosen.choice.by is ChosenBy.NONE_FINISHED
    assert chosen.choice.because.startswith("neither finished; it was the first to end; ")
    assert len(chosen.outcome.findings) == 1


def test_a_complete_exploration_with_findings_is_the_better_one(race):
    chosen = race("finding-at-limit", "finding-goes-on", {"keep_going": 1})
    assert (chosen.equivalence, chosen.choice.by) == (RF, ChosenBy.OTHER_ENDED)
    assert is_complete(chosen)
    assert len(chosen.outcome.findings) == 1


@pytest.mark.parametrize("keep_going", [0, 1])
def test_a_finding_is_never_outvoted(race, keep_going):
    """One says that there is no failure after the other has shown one: a bug, and said aloud."""
    chosen = race("verified-after-word", "finding-goes-on", {"keep_going": keep_going})
    assert chosen.equivalence == RF
    assert len(chosen.outcome.findings) == 1
    (error,) = chosen.outcome.errors
    assert error.startswith(f"INTERNAL ERROR: {RVF} explored every class and found no failure")


# --- Ctrl-C


def interrupt_when_both_run(directory: Path, times: int) -> None:
    def send() -> None:
        while not all((directory / name).exists() for name in (RVF, RF)):
            time.sleep(0.01)
        for _ in range(times):
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send, daemon=True).start()


def test_first_interrupt_asks_both(race, tmp_path):
    told = []
    interrupt_when_both_run(tmp_path, 1)
    chosen = race("interrupt", "interrupt", on_interrupt=lambda: told.append(True))
    assert told == [True]
    assert chosen.outcome.result.bounds == ["interrupted"]
    assert chosen.choice.by is ChosenBy.NONE_FINISHED
    assert chosen.warnings == ()


def test_second_interrupt_kills_both(race, tmp_path):
    interrupt_when_both_run(tmp_path, 2)
    chosen = race("hang", "hang", on_interrupt=lambda: None)
    assert chosen.outcome.interrupted
    assert "SIGKILL" in chosen.outcome.death
    assert not is_complete(chosen)


def test_signal_handlers_are_put_back(race):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    race("verified", "hang")
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


# --- real programs


def checked(*arguments: object) -> tuple[dict, int]:
    done = subprocess.run(
        norn_command("check", *map(str, arguments), "-e", "auto", "--json", "-"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout, done.stderr
    assert "ended early" not in done.stderr
    return json.loads(done.stdout), done.returncode


def test_verified(program):
    value, code = checked(program(SAFE), "-DN=4")
    assert (code, value["verdict"], value["bounds"]) == (0, "verified", [])
    assert value["equivalence"] in auto.CONTENDERS
    assert value["chosen_by"] in ("finished-first", "tie")
    assert value["chosen_because"].startswith(("it finished first; ", "as fast as "))
    assert value["executions"] > 0


@pytest.mark.parametrize("more", [[], ["--keep-going"], ["--isolate=fork"]])
def test_failed(program, more):
    value, code = checked(program(RACE), *more)
    assert (code, value["verdict"]) == (1, "failed")
    (finding,) = value["findings"]
    assert finding["confirmed"] is True
    assert value["chosen_by"] in ("failure-first", "finished-first", "tie")
    assert value["problems"] == []


def test_limits(program):
    value, code = checked(program(RACE.replace("assert(", "(void)(")), "-DN=8", "--max-executions", "3")
    assert (code, value["verdict"], value["bounds"]) == (3, "incomplete", ["max-executions"])
    assert value["chosen_by"] == "none-finished"


def test_time_limit(program):
    value, code = checked(program(RACE.replace("assert(", "(void)(")), "-DN=12", "--time-limit", "0.3")
    assert (code, value["verdict"], value["bounds"]) == (3, "incomplete", ["time-limit"])


def test_refusal(program):
    value, code = checked(program("#include <unistd.h>\nint main(void) { fork(); return 0; }"))
    assert (code, value["verdict"], value["chosen_by"]) == (2, "incomplete", "refusal-first")


def test_a_person_is_told(norn, program):
    text = norn("check", program(SAFE), "-e", "auto").stdout
    assert text.startswith("verified: ")
    line = next(line for line in text.splitlines() if line.startswith("auto kept "))
    assert "it finished first" in line or "as fast as" in line
    assert "auto kept" not in norn("check", program(SAFE), "-e", "rf").stdout


def test_without_auto_nothing_is_chosen(norn, program):
    assert "chosen_by" not in json.loads(norn("check", program(SAFE), "-e", "rf", "--json", "-").stdout)


def test_names():
    assert canonical_equivalence("auto") == AUTO
    assert canonical_equivalence("rvf") == "reads-value-from"
    assert set(auto.CONTENDERS) <= set(EQUIVALENCES)
    with pytest.raises(UsageError, match=r"reads-value-from \(rvf\), .*auto"):
        canonical_equivalence("telepathy")


# --- techniques left out, for measurements


@pytest.mark.parametrize("option", ["--without-signals", "--without-closure"])
def test_techniques_left_out(norn, program, option):
    done = norn("check", program(SAFE), "-e", "rvf", option, "--json", "-")
    assert done.returncode == 0, done.stdout + done.stderr
    for other in ("rf", "maz", "auto"):
        done = norn("check", program(SAFE), "-e", other, option)
        assert done.returncode == 2
        assert "only reads-value-from can do without" in done.stderr
    assert option not in norn("check", "--help").stdout


def test_unknown_technique(program):
    with pytest.raises(UsageError, match="unknown technique “magic”; there are: signals, closure"):
        api.check(program(SAFE), equivalence="rvf", without=["magic"])
