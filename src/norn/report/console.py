"""The result for people: the verdict first, then what failed, how, and how to see it again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from norn.model import Finding, Result, Step, ThreadState, Trace, Verdict
from norn.report.source_text import SourceText
from norn.report.words import count, describe_bounds, describe_state, describe_step, seconds

# Longer interleavings are cut at the front: what matters most is near the failure.
_MOST_STEPS = 60
_COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_red", "bright_cyan", "bright_green")
_STYLES = {Verdict.VERIFIED: "bold green", Verdict.FAILED: "bold red", Verdict.INCOMPLETE: "bold yellow"}


class ConsoleReport:
    """Prints one result. `replay_command` makes the command line that shows a token's execution again."""

    def __init__(self, console: Console, verbose: bool = False, quiet: bool = False) -> None:
        self._console = console
        self._verbose = verbose
        self._quiet = quiet
        self._source = SourceText()

    def show_check(self, result: Result, replay_command: Sequence[str]) -> None:
        """The result of a check. `replay_command` has TOKEN where a finding's token goes."""
        self._verdict(result)
        if self._quiet:
            return
        for number, finding in enumerate(result.findings, 1):
            self._console.print()
            if len(result.findings) > 1:
                self._console.print(f"[bold]Finding {number} of {len(result.findings)}[/]")
            self._finding(finding)
            self._interleaving(finding)
            self._stacks(finding)
            self._replay_line(finding, replay_command)
        self._console.print()
        self._figures(result)

    def show_replay(self, result: Result) -> None:
        """The result of a replay: every step, then how it ended."""
        if result.trace is not None and not self._quiet:
            self._steps(result.trace, result.trace.steps)
            self._console.print()
        if result.findings:
            for finding in result.findings:
                self._console.print(Text("reproduced: ", style="bold red") + Text(_headline(finding)))
                if not self._quiet:
                    self._finding(finding)
                    self._stacks(finding)
        elif result.problems:
            self._console.print(Text("not reproduced", style="bold yellow"))
            self._problems(result)
        else:
            self._console.print(Text("the execution ended without a failure", style="bold green"))

    # --- parts

    def _verdict(self, result: Result) -> None:
        explored = (
            f"{count(result.executions, f'{result.equivalence} class', f'{result.equivalence} classes')}"
        )
        blocked = f", and {count(result.blocked, 'blocked execution')}" if result.blocked else ""
        match result.verdict:
            case Verdict.VERIFIED:
                if result.executions == 1:
                    said = f"its only {result.equivalence} class was explored{blocked}; nothing failed"
                else:
                    said = f"every one of {explored} was explored{blocked}; nothing failed"
            case Verdict.FAILED:
                said = _headline(result.findings[0])
                if len(result.findings) > 1:
                    said += f" (and {count(len(result.findings) - 1, 'other finding')})"
            case Verdict.INCOMPLETE:
                why = describe_bounds(result.bounds) or "it could not be finished"
                said = f"{why}; nothing failed in the {count(result.executions, 'execution')} explored so far"
        self._console.print(Text(f"{result.verdict.value}: ", style=_STYLES[result.verdict]) + Text(said))
        self._problems(result)

    def _problems(self, result: Result) -> None:
        for problem in result.problems:
            self._console.print(Text("  " + problem))

    def _finding(self, finding: Finding) -> None:
        thread = next((state for state in finding.threads if state.id == finding.thread), None)
        function = f" in {thread.stack[0].function}" if thread is not None and thread.stack else ""
        name = thread.name if thread is not None else f"T{finding.thread}"
        if finding.location:
            self._console.print(Text(f"  {finding.location}{function}, thread {name}"))
            file, _, line = finding.location.rpartition(":")
            text = self._source.line(file, int(line) if line.isdigit() else None)
            if text:
                self._console.print(Text(f"      {text}", style="italic"))
        if finding.unconfirmed:
            self._console.print(
                Text(
                    "INTERNAL ERROR: norn replayed this finding and did not see it again: "
                    f"{finding.unconfirmed}. "
                    "The program is not deterministic, or this is a bug of norn; please report it.",
                    style="bold red",
                )
            )

    def _interleaving(self, finding: Finding) -> None:
        if finding.trace is None:
            return
        every = finding.trace.steps
        steps = every if self._verbose else tuple(step for step in every if step.matters)
        hidden = max(0, len(steps) - _MOST_STEPS) if not self._verbose else 0
        self._console.print()
        kind = "every step" if self._verbose else "the steps that matter"
        more = "" if self._verbose or len(steps) == len(every) else f", {len(every)} in all: -v shows them"
        self._console.print(f"[bold]How it happens[/] ({kind}{more})")
        if hidden:
            self._console.print(f"  … {count(hidden, 'earlier step')}")
        self._steps(finding.trace, steps[hidden:])
        name = finding.trace.threads.get(finding.thread, f"T{finding.thread}")
        style = _colour(finding.thread)
        self._console.print(
            Text("  => ", style="bold red") + Text(name, style=style) + Text(f": {finding.message}")
        )

    def _steps(self, trace: Trace, steps: Sequence[Step]) -> None:
        rows: list[tuple[int, list[str]]] = []
        previous: int | None = None
        for step in steps:
            # The name only where the thread changes: the switches are what the reader looks for.
            name = trace.threads.get(step.thread, f"T{step.thread}") if step.thread != previous else ""
            frame = next((frame for frame in step.stack if frame.place), None)
            place = f"{Path(frame.file).name}:{frame.line}" if frame is not None and frame.file else ""
            text = self._source.line(frame.file, frame.line) if frame is not None else ""
            rows.append((step.thread, [str(step.number), name, describe_step(step), place, text]))
            previous = step.thread
        widths = [max((len(cells[column]) for _, cells in rows), default=0) for column in range(4)]
        for thread, (number, name, said, place, text) in rows:
            style = _colour(thread)
            line = Text(f"  {number:>{widths[0]}}  ", style="dim")
            line.append(f"{name:<{widths[1]}}  {said:<{widths[2]}}  ", style=style)
            line.append(f"{place:<{widths[3]}}  {text}".rstrip(), style="dim")
            # The source text gives way first: it is at the end and can be looked up.
            line.truncate(self._console.width, overflow="ellipsis")
            self._console.print(line, no_wrap=True)

    def _stacks(self, finding: Finding) -> None:
        if not finding.threads:
            return
        self._console.print()
        self._console.print("[bold]Threads at the failure[/]")
        for thread in finding.threads:
            self._console.print(
                Text(f"  {thread.name}: ", style=_colour(thread.id)) + Text(describe_state(thread))
            )
            self._stack(thread)

    def _stack(self, thread: ThreadState) -> None:
        for frame in thread.stack:
            if frame.place or self._verbose:
                self._console.print(
                    Text(f"      {frame.function}  {frame.place or ''}".rstrip(), style="dim")
                )

    def _replay_line(self, finding: Finding, command: Sequence[str]) -> None:
        words = [finding.token if word == "TOKEN" else word for word in command]
        self._console.print()
        self._console.print("[bold]See it again[/]")
        # soft_wrap: a command to be copied must not be broken into lines.
        self._console.print("  " + escape(" ".join(words)), soft_wrap=True, highlight=False)

    def _figures(self, result: Result) -> None:
        rate = f", {result.executions / result.seconds:,.0f} a second" if result.seconds > 0 else ""
        parts = [
            f"{count(result.executions, 'execution')} in {seconds(result.seconds)}{rate}",
            f"{result.events_per_execution:g} events each",
            count(result.threads, "thread"),
            f"{result.peak_rss_mb:g} MB",
            f"built in {seconds(result.build_seconds)}",
        ]
        if result.redundant:
            parts.insert(1, f"{result.redundant} redundant")
        self._console.print(Text("; ".join(parts), style="dim"))


def _headline(finding: Finding) -> str:
    message = finding.message
    return (
        message
        if finding.kind in message or message.startswith(finding.kind)
        else f"{finding.kind}: {message}"
    )


def _colour(thread: int) -> str:
    return _COLOURS[thread % len(_COLOURS)]
