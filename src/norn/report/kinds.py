"""The kinds of findings: what each one is and what to do about it, for reports that explain their rules."""

from __future__ import annotations

from dataclasses import dataclass

from norn.model import Finding


@dataclass(frozen=True)
class Kind:
    """One kind of finding."""

    name: str  # "use-after-free"
    short: str  # one phrase
    meaning: str  # what has happened
    advice: str  # where to look
    alone: str = ""  # the phrase where it is about one thread only, if that is another

    @property
    def title(self) -> str:
        """`UseAfterFree`."""
        return "".join(part.capitalize() for part in self.name.split("-"))


_ORDER = (
    "Look at the steps in their order: the switch between threads that should not be possible is the bug."
)
_LOCKS = "Look at the stacks of the threads involved, and at who holds what."
_LIFE = "Find who still uses the object, and let its end wait for that: join the thread, or count references."

KINDS = {
    each.name: each
    for each in (
        Kind("assertion", "An assertion failed", "In some interleaving a condition is false.", _ORDER),
        Kind("abort", "The program aborts", "In some interleaving abort() is called.", _ORDER),
        Kind(
            "killed",
            "The program ends by a signal",
            "In some interleaving the program sends itself a signal that ends it.",
            _ORDER,
        ),
        Kind(
            "reach-error", "An error call is reached", "In some interleaving reach_error() is called.", _ORDER
        ),
        Kind(
            "exception",
            "An exception is not caught",
            "In some interleaving an exception leaves a thread, and the program terminates.",
            _ORDER,
        ),
        Kind(
            "exit-status",
            "The program ends with a status other than 0",
            "In some interleaving main returns another value than 0, or exit() is called with one.",
            _ORDER,
        ),
        Kind(
            "segmentation-fault",
            "Access to memory that is not there",
            "In some interleaving a pointer is null, wild or already gone.",
            _LIFE,
        ),
        Kind("bus-error", "Access that the hardware refuses", "A pointer is misaligned or wild.", _LIFE),
        Kind(
            "arithmetic-fault",
            "Division by zero",
            "In some interleaving a divisor is zero, or the quotient does not fit.",
            _ORDER,
        ),
        Kind("illegal-instruction", "An illegal instruction", "What was run is no code.", _ORDER),
        Kind("trap", "A trap", "The program stopped itself, by __builtin_trap() for one.", _ORDER),
        Kind("stack-overflow", "The stack of a thread is used up", "A recursion does not end.", _ORDER),
        Kind("use-after-free", "Use of freed memory", "One thread frees what another still uses.", _LIFE),
        Kind("double-free", "Memory is freed twice", "Two threads free the same block.", _LIFE),
        Kind("invalid-free", "free() of what was never allocated", "A pointer is not one to a block.", _LIFE),
        Kind("heap-overflow", "Access beyond a heap block", "An index or a size is wrong.", _ORDER),
        Kind("global-overflow", "Access beyond a global variable", "An index or a size is wrong.", _ORDER),
        Kind(
            "use-after-return",
            "Use of a local variable that is gone",
            "A thread uses what stood on the stack of a function that has returned.",
            _LIFE,
        ),
        Kind("memory-leak", "Memory is lost", "Nothing points to a block at the end.", "Free it."),
        Kind("lock-leak", "A lock is never released", "It is held at the end.", "Unlock on every path."),
        Kind("thread-leak", "A thread is never joined", "Nobody waits for it.", "Join or detach it."),
        Kind("thread-misuse", "Wrong use of a thread", "A thread is joined twice, for one.", _LIFE),
        Kind(
            "deadlock",
            "Threads wait for each other for ever",
            "In some interleaving nobody can go on: each thread waits for what another one has, or for a "
            "signal that has already been given.",
            f"{_LOCKS} Take locks in one order; wait for conditions in a loop, with the mutex held.",
            alone="A thread waits for ever",
        ),
        Kind(
            "livelock",
            "Threads go round in loops for ever",
            "In some interleaving threads wait in loops that nobody can end any more.",
            _LOCKS,
            alone="A thread goes round in a loop for ever",
        ),
        Kind("mutex-misuse", "Wrong use of a mutex", "It is unlocked by another thread, for one.", _LOCKS),
        Kind("rwlock-misuse", "Wrong use of a read-write lock", "The same of a read-write lock.", _LOCKS),
        Kind("semaphore-misuse", "Wrong use of a semaphore", "It overflows, or is destroyed in use.", _LOCKS),
        Kind("barrier-misuse", "Wrong use of a barrier", "It is destroyed in use, for one.", _LOCKS),
        Kind(
            "data-race",
            "Two accesses that nothing orders",
            "Two threads use the same memory, one of them writes, one of the accesses is not atomic, and no "
            "synchronisation orders them. That is undefined behaviour.",
            "Protect both with the same lock, or make both atomic.",
        ),
    )
}


def title_of(finding: Finding) -> str:
    """The phrase for its kind, as it is true of this finding."""
    kind = kind_of(finding.kind)
    return kind.alone if kind.alone and len(finding.threads) == 1 else kind.short


def kind_of(name: str) -> Kind:
    """The kind of that name, also where this table does not know it."""
    return KINDS.get(name) or Kind(name, name.replace("-", " "), "", _ORDER)
