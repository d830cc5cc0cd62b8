"""What the rest of Python speaks of: Result, Finding, Trace, Step, Comparison, Topology. Plain frozen data.

Made by `api` from the messages of the checked executable, read by `report`.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

# Equivalences that exist, by name, with their short names; the coarsest first.
EQUIVALENCES = {
    "reads-value-from": "rvf",
    "reads-from": "rf",
    "observation": "obs",
    "mazurkiewicz": "maz",
}
SAMPLE = "sample"  # no equivalence either: some executions
OBSERVATION = "observation"  # the one that learns the topology of a program and counts annotations
MAZURKIEWICZ = "mazurkiewicz"  # tells final states of memory apart; `--preemptions` is complete for it
AUTO = "auto"  # no equivalence but a wish: whichever of two is faster on this program
DEFAULT_EQUIVALENCE = AUTO

UNKNOWN = "?"  # instead of a value: a write that did not come to pass

# Headers of the compiler and of the system: nobody looks for a bug there.
_SYSTEM_FILE = re.compile(
    r"^/(usr|opt)/(local/)?(include|lib|lib32|lib64)/|/include/c\+\+/|/lib/(gcc|clang|libcxx)/"
)


class Verdict(enum.StrEnum):
    """The answer in one word; each is equal to its text, `"failed"` for one."""

    VERIFIED = "verified"  # every class was explored and none failed
    FAILED = "failed"  # at least one finding
    INCOMPLETE = "incomplete"  # neither: no failure was confirmed, and not every class was explored


class ExitCode(enum.IntEnum):
    """What the command line ends with."""

    VERIFIED = 0  # every class was explored and none failed
    FAILED = 1  # at least one finding
    UNUSABLE = 2  # usage or build error, unsupported call
    INCOMPLETE = 3  # a limit was met; nothing failed so far


class ChosenBy(enum.StrEnum):
    """Why `auto` kept the equivalence it kept."""

    FINISHED_FIRST = "finished-first"  # it explored every class before the other did
    FAILURE_FIRST = "failure-first"  # it found a failure before the other did
    REFUSAL_FIRST = "refusal-first"  # it met what norn cannot check before the other did
    TIE = "tie"  # both had the answer at nearly the same time, and it is the coarser
    OTHER_ENDED = "other-ended"  # it went on to an answer after the other had ended without one
    NONE_FINISHED = "none-finished"  # both ended without an answer; it had explored more executions


@dataclass(frozen=True)
class Choice:
    """What `auto` kept, and why."""

    by: ChosenBy  # the reason, in one word
    because: str  # in words, what became of the other one included


@dataclass(frozen=True)
class Sample:
    """What `--sample` has covered: some executions, by chance. Nothing follows for the others."""

    scheduler: str  # "random" or "pct"
    seed: int  # the same seed gives the same executions
    wanted: int  # executions asked for
    depth: int | None = None  # of `pct`: of the failures it looks for
    sources: int = 0  # `reads-from` classes seen
    orders: int = 0  # `mazurkiewicz` classes seen


@dataclass(frozen=True)
class PreemptionBound:
    """What `--preemptions` has covered: all executions with at most so many preemptions."""

    wanted: int  # the bound asked for
    reached: int = 0  # the one of the last round of the search: those with fewer were all explored
    sources: int = 0  # `reads-from` classes seen
    orders: int = 0  # `mazurkiewicz` classes seen


@dataclass(frozen=True)
class Estimate:
    """What a search that met a limit has covered, as far as can be guessed (docs/estimate.md)."""

    explored: int  # executions of every sort
    low: int  # how many there are in all: at least
    likely: int  # the same: the best guess
    high: int  # the same: at most

    @property
    def parts(self) -> tuple[float, float]:
        """Of all executions: the least and the largest part that was explored."""
        return (self.explored / max(self.high, 1), self.explored / max(self.low, 1))


@dataclass(frozen=True)
class Frame:
    """One line of a call stack."""

    function: str  # its name
    file: str | None  # as the compiler was given it; None where the debug information knows none
    line: int | None  # from 1

    @property
    def place(self) -> str | None:
        """`file:line`, or nothing where the debug information knows no line."""
        return f"{self.file}:{self.line}" if self.file and self.line else None

    @property
    def is_system(self) -> bool:
        """Whether it lies in a header of the system, the C++ library for one."""
        return self.file is not None and _SYSTEM_FILE.search(self.file) is not None


class CallStack(tuple[Frame, ...]):
    """Frames, innermost first, of which many steps have the same: what follows from them is kept."""

    @cached_property
    def telling(self) -> Frame | None:
        """The frame to show: the innermost of the user's own sources, else the innermost known."""
        known = [frame for frame in self if frame.place]
        return next((frame for frame in known if not frame.is_system), known[0] if known else None)

    @cached_property
    def place(self) -> str | None:
        """Of that frame."""
        return self.telling.place if self.telling is not None else None

    @cached_property
    def has_own(self) -> bool:
        """Whether a frame is of the user's own sources."""
        return any(frame.place and not frame.is_system for frame in self)

    @cached_property
    def innermost(self) -> Frame | None:
        """The innermost frame whose line is known."""
        return next((frame for frame in self if frame.place), None)

    @cached_property
    def is_in_header_of_atomics(self) -> bool:
        """Whether that is in a system header, of atomic operations."""
        frame = self.innermost
        return frame is not None and frame.is_system and "atomic" in Path(frame.file or "").name

    @cached_property
    def is_in_system_header(self) -> bool:
        """Whether that is in any other system header."""
        return self.innermost is not None and self.innermost.is_system and not self.is_in_header_of_atomics


def telling_frame(stack: Sequence[Frame]) -> Frame | None:
    """The frame to show for a stack."""
    return call_stack(stack).telling


def call_stack(stack: Sequence[Frame]) -> CallStack:
    return stack if isinstance(stack, CallStack) else CallStack(stack)


def _place(stack: Sequence[Frame]) -> str | None:
    return call_stack(stack).place


@dataclass(frozen=True)
class ThreadState:
    """What one thread was doing when the execution failed."""

    id: int  # 0 is main
    name: str  # "T1 worker"
    state: str  # "failed", "running" (could go on), "waiting", "stopped", "looping" or "ended"
    detail: str  # "waits to lock the mutex"
    object: str | None  # what it is about, by name
    stack: tuple[Frame, ...]  # innermost first
    next_operation: str = ""  # of a running thread: what it would do, as `Step.operation`
    next_object: str = ""  # and to what


@dataclass(frozen=True)
class Step:
    """One event of a replayed execution, readable."""

    number: int  # from 1
    thread: int  # id of the thread; `Trace.threads` has its name
    operation: str  # "load", "store", "lock", "spawn", "join", ...
    location: str  # "counter", "queue.items[2]", "T2"
    before: str  # its value before the step
    after: str  # its value after it; what was read, if the step does not write; UNKNOWN if it failed
    writes: bool  # whether it may change the location
    matters: bool  # other threads touch the location too, and somebody writes it; or it led to the failure
    choice: int  # which alternative was taken, from 0, where there were several
    alternatives: int  # how many there were; 1 if there was nothing to choose
    stack: tuple[Frame, ...]  # innermost first
    woken: str = ""  # the thread that a signal woke, "T1 worker"
    address: int = 0  # of what it is about, in this replay
    size: int = 0  # in bytes

    @property
    def place(self) -> str | None:
        """`file:line`, in the user's sources if possible."""
        return _place(self.stack)


@dataclass(frozen=True)
class Trace:
    """One replayed execution. `print` shows every step, as `norn replay` does."""

    threads: dict[int, str]  # id -> "T1 worker"
    steps: tuple[Step, ...]  # in the order in which they happened
    left_out: int = 0  # steps of a long execution on memory that only one thread uses; a replay has them all

    def __str__(self) -> str:
        from norn.report.text import trace_to_text  # the report knows this file, not the reverse

        return trace_to_text(self)


@dataclass(frozen=True)
class Effort:
    """What a reader of a failing execution has to follow, up to the failure."""

    preemptions: int  # switches away from a thread that could have gone on
    switches: int  # of any sort
    events: int  # of all threads
    choices: int = 0  # that are not the first alternative


@dataclass(frozen=True)
class Shrunk:
    """How the execution of a finding came to be as simple as it is."""

    before: Effort  # of the execution that was found
    after: Effort  # of the one that is shown
    executions: int  # tried on the way
    least: bool  # no execution with fewer preemptions fails that way
    met_budget: bool  # there was more to try


@dataclass(frozen=True)
class Finding:
    """One failure and how to get there again."""

    kind: str  # "assertion", "deadlock", "use-after-free", ...: those of docs/protocol.md, and "data-race"
    message: str  # what failed, in words
    thread: int  # id of the failing one; of a deadlock the first that waits
    location: str | None  # "file:line"
    threads: tuple[ThreadState, ...]  # the failing one first
    token: str  # for `norn.replay`
    trace: Trace | None = None  # as replayed; None if the replay failed
    # Why the replay did not show it, a bug in norn or a nondeterministic program; None if it did. One that
    # was not shown is in `Result.unconfirmed`, never in `Result.findings`.
    unconfirmed: str | None = None
    shrunk: Shrunk | None = None  # nothing if it is shown as it was found, without a try

    @property
    def explanation(self) -> tuple[str, ...]:
        """What went wrong, in sentences that follow from the trace: what a thread missed while it was
        stopped, where the values of the failing line came from, who waits for whom."""
        from norn.report.explanation import explain  # the report knows this file, not the reverse

        return tuple(sentence.text for sentence in explain(self))


@dataclass(frozen=True)
class RacedAccess:
    """One of the two accesses of a data race."""

    thread: int  # its id
    name: str  # "T1 worker"
    operation: str  # as of a Step
    writes: bool  # at least one of the two does
    atomic: bool  # at most one of the two is
    stack: tuple[Frame, ...]  # innermost first

    @property
    def place(self) -> str | None:
        """`file:line`, in the user's sources if possible."""
        return _place(self.stack)

    @property
    def what(self) -> str:
        """`write`, `atomic read`, `free`."""
        name = {"load": "read", "store": "write", "rmw": "update"}.get(self.operation, self.operation)
        of_memory = self.operation in ("load", "store", "rmw", "compare-exchange")
        return f"atomic {name}" if self.atomic and of_memory else name.replace("-", " ")

    def __str__(self) -> str:
        return f"{self.what}{f' at {self.place}' if self.place else ''} ({self.name})"


@dataclass(frozen=True)
class Race:
    """Two accesses to the same memory that no synchronisation orders."""

    location: str  # "counter"
    accesses: tuple[RacedAccess, RacedAccess]  # in the order in which they happened
    token: str  # of an execution that has it
    variable: str = ""  # by which races are compared: a global variable, or whose stack or heap it is

    def __str__(self) -> str:
        first, second = self.accesses
        return f"{self.location or 'memory'}: {first} and {second} are not ordered"


@dataclass(frozen=True)
class Refusal:
    """Why the program cannot be checked at all."""

    message: str  # "the program calls fork, which norn does not model"
    reason: str  # "processes are not modelled"
    thread: str  # "T1 worker"
    frame: Frame | None  # where, in the user's sources if possible
    advice: str  # what to do, or where to read on


@dataclass(frozen=True)
class Setting:
    """What was checked, and how: for a report that is read later or elsewhere."""

    files: tuple[str, ...]  # as given
    flags: tuple[str, ...] = ()  # compiler options, those of `cflags` included
    arguments: tuple[str, ...] = ()  # of the program
    compiler: str = ""  # "gcc (gcc 12.2.0)"
    check_command: tuple[str, ...] = ()  # quoted words
    replay_command: tuple[str, ...] = ()  # the same, with TOKEN in the place of a finding's token


@dataclass(frozen=True)
class Result:
    """The answer of a check or of a replay.

    `print` shows it as the command line does, a notebook as a small page; `write_html` writes the whole
    report.
    """

    verdict: Verdict  # what follows for the program
    equivalence: str  # its full name; also with `auto`: the one that was kept; "replay", "sample"
    executions: int = 0  # complete ones
    blocked: int = 0  # those in which an assume stopped a thread
    redundant: int = 0  # explored for nothing
    cut: int = 0  # those that met --max-events or --max-thread-events
    events: int = 0  # of all executions together
    threads: int = 0  # most in one execution, main included
    longest: int = 0  # events of the longest execution
    restarts: int = 0  # how often it began anew, since a location turned out to be shared
    checks: int = 0  # questions whether some choice of sources is consistent
    decided: int = 0  # those of them that only the complete search could answer
    annotations: int | None = None  # those explored; of `observation` only
    seconds: float = 0.0  # exploration alone
    cpu_seconds: float = 0.0  # the same in processor time, whatever else the machine does
    build_seconds: float = 0.0  # compiling and linking, or looking it up in the cache
    peak_rss_mb: float = 0.0  # memory of the checked process
    bounds: tuple[str, ...] = ()  # the limits met, by name: "time-limit", "finding", ... (docs/json.md)
    complete: bool = False  # every class was explored
    findings: tuple[Finding, ...] = ()  # distinct ones, each confirmed by a replay; several with keep_going
    unconfirmed: tuple[
        Finding, ...
    ] = ()  # those that their replay did not show: not failures, but bugs in norn
    problems: tuple[str, ...] = ()  # why the check ended early, in words
    warnings: tuple[str, ...] = ()  # accesses the compiler is known to miss, and the like
    unseen: tuple[str, ...] = ()  # those of them about calls of library functions that norn does not see into
    races: tuple[Race, ...] = ()  # those that are told as warnings; as errors they are findings
    benign_races: int = 0  # not told, because the user has declared them harmless
    refusal: Refusal | None = None  # if the program cannot be checked
    unusable: bool = False  # ended by an unsupported call or an error: exit code 2 unless something failed
    trace: Trace | None = None  # of a replay
    program: Path | None = None  # the executable that was checked
    choice: Choice | None = None  # of `auto`; `equivalence` says which one was kept
    # Of a search that was asked for some executions only, or that met a limit.
    coverage: Sample | PreemptionBound | Estimate | None = None
    failures: tuple[tuple[str, int], ...] = ()  # how many executions failed, by kind
    setting: Setting | None = None  # what was checked, and how
    topology: Topology | None = None  # of `observation` only

    def write_html(self, path: str | Path) -> None:
        """Writes the report as one HTML file, which needs nothing else: no network, no other file."""
        from norn.report.html import result_to_html  # the report knows this file, not the reverse

        Path(path).write_text(result_to_html(self), encoding="utf-8")

    def __bool__(self) -> bool:
        """Whether the program is verified: `assert norn.check("program.c")` accepts nothing less."""
        return self.verdict is Verdict.VERIFIED

    def __str__(self) -> str:
        from norn.report.text import result_to_text

        return result_to_text(self)

    def _repr_html_(self) -> str:
        from norn.report.html import result_to_fragment

        return result_to_fragment(self)

    @property
    def exit_code(self) -> ExitCode:
        """That of `norn check`."""
        if self.verdict is Verdict.FAILED:
            return ExitCode.FAILED
        if self.unusable:
            return ExitCode.UNUSABLE
        return ExitCode.VERIFIED if self.verdict is Verdict.VERIFIED else ExitCode.INCOMPLETE

    @property
    def classes(self) -> int:
        """An execution each. Those in which an assume stopped a thread are counted apart, as `blocked`."""
        return self.executions

    @property
    def runs(self) -> int:
        """Executions of every sort."""
        return self.executions + self.blocked + self.redundant + self.cut

    @property
    def events_per_execution(self) -> float:
        """On average, executions of every sort included."""
        return round(self.events / self.runs, 2) if self.runs else 0.0


@dataclass(frozen=True)
class Comparison:
    """One program under several equivalences, the coarsest first; `norn compare`."""

    results: tuple[Result, ...]  # one for each equivalence that was run
    left_out: tuple[str, ...] = ()  # equivalences not run: after an interrupt or a refusal

    def write_html(self, path: str | Path) -> None:
        """As of a Result: the comparison, and how the program fails if it does."""
        from norn.report.html import comparison_to_html

        Path(path).write_text(comparison_to_html(self), encoding="utf-8")

    def __str__(self) -> str:
        from norn.report.text import comparison_to_text

        return comparison_to_text(self)

    def _repr_html_(self) -> str:
        from norn.report.html import comparison_to_fragment

        return comparison_to_fragment(self)

    def __bool__(self) -> bool:
        """Whether the program is verified, as of a Result."""
        return self.verdict is Verdict.VERIFIED

    @property
    def contradictions(self) -> tuple[str, ...]:
        """What cannot be true of one program, in words: bugs of norn. Incomplete results claim nothing."""
        verified = [result for result in self.results if result.verdict is Verdict.VERIFIED]
        failed = [result for result in self.results if result.verdict is Verdict.FAILED]
        said = []
        if verified and failed:
            said.append(f"{_names(verified)}: verified, but {_names(failed)}: failed")
        for coarse, fine in pairwise(verified):
            more, fewer = (each.classes + each.blocked for each in (coarse, fine))
            if more > fewer:
                said.append(
                    f"{coarse.equivalence} has {more:,} classes, those included in which an assume stopped a "
                    f"thread, more than {fine.equivalence} ({fewer:,}), of which every class is part of one "
                    "of its own"
                )
        return tuple(said)

    @property
    def verdict(self) -> Verdict | None:
        """The common one: that of the results that have one. None if they contradict each other."""
        if self.contradictions:
            return None
        verdicts = {result.verdict for result in self.results}
        if Verdict.FAILED in verdicts:
            return Verdict.FAILED
        # What one of them could not check, the others cannot have checked either. And if one has found what
        # its replay does not show, norn runs this program wrongly, or the program is not deterministic.
        doubtful = any(result.refusal is not None or result.unconfirmed for result in self.results)
        return Verdict.VERIFIED if Verdict.VERIFIED in verdicts and not doubtful else Verdict.INCOMPLETE

    @property
    def exit_code(self) -> ExitCode:
        """That of `norn compare`."""
        match self.verdict:
            case Verdict.FAILED:
                return ExitCode.FAILED
            case Verdict.VERIFIED:
                return ExitCode.VERIFIED
            case Verdict.INCOMPLETE if not any(result.unusable for result in self.results):
                return ExitCode.INCOMPLETE
        return ExitCode.UNUSABLE


@dataclass(frozen=True)
class Edge:
    """Two threads that communicate."""

    threads: tuple[int, int]  # their ids, the smaller one first
    locations: tuple[str, ...]  # what both of them access, by name
    removed: bool = False  # in the cycle set X: every cycle has at most two edges outside of it


@dataclass(frozen=True)
class Topology:
    """Who communicates with whom, learned from the executions of `result`; `norn topology`."""

    result: Result  # of the exploration
    threads: dict[int, str]  # id -> "T1 worker"
    edges: tuple[Edge, ...] = ()  # pairs of threads that communicate
    ordered: tuple[str, ...] = ()  # locations whose order of writes is part of a class
    known: bool = True  # False: the exploration ended before it could say anything

    @property
    def is_cyclic(self) -> bool:
        """Whether some edge joins threads that are already joined by others."""
        group = {thread: thread for edge in self.edges for thread in edge.threads}
        for one, other in (edge.threads for edge in self.edges):
            if group[one] == group[other]:
                return True
            old, new = group[one], group[other]
            group = {thread: new if of == old else of for thread, of in group.items()}
        return False

    @property
    def verdict(self) -> str | None:
        """`acyclic` or `cyclic`, as far as it is known: further executions can only add edges."""
        if not self.known or self.result.unusable:
            return None
        return "cyclic" if self.is_cyclic else "acyclic"

    @property
    def locations(self) -> tuple[str, ...]:
        """All that threads share, each once."""
        return tuple(dict.fromkeys(name for edge in self.edges for name in edge.locations))

    @property
    def exit_code(self) -> ExitCode:
        """That of `norn topology`."""
        if self.result.unusable:
            return ExitCode.UNUSABLE
        return ExitCode.VERIFIED if self.known and self.result.complete else ExitCode.INCOMPLETE

    def __str__(self) -> str:
        from norn.report.topology import topology_to_text  # the report knows this file, not the reverse

        return topology_to_text(self)

    def _repr_html_(self) -> str:
        from norn.report.html import topology_to_fragment

        return topology_to_fragment(self)


def _names(results: Sequence[Result]) -> str:
    return ", ".join(result.equivalence for result in results)
