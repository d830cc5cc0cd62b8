"""What libraries do inside: plain accesses in system headers, which are told as the call that made them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from norn.model import Frame, Step

_PLAIN = frozenset({"load", "store"})


def is_inside_library(step: Step) -> bool:
    """A plain access made by a system header. Those in headers of atomics are what the user asked for."""
    own = any(frame.place and not frame.is_system for frame in step.stack)
    if step.operation not in _PLAIN and (own or step.operation != "free"):
        return False
    innermost = next((frame for frame in step.stack if frame.place), None)
    return innermost is not None and innermost.is_system and "atomic" not in Path(innermost.file or "").name


def called_by_user(stack: Sequence[Frame]) -> Frame | None:
    """The frame just inside the innermost one of the user's sources."""
    inner: Frame | None = None
    for frame in stack:
        if frame.place and not frame.is_system:
            return inner
        inner = frame
    return None
