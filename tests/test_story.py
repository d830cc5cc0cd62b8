"""The story of a failure: what it says, and that it fits on a screen."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

import norn as package
from norn.model import Effort, Finding, Frame, Result, Shrunk, Step, ThreadState, Trace, Verdict
from norn.report.console import ConsoleReport
from norn.report.source_text import SourceText
from norn.report.story import Fold, Line, Stop, Story, folded, make_story
from norn.report.story_table import story_lines
from tests.conftest import ROOT
from tests.expectation import read_expectation

WIDTH, HEIGHT = 80, 40


def step(
    number: int,
    thread: int,
    operation: str,
    location: str,
    before: str = "0",
    after: str = "0",
    line: int = 1,
) -> Step:
    writes = operation in ("store", "lock", "unlock", "rmw")
    frame = Frame("work", "a.c", line)
    matters = operation != "end"
    return Step(number, thread, operation, location, before, after, writes, matters, 0, 1, (frame,))


def numbered(*steps: tuple[object, ...]) -> tuple[Step, ...]:
    return tuple(step(number, *each) for number, each in enumerate(steps, 1))  # type: ignore[arg-type]


def names(threads: int) -> dict[int, str]:
    return {0: "T0 main", **{thread: f"T{thread} work" for thread in range(1, threads)}}


def finding_of(trace: Trace, kind: str = "assertion", threads: tuple[ThreadState, ...] = ()) -> Finding:
    last = trace.steps[-1].thread
    known = threads or (
        ThreadState(last, trace.threads[last], "failed", "", None, (Frame("work", "a.c", 1),)),
    )
    return Finding(kind, "it failed", last, "a.c:1", known, "norn1.AAAA", trace)


def text_of(story: Story, width: int = WIDTH, most: int = HEIGHT) -> list[str]:
    return [line.plain for line in story_lines(story, SourceText(), width, most)[0]]


def printed(finding: Finding, **how: bool) -> str:
    result = Result(Verdict.FAILED, "reads-from", executions=2, bounds=("finding",), findings=(finding,))
    return text_of_result(result, ["norn", "replay", "TOKEN", "a.c"], **how)


def text_of_result(result: Result, replay_command: list[str], **how: bool) -> str:
    output = io.StringIO()
    console = Console(file=output, width=WIDTH, color_system=None, highlight=False)
    ConsoleReport(console, **how).show_check(result, replay_command)
    return output.getvalue()


LOST_UPDATE = Trace(
    names(3),
    numbered(
        (0, "spawn", "T1 work"),
        (0, "spawn", "T2 work"),
        (1, "load", "x", "0", "0", 4),
        (2, "load", "x", "0", "0", 4),
        (2, "store", "x", "0", "1", 4),
        (2, "end", ""),
        (1, "store", "x", "0", "1", 4),
        (1, "end", ""),
        (0, "join", "T1 work"),
        (0, "join", "T2 work"),
        (0, "load", "x", "1", "1", 9),
    ),
)


def test_steps_of_a_line_are_one_line() -> None:
    story = make_story(finding_of(LOST_UPDATE), LOST_UPDATE)
    said = [item.said for item in story.items if isinstance(item, Line)]
    assert said == [
        "start T1 work, T2 work",
        "read x = 0",
        "x: 0 → 1",
        "x: 0 → 1",
        "join T1, T2",
        "read x = 1",
    ]
    assert [item.thread for item in story.items if isinstance(item, Stop)] == [1]


def test_each_thread_has_its_column() -> None:
    lines = text_of(make_story(finding_of(LOST_UPDATE), LOST_UPDATE))
    heading = lines[0]
    columns = [heading.index(name) for name in ("T0 main", "T1 work", "T2 work")]
    assert columns == sorted(columns)
    read = next(line for line in lines if "read x = 0" in line)
    assert read.index("read x = 0") == columns[1]
    assert next(line for line in lines if line[columns[2] :].startswith("x: 0 → 1"))
    assert next(line for line in lines if "is stopped here" in line).index("-- T1") == columns[1]


def test_who_only_starts_others_has_no_column() -> None:
    trace = replace(LOST_UPDATE, steps=LOST_UPDATE.steps[:8])
    story = make_story(finding_of(trace), trace)
    assert story.columns == (1, 2)
    assert any("T0 main: start T1 work, T2 work" in line for line in text_of(story))


def test_nobody_is_said_to_be_stopped_without_a_preemption() -> None:
    trace = Trace(names(3), numbered((1, "load", "x"), (2, "load", "x"), (1, "load", "x"), (2, "load", "x")))
    finding = finding_of(trace)
    assert any(isinstance(item, Stop) for item in make_story(finding, trace).items)
    none = Effort(0, 3, 4)
    free = replace(finding, shrunk=Shrunk(none, none, 5, True, False))
    assert not any(isinstance(item, Stop) for item in make_story(free, trace).items)


def test_held_locks_and_what_a_thread_waits_for() -> None:
    trace = Trace(
        names(3),
        numbered(
            (1, "lock", "m"),
            (2, "load", "x"),
            (1, "unlock", "m"),
            (2, "lock", "m"),
            (1, "load", "y"),
            (2, "unlock", "m"),
            (1, "lock", "m"),
        ),
    )
    stops = [item for item in make_story(finding_of(trace), trace).items if isinstance(item, Stop)]
    assert stops[0] == Stop(1, "", ("m",))
    trace = replace(
        trace, steps=numbered((1, "lock", "m"), (2, "load", "x"), (1, "unlock", "m"), (2, "lock", "m"))
    )
    stops = [item for item in make_story(finding_of(trace), trace).items if isinstance(item, Stop)]
    assert Stop(1, "", ("m",)) in stops
    assert "holding m" in "\n".join(text_of(make_story(finding_of(trace), trace)))
    waiting = replace(
        trace, steps=numbered((1, "lock", "m"), (2, "load", "x"), (1, "load", "x"), (2, "lock", "m"))
    )
    stops = [item for item in make_story(finding_of(waiting), waiting).items if isinstance(item, Stop)]
    assert Stop(2, "m", ()) in stops


def test_what_main_does_before_it_starts_others_is_folded() -> None:
    before = [(0, "store", f"v{i}", "0", "1", i) for i in range(9)]
    trace = Trace(names(2), numbered(*before, (0, "spawn", "T1 work"), (1, "load", "v1", "1", "1", 30)))
    story = make_story(finding_of(trace), trace)
    assert story.items[0] == Fold(0, 9)
    assert "… 9 steps of T0 main" in "\n".join(text_of(story))


@pytest.mark.parametrize("most", [6, 10, 20])
@pytest.mark.parametrize("stretches", [1, 2, 4])
def test_long_stories_are_folded_away_from_the_turns(most: int, stretches: int) -> None:
    steps = [
        (1 + stretch % 2, "store", f"v{i}", "0", "1", i) for stretch in range(stretches) for i in range(50)
    ]
    trace = Trace(names(3), numbered(*steps))
    story = make_story(finding_of(trace), trace)
    short = folded(story, most)
    assert len(short.items) <= max(most, 3 * stretches)
    assert short.items[-1] == story.items[-1], "the end is what failed"
    told = sum(item.steps for item in short.items if not isinstance(item, Stop))
    assert told == 50 * stretches, "every step is told or counted"
    lines = text_of(story, most=most)
    assert all(cell_len(line) <= WIDTH for line in lines)


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
@pytest.mark.parametrize("threads", [1, 2, 5, 30])
def test_no_line_is_wider_than_the_terminal(width: int, threads: int) -> None:
    long = "a_rather_long_name_of_a_variable_with_more_to_come[12].and_a_member"
    steps = [(thread, "store", long, "0", "1", 7) for thread in range(threads)]
    trace = Trace(
        {thread: f"T{thread} 日本語の長い関数の名前です" for thread in range(threads)}, numbered(*steps)
    )
    for line in text_of(make_story(finding_of(trace), trace), width):
        assert cell_len(line) <= width, line


def test_too_many_threads_for_columns_have_their_names_in_front() -> None:
    trace = Trace(names(9), numbered(*[(thread, "store", "x", "0", "1", thread) for thread in range(9)]))
    lines = text_of(make_story(finding_of(trace), trace))
    assert not any("│" in line for line in lines)
    assert any("T7 work: x: 0 → 1" in line for line in lines)


def test_hostile_names_do_not_reach_the_terminal(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("int x; // \x1b[31m\x07 \u202e [bold]loud[/bold]\n")
    bad = "x\x1b]0;title\x07[red]"
    frame = Frame("work\x1b[2J", str(source), 1)
    steps = tuple(replace(each, location=bad, stack=(frame,)) for each in LOST_UPDATE.steps)
    trace = Trace({0: "T0 main", 1: "T1 \x1b[5mwork", 2: "T2 \u202ework"}, steps)
    state = ThreadState(0, "T0 \x1b[5mmain", "failed", "", bad, (frame, frame))
    finding = replace(finding_of(trace), threads=(state,), message=f"it is {bad}", location=f"{source}:1")
    for verbose in (False, True):
        text = printed(finding, verbose=verbose)
        assert all(each.isprintable() or each == "\n" for each in text), ascii(text)
        assert "[red]" in text


def waiting(thread: int, detail: str, thing: str | None, line: int = 3) -> ThreadState:
    return ThreadState(thread, f"T{thread} work", "waiting", detail, thing, (Frame("work", "a.c", line),))


def test_a_deadlock_is_told_as_a_cycle() -> None:
    trace = Trace(names(3), numbered((1, "lock", "a"), (2, "lock", "b")))
    lock = "waits to lock the mutex"
    states = (
        waiting(1, lock, "b"),
        waiting(2, lock, "a"),
        waiting(0, "waits for a thread to end", "T1 work"),
    )
    text = " ".join(printed(finding_of(trace, "deadlock", states)).split())
    assert "A cycle: T1 waits for T2 to unlock b, T2 waits for T1 to unlock a." in text
    assert "wants b, which T2 holds" in text
    assert "T1 work holds a and waits to lock the mutex b" in text


def test_a_lost_signal_is_told() -> None:
    trace = Trace(names(3), numbered((2, "signal", "c", "0", "0", 8), (1, "wait", "c"), (1, "unlock", "m")))
    states = (waiting(1, "waits on the condition variable", "c"),)
    text = " ".join(printed(finding_of(trace, "deadlock", states)).split())
    assert "The last signal of c, by T2 (line 8), came before T1 waited; nobody is left to signal." in text
    never = replace(trace, steps=trace.steps[1:])
    assert "Nobody has signalled c" in printed(finding_of(never, "deadlock", states))


def test_the_life_of_a_block_is_told() -> None:
    trace = Trace(names(3), numbered((2, "free", "heap of T0+0x10"), (1, "load", "heap of T0+0x10")))
    states = (
        ThreadState(1, "T1 work", "failed", "", None, (Frame("work", "a.c", 5),)),
        ThreadState(0, "T0 main", "running", "allocated the block", None, (Frame("main", "a.c", 20),)),
        ThreadState(2, "T2 work", "ended", "freed the block", None, (Frame("work", "a.c", 9),)),
    )
    text = printed(finding_of(trace, "use-after-free", states))
    assert "T0 main allocated the block in main (line 20)." in text
    assert "T2 work freed the block in work (line 9)." in text


def test_both_stacks_of_a_race_are_told() -> None:
    inner, outer = Frame("add", "a.c", 4), Frame("work", "a.c", 11)
    trace = Trace(
        names(3),
        numbered(
            (2, "store", "x", "0", "1", 4), (1, "load", "x", "1", "1", 5), (1, "load", "z", "1", "1", 6)
        ),
    )
    states = (
        ThreadState(1, "T1 work", "running", "read of", "x", (Frame("get", "a.c", 5), outer)),
        ThreadState(2, "T2 work", "running", "write of", "x", (inner, outer)),
    )
    text = printed(finding_of(trace, "data-race", states))
    assert "T2 work: write of x, at add (line 4), called by work (line 11)" in text
    assert "T1 work: read of x, at get (line 5), called by work (line 11)" in text
    assert "read z" not in text, "what comes after the race is no part of it"


# --- the examples, as their readers see them

EXPECTED = {
    "aba_stack": ["compare-exchange top: &a → &b", "T1 is stopped here", "top was &a again"],
    "barrier_misuse": [
        "wait on all_arrived",
        "woken, lock mutex again",
        "which found arrived = 1 and waited again",
    ],
    "bounded_buffer_wrong": [
        "signal not_empty, which wakes T1 consume",
        "before T1 had mutex again, T2 changed",
    ],
    "check_then_act": ["choose 2, of 0 to 2", "balance: 1 → -1", "unlocked mutex, and then found 1"],
    "dining_philosophers_wrong": ["A cycle: ", "holding forks[0]", "which T1 holds"],
    "double_checked_locking": [
        "initialised: false → true",
        "configuration.workers = 0, which nobody had written yet",
    ],
    "lock_order_deadlock": ["A cycle: T1 waits for T2 to unlock checking.lock", "holding savings.lock"],
    "lost_update": [
        "start T1 deposit, T2 deposit",
        "read balance = 100",
        "is stopped here",
        ", having read 100",
        "was lost",
    ],
    "lost_wakeup": ["signal became_ready", "did not look again", "came before T1 waited"],
    "use_after_free": [
        "allocated the block in main",
        "freed the block in close_session",
        "used what was freed",
    ],
    "work_queue_wrong": ["queued: 2 → 1", "T1 is stopped here", "total: 0 → 9", "had not gone on to line"],
}
FAILING = [
    path for path in sorted((ROOT / "examples").glob("*.c")) if read_expectation(path).verdict == "failed"
]


def test_every_failing_example_is_looked_at() -> None:
    assert {path.stem for path in FAILING} == set(EXPECTED)


@pytest.mark.parametrize("path", FAILING, ids=lambda path: path.stem)
def test_an_example_fits_on_a_screen_and_says_what_happens(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    name = path.relative_to(ROOT)
    text = text_of_result(package.check(name, equivalence="rf"), ["norn", "replay", "TOKEN", str(name)])
    lines = text.rstrip("\n").split("\n")
    rows = sum(max(1, -(-cell_len(line) // WIDTH)) for line in lines)
    assert rows < HEIGHT, text
    assert all(cell_len(line) <= WIDTH for line in lines if "norn replay" not in line), text
    flat = " ".join(text.split())
    for fact in EXPECTED[path.stem]:
        assert fact in flat, text


def test_plain_text_where_there_is_no_terminal(norn) -> None:
    done = norn("check", "examples/lost_update.c", "-e", "rf")
    assert "\x1b" not in done.stdout


def test_pointers_say_what_they_point_to(program) -> None:
    source = program("""#include <assert.h>
        #include <pthread.h>
        static int target;
        static int *pointer;
        static void *work(void *unused) { pointer = &target; return unused; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, work, 0);
            int *seen = pointer;
            pthread_join(t, 0);
            assert(seen == 0);
        }""")
    (finding,) = package.check(source, equivalence="rf").findings
    assert finding.trace is not None
    assert "&target" in {each.after for each in finding.trace.steps if each.location == "pointer"}


def test_a_barrier_is_no_condition_variable(norn) -> None:
    done = norn("check", "tests/programs/barrier_odd_one_out.c", "-e", "rf")
    assert "waits at the barrier barrier" in done.stdout
    assert "signalled" not in done.stdout


def test_a_lost_wake_up_of_a_futex_is_told_by_the_name_of_its_word(norn) -> None:
    done = norn("check", "tests/programs/futex_lost_wakeup.c", "-e", "rf")
    assert "waits on the futex bed" in done.stdout
    assert "The last signal of bed, by T1 (line 17), came before T0 waited" in done.stdout


def test_who_did_the_last_step_is_blocked_first() -> None:
    trace = Trace(names(3), numbered((1, "lock", "a"), (2, "lock", "b")))
    lock = "waits to lock the mutex"
    story = make_story(finding_of(trace, "deadlock", (waiting(1, lock, "b"), waiting(2, lock, "a"))), trace)
    wants = [item.thread for item in story.items if isinstance(item, Line) and item.said.startswith("wants")]
    assert wants == [2, 1]
