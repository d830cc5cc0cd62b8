"""Which thread holds which locks, step by step."""

from __future__ import annotations

from norn.model import Step

_TAKES = frozenset({"lock", "wake-lock", "robust-lock", "rwlock-read", "rwlock-write"})
_MAY_TAKE = frozenset({"trylock", "robust-trylock", "rwlock-try-read", "rwlock-try-write"})
_GIVES = frozenset({"unlock", "robust-unlock", "rwlock-unlock"})


class HeldLocks:
    def __init__(self) -> None:
        self._held: dict[int, list[str]] = {}

    def note(self, step: Step) -> None:
        mine = self._held.setdefault(step.thread, [])
        if step.operation in _TAKES or (step.operation in _MAY_TAKE and step.writes):
            mine.append(step.location)
        elif step.operation in _GIVES and step.location in mine:
            mine.remove(step.location)

    def of(self, thread: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(lock for lock in self._held.get(thread, ()) if lock))

    def holder(self, lock: str, other_than: int) -> int | None:
        return next(
            (thread for thread, locks in self._held.items() if thread != other_than and lock in locks), None
        )

    def has_other(self, lock: str, thread: int) -> bool:
        return self.holder(lock, thread) is not None
