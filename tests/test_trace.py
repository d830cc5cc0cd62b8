"""Which steps matter, and what they are called."""

from dataclasses import replace

import pytest

from norn.model import Frame, Step
from norn.protocol import Finding, Thread, ThreadReport
from norn.protocol import Step as Message
from norn.report.words import describe_bounds, describe_step
from norn.session import Outcome
from norn.trace import make_trace
from norn.type_parts import Part


class Names:
    """Symbols of a program with two variables."""

    def prepare(self, addresses):
        list(addresses)

    def stack(self, addresses, fault=False):
        """The addresses of the tests are numbers of lines."""
        return tuple(Frame("worker", "a.c", address) for address in addresses)

    def function(self, address):
        return "worker"

    def global_variable(self, address):
        return None

    def part(self, address, size=1):
        return Part({100: "x", 200: "y", 300: "m"}.get(address, f"{address:#x}"))


def message(
    thread: int,
    operation: str,
    address: int,
    before: int = 0,
    after: int = 0,
    size: int = 4,
    choice: int = 0,
    alternatives: int = 1,
    line: int | None = None,
) -> Message:
    writes = operation not in ("load", "join")
    stack = [line] if line is not None else []
    return Message(
        thread, operation, address, size, before, after, writes, False, choice, alternatives, stack
    )


def trace_of(*steps: Message, findings: tuple[Finding, ...] = ()):
    threads = [Thread(1, 0, 4096), Thread(2, 0, 4096)]
    return make_trace(Outcome(steps=list(steps), threads=threads, findings=list(findings)), Names())


def failure(thread: int, *lines: int, kind: str = "assertion", others: tuple[int, ...] = ()) -> Finding:
    """lines: the stack of the failing thread, innermost first."""
    states = [ThreadReport(thread, "failed", stack=list(lines)), *(ThreadReport(t, "waits") for t in others)]
    return Finding(kind, "failed", thread, threads=states)


def test_shared_and_written_memory_matters():
    trace = trace_of(
        message(0, "store", 100, 0, 1),  # written here, read by T1
        message(1, "load", 100, 1),
        message(1, "store", 200, 0, 1),  # T1's own
        message(0, "load", 400),  # read by both, written by none
        message(1, "load", 400),
    )
    assert [step.matters for step in trace.steps] == [True, True, False, False, False]


def test_overlapping_accesses_are_one_location():
    trace = trace_of(message(0, "store", 100, size=8), message(1, "load", 104, size=4))
    assert [step.matters for step in trace.steps] == [True, True]


def test_neighbours_are_not():
    trace = trace_of(message(0, "store", 100, size=4), message(1, "load", 104, size=4))
    assert [step.matters for step in trace.steps] == [False, False]


def test_synchronisation_matters_and_ends_do_not():
    trace = trace_of(message(0, "lock", 300), message(0, "unlock", 300), message(0, "end", 5))
    assert [step.matters for step in trace.steps] == [True, True, False]


def test_steps_on_the_failing_line_matter():
    """Whoever else touches the memory: the execution ended before they could."""
    trace = trace_of(
        message(1, "store", 100, line=5),
        message(1, "load", 100, line=7),  # on another line
        message(2, "load", 200, line=9),  # of another thread
        message(1, "load", 100, line=8),  # in the call that failed
        message(1, "load", 100, line=9),
        findings=(failure(1, 9, 8),),
    )
    assert [step.matters for step in trace.steps] == [False, False, False, True, True]


def test_only_the_last_rounds_of_a_failing_line_matter():
    steps = [message(1, "store", 100 + 4 * round, line=9) for round in range(100)]
    trace = trace_of(*steps, findings=(failure(1, 9),))
    assert [step.number for step in trace.steps if step.matters] == list(range(93, 101))


def test_what_nobody_had_written_yet_matters_to_the_thread_that_fails():
    trace = trace_of(
        message(1, "load", 200),
        message(1, "load", 200),  # the last time it looked
        message(2, "load", 204),  # another thread
        message(1, "store", 100, size=8),
        message(1, "load", 104),  # written, by itself
        message(1, "load", 96, size=4),  # beside it
        findings=(failure(1, 9),),
    )
    assert [step.matters for step in trace.steps] == [False, True, False, False, False, True]


def test_in_a_deadlock_it_matters_what_every_thread_read():
    steps = [message(1, "load", 100), message(2, "load", 200), message(0, "load", 400)]
    trace = trace_of(*steps, findings=(failure(1, kind="deadlock", others=(2,)),))
    assert [step.matters for step in trace.steps] == [True, True, False]


def livelock(*looping: int, waiting: tuple[int, ...] = ()) -> Finding:
    states = [*(ThreadReport(t, "looping") for t in looping), *(ThreadReport(t, "waiting") for t in waiting)]
    return Finding("livelock", "failed", looping[0], threads=states)


def test_of_a_livelock_the_last_round_of_each_thread_matters():
    def look(thread: int, address: int) -> list[Message]:
        return [message(thread, "load", address, line=4), message(thread, "store", 500 + 8 * thread, line=4)]

    steps = [*look(1, 100), *look(2, 200), *look(1, 100), *look(2, 200), *look(1, 100)]
    trace = trace_of(*steps, findings=(livelock(1, 2),))
    assert [step.number for step in trace.steps if step.matters] == [7, 9]


def test_a_round_that_found_something_else_matters():
    steps = [message(1, "load", 100, value) for value in (0, 1, 1, 1)]
    trace = trace_of(message(0, "store", 100, 0, 1), *steps, findings=(livelock(1),))
    assert [step.number for step in trace.steps if step.matters] == [1, 2, 5]


def test_own_memory_may_differ_from_round_to_round():
    """A loop that looks at the clock."""
    steps = []
    for time in range(3):
        steps += [message(1, "store", 500, time, time + 1), message(1, "load", 100)]
    trace = trace_of(*steps, findings=(livelock(1),))
    assert [step.number for step in trace.steps if step.matters] == [6]


def test_whoever_waits_for_a_loop_that_never_ends_has_its_last_looks_shown():
    steps = [message(0, "load", 200), *(message(1, "load", 100) for _ in range(3))]
    trace = trace_of(*steps, findings=(livelock(1, waiting=(0,)),))
    assert [step.number for step in trace.steps if step.matters] == [1, 4]


def test_whom_a_signal_wakes():
    """The alternatives are the waiting threads by their ids, whoever came first."""
    trace = trace_of(
        message(2, "wait", 300),
        message(1, "wait", 300),
        message(1, "wait", 304),  # another one
        message(0, "signal", 300, choice=1, alternatives=2),
        message(0, "signal", 300),
        message(2, "wait", 300),
        message(0, "broadcast", 300),
        message(1, "wait", 300),
        message(0, "signal", 300),
        message(0, "signal", 300, choice=1, alternatives=2),  # nothing is known of these two
    )
    assert [step.woken for step in trace.steps if step.operation == "signal"] == [
        "T2 worker",
        "T1 worker",
        "T1 worker",
        "",
    ]


def test_threads_have_names():
    trace = trace_of(
        message(0, "spawn", 0), message(0, "spawn", 0), message(1, "end", 77), message(0, "join", 77)
    )
    assert [step.location for step in trace.steps] == ["T1 worker", "T2 worker", "", "T1 worker"]
    assert trace.threads == {0: "T0 main", 1: "T1 worker", 2: "T2 worker"}


def step(operation: str, writes: bool = True, alternatives: int = 1) -> Step:
    return Step(1, 0, operation, "x", "0", "1", writes, True, 0, alternatives, ())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (step("load", False), "read x = 0"),
        (step("store"), "write x = 1 (was 0)"),
        (step("rmw"), "update x: 0 → 1"),
        (step("compare-exchange"), "compare-exchange x: 0 → 1"),
        (step("compare-exchange", False), "compare-exchange x fails: it is 0"),
        (step("lock"), "lock x"),
        (step("trylock", False), "try to lock x: busy"),
        (step("choose", alternatives=3), "choose 0, of 0 to 2"),
        (step("signal", alternatives=2), "signal x (alternative 0 of 2)"),
        (replace(step("signal", alternatives=2), woken="T1 worker"), "signal x, which wakes T1 worker"),
    ],
)
def test_words(given: Step, said: str):
    assert describe_step(given) == said


def test_bounds_in_words():
    assert describe_bounds(("finding",)) == ""
    assert "time limit" in describe_bounds(("time-limit",))
