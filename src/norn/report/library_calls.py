"""What libraries do inside: plain accesses in system headers, which are told as the call that made them."""

from __future__ import annotations

from collections.abc import Sequence

from norn.model import Frame, Step, call_stack

_PLAIN = frozenset({"load", "store"})


def is_inside_library(step: Step) -> bool:
    """A plain access made by a system header. Those in headers of atomics are what the user asked for."""
    stack = call_stack(step.stack)
    if not stack.is_in_system_header:
        return False
    return step.operation in _PLAIN or (step.operation == "free" and not stack.has_own)


def called_by_user(stack: Sequence[Frame]) -> Frame | None:
    """The frame just inside the innermost one of the user's sources."""
    inner: Frame | None = None
    for frame in stack:
        if frame.place and not frame.is_system:
            return inner
        inner = frame
    return None
