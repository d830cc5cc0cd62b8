"""What a story is made of: what threads did, what was left out, where a thread was stopped."""

from __future__ import annotations

from dataclasses import dataclass, field

from norn.model import Frame


@dataclass(frozen=True)
class Line:
    """What a thread did on one line of the source, without another thread in between."""

    thread: int
    said: str
    frame: Frame | None
    steps: int = 1
    does: str = ""  # "others": starts threads or waits for their end; "locks" or "unlocks": only that
    numbers: frozenset[int] = field(default=frozenset(), compare=False)  # of its steps

    @property
    def only_others(self) -> bool:
        return self.does == "others"


@dataclass(frozen=True)
class Fold:
    """Steps that are not told."""

    thread: int
    steps: int
    of_all: bool = False  # of several threads, that one the first of them


@dataclass(frozen=True)
class Stop:
    """A thread does not go on here, although it has more to do; another one runs."""

    thread: int
    waits_for: str  # a lock that another thread holds; empty: it could go on
    holds: tuple[str, ...]
    after: int = field(default=0, compare=False)  # the number of its last step before


Item = Line | Fold | Stop


@dataclass(frozen=True)
class Story:
    names: dict[int, str]  # id -> "T1 worker"
    columns: tuple[int, ...]  # the threads that matter
    items: tuple[Item, ...]

    @property
    def files(self) -> set[str]:
        return {
            item.frame.file
            for item in self.items
            if isinstance(item, Line) and item.frame and item.frame.file
        }

    @property
    def steps_told(self) -> int:
        return sum(item.steps for item in self.items if isinstance(item, Line))

    def name(self, thread: int) -> str:
        return self.names.get(thread, f"T{thread}")
