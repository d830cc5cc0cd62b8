"""Whatever the checked executable does, the session ends and says what happened."""

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from norn import session
from norn.errors import NornError
from norn.session import Outcome

FAKE = Path(__file__).with_name("fake_engine.py")


def run(scenario: str, **settings) -> Outcome:
    return session.run([sys.executable, str(FAKE), scenario], settings.pop("options", {}), **settings)


def test_verified():
    seen = []
    outcome = run("verified", on_progress=seen.append)
    assert outcome.result is not None
    assert outcome.result.executions == 4
    assert (outcome.result.checks, outcome.result.decided) == (12, 2)
    assert outcome.death is None
    assert [progress.executions for progress in seen] == [3]


def test_finding():
    (finding,) = run("finding").findings
    assert (finding.kind, finding.line, finding.schedule) == ("assertion", 7, "0:10:4660,1:3:22")


def test_options_reach_the_program():
    (text,) = run("options", options={"mode": "replay", "progress": 0}).errors
    assert text == "progress=0;mode=replay"


def test_a_schedule_of_any_length_reaches_the_program():
    schedule = ",".join(["0:1:2"] * 1_000_000)
    options, lines = run("schedule", options={"schedule": schedule, "choices": "1,0", "parents": "0"}).errors
    assert "schedule_fd=" in options and len(options) < 100
    assert lines == f"{len(schedule)} bytes, then ['1,0', '0', '']"


def test_unsupported():
    outcome = run("unsupported")
    assert outcome.unsupported is not None
    assert outcome.unsupported.function == "fork"


@pytest.mark.parametrize(
    ("scenario", "said"),
    [("killed", "killed by SIGKILL"), ("segfault", "killed by SIGSEGV"), ("silent", "ended with status 3")],
)
def test_death_without_result(scenario: str, said: str):
    outcome = run(scenario)
    assert outcome.result is None
    assert outcome.death is not None
    assert said in outcome.death


def test_what_was_known_before_death():
    outcome = run("killed")
    assert outcome.progress is not None
    assert outcome.progress.executions == 3


def test_garbage_is_reported_and_the_rest_read():
    outcome = run("garbage")
    assert len(outcome.errors) == 3
    assert all("unreadable message" in error for error in outcome.errors)
    assert outcome.result is not None


def test_forged_result_does_not_count():
    """The program shares a process with the engine and can write to its channel, but has no key."""
    outcome = run("forged")
    assert outcome.result is None
    assert len(outcome.errors) == 2
    assert all("wrote to the channel" in error for error in outcome.errors)


def test_cut_off_message():
    outcome = run("cut")
    assert outcome.result is None
    assert outcome.errors == ["the checked program ended in the middle of a message"]


def test_hang_beyond_the_time_limit():
    outcome = run("hang", time_limit=0.2, grace=0.3)
    assert outcome.killed_at_limit
    assert outcome.death is not None
    assert "did not stop at the time limit" in outcome.death


def test_child_that_keeps_the_pipe_open():
    outcome = run("orphan")
    assert outcome.death is not None


def send_interrupts_to_self(seen: threading.Event, times: int) -> None:
    for _ in range(times):
        seen.wait(30)
        os.kill(os.getpid(), signal.SIGINT)


def test_first_interrupt_asks_for_the_result():
    told = []
    started = threading.Event()
    threading.Thread(target=send_interrupts_to_self, args=(started, 1), daemon=True).start()
    outcome = run("interrupt", on_progress=lambda _: started.set(), on_interrupt=lambda: told.append(True))
    assert outcome.interrupted
    assert told == [True]
    assert outcome.result is not None
    assert outcome.result.bounds == ["interrupted"]


def test_second_interrupt_kills():
    started = threading.Event()

    def again() -> None:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

    threading.Thread(target=send_interrupts_to_self, args=(started, 1), daemon=True).start()
    outcome = run("hang", on_progress=lambda _: started.set(), on_interrupt=again)
    assert outcome.interrupted
    assert outcome.death is not None
    assert "SIGKILL" in outcome.death


def test_signal_handlers_are_put_back():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    run("verified")
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_program_that_is_not_there(tmp_path: Path):
    with pytest.raises(NornError, match="cannot start"):
        session.run([str(tmp_path / "nothing")], {})
