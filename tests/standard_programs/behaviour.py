"""The brute force: all states of a program, and what follows from them.

- Its *outcomes* are the lines that it writes in some execution.
- It *fails* where a step of a thread fails; in a *deadlock*, which is a state that nobody can leave although
  the process has not ended; in a *livelock*, which is a set of states that has cycles and no way out.

A program of which some thread can go on for ever while it changes something for good is *endless*, and has no
place among the tests: states are finite, but executions get longer and longer without being the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.standard_programs.machine import ENDED, ENDED_PLACE, Failure, Layout, Machine, State


class TooLarge(Exception):
    """There are too many states."""


@dataclass(frozen=True)
class Behaviour:
    outcomes: frozenset[str]
    failures: frozenset[Failure]
    states: int
    is_endless: bool


def behaviour(machine: Machine, most_states: int = 20_000) -> Behaviour:
    first, begun = machine.first()
    outcomes = set(begun.emitted)
    failures: set[Failure] = set()
    following: dict[State, list[State]] = {}
    over: set[State] = set()  # the process has ended, one way or the other
    waiting = [first]
    while waiting:
        state = waiting.pop()
        if state in following or state in over:
            continue
        if len(following) >= most_states:
            raise TooLarge
        successors = []
        for _, after, run in machine.next(state):
            outcomes.update(run.emitted)
            if run.failure is not None:
                failures.add(run.failure)
            if run.failure is not None or run.is_gone:
                over.add(after)
            else:
                successors.append(after)
                waiting.append(after)
            if after in over and after not in successors:
                successors.append(after)
        following[state] = successors
        if not successors:
            assert not _has_ended(machine, state), "a process that nobody ends"
            failures.add(Failure("deadlock"))
    cycles = _cycles(following)
    if any(all(after in cycle for state in cycle for after in following[state]) for cycle in cycles):
        failures.add(Failure("livelock"))
    is_endless = any(_changes_something(machine.layout, cycle) for cycle in cycles)
    return Behaviour(frozenset(outcomes), frozenset(failures), len(following), is_endless)


def _has_ended(machine: Machine, state: State) -> bool:
    threads, memory = state
    return all(
        place == ENDED_PLACE or memory[status] == ENDED
        for (place, _), status in zip(threads, machine.statuses, strict=True)
    )


def _changes_something(layout: Layout, cycle: set[State]) -> bool:
    """Whether memory is not the same all the time, but for locks that nobody looks at by trying them."""
    some = next(iter(cycle))[1]
    for index, cell in enumerate(layout.cells):
        may_vary = cell.is_lock and index not in layout.tried
        if not may_vary and any(memory[index] != some[index] for _, memory in cycle):
            return True
    return False


def _cycles(following: dict[State, list[State]]) -> list[set[State]]:
    """The strongly connected parts of the graph that have an edge (Tarjan, without recursion)."""
    number: dict[State, int] = {}
    low: dict[State, int] = {}
    stack: list[State] = []
    on_stack: set[State] = set()
    found: list[set[State]] = []
    for root, after_root in following.items():
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        path = [(root, iter(after_root))]
        while path:
            state, rest = path[-1]
            for after in rest:
                if after not in following:
                    continue
                if after not in number:
                    number[after] = low[after] = len(number)
                    stack.append(after)
                    on_stack.add(after)
                    path.append((after, iter(following[after])))
                    break
                if after in on_stack:
                    low[state] = min(low[state], number[after])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[state])
                if low[state] == number[state]:
                    part: set[State] = set()
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        part.add(member)
                        if member == state:
                            break
                    if len(part) > 1 or state in following[state]:
                        found.append(part)
    return found
