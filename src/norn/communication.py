"""Makes a readable Topology of what the engine learned about a program: threads and locations by name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from norn import protocol
from norn.memory_names import MemoryNames
from norn.model import Edge, Result, Topology
from norn.session import Outcome
from norn.symbolize import Symbols, is_area
from norn.trace import thread_names


def make_topology(
    result: Result, outcome: Outcome, symbols: Symbols, any_execution: Callable[[], Outcome]
) -> Topology:
    """The topology of an exploration.

    any_execution: runs some execution step by step. It is asked only for what no address tells: the names of
    threads that a library started, std::thread for one, since only their call stacks lead to a function of
    the program; and those of memory on stacks and heaps.
    """
    learned = outcome.topology
    if learned is None:
        return Topology(result, {}, known=False)
    any_execution = functools.cache(any_execution)
    names = _Names(learned.locations, symbols, any_execution)
    edges = [
        Edge(
            threads=(min(edge.threads), max(edge.threads)),
            locations=names.of(edge.locations),
            removed=edge.removed,
        )
        for edge in learned.edges
    ]
    return Topology(
        result=result,
        threads=_thread_names(learned.threads, outcome, symbols, any_execution),
        edges=tuple(sorted(edges, key=lambda edge: edge.threads)),
        ordered=names.of(learned.ordered),
    )


class _Names:
    """The names of locations, looked up once."""

    def __init__(
        self,
        locations: Sequence[protocol.SharedMemory],
        symbols: Symbols,
        any_execution: Callable[[], Outcome],
    ) -> None:
        fixed = [symbols.data(each.address, each.size)[0] for each in locations]
        if any(is_area(name) for name in fixed):
            seen = MemoryNames(any_execution(), symbols)
            fixed = [seen.at(each.address, each.size).name for each in locations]
        self._places = [
            (each.address, name or f"{each.address:#x}") for each, name in zip(locations, fixed, strict=True)
        ]

    def of(self, indices: Sequence[int]) -> tuple[str, ...]:
        """As they lie in memory. Parts of a variable without names of their own are one location."""
        return tuple(dict.fromkeys(name for _, name in sorted(self._places[index] for index in indices)))


def _thread_names(
    number: int, outcome: Outcome, symbols: Symbols, any_execution: Callable[[], Outcome]
) -> dict[int, str]:
    names = thread_names(outcome, symbols)
    if any(" " not in names.get(thread, "") for thread in range(number)):
        seen = thread_names(any_execution(), symbols)
        names |= {thread: name for thread, name in seen.items() if " " not in names.get(thread, "")}
    return {thread: names.get(thread, f"T{thread}") for thread in range(number)}
