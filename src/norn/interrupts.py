"""What Ctrl-C and SIGTERM do while checked programs run.

They run in process groups of their own, so that these signals reach them only through norn. There are two
kinds of callers:

- One that has said what to do at an interrupt (`on_interrupt`: the command line). The first signal asks the
  engines to stop and to report what they know, the second one kills them. norn goes on to its report.
- Any other host process. The signal is the host's, not norn's: the engines are stopped, and the signal takes
  its course. The host's own handler is called; if it raises, KeyboardInterrupt for one, that ends the call of
  norn, and cleaning up is left to `with` on the way out. If it returns, the check ends as *interrupted*. A
  signal without a handler ends the process: `Terminated` unwinds what has to be cleaned up, and
  `taking_their_course` lets the process die by that very signal. One that the host ignores is ignored.

Handlers belong to the main thread: in another one none is touched.
"""

from __future__ import annotations

import contextlib
import functools
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stoppable(Protocol):
    """An engine that runs."""

    def interrupt(self) -> None: ...

    def kill(self) -> None: ...

    def close(self) -> None: ...


E = TypeVar("E", bound=Stoppable)


class Terminated(BaseException):
    """A signal has come whose course is to end the process. Nobody is to catch it as an error."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Stop:
    """Stops the engines that were started by it at a signal: politely once, then by force."""

    def __init__(self, on_interrupt: Callable[[], None] | None) -> None:
        self._on_interrupt = on_interrupt
        self._engines: list[Stoppable] = []
        self._previous = {number: signal.getsignal(number) for number in _SIGNALS}
        self._asked = False
        self._holds = False
        self._held: list[tuple[int, FrameType | None]] = []

    def start(self, make: Callable[[], E]) -> E:
        """A new engine. A signal that comes before anybody knows it, and could end it, waits for that."""
        self._holds = True
        try:
            engine = make()
        finally:
            self._holds = False
        self._engines.append(engine)
        try:
            while self._held:
                self.signalled(*self._held.pop(0))
        except BaseException:
            engine.close()
            raise
        return engine

    def signalled(self, number: int, frame: FrameType | None) -> None:
        """The handler."""
        if self._holds:
            self._held.append((number, frame))
            return
        is_first, self._asked = not self._asked, True
        for engine in self._engines:
            engine.interrupt() if is_first else engine.kill()
        if self._on_interrupt is None:
            _take_its_course(number, frame, self._previous[signal.Signals(number)])
        elif is_first:
            self._on_interrupt()

    @property
    def numbers(self) -> list[signal.Signals]:
        """Those to be handled. (None: a handler that is not of Python can be neither called nor put back.)"""
        left_alone = (None,) if self._on_interrupt is not None else (None, signal.SIG_IGN)
        return [number for number in _SIGNALS if self._previous[number] not in left_alone]

    def put_back(self, number: signal.Signals) -> None:
        signal.signal(number, self._previous[number])


@contextlib.contextmanager
def stopping(on_interrupt: Callable[[], None] | None = None) -> Iterator[Stop]:
    """While open, Ctrl-C and SIGTERM stop the engines that it has started."""
    stop = Stop(on_interrupt)
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    numbers = stop.numbers
    for number in numbers:
        signal.signal(number, stop.signalled)
    try:
        yield stop
    finally:
        for number in numbers:
            stop.put_back(number)


def _take_its_course(number: int, frame: FrameType | None, handler: Any) -> None:
    if not callable(handler):
        raise Terminated(number)
    handler(number, frame)


def taking_their_course(function: Callable[P, R]) -> Callable[P, R]:
    """The outermost function of norn that a host calls: below it everything is cleaned up."""

    @functools.wraps(function)
    def call(*arguments: P.args, **keywords: P.kwargs) -> R:
        try:
            return function(*arguments, **keywords)
        except Terminated as signalled:
            signal.raise_signal(signalled.number)
            raise  # it did not end the process: somebody has taken it since

    return call
