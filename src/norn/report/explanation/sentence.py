"""What explanations are made of: sentences, and how they name lines of the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from norn.model import Finding, Frame, Step, Trace, telling_frame
from norn.symbolize import short_function


@dataclass(frozen=True)
class Sentence:
    """One paragraph of the explanation, of a thread if it is about one."""

    text: str
    thread: int | None = None
    is_wait: bool = False  # only says what the thread waits for
    cites: tuple[int, ...] = ()  # numbers of the steps that it speaks of


@dataclass(frozen=True)
class Moment:
    """What is told of a moment of the execution."""

    number: int  # of a step
    said: Sentence
    is_certain: bool = True  # it has to do with what failed; else it may have


class Places:
    """`line 14`, or `queue.c:14` where the story is about several files."""

    def __init__(self, finding: Finding, trace: Trace) -> None:
        stacks = {id(step.stack): step.stack for step in trace.steps if step.matters}
        frames = [telling_frame(stack) for stack in stacks.values()]
        frames += [telling_frame(thread.stack) for thread in finding.threads]
        files = {frame.file for frame in frames if frame is not None and not frame.is_system}
        self._has_one_file = len(files - {None}) <= 1
        failed = next((thread for thread in finding.threads if thread.id == finding.thread), None)
        frame = telling_frame(failed.stack) if failed is not None else None
        self._failing = (finding.thread, {finding.location, frame.place if frame is not None else None})

    def of(self, step: Step) -> str:
        return self.of_frame(telling_frame(step.stack))

    def is_failing(self, step: Step) -> bool:
        """Whether the failing thread does it on the line on which it fails."""
        thread, places = self._failing
        frame = telling_frame(step.stack)
        return step.thread == thread and frame is not None and frame.place in places

    def of_frame(self, frame: Frame | None) -> str:
        if frame is None or frame.file is None or frame.line is None:
            return ""
        return f"line {frame.line}" if self._has_one_file else f"{Path(frame.file).name}:{frame.line}"

    def of_failure(self, finding: Finding) -> str:
        """`, line 14`: where the failing thread was."""
        failed = next((thread for thread in finding.threads if thread.id == finding.thread), None)
        place = self.of_frame(telling_frame(failed.stack)) if failed is not None else ""
        return f", {place}" if place else ""

    def behind(self, step: Step) -> str:
        """` (line 14)`."""
        place = self.of(step)
        return f" ({place})" if place else ""

    def calls(self, stack: Sequence[Frame]) -> str:
        """`f (line 3), called by main (line 9)`: those in the user's sources."""
        return ", called by ".join(
            f"{short_function(frame.function)} ({self.of_frame(frame)})" for frame in own_frames(stack)
        )


def own_frames(stack: Sequence[Frame]) -> list[Frame]:
    """Those in the user's sources, or all known ones if there are none."""
    known = [frame for frame in stack if frame.place]
    return [frame for frame in known if not frame.is_system] or known


def enumerated(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
