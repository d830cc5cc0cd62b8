"""Which local variable lies at an address of a stack, by the frames that the steps of an execution tell of.

Part of `memory_names`. Calls come and go, and several variables have the same memory one after the other:
which of them is meant depends on the moment.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from norn import protocol
from norn.data_types import Variable
from norn.symbolize import Symbols, code_addresses, short_function, stack_owner

Identity = tuple[str, int | None, int]  # what tells a variable from others of its name


@dataclass(frozen=True)
class Place:
    """A variable in memory: a global one, or a local one of a function that is, or was, being executed."""

    variable: Variable
    address: int
    scope: str  # the function, or what a global one is declared in
    thread: int | None  # of a local one: on whose stack it lies

    @property
    def identity(self) -> Identity:
        return self.scope, self.thread, self.address


def frames_of(step: protocol.Step) -> Iterator[protocol.LiveFrame]:
    """All that the step tells of."""
    if step.frame is not None:
        yield step.frame
    for pointer in step.pointers:
        if pointer.frame is not None:
            yield pointer.frame


class StackVariables:
    """The local variables of one execution. A moment is the number of a step, from 0."""

    def __init__(self, steps: Sequence[protocol.Step], symbols: Symbols) -> None:
        self._steps = steps
        self._symbols = symbols
        self._moments: dict[int, list[int]] = defaultdict(list)  # of each thread: its steps
        # Of each thread the frames on its stack, with the moments at which they are told of.
        self._frames: dict[int | None, dict[protocol.LiveFrame, list[int]]] = defaultdict(dict)
        self._known: dict[tuple[int, protocol.LiveFrame], Place | None] = {}
        self._at: dict[int, list[tuple[Place, list[int]]]] = {}
        for moment, step in enumerate(steps):
            self._moments[step.thread].append(moment)
            if step.frame is None and not step.pointers:
                continue
            for frame in frames_of(step):
                moments = self._frames[stack_owner(frame.pointer - 1)].setdefault(frame, [])
                if moments[-1:] != [moment]:
                    moments.append(moment)

    def in_frame(self, address: int, frame: protocol.LiveFrame) -> Place | None:
        """The variable there of a function that is known."""
        thread = stack_owner(address)
        if thread is None or stack_owner(frame.pointer - 1) != thread:
            return None
        key = (address, frame)
        if key not in self._known:
            self._known[key] = self._find(address, frame, thread)
        return self._known[key]

    def at(self, address: int, moment: int | None = None) -> Place | None:
        """The variable there at a moment, or at the end.

        One of a function that is being executed then, if there is any; of these the one that is told of next
        to that moment.
        """
        thread = stack_owner(address)
        if thread is None:
            return None
        if address not in self._at:
            self._at[address] = [
                (place, moments)
                for frame, moments in self._frames[thread].items()
                if (place := self.in_frame(address, frame)) is not None
            ]
        known = self._at[address]
        if len({(place.variable.name, place.identity) for place, _ in known}) < 2:
            return known[0][0] if known else None
        moment = len(self._steps) if moment is None else moment
        executed = self._functions(thread, moment)
        return min(known, key=lambda each: (each[0].scope not in executed, _distance(each[1], moment)))[0]

    def _functions(self, thread: int, moment: int) -> set[str]:
        """Those that the thread has not left at its last step up to the moment."""
        own = self._moments[thread]
        place = bisect.bisect_right(own, moment) - 1
        stack = self._symbols.stack(self._steps[own[place]].stack) if place >= 0 else ()
        return {short_function(frame.function) for frame in stack}

    def _find(self, address: int, frame: protocol.LiveFrame, thread: int) -> Place | None:
        variable = self._symbols.local(frame.code, frame.pointer, address)
        if variable is None or not variable.name:
            return None
        function = short_function(self._symbols.function(frame.code - 1))
        return Place(variable, frame.pointer + variable.address, function, thread)


def code_of_frames(steps: Sequence[protocol.Step]) -> Iterator[int]:
    """Code addresses whose names are needed for that."""
    for stack in {tuple(step.stack) for step in steps}:
        yield from code_addresses(stack)
    for step in steps:
        if step.frame is not None or step.pointers:
            yield from (frame.code - 1 for frame in frames_of(step))


def _distance(moments: Sequence[int], moment: int) -> int:
    """From the moment to the next of some, in order, before or after it."""
    place = bisect.bisect_left(moments, moment)
    return min(abs(each - moment) for each in moments[max(place - 1, 0) : place + 1])
