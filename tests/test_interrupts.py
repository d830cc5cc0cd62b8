"""norn as functions of a host process: signals are the host's, and no child is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import norn as package
from norn.interrupts import Terminated, stopping, taking_their_course
from norn.model import Verdict
from tests.test_cli import RACE

ENDLESS = RACE.replace("assert(", "(void)(")

# What a host does: the call, with a handler or none, and what it says of the end.
HOST = """
import os, signal, sys, threading
import norn

source, setting, what = sys.argv[1:4]
flagged = []

def leave(number, frame):
    raise SystemExit(7)

def note(number, frame):
    flagged.append(number)

handler = {"default": signal.SIG_DFL, "ignored": signal.SIG_IGN, "leave": leave, "note": note}.get(setting)
if handler is not None:
    signal.signal(signal.SIGINT, handler)
    signal.signal(signal.SIGTERM, handler)
before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
ready = lambda *_: print("ready", flush=True) if not told.append(1) and len(told) == 1 else None
told = []
options = {"flags": ["-DN=12"], "on_progress": ready}
if setting == "ignored":
    options["time_limit"] = 2
try:
    if what == "auto":
        answer = norn.check(source, **options)
    elif what == "compare":
        answer = norn.compare(source, equivalences=["rf", "maz"], **options).results[0]
    elif what == "topology":
        answer = norn.topology(source, **options).result
    else:
        answer = norn.check(source, equivalence="rf", **options)
    print(answer.verdict, *answer.bounds, *flagged, bool(answer))
except KeyboardInterrupt:
    print("KeyboardInterrupt")
finally:
    same = before == [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    print("handlers as before" if same else "OTHER HANDLERS", flush=True)
"""


def children_of(process: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        found += [int(word) for word in (task / "children").read_text().split()]
    return found


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def signalled(source: Path, setting: str, number: int, what: str = "check") -> tuple[int, list[str]]:
    """The exit status of the host and what it said, after a signal in the middle of the exploration."""
    command = [sys.executable, "-c", HOST, str(source), setting, what]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == "ready\n"
        children = children_of(host.pid)
        assert children
        host.send_signal(number)
        said = host.stdout.read().splitlines()
        host.wait(60)
    deadline = time.monotonic() + 10
    while any(map(is_running, children)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(is_running, children))
    return host.returncode, said


@pytest.fixture
def endless(program) -> Path:
    return program(ENDLESS)


@pytest.mark.parametrize("what", ["check", "auto", "compare", "topology"])
def test_ctrl_c_is_a_keyboard_interrupt(endless, what) -> None:
    assert signalled(endless, "none", signal.SIGINT, what) == (0, ["KeyboardInterrupt", "handlers as before"])


@pytest.mark.parametrize("what", ["check", "auto"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_without_a_handler_ends_the_process(endless, number, what) -> None:
    code, _ = signalled(endless, "default", number, what)
    assert code == -number


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_handler_of_the_host_is_called(endless, number) -> None:
    assert signalled(endless, "leave", number) == (7, ["handlers as before"])
    code, said = signalled(endless, "note", number)
    assert (code, said) == (0, [f"incomplete interrupted {int(number)} False", "handlers as before"])


def test_what_the_host_ignores_is_ignored(endless) -> None:
    code, said = signalled(endless, "ignored", signal.SIGTERM)
    assert (code, said) == (0, ["incomplete time-limit False", "handlers as before"])


def test_in_another_thread_no_handler_is_touched(program) -> None:
    source = program(RACE)
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    answers = []
    seen = []

    def call() -> None:
        look = lambda *_: seen.append([signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)])  # noqa: E731
        answers.append(package.check(source, on_built=look))
        answers.append(package.replay(answers[0].findings[0].token, source))

    thread = threading.Thread(target=call)
    thread.start()
    thread.join(60)
    assert [answer.verdict for answer in answers] == [Verdict.FAILED, Verdict.FAILED]
    assert seen == [before]


def test_a_replay_leaves_signals_to_the_host(program, tmp_path) -> None:
    """The program of the replay never ends; that of the check does."""
    source = program("""
        #include <assert.h>
        #include <fcntl.h>
        #include <pthread.h>
        static int is_first;
        __attribute__((constructor)) static void look(void) {
            is_first = open(MARKER, O_CREAT | O_EXCL, 0600) >= 0;
        }
        int main(void) {
            for (volatile int i = 0; !is_first; ++i) open(STARTED, O_CREAT, 0600);
            assert(0);
        }""")
    flags = [f'-DMARKER="{tmp_path / "marker"}"', f'-DSTARTED="{tmp_path / "started"}"']

    def interrupt() -> None:
        while not (tmp_path / "started").exists():
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        package.check(source, flags=flags, equivalence="rf", shrink=False)
    assert children_of(os.getpid()) == []
    (tmp_path / "marker").unlink()
    (tmp_path / "started").unlink()
    threading.Thread(target=interrupt, daemon=True).start()
    result = package.check(source, flags=flags, equivalence="rf", shrink=False, on_interrupt=lambda: None)
    assert (result.verdict, result.findings) == (Verdict.INCOMPLETE, ())
    assert "interrupted" in result.bounds and "BUG" not in result.problems[0]


class Nothing:
    """An engine that only notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def close(self) -> None:
        self.asked.append("close")

    def interrupt(self) -> None:
        self.asked.append("interrupt")

    def kill(self) -> None:
        self.asked.append("kill")


def test_a_signal_while_an_engine_starts_reaches_it() -> None:
    engine = Nothing()

    def start() -> Nothing:
        signal.raise_signal(signal.SIGINT)
        return engine

    with pytest.raises(KeyboardInterrupt), stopping() as stop:
        stop.start(start)
    assert engine.asked == ["interrupt", "close"]
    engine = Nothing()
    told: list[bool] = []
    with stopping(lambda: told.append(True)) as stop:
        stop.start(start)
    assert (engine.asked, told) == (["interrupt"], [True])


def test_politely_once_then_by_force(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Nothing()
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    try:
        with stopping() as stop:
            stop.start(lambda: engine)
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGTERM)
        assert heard == [signal.SIGTERM] * 2
        assert engine.asked == ["interrupt", "kill"]
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        with pytest.raises(Terminated), stopping():
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)
    raised = []
    monkeypatch.setattr(signal, "raise_signal", raised.append)

    @taking_their_course
    def call() -> None:
        raise Terminated(signal.SIGTERM)

    with pytest.raises(Terminated):
        call()
    assert raised == [signal.SIGTERM]
