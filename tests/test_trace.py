"""Which steps matter, and what they are called."""

import pytest

from norn.model import Step
from norn.protocol import Step as Message
from norn.protocol import Thread
from norn.report.words import describe_bounds, describe_step
from norn.session import Outcome
from norn.trace import make_trace


class Names:
    """Symbols of a program with two variables."""

    def prepare(self, addresses):
        list(addresses)

    def stack(self, addresses, fault=False):
        return ()

    def function(self, address):
        return "worker"

    def data(self, address, size=1):
        return {100: "x", 200: "y", 300: "m"}.get(address, f"{address:#x}"), None


def message(
    thread: int, operation: str, address: int, before: int = 0, after: int = 0, size: int = 4
) -> Message:
    writes = operation not in ("load", "join")
    return Message(thread, operation, address, size, before, after, writes, False)


def trace_of(*steps: Message):
    outcome = Outcome(steps=list(steps), threads=[Thread(1, 0, 4096), Thread(2, 0, 4096)])
    return make_trace(outcome, Names())


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
        (step("choose", alternatives=3), "choose 0 of 3"),
        (step("signal", alternatives=2), "signal x (alternative 0 of 2)"),
    ],
)
def test_words(given: Step, said: str):
    assert describe_step(given) == said


def test_bounds_in_words():
    assert describe_bounds(("finding",)) == ""
    assert "time limit" in describe_bounds(("time-limit",))
