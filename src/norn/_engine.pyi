"""The engine as a Python extension: the explorers of `norn check`, on tiny programs given as data.

A litmus program is a sequence of threads, each a sequence of instructions, each a tuple:

| instruction | meaning |
|---|---|
| `("read", reg, var)` | reg := var |
| `("write", var, const)` | var := const |
| `("write_reg", var, reg)` | var := reg |
| `("rmw_add", reg, var, k)` | reg := var; var := var + k, in one step |
| `("xchg", reg, var, const)` | reg := var; var := const, in one step |
| `("cas", reg, var, expected, desired)` | reg := var; if it was `expected`, var := desired, in one step |
| `("lock", m)`, `("unlock", m)` | mutexes; a thread that locks a mutex it holds waits for ever |
| `("trylock", reg, m)` | reg := 1 and the mutex is taken if it was free, reg := 0 otherwise |
| `("wait", c, m)` | waits on condition variable c, releasing m meanwhile: three events, see below |
| `("signal", c)`, `("broadcast", c)` | wake one waiter (any of them) or all; nothing if nobody waits |
| `("sem_wait", s)` | waits until semaphore s is not 0, then takes one off |
| `("sem_trywait", reg, s)` | reg := 1 and one is taken off if it was not 0, reg := 0 otherwise |
| `("sem_post", s)` | adds one to semaphore s |
| `("rdlock", l)`, `("wrlock", l)` | read-write locks: wait until nobody writes; until nobody holds it |
| `("tryrdlock", reg, l)`, `("trywrlock", reg, l)` | the same as `trylock` does it: without waiting |
| `("rwunlock", l)` | releases the lock that the thread holds as its writer, or that some readers hold |
| `("spawn", t)`, `("join", t)` | start thread t; wait until it has ended |
| `("assert", reg, op, const)` | if false the execution has failed; the thread goes on |
| `("assume", reg, op, const)` | if false the thread stops here for good, without ending |
| `("branch", reg, op, const, skip)` | if true the next `skip` instructions are skipped |
| `("choose", reg, n)` | reg := any of 0 .. n-1 |

`op` is one of `"=="`, `"!="`, `"<"`, `">"`. Threads are numbered from 0 in the order given. Variables,
mutexes, condition variables, semaphores, read-write locks and registers are small integers (below 256),
each with a name space of its own; registers belong to their thread. Everything is 0 at the start; values
are signed 64-bit integers that wrap around.

A variable has 8 bytes, the lowest first. The first six instructions may end with two further operands
`offset, size`: they touch only `size` bytes (1, 2, 4 or 8) from byte `offset` on, at any alignment inside
the variable. What they read, write, expect and add are then unsigned integers of that size: constants and
registers are taken modulo 2 ** (8 * size). `("read", 0, 1, 2, 4)` reads bytes 2 to 5 of variable 1.

Every instruction is one visible event, except these:

- `assert`, `assume` and `branch` are local: they run with the event before them (or when the thread
  starts).
- `wait` is an event on the condition variable (the thread now waits), then the unlock of the mutex, then,
  once a signal or broadcast has chosen the thread, the lock of the mutex. A signal may come before the
  unlock. The three stand in a trace as "wait", "unlock" and "wake_lock".
- A signal with several waiters is a choice between them, in the order in which they began to wait. A
  signal or broadcast that finds no waiter only reads the condition variable.
- A failed `cas`, `trylock`, `sem_trywait`, `tryrdlock` or `trywrlock` only reads. An `unlock` is a
  read-modify-write: it finds its own thread.
- `unlock` and `wait` with a mutex that the thread does not hold make the execution failed; they read the
  mutex, have no effect, and the thread goes on (such a `wait` is this one event, called "wait").
- `rwunlock` is a read-modify-write whatever it finds. If nobody holds the lock, or another thread as its
  writer, it makes the execution failed and leaves the lock as it is. Who the readers are is not known: it
  takes one off whoever it was. A thread that writes and wants the lock again waits for ever, and so does a
  reader that wants to write.
- After its last instruction every thread has an "end" event, which writes the thread's own location;
  `join` reads it.

A thread that some `spawn` in the program names (at most one may) starts at that spawn, or never; all
others have started from the beginning. Two executions are equal for `mazurkiewicz` if they have the same
events and the same order of conflicting events: those of different threads with a byte in common of which
at least one writes. They are equal for `reads-from` if they have the same events and every byte that an
event reads (a read-modify-write reads, too) comes from the same write.

An execution in which some assume stopped a thread is *blocked*; else, if some started thread has not
ended, it is a *deadlock*.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

Instruction: TypeAlias = tuple[str | int, ...]
Program: TypeAlias = Sequence[Sequence[Instruction]]

# One thread at the end of an execution: index of the instruction it is at (the number of its instructions
# if it has ended, the index of the instruction that waits or of the failed assume if not), then registers
# 0 .. highest one that its instructions mention.
ThreadState: TypeAlias = tuple[int, ...]

# (thread, operation, access, location, before, after, choice): operation is a name of `Operation` in
# engine/graph/event.h; access is "none", "read", "write" or "rmw"; location is "v0", "m0", "c0", "s0",
# "l0", "t0" (variable, mutex, condition variable, semaphore, read-write lock, thread), "v0[2:4]" for bytes
# 2 and 3 of a variable, or "" for `spawn` and `choose`, which touch nothing;
# before and after are the values found and left there: of a mutex 0 or its holder's number + 1, of a
# condition variable the number of waiters, of a semaphore its count, of a read-write lock the number of its
# readers or 2 ** 31 + its writer's number + 1, of a thread 1 once it has ended. choice is the alternative
# taken by `choose` and `signal`, else 0.
TraceEvent: TypeAlias = tuple[int, str, str, str, int, int, int]

class LitmusResult:
    @property
    def complete(self) -> bool:
        """Every class was explored: false if `max_executions` was met or a question was too hard."""
    @property
    def executions(self) -> int:
        """Executions, one per class; the deadlocked ones included, the blocked and redundant ones not."""
    @property
    def blocked(self) -> int:
        """Executions in which an assume stopped a thread, one per class."""
    @property
    def redundant(self) -> int:
        """Executions explored for nothing."""
    @property
    def cut(self) -> int:
        """Executions that met `max_events` or `max_thread_events`; they are in none of the above."""
    @property
    def sources_seen(self) -> int:
        """Classes of `reads-from` that the executions of `sample` or `explore_bounded` are of."""
    @property
    def orders_seen(self) -> int:
        """The same of `mazurkiewicz`."""
    @property
    def preemptions(self) -> int:
        """The bound of the last round of `explore_bounded`."""
    @property
    def deadlocks(self) -> int:
        """Those of `executions` that are deadlocks."""
    @property
    def failed(self) -> int:
        """Executions, blocked or not, with a failed assert or a misused mutex."""
    @property
    def events(self) -> int:
        """Events of all executions together."""
    @property
    def checks(self) -> int:
        """Questions whether some choice of sources is consistent."""
    @property
    def decided(self) -> int:
        """Those of `checks` that only the complete search could answer."""
    @property
    def annotations(self) -> int:
        """Choices of sources from which an execution was begun."""
    @property
    def edges(self) -> list[tuple[int, int, list[str], bool]]:
        """What `observation` has learned of who communicates with whom: two threads, the locations by which
        they do, and whether the edge is in the all-but-two cycle set."""
    @property
    def ordered(self) -> list[str]:
        """The locations whose order of writes is part of a class of `observation`: a variable, or some of its
        bytes, as in `traces`."""
    @property
    def states(self) -> set[tuple[ThreadState, ...]]:
        """The final local states, one tuple of threads each, of all executions, blocked ones included."""
    @property
    def traces(self) -> list[list[TraceEvent]]:
        """Every execution, blocked ones included, in the order explored; empty without `keep_traces`."""

def explore(
    program: Program,
    equivalence: str = "mazurkiewicz",
    *,
    keep_traces: bool = False,
    max_executions: int = 0,
    without_signals: bool = False,
    without_closure: bool = False,
    without_constants: bool = False,
    max_events: int = 0,
    max_thread_events: int = 0,
) -> LitmusResult:
    """Explores every class of the program, at most `max_executions` executions if that is not 0.

    `max_events`: an execution ends after so many, if that is not 0. `max_thread_events`: each thread stops
    after so many, the others go on.

    What `reads-value-from` can go without, to see what that buys: backtrack signals; the closure and the
    guide of the check of consistency, so that there is only the search; and telling which reads find the
    same value whenever they come.

    Raises ValueError for a malformed program or an unknown equivalence.
    """

def sample(
    program: Program,
    executions: int,
    *,
    scheduler: Literal["random", "pct"] = "random",
    depth: int = 3,
    seed: int = 0,
    keep_traces: bool = False,
    max_events: int = 0,
    max_thread_events: int = 0,
) -> LitmusResult:
    """So many executions, by chance. Never complete."""

def explore_bounded(
    program: Program,
    preemptions: int,
    *,
    keep_traces: bool = False,
    max_events: int = 0,
    max_thread_events: int = 0,
) -> LitmusResult:
    """Every execution with at most so many preemptions, one of each Mazurkiewicz class.

    Complete if there are no others.
    """

def shrink(
    program: Program, *, seed: int = 0, executions: int = 20000, events: int = 10000000
) -> dict[str, Any] | None:
    """Shrinks the execution of a random schedule; nothing if that neither fails nor deadlocks.

    `before` and `after`: preemptions, switches, events, choices. `least`: no execution has fewer preemptions
    and fails the same way. `replayed`: the outcome fails again. `threads`: its schedule. executions and
    events: the budget.
    """

def equivalences() -> list[str]:
    """The names `explore` takes."""

# What follows shows the parts of engine/consistency one by one, for their tests.

# What a read of a cell reads from: an event that writes the cell, None for the initial value, -1 for
# anything. Or several, its good writes: one of them, no matter which.
Source: TypeAlias = int | Sequence[int | None] | None

class Verification:
    """What VerifySc has said."""

    @property
    def answer(self) -> Literal["yes", "no", "too_hard"]:
        """Whether there is a witness. "too_hard": the search was given up."""
    @property
    def step(self) -> Literal["descent", "closure", "ordered_descent", "search"]:
        """What has given the answer."""
    @property
    def witness(self) -> list[int] | None:
        """The events in the order of an execution, if the answer is "yes"."""
    @property
    def kept(self) -> int:
        """How many events at the beginning of the witness are those of the guide."""
    @property
    def states(self) -> int:
        """How many states the search has visited; 0 if there was none."""

class Consistency:
    """A graph of events with their sources, its saturated order, and the searches for a witness of it.

    Events are numbered from 0 in the order pushed. Both grow and shrink at their ends; the order may have
    taken in fewer events than there are. Raises ValueError for what the engine never does.
    """

    def __init__(self) -> None: ...
    def push(
        self,
        thread: int,
        access: str,
        cells: Sequence[tuple[int, Source]],
        cause: int | None = None,
    ) -> int:
        """Adds an event and returns its number.

        `access` is "none", "read", "write" or "rmw". `cells` lists each cell it touches with its source; if
        it does not read, that does not matter.
        """
    def truncate(self, size: int) -> None:
        """Removes the events from `size` on, from the order too."""
    def advance(self, size: int) -> bool:
        """Takes events into the order until there are `size`. False: a cycle, and `retract` must follow."""
    def retract(self, size: int) -> None:
        """Gives up events of the order until there are at most `size`."""
    def add_edge(self, early: int, late: int) -> bool:
        """Adds an edge and all that follows. False: a cycle, and `forget_edges` must follow."""
    def forget_edges(self) -> None:
        """Gives up what was added by `add_edge` since the last event was taken in."""
    @property
    def size(self) -> int:
        """How many events the order has taken in; after a cycle including the one that closed it."""
    def order(self) -> set[tuple[int, int]]:
        """The pairs of different events of which the first comes before the second."""
    def happens_before(self) -> set[tuple[int, int]]:
        """Likewise, of all events, in the order with which the saturated one begins."""
    def clock(self, event: int) -> list[int]:
        """How many events of each thread the order puts before the event, which itself counts, too."""
    def witness(self, guide: Sequence[int], known: int = 0) -> list[int] | None:
        """The one attempt along the guide: the events in the order of an execution, or None.

        The guide must be an execution of the first `known` events; others in it do not count. Here and in
        the next two the order must have taken in all events, and no read may have good writes.
        """
    def decide(self) -> list[int] | None:
        """The complete search."""
    def realize(self) -> tuple[str, list[int] | None]:
        """In polynomial time: "yes" with an execution, "no"; or "open", if threads communicate in cycles."""
    def find(self, guide: Sequence[int], known: int = 0) -> tuple[str, list[int] | None]:
        """All steps: which one has answered ("witness", "ordered_witness" or "decision"), and the answer."""
    def verify(
        self,
        guide: Sequence[int] = (),
        known: int = 0,
        *,
        respect_order: bool = False,
        search_only: bool = False,
        limit: int | None = None,
    ) -> Verification:
        """Asks VerifySc for a witness. The guide is as for `witness`.

        The order may have taken in any part of the events; it takes in all if that is needed. If the closure
        has given the answer there is a cycle, and `retract` must follow. With `respect_order` it must have
        taken in all events, and the witness must respect it with all edges that were added. `search_only`:
        without guide and closure. `limit`: of the states of the search.
        """

class Cells:
    """The bytes of locations in groups that no access tells apart."""

    def __init__(self) -> None: ...
    def learn(self, location: int, address: int, size: int) -> bool:
        """Makes sure that such an access touches whole cells. False: that took a split."""
    def cells_of(self, location: int, address: int, size: int) -> list[int]:
        """The cells of an access that was learned, in the order of their addresses."""
    def bytes_of(self, cell: int) -> tuple[int, int]:
        """The first byte of a cell, and the one after its last."""
    @property
    def size(self) -> int:
        """The number of cells."""

class Coverage:
    """What is left of a depth-first search told step by step: how its stack of nodes grows and shrinks."""

    def __init__(self) -> None: ...
    def executed(self, nodes: int) -> bool:
        """An execution was run, and there are so many nodes now. True: `look` should follow for each."""
    def next_child(self, node: int) -> None:
        """The nodes above this one, counted from 0, are done, and its next child begins."""
    def reject(self) -> None:
        """What was known as a child turned out to be none."""
    def look(self, node: int, left: int, kind: int = 0) -> None:
        """So many children of a node are known and not begun."""
    def left(self) -> tuple[float, float, float] | None:
        """Executions left, as multiples of those done: at least, likely, at most. None: too early."""
