"""The explorer `observation`: its classes, its topology, and what the paper leaves out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import norn
from norn import _engine
from norn.model import Verdict
from tests.fuzz import first_complaints, longest_kept_cycle
from tests.litmus_programs import Code

WriteProgram = Callable[[str], Path]
Edge = tuple[int, int, list[str], bool]


def explored(program: Sequence[Code]) -> _engine.LitmusResult:
    """Explores it, and compares with the oracle."""
    assert first_complaints(program) == []
    return _engine.explore(program, "observation")


def write(variable: int, value: int = 1) -> tuple[str | int, ...]:
    return ("write", variable, value)


def read(variable: int, register: int = 0) -> tuple[str | int, ...]:
    return ("read", register, variable)


def classes(program: Sequence[Code], equivalence: str) -> int:
    return _engine.explore(program, equivalence).executions


def test_figure_3() -> None:
    program: list[Code] = [[write(0), read(0)], [write(0, 2), read(0)]]
    result = explored(program)
    assert (result.executions, result.annotations, result.redundant) == (3, 3, 0)
    assert result.edges == [(0, 1, ["v0"], False)]


@pytest.mark.parametrize(("threads", "count"), [(2, 3), (3, 9), (4, 27), (5, 81)])
def test_a_pipeline_is_acyclic(threads: int, count: int) -> None:
    program: list[Code] = [[] for _ in range(threads)]
    for variable in range(threads - 1):
        for thread in (variable, variable + 1):
            program[thread] += [read(variable), write(variable)]
    result = _engine.explore(program, "observation")
    assert result.executions == count
    assert result.edges == [(thread, thread + 1, [f"v{thread}"], False) for thread in range(threads - 1)]
    assert result.ordered == []


def test_many_threads_on_one_variable_are_cyclic() -> None:
    """Every cycle of them loses all but two edges, and the order of the writes is part of the class."""
    program: list[Code] = [[write(0, thread), read(0)] for thread in range(4)]
    result = explored(program[:3])
    assert (result.executions, classes(program[:3], "reads-from"), result.ordered) == (36, 16, ["v0"])
    result = _engine.explore(program, "observation")
    assert (result.executions, result.ordered) == (576, ["v0"])
    assert len(result.edges) == 6
    assert sum(removed for *_, removed in result.edges) == 3
    assert longest_kept_cycle(result.edges) == []


def test_figure_18() -> None:
    """Cyclic by x; only the order of its writes is part of the class, not that of the many writes of y."""
    long: Code = [write(0), *[write(1)] * 3, read(1), read(0)]
    program: list[Code] = [[write(0), read(0)], long, long]
    result = _engine.explore(program, "observation")
    assert result.ordered == ["v0"]
    assert classes(program, "reads-from") < result.executions < classes(program, "mazurkiewicz")
    assert explored([[write(0), read(0)], *[[write(0), write(1), read(1), read(0)]] * 2]).ordered == ["v0"]


@pytest.mark.parametrize(
    "instruction",
    [("rmw_add", 0, 0, 1), ("xchg", 0, 0, 1)],
)
def test_what_orders_itself_costs_nothing(instruction: tuple[str | int, ...]) -> None:
    program: list[Code] = [[instruction], [instruction], [instruction], [read(0)]]
    result = explored(program)
    assert result.ordered == []
    assert any(removed for *_, removed in result.edges)
    assert result.executions == classes(program, "reads-from")


def test_one_writer_is_in_no_cycle_of_its_readers() -> None:
    result = explored([[write(0), write(0, 2)], [read(0)], [read(0)], [read(0)]])
    assert [edge[:2] for edge in result.edges] == [(0, 1), (0, 2), (0, 3)]
    assert not any(removed for *_, removed in result.edges)


def test_the_beginning_and_the_end_of_main_are_no_communication() -> None:
    program: list[Code] = [
        [write(0), ("spawn", 1), ("spawn", 2), ("join", 1), ("join", 2), read(0)],
        [write(0, 2), read(0)],
        [write(0, 3), read(0)],
    ]
    assert explored(program).edges == [(1, 2, ["v0"], False)]


def test_a_parent_that_passes_on_what_it_has_heard_is_an_edge() -> None:
    """T0 reads what T1 wrote, then starts T2; and it joins T1 before it writes what T2 reads."""
    told: list[Code] = [[read(0), ("spawn", 2)], [write(0)], [read(1)]]
    assert (0, 2, [], False) in explored(told).edges
    joined: list[Code] = [[("spawn", 1), ("spawn", 2), ("join", 1), write(0)], [write(1)], [read(0), read(1)]]
    assert (0, 1, [], True) in explored(joined).edges or (0, 1, [], False) in explored(joined).edges
    quiet: list[Code] = [[("spawn", 1), ("spawn", 2), ("join", 1), ("join", 2)], [write(1)], [read(1)]]
    assert [edge[:2] for edge in explored(quiet).edges] == [(1, 2)]


def test_a_topology_that_turns_out_to_be_cyclic_later() -> None:
    """Only if T0 finds what T1 wrote does it write what the others write as well."""
    program: list[Code] = [
        [read(1), ("branch", 0, "!=", 1, 1), write(0, 3)],
        [write(1), write(0), read(0)],
        [write(0, 2), read(0)],
    ]
    result = explored(program)
    assert result.ordered == ["v0"]
    assert result.executions > classes(program, "reads-from")


@pytest.mark.parametrize("sizes", [((0, 4), (0, 8)), ((0, 4), (2, 4)), ((0, 1), (1, 1))])
def test_accesses_of_different_size(sizes: Sequence[tuple[int, int]]) -> None:
    first, second = sizes
    explored(
        [
            [("write", 0, 1, *first), ("read", 0, 0, *second)],
            [("write", 0, 2, *second), ("read", 0, 0, *first)],
            [("write", 0, 3, *first)],
        ]
    )


def test_the_order_of_critical_sections_is_part_of_the_class() -> None:
    """Nobody reads anything, and yet threads may wait for each other for ever."""
    program: list[Code] = [
        [("lock", 0), ("lock", 1), ("unlock", 1), ("unlock", 0)],
        [("lock", 1), ("lock", 0), ("unlock", 0), ("unlock", 1)],
    ]
    result = explored(program)
    assert (result.executions, result.deadlocks) == (3, 1)


def test_a_program_in_c(tmp_path: Path) -> None:
    source = tmp_path / "three.c"
    source.write_text(
        """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *p) { atomic_store(&x, (int)(long)p); return (void *)(long)atomic_load(&x); }
int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
"""
    )
    result = norn.check(source, equivalence="obs")
    assert (result.verdict, result.executions, result.redundant) == (Verdict.VERIFIED, 36, 0)
    assert result.annotations == 36
    assert norn.check(source, equivalence="rf").executions == 16
