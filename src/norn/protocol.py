"""The messages of the checked executable, as typed structures. The format is described in docs/protocol.md.

`session` reads them; nobody else needs to know that they are JSON.
"""

from __future__ import annotations

import msgspec


class Message(msgspec.Struct, frozen=True, tag_field="type"):
    """Common part of all messages: the field `type` says which one it is."""


class Estimate(msgspec.Struct, frozen=True):
    low: int  # executions of every sort that there will have been
    likely: int
    high: int


class Progress(Message, frozen=True, tag="progress"):
    executions: int = 0
    blocked: int = 0
    redundant: int = 0
    events: int = 0
    cut: int = 0
    depth: int = 0
    restarts: int = 0
    seconds: float = 0.0
    estimate: Estimate | None = None


class ThreadReport(msgspec.Struct, frozen=True):
    id: int
    state: str
    detail: str | None = None
    object: int | None = None
    next: str | None = None  # what a running thread would do
    next_object: int | None = None
    stack: list[int] = []


class Finding(Message, frozen=True, tag="finding"):
    kind: str
    message: str
    thread: int
    file: str | None = None
    line: int | None = None
    fault: bool = False
    address: int | None = None
    threads: list[ThreadReport] = []
    schedule: str = ""
    choices: str = ""
    parents: str = ""
    executions: int = 0


class LiveFrame(msgspec.Struct, frozen=True):
    """A function that is being executed."""

    code: int  # where it goes on
    pointer: int  # its frame pointer


class HeapBlock(msgspec.Struct, frozen=True):
    start: int
    size: int


class Pointer(msgspec.Struct, frozen=True):
    """A word of memory that holds an address inside a block."""

    address: int
    value: int
    frame: LiveFrame | None = None  # that it lies in


class RacedAccess(msgspec.Struct, frozen=True):
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


class Race(Message, frozen=True, tag="race"):
    accesses: tuple[RacedAccess, RacedAccess]
    schedule: str = ""
    choices: str = ""
    parents: str = ""
    executions: int = 0


class Effort(msgspec.Struct, frozen=True):
    """What a reader of an execution has to follow, up to the failure."""

    preemptions: int
    switches: int
    events: int
    choices: int


class Shrunk(Message, frozen=True, tag="shrunk"):
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


class Thread(Message, frozen=True, tag="thread"):
    id: int
    parent: int | None
    start: int | None


class Block(Message, frozen=True, tag="block"):
    """A heap block was allocated."""

    start: int
    size: int
    stack: list[int] = []


class Step(Message, frozen=True, tag="step"):
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


class DifferingEvent(msgspec.Struct, frozen=True):
    """The first event that was another one under the same schedule: what it did, and what it found."""

    operation: str
    address: int
    size: int
    value: int
    site: int


class Diverged(Message, frozen=True, tag="diverged"):
    tick: int
    thread: int
    message: str
    stack: list[int] = []
    was: DifferingEvent | None = None
    now: DifferingEvent | None = None


class Unsupported(Message, frozen=True, tag="unsupported"):
    function: str
    message: str
    thread: int
    stack: list[int] = []


class Error(Message, frozen=True, tag="error"):
    message: str


class Bare(Message, frozen=True, tag="bare"):
    executions: int
    events: int
    switches: int
    seconds: float
    cpu_seconds: float


class Again(Message, frozen=True, tag="again"):
    explorations: int
    seconds: float  # of all of them together
    cpu_seconds: float


class SharedMemory(msgspec.Struct, frozen=True):
    address: int
    size: int


class Edge(msgspec.Struct, frozen=True):
    threads: tuple[int, int]
    locations: list[int]  # indices into the locations of the message
    removed: bool


class Topology(Message, frozen=True, tag="topology"):
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


class Result(Message, frozen=True, tag="result"):
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
    | Again
    | Topology
    | Result
)

_decoder: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)


class ProtocolError(Exception):
    """A line that is not a message. The checked program may have written to norn's descriptor."""


def decode(line: bytes) -> AnyMessage:
    """One message from one line. Text of the program inside it need not be valid UTF-8."""
    try:
        return _decoder.decode(line.decode("utf-8", "replace"))
    except (msgspec.DecodeError, msgspec.ValidationError) as problem:
        shown = line[:120].decode("utf-8", "replace")
        raise ProtocolError(f"unreadable message from the checked program ({problem}): {shown}") from None


def encode_options(options: dict[str, str | int | float]) -> str:
    """The value of NORN_OPTIONS."""
    return ";".join(f"{key}={value}" for key, value in options.items())
