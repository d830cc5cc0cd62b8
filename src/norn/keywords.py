"""The keywords of the functions in `api`: their types, and how they become `Settings` and `Watch`.

Types are for mypy and editors (`**options: Unpack[CheckKeywords]`); at run time `keyworded` refuses unknown
ones and gives the function a signature that `help()` can show.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypedDict, TypeVar, get_type_hints

from norn.auto import OnProgressOf
from norn.build import Program
from norn.settings import Settings, Watch

P = ParamSpec("P")
R = TypeVar("R")


class _Running(TypedDict, total=False):
    """How the program is built and run."""

    flags: Sequence[str]
    cflags: str
    arguments: Sequence[str]
    isolate: str
    max_events: int | None


class _Judging(TypedDict, total=False):
    """What counts as a failure."""

    nondet: str
    only: Sequence[str]
    leaks: Sequence[str]
    spurious: bool
    races: str
    benign_races: Sequence[str]
    exit_status: str


class _Exploring(_Running, total=False):
    """Limits of an exploration, and whom to tell of it."""

    max_executions: int | None
    time_limit: float | None
    on_progress: OnProgressOf | None
    on_found: Callable[[str], None] | None
    on_interrupt: Callable[[], None] | None
    on_built: Callable[[Program], None] | None


class CheckKeywords(_Exploring, _Judging, total=False):
    equivalence: str
    max_thread_events: int | None
    sample: int | None
    scheduler: str | None
    depth: int | None
    seed: int | None
    preemptions: int | None
    keep_going: bool
    shrink: bool
    without: Sequence[str]


class CompareKeywords(_Exploring, total=False):
    equivalences: Sequence[str]
    keep_going: bool
    nondet: str
    on_start: Callable[[str], None] | None


class TopologyKeywords(_Exploring, total=False):
    pass


class AnswerKeywords(_Exploring, total=False):
    equivalence: str
    nondet: str


class ReplayKeywords(_Running, _Judging, total=False):
    pass


def split(options: Mapping[str, Any]) -> tuple[Settings, Watch]:
    """What is asked for, and whom to tell of it."""
    watched = {each.name for each in dataclasses.fields(Watch)}
    asked = {name: value for name, value in options.items() if name not in watched}
    told = {name: value for name, value in options.items() if name in watched}
    return Settings(**asked), Watch(**told)


def _require_known(function: str, options: Mapping[str, object], known: Sequence[str]) -> None:
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f". Did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def keyworded(kind: type) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function that takes `**options` takes those of this kind, each with the default of its field."""
    defaults = {each.name: each.default for owner in (Settings, Watch) for each in dataclasses.fields(owner)}
    types = get_type_hints(kind)

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        given = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
        keywords = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=types[name]
            )
            for name in defaults
            if name in types
        ]
        shown = signature.replace(parameters=[*given, *keywords])

        @functools.wraps(function)
        def call(*arguments: P.args, **options: P.kwargs) -> R:
            _require_known(function.__name__, options, list(shown.parameters))
            shown.bind(*arguments, **options)  # what is missing is a TypeError, as of any function
            return function(*arguments, **options)

        call.__signature__ = shown  # type: ignore[attr-defined]
        return call

    return decorate
