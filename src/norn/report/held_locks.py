"""Which thread holds which locks, step by step."""

from __future__ import annotations

from norn.model import Step

_TAKES = frozenset({"lock", "wake-lock", "robust-lock", "rwlock-read", "rwlock-write"})
_MAY_TAKE = frozenset({"trylock", "robust-trylock", "rwlock-try-read", "rwlock-try-write"})
_GIVES = frozenset({"unlock", "robust-unlock", "rwlock-unlock"})
# Those who take a lock so share it with each other.
_SHARED = frozenset({"rwlock-read", "rwlock-try-read"})
# Operations that may change who holds what.
LOCKS = _TAKES | _MAY_TAKE | _GIVES


class HeldLocks:
    def __init__(self) -> None:
        self._held: dict[int, list[tuple[str, bool]]] = {}  # thread -> locks, and whether it shares them

    def note(self, step: Step) -> None:
        if step.operation not in LOCKS:
            return
        mine = self._held.setdefault(step.thread, [])
        if step.operation in _TAKES or (step.operation in _MAY_TAKE and step.writes):
            mine.append((step.location, step.operation in _SHARED))
        elif step.operation in _GIVES:
            last = next((held for held in reversed(mine) if held[0] == step.location), None)
            if last is not None:
                mine.remove(last)

    def of(self, thread: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(lock for lock, _ in self._held.get(thread, ()) if lock))

    def holder(self, lock: str, other_than: int) -> int | None:
        return next(
            (thread for thread in self._held if thread != other_than and lock in self.of(thread)), None
        )

    def keeps_out(self, lock: str, thread: int, operation: str) -> bool:
        """Whether another thread holds the lock in a way that does not let this one take it."""
        return any(
            other != thread and name == lock and not (is_shared and operation in _SHARED)
            for other, held in self._held.items()
            for name, is_shared in held
        )
