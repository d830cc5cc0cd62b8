"""The abstract machine of the random programs (`standard_programs`), on programs whose behaviour is known."""

from __future__ import annotations

from collections.abc import Callable

from tests.standard_programs.behaviour import Behaviour, behaviour
from tests.standard_programs.machine import (
    ENDED,
    NOT_STARTED,
    NOTES,
    RUNNING,
    A,
    Code,
    Label,
    Layout,
    Machine,
    Run,
)


def of(
    *bodies: Callable[[Code], None], cells: tuple[str, ...] = ("x",), locks: tuple[str, ...] = ()
) -> Behaviour:
    """Main starts a thread for each body, joins all of them and writes what they noted."""
    layout = Layout()
    for name in (*cells, *locks):
        layout.add(name, 0, is_lock=name in locks)
    count = len(bodies) + 1
    for i in range(count):
        layout.add(f"status{i}", NOT_STARTED)
        layout.add(f"result{i}", ())
    codes = [Code(layout, i, count) for i in range(count)]

    def start(run: Run) -> bool:
        for i in range(1, count):
            run.memory[layout[f"status{i}"]] = RUNNING
            run.started.append(i)
        return True

    def join_all(run: Run) -> bool:
        run.emitted.append(str([run.memory[layout[f"result{i}"]] for i in range(1, count)]))
        run.is_gone = True
        return all(run.memory[layout[f"status{i}"]] == ENDED for i in range(1, count))

    codes[0].step(start)
    codes[0].step(join_all)
    for i, body in enumerate(bodies, start=1):
        body(codes[i])

        def end(run: Run, i: int = i) -> bool:
            run.memory[layout[f"status{i}"]] = ENDED
            run.memory[layout[f"result{i}"]] = run.registers[NOTES]
            return True

        codes[i].step(end)
    return behaviour(Machine(layout, codes))


def store(name: str, value: int) -> Callable[[Code], None]:
    def write(code: Code) -> None:
        def act(run: Run) -> bool:
            run.memory[code.layout[name]] = value
            return True

        code.step(act)

    return write


def load(code: Code, name: str) -> None:
    def act(run: Run) -> bool:
        run.registers[A] = run.memory[code.layout[name]]
        return True

    code.step(act)


def wait_for_one(code: Code) -> None:
    again = Label()
    code.here(again)
    load(code, "x")
    code.jump(again, lambda run: run.registers[A] != 1)


def lock_both(first: str, second: str) -> Callable[[Code], None]:
    def body(code: Code) -> None:
        for name in (first, second):

            def take(run: Run, name: str = name) -> bool:
                is_free = run.memory[code.layout[name]] == 0
                run.memory[code.layout[name]] = 1
                return is_free

            code.step(take)
        store(first, 0)(code)
        store(second, 0)(code)

    return body


def kinds(found: Behaviour) -> set[str]:
    return {failure.kind for failure in found.failures}


def test_an_increment_in_two_steps_may_be_lost():
    def increment(code: Code) -> None:
        load(code, "x")

        def write(run: Run) -> bool:
            run.memory[code.layout["x"]] = run.registers[A] + 1
            return True

        code.step(write)
        code.note(lambda run: run.registers[A] + 1)

    found = of(increment, increment)
    assert found.outcomes == {"[(1,), (2,)]", "[(2,), (1,)]", "[(1,), (1,)]"}
    assert found.failures == frozenset()


def test_a_loop_that_somebody_ends_is_no_livelock():
    found = of(wait_for_one, store("x", 1))
    assert found.outcomes == {"[(), ()]"} and not found.failures and not found.is_endless


def test_a_loop_that_nobody_ends_is_a_livelock():
    found = of(wait_for_one, store("x", 2))
    assert kinds(found) == {"livelock"} and not found.outcomes and not found.is_endless


def test_two_locks_in_opposite_orders_are_a_deadlock():
    found = of(lock_both("m", "n"), lock_both("n", "m"), locks=("m", "n"))
    assert kinds(found) == {"deadlock"} and found.outcomes == {"[(), ()]"}


def test_a_loop_that_changes_what_others_see_is_endless():
    def toggle(code: Code) -> None:
        again = Label()
        code.here(again)
        store("y", 1)(code)
        store("y", 0)(code)
        load(code, "x")
        code.jump(again, lambda run: run.registers[A] != 1)

    assert of(toggle, store("x", 1), cells=("x", "y")).is_endless
