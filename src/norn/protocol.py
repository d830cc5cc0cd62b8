"""The messages of the checked executable, as typed structures. The format is described in docs/protocol.md.

`session` reads them; nobody else needs to know that they are JSON. There may be a million of them: none is in
a cycle, and Python's collector of cycles is told to leave them alone (gc=False).
"""

from __future__ import annotations

import msgspec


class Message(msgspec.Struct, frozen=True, tag_field="type", gc=False):
    """Common part of all messages: the field `type` says which one it is."""


class Estimate(msgspec.Struct, frozen=True, gc=False):
    low: int  # executions of every sort that there will have been
    likely: int
    high: int


class Progress(Message, frozen=True, tag="progress", gc=False):
    executions: int = 0
    blocked: int = 0
    redundant: int = 0
    events: int = 0
    cut: int = 0
    depth: int = 0
    restarts: int = 0
    seconds: float = 0.0
    estimate: Estimate | None = None


class ThreadReport(msgspec.Struct, frozen=True, gc=False):
    id: int
    state: str
    detail: str | None = None
    object: int | None = None
    next: str | None = None  # what a running thread would do
    next_object: int | None = None
    stack: list[int] = []


class Finding(Message, frozen=True, tag="finding", gc=False):
    kind: str
    message: str
    thread: int
    file: str | None = None
    line: int | None = None
    fault: bool = False
    in_library: bool = False
    address: int | None = None
    threads: list[ThreadReport] = []
    schedule: str = ""
    choices: str = ""
    parents: str = ""
    executions: int = 0


class LiveFrame(msgspec.Struct, frozen=True, gc=False):
    """A function that is being executed."""

    code: int  # where it goes on
    pointer: int  # its frame pointer


class HeapBlock(msgspec.Struct, frozen=True, gc=False):
    start: int
    size: int


class Pointer(msgspec.Struct, frozen=True, gc=False):
    """A word of memory that holds an address inside a block."""

    address: int
    value: int
    frame: LiveFrame | None = None  # that it lies in


class RacedAccess(msgspec.Struct, frozen=True, gc=False):
    thread: int
    operation: str
    address: int
    size: int
    writes: bool
    atomic: bool
    step: int | None = None  # of a replay: its place among the steps, from 0, one of which has the stack
    stack: list[int] = []
    frame: LiveFrame | None = None  # as of a step, but for replays
    block: HeapBlock | None = None
    pointers: list[Pointer] = []


class Race(Message, frozen=True, tag="race", gc=False):
    accesses: tuple[RacedAccess, RacedAccess]
    in_library: bool = False
    schedule: str = ""
    choices: str = ""
    parents: str = ""
    executions: int = 0


class Effort(msgspec.Struct, frozen=True, gc=False):
    """What a reader of an execution has to follow, up to the failure."""

    preemptions: int
    switches: int
    events: int
    choices: int


class Shrunk(Message, frozen=True, tag="shrunk", gc=False):
    """A simpler execution for a finding or race that was told before; none if there is no simpler one."""

    of: str  # "finding" or "race"
    number: int  # among these, from 0
    before: Effort
    after: Effort
    executions: int
    least: bool
    met_budget: bool
    finding: Finding | None = None
    race: Race | None = None


class Thread(Message, frozen=True, tag="thread", gc=False):
    id: int
    parent: int | None
    start: int | None


class Block(Message, frozen=True, tag="block", gc=False):
    """A heap block was allocated."""

    start: int
    size: int
    stack: list[int] = []


class Step(Message, frozen=True, tag="step", gc=False):
    thread: int
    operation: str
    address: int
    size: int
    before: int
    after: int | None  # None: it did not come to pass, and nobody knows what it would have written
    writes: bool
    shared: bool
    choice: int = 0
    alternatives: int = 1
    stack: list[int] = []
    # What the memory is part of: the function whose variable it is, or a heap block and pointers into it, or
    # the word whose futex queue it is.
    frame: LiveFrame | None = None
    block: HeapBlock | None = None
    pointers: list[Pointer] = []
    futex: int | None = None


class DifferingEvent(msgspec.Struct, frozen=True, gc=False):
    """The first event that was another one under the same schedule: what it did, and what it found."""

    operation: str
    address: int
    size: int
    value: int
    site: int


class Diverged(Message, frozen=True, tag="diverged", gc=False):
    tick: int
    thread: int
    message: str
    stack: list[int] = []
    was: DifferingEvent | None = None
    now: DifferingEvent | None = None


class Gap(Message, frozen=True, tag="gap", gc=False):
    """An execution came to a place whose accesses norn does not see."""

    site: int


class Unsupported(Message, frozen=True, tag="unsupported", gc=False):
    function: str
    message: str
    thread: int
    stack: list[int] = []


class Error(Message, frozen=True, tag="error", gc=False):
    message: str


class Bare(Message, frozen=True, tag="bare", gc=False):
    executions: int
    events: int
    switches: int
    seconds: float
    cpu_seconds: float


class Again(Message, frozen=True, tag="again", gc=False):
    explorations: int
    seconds: float  # of all of them together
    cpu_seconds: float


class SharedMemory(msgspec.Struct, frozen=True, gc=False):
    address: int
    size: int


class Edge(msgspec.Struct, frozen=True, gc=False):
    threads: tuple[int, int]
    locations: list[int]  # indices into the locations of the message
    removed: bool


class Topology(Message, frozen=True, tag="topology", gc=False):
    threads: int
    locations: list[SharedMemory]
    edges: list[Edge]
    ordered: list[int]

    def __post_init__(self) -> None:
        named = [*self.ordered, *(index for edge in self.edges for index in edge.locations)]
        if any(not 0 <= index < len(self.locations) for index in named):
            raise ValueError("a topology names a location that it does not list")
        if any(not 0 <= thread < self.threads for edge in self.edges for thread in edge.threads):
            raise ValueError("a topology names a thread that there is not")


class ForeignCall(msgspec.Struct, frozen=True):
    """A function of a library that some execution has called, and that norn does not see into."""

    function: str
    site: int  # where the program goes on after a call
    shares: bool  # an argument pointed to memory that threads share


class Undefined(msgspec.Struct, frozen=True, gc=False):
    """Where the first execution ended at undefined behaviour that is no finding."""

    kind: str
    message: str
    thread: int
    stack: list[int] = []


class Result(Message, frozen=True, tag="result", gc=False):
    complete: bool
    bounds: list[str]
    executions: int
    blocked: int
    redundant: int
    events: int
    threads: int
    longest: int
    restarts: int
    seconds: float
    peak_rss_kb: int
    cpu_seconds: float = 0.0
    exit_status: int = 0  # the last one other than 0 with which an execution ended
    expected_signals: int = 0  # bit n - 1: the program has a handler for signal n, or waits for it
    checks: int = 0
    decided: int = 0
    annotations: int = 0
    cut: int = 0
    sources_seen: int = 0
    orders_seen: int = 0
    preemptions: int = 0
    failures: dict[str, int] = {}
    benign_races: int = 0  # that the user has declared harmless, by pairs of places in the code
    race_limit: bool = False  # there were so many races that the rest was not looked for
    undefined: Undefined | None = None
    hidden_steps: int = 0  # of a replay: on memory of one thread, that were not told
    foreign_calls: list[ForeignCall] = []
    estimate: Estimate | None = None


AnyMessage = (
    Progress
    | Finding
    | Race
    | Shrunk
    | Thread
    | Block
    | Step
    | Diverged
    | Unsupported
    | Error
    | Bare
    | Gap
    | Again
    | Topology
    | Result
)

# What the executable is asked for, by the names of docs/protocol.md.
Options = dict[str, str | int | float]

_decoder: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)


# Letters of the key that each message begins with.
KEY_SIZE = 32


class ProtocolError(Exception):
    """A line that is not a message. The checked program may have written to norn's descriptor."""


def authentic(line: bytes, key: bytes) -> bytes:
    """The message of a line that the engine has written; nobody else knows the key."""
    if not line.startswith(key + b" "):
        raise ProtocolError(
            "the checked program wrote to the channel on which the engine reports, so that the report does "
            f"not count; let it write only to descriptors that it has opened: {_shown(line)}"
        )
    return line[len(key) + 1 :]


def decode(message: bytes) -> AnyMessage:
    """Text of the program inside of a message need not be valid UTF-8."""
    try:
        return _decoder.decode(message if message.isascii() else message.decode("utf-8", "replace"))
    except (msgspec.DecodeError, msgspec.ValidationError) as problem:
        raise ProtocolError(
            f"unreadable message from the checked program ({problem}): {_shown(message)}"
        ) from None


def _shown(line: bytes) -> str:
    return line[:120].decode("utf-8", "replace")


def encode_options(options: Options) -> str:
    """The value of NORN_OPTIONS."""
    return ";".join(f"{key}={value}" for key, value in options.items())
