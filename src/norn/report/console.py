"""The result for people: the verdict first, then what failed, how, and how to see it again."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from norn.model import Estimate, Finding, Refusal, Result, ThreadState, Trace, Verdict, telling_frame
from norn.report import estimate
from norn.report.explanation import Sentence, explain
from norn.report.explanation.sentence import Places, own_frames
from norn.report.interleaving import every_row, table
from norn.report.source_text import SourceText
from norn.report.story import describe_turns, make_story
from norn.report.story_table import colour, story_lines
from norn.report.words import (
    advice_after,
    count,
    describe_bounds,
    describe_chance,
    describe_choice,
    describe_coverage,
    describe_extent,
    describe_failures,
    describe_shrinking,
    describe_state,
    figures,
    headline,
    more_figures,
    printable,
)
from norn.token_file import command_with
from norn.unconfirmed import describe

# A failure is to be told on one screen of so many lines; however little room is left, the story gets some.
_SCREEN = 40
_LEAST_STORY = 12
# Columns further apart do not help.
_WIDEST_STORY = 100
STYLES = {Verdict.VERIFIED: "bold green", Verdict.FAILED: "bold red", Verdict.INCOMPLETE: "bold yellow"}


class ConsoleReport:
    """Prints one result."""

    def __init__(
        self, console: Console, verbose: bool = False, quiet: bool = False, lines_below: int = 0
    ) -> None:
        """lines_below: so many lines come after it, and should fit on the same screen."""
        self._console = console
        self._verbose = verbose
        self._quiet = quiet
        self._lines_below = lines_below
        self._source = SourceText()

    def show_check(self, result: Result, replay_command: Sequence[str]) -> None:
        """The result of a check. `replay_command` has TOKEN where a finding's token goes."""
        self._verdict(result)
        if self._quiet:
            return
        for number, finding in enumerate(result.findings, 1):
            self._console.print()
            if len(result.findings) > 1:
                title = Text(f"Finding {number} of {len(result.findings)}: ", style="bold")
                self._console.print(title + Text(headline(finding), style="bold red"))
            self._finding(finding)
            self._interleaving(finding, self._left_for_story(result, finding, replay_command))
            self._after_story(finding, replay_command)
        self._ending(result)

    def _after_story(self, finding: Finding, replay_command: Sequence[str]) -> None:
        self._explanation(finding)
        if self._verbose:
            self._stacks(finding)
        self._replay_line(finding, replay_command)

    def _left_for_story(self, result: Result, finding: Finding, replay_command: Sequence[str]) -> int:
        """Lines of the screen that the rest of what is said of the finding leaves free."""
        with self._console.capture() as rest:
            self._verdict(result)
            self._finding(finding)
            self._after_story(finding, replay_command)
            self._ending(result)
        width = max(self._console.width, 1)
        plain = Text.from_ansi(rest.get()).plain.split("\n")
        used = sum(max(1, -(-len(line) // width)) for line in plain)
        around = 4  # empty lines, the title, and the shell's next prompt
        return max(_SCREEN - used - around - self._lines_below, _LEAST_STORY)

    def _ending(self, result: Result) -> None:
        self._console.print()
        extent = describe_extent(result) if result.findings else ""
        for line in (extent, describe_failures(result), describe_chance(result), describe_choice(result)):
            if line:
                self._indented(line, 0)
        self._indented(figures(result), 0, "dim")
        if self._verbose:
            for finding in result.findings:
                self._indented(describe_shrinking(finding), 2, "dim")
            for name, value in more_figures(result):
                self._console.print(Text(f"  {name:<18}  {value}", style="dim"))

    def show_replay(self, result: Result) -> None:
        """The result of a replay: every step, then how it ended."""
        if result.trace is not None and not self._quiet:
            rows = every_row(result.trace.steps)
            for line in table(rows, result.trace, self._source, self._console.width):
                self._console.print(line, no_wrap=True)
            self._console.print()
        if result.findings:
            for finding in result.findings:
                self._headline("reproduced", "bold red", headline(finding))
                if not self._quiet:
                    self._finding(finding)
                    self._stacks(finding)
        elif result.problems:
            self._console.print(Text("not reproduced", style="bold yellow"))
            self._problems(result.problems)
        else:
            self._console.print(Text("the execution ended without a failure", style="bold green"))

    def show_before_debugger(self, result: Result) -> None:
        """What the reader should know before gdb takes over: the finding, and the stacks gdb cannot show."""
        self.show_replay(Result(result.verdict, result.equivalence, findings=result.findings))
        if any(finding.kind in ("deadlock", "livelock") for finding in result.findings):
            self._console.print("\ngdb can show only the thread that ran last; the stacks of all are above.")
        self._console.print()

    # --- parts

    def _verdict(self, result: Result) -> None:
        if result.verdict is Verdict.INCOMPLETE and result.unusable:
            self._cannot_check(result)
            return
        match result.verdict:
            case Verdict.VERIFIED:
                if result.executions == 1:
                    said = f"the only interleaving class ({result.equivalence}) was explored"
                else:
                    classes = count(result.executions, "interleaving class", "interleaving classes")
                    said = f"every one of {classes} ({result.equivalence}) was explored"
                blocked = f", and {count(result.blocked, 'blocked execution')}" if result.blocked else ""
                said += f"{blocked}; nothing failed"
            case Verdict.FAILED:
                said = headline(result.findings[0])
                if len(result.findings) > 1:
                    said += f" (and {count(len(result.findings) - 1, 'other finding')})"
            case Verdict.INCOMPLETE:
                said = self._incomplete(result)
        self._headline(result.verdict.value, STYLES[result.verdict], said)
        self._problems(result.problems)
        if not self._quiet:
            self._problems([text for text in (advice_after(result),) if text])

    def _headline(self, label: str, style: str, said: str) -> None:
        """`failed: …`, of which only the first word stands out."""
        lines = self._wrapped(f"{label}: {said}", 0)
        self._console.print(Text.assemble((lines[0][: len(label) + 1], style), lines[0][len(label) + 1 :]))
        for line in lines[1:]:
            self._console.print(Text(line), soft_wrap=True)

    @staticmethod
    def _incomplete(result: Result) -> str:
        why = describe_bounds(result.bounds) or "it could not be finished"
        covered = result.coverage
        if covered is not None and not isinstance(covered, Estimate):
            ends = (("sample",), ("preemptions",))  # what was asked for is all that is missing
            return (
                describe_coverage(result) if result.bounds in ends else f"{why}; {describe_coverage(result)}"
            )
        runs = count(result.executions, "execution")
        cut = f", nor in {result.cut:,} that were cut short" if result.cut else ""
        part = f", {estimate.explored(covered)}" if covered is not None else ""
        nothing = "nothing else failed" if result.unconfirmed else "nothing failed"
        return f"{why}; {nothing} in the {runs} ({result.equivalence}) explored so far{cut}{part}"

    def _cannot_check(self, result: Result) -> None:
        refusal = result.refusal
        title = (
            refusal.message if refusal is not None else next(iter(result.problems), "norn could not run it")
        )
        self._headline("cannot check", "bold yellow", title)
        if self._quiet:
            self._problems([describe(finding) for finding in result.unconfirmed])
            return
        if refusal is not None:
            self._refusal(refusal)
        self._problems(result.problems[1:])
        self._console.print("  nothing is claimed about this program")

    def _refusal(self, refusal: Refusal) -> None:
        reason = f": {refusal.reason}" if refusal.reason else ""
        if refusal.frame is not None:
            frame = refusal.frame
            self._indented(f"{frame.place} in {frame.function}, thread {refusal.thread}{reason}", 2)
            self._source_line(frame.file, frame.line)
        self._indented(refusal.advice, 2)

    def _problems(self, problems: Sequence[str]) -> None:
        for problem in problems:
            self._indented(problem, 2)

    def _finding(self, finding: Finding) -> None:
        thread = next((state for state in finding.threads if state.id == finding.thread), None)
        frame = telling_frame(thread.stack) if thread is not None else None
        function = f" in {frame.function}" if frame is not None else ""
        name = thread.name if thread is not None else f"T{finding.thread}"
        if finding.location:
            self._indented(f"{finding.location}{function}, thread {name}", 2)
            callers = own_frames(thread.stack)[1:] if thread is not None else []
            if callers and finding.kind not in ("deadlock", "livelock", "data-race"):
                places = Places(finding, finding.trace or Trace({}, ()))
                self._indented(f"called by {places.calls(callers)}", 4, "dim")
            file, _, line = finding.location.rpartition(":")
            self._source_line(file, int(line) if line.isdigit() else None)

    def _source_line(self, file: str | None, line: int | None) -> None:
        text = self._source.line(file, line)
        if text:
            self._indented(text, 6, "italic")

    def _interleaving(self, finding: Finding, most: int) -> None:
        if finding.trace is None:
            return
        self._console.print()
        steps = finding.trace.steps
        turns = describe_turns(finding)
        left_out = _left_out(finding.trace)
        if self._verbose:
            self._title("How it happens", f"every step{left_out}{f'; {turns}' if turns else ''}")
            lines = table(every_row(steps), finding.trace, self._source, self._console.width)
        else:
            width = min(self._console.width, _WIDEST_STORY)
            # What is said last is nearest to the failure.
            cited = [number for sentence in reversed(explain(finding)) for number in sentence.cites]
            story = make_story(finding, finding.trace)
            shown, told = story_lines(story, self._source, width, most, cited)
            extent = f"{told:,} of {count(len(steps), 'step')}, all with -v{left_out}"
            self._title("How it happens", f"{f'{turns}; ' if turns else ''}{extent}")
            lines = iter(shown)
        for line in lines:
            self._console.print(line, no_wrap=True)
        name = finding.trace.threads.get(finding.thread, f"T{finding.thread}")
        places = Places(finding, finding.trace)
        at = places.of_failure(finding)
        who = "" if finding.kind in ("deadlock", "livelock", "data-race") else f"{name}{at}: "
        self._indented(f"=> {who}{finding.message}", 2, "bold red")

    def _title(self, title: str, more: str) -> None:
        self._console.print(Text.assemble((title, "bold"), f" ({more})"))

    def _explanation(self, finding: Finding) -> None:
        sentences = explain(finding)
        if not sentences:
            return
        self._console.print()
        self._console.print(Text("What went wrong", style="bold"))
        for sentence in sentences:
            self._sentence(sentence)

    def _sentence(self, sentence: Sentence) -> None:
        style = colour(sentence.thread) if sentence.thread is not None else ""
        self._indented(sentence.text, 2, style, _WIDEST_STORY)

    def _stacks(self, finding: Finding) -> None:
        if not finding.threads:
            return
        self._console.print()
        self._console.print("[bold]Threads at the failure[/]")
        for thread in finding.threads:
            self._console.print(
                Text.assemble(
                    (f"  {printable(thread.name)}: ", colour(thread.id)), printable(describe_state(thread))
                )
            )
            self._stack(thread)

    def _stack(self, thread: ThreadState) -> None:
        known = [frame for frame in thread.stack if frame.place]
        own = [frame for frame in known if not frame.is_system]
        for frame in thread.stack if self._verbose else own or known:
            self._indented(f"{frame.function}  {frame.place or ''}".rstrip(), 6, "dim")

    def _replay_line(self, finding: Finding, command: Sequence[str]) -> None:
        self._console.print()
        self._console.print("[bold]See it again[/]")
        # soft_wrap: a command to be copied must not be broken into lines.
        again = command_with(finding.token, command)
        self._console.print("  " + escape(again), soft_wrap=True, highlight=False)

    def _indented(self, text: str, indent: int, style: str = "", widest: int | None = None) -> None:
        for line in self._wrapped(text, indent, widest):
            self._console.print(Text(line, style=style), soft_wrap=True)

    def _wrapped(self, text: str, indent: int, widest: int | None = None) -> list[str]:
        """Wrapped lines stay under the first one, a little further in."""
        return textwrap.wrap(
            printable(text.replace("\n", " ")),
            max(min(self._console.width, widest or self._console.width), 2 * indent + 20),
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent + 4),
            break_long_words=False,
            break_on_hyphens=False,
            replace_whitespace=False,
        ) or [""]


def _left_out(trace: Trace) -> str:
    """What only a replay shows."""
    if not trace.left_out:
        return ""
    return f" but {trace.left_out:,} on memory of one thread, which norn replay shows"
