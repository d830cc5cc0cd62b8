"""Data races, from the messages of the engine to what people read: each once, as warning or as finding.

The engine tells of every pair of places in the code. One line of the source has several (`x++` reads and
writes), so pairs of the same lines and the same variable are one race here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from norn import protocol, token
from norn.errors import UsageError
from norn.memory_names import MemoryNames
from norn.model import AUTO, Finding, Frame, Race, RacedAccess, Shrunk, ThreadState, Trace
from norn.session import Outcome
from norn.shrunk import how_shrunk
from norn.symbolize import Symbols, code_addresses, short_function
from norn.token import Token

KIND = "data-race"
MODES = ("warn", "error", "off")
DEFAULT_MODE = "warn"

# It does not tell sources with equal values apart, and the happens-before relation follows from sources.
_WITHOUT_SOURCES = "reads-value-from"
_WITH_SOURCES = "reads-from"


def equivalence_for(mode: str, equivalence: str) -> str:
    """The one to explore with: if a race is an error, none may be missed."""
    if mode not in MODES:
        raise UsageError(f"unknown way to treat races “{mode}”; there are: {', '.join(MODES)}")
    if mode != "error":
        return equivalence
    if equivalence == _WITHOUT_SOURCES:
        raise UsageError(
            f"{_WITHOUT_SOURCES} does not tell apart which write a value is from, so that it can miss data "
            "races: take -e rf, obs or maz with --races=error"
        )
    return _WITH_SOURCES if equivalence == AUTO else equivalence


def make_races(
    outcome: Outcome, program_hash: str, symbols: Symbols, schedule: Token | None = None
) -> tuple[Race, ...]:
    """The races of a check or of a replay. `schedule`: of the replay; those of a check have their own."""
    stacks = [[_stack_of(access, outcome.steps) for access in message.accesses] for message in outcome.races]
    symbols.prepare(address for pair in stacks for stack in pair for address in code_addresses(stack))
    races: dict[object, Race] = {}
    for message, addresses in zip(outcome.races, stacks, strict=True):
        key = schedule or Token(program_hash, message.schedule, message.choices, message.parents)
        first, second = (
            _access(access, symbols.stack(stack))
            for access, stack in zip(message.accesses, addresses, strict=True)
        )
        whole, location = _variable(message, symbols), _location(message, outcome.steps, symbols)
        race = Race(location, (first, second), "", whole)
        if _identity(race) not in races:
            races[_identity(race)] = replace(race, token=token.encode(key))
    return tuple(races.values())


class SimplerRaces:
    """What became of the races of a check that were shrunk."""

    def __init__(self, outcome: Outcome, program_hash: str, symbols: Symbols) -> None:
        self._found: dict[object, tuple[Race | None, Shrunk]] = {}
        for shrunk in outcome.shrunk:
            if shrunk.of != "race" or shrunk.number >= len(outcome.races):
                continue
            (race,) = _only(outcome.races[shrunk.number], outcome, program_hash, symbols)
            better = (
                _only(shrunk.race, outcome, program_hash, symbols)[0] if shrunk.race is not None else None
            )
            self._found.setdefault(_identity(race), (better, how_shrunk(shrunk)))

    def of(self, race: Race) -> tuple[Race | None, Shrunk | None]:
        """The same race in a simpler execution, if there is one, and how that was looked for."""
        return self._found.get(_identity(race), (None, None))


def _only(message: protocol.Race, outcome: Outcome, program_hash: str, symbols: Symbols) -> tuple[Race, ...]:
    return make_races(replace(outcome, races=[message]), program_hash, symbols)


def is_among(race: Race, others: Iterable[Race]) -> bool:
    return any(_identity(race) == _identity(other) for other in others)


def finding_of(race: Race, trace: Trace | None, unconfirmed: str | None) -> Finding:
    """A race that is an error. The second access is where it fails."""
    second = race.accesses[1]
    return Finding(
        kind=KIND,
        message=str(race),
        thread=second.thread,
        location=second.place,
        threads=tuple(_state(access, race.location) for access in reversed(race.accesses)),
        token=race.token,
        trace=trace,
        unconfirmed=unconfirmed,
    )


def _stack_of(access: protocol.RacedAccess, steps: Sequence[protocol.Step]) -> list[int]:
    if access.step is not None and access.step < len(steps):
        return steps[access.step].stack
    return access.stack


def _access(access: protocol.RacedAccess, stack: tuple[Frame, ...]) -> RacedAccess:
    return RacedAccess(
        thread=access.thread,
        name=_thread_name(access.thread, stack),
        operation=access.operation,
        writes=access.writes,
        atomic=access.atomic,
        stack=stack,
    )


def _thread_name(thread: int, stack: Sequence[Frame]) -> str:
    """`T1 worker`: the outermost function of the user's sources is the one that the thread started in."""
    if thread == 0:
        return "T0 main"
    own = [frame for frame in stack if frame.place and not frame.is_system]
    return f"T{thread} {short_function(own[-1].function)}" if own else f"T{thread}"


def _raced_memory(message: protocol.Race) -> tuple[int, int]:
    """Address and size of what both access."""
    begin = max(access.address for access in message.accesses)
    end = min(access.address + access.size for access in message.accesses)
    return begin, end - begin


def _variable(message: protocol.Race, symbols: Symbols) -> str:
    return symbols.data(*_raced_memory(message))[0].partition("[")[0].partition("+")[0]


def _location(message: protocol.Race, steps: Sequence[protocol.Step], symbols: Symbols) -> str:
    """The name of the memory, by what is known of the two accesses."""
    both = [_as_step(access, steps) for access in message.accesses]
    names = MemoryNames(Outcome(steps=both), symbols, tells_apart=False)
    return names.at(*_raced_memory(message), both[0].frame).name


def _as_step(access: protocol.RacedAccess, steps: Sequence[protocol.Step]) -> protocol.Step:
    if access.step is not None and access.step < len(steps):
        return steps[access.step]
    return protocol.Step(
        access.thread,
        access.operation,
        access.address,
        access.size,
        before=0,
        after=0,
        writes=access.writes,
        shared=True,
        frame=access.frame,
        block=access.block,
        pointers=access.pointers,
    )


def _identity(race: Race) -> object:
    places = sorted(access.place or access.operation for access in race.accesses)
    return (*places, race.variable)


def _state(access: RacedAccess, location: str) -> ThreadState:
    return ThreadState(
        id=access.thread,
        name=access.name,
        state="running",
        detail=f"{access.what} of",
        object=location or "memory",
        stack=access.stack,
    )
