"""Answers to a task of the verification competition, as text or JSON. The answer itself is the first line."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from norn.report import json as json_report
from norn.report.console import ConsoleReport
from norn.report.json_text import document
from norn.report.words import count, figures
from norn.svcomp import Answer
from norn.token_file import command_with

_STYLES = {True: "bold green", False: "bold red", None: "bold yellow"}


class AnswerReport:
    """Prints one answer. alone: the task has no other property, so that the answer needs no title."""

    def __init__(
        self, console: Console, verbose: bool = False, quiet: bool = False, alone: bool = True
    ) -> None:
        self._console = console
        self._verbose = verbose
        self._quiet = quiet
        self._alone = alone

    def show(self, answer: Answer, replay_command: Sequence[str]) -> None:
        title = "" if self._alone else f"{answer.expected.name}: "
        self._console.print(Text(title) + Text(answer.text, style=_STYLES[answer.verdict]))
        if answer.is_wrong:
            self._indented(f"WRONG: the task expects {answer.expected.text}", "bold red")
        if self._quiet:
            return
        if answer.reason:
            self._indented(answer.reason)
        if answer.failed_build is not None and answer.failed_build.output:
            self._console.print(Text(answer.failed_build.output.rstrip()), soft_wrap=True)
        if answer.result is None:
            return
        if answer.finding is not None:
            place = f", at {answer.finding.location}" if answer.finding.location else ""
            self._indented(f"{answer.finding.message}{place}")
        elif answer.verdict:
            self._indented(f"every one of {_classes(answer)} was explored")
        if answer.finding is not None:
            again = command_with(answer.finding.token, replay_command)
            self._console.print(Text(f"  see it: {again}"), soft_wrap=True)
        if answer.expected.text is not None and not answer.is_wrong:
            self._indented(f"expected: {answer.expected.text}", "dim")
        self._indented(figures(answer.result), "dim")
        if answer.finding is not None and self._verbose:
            self._console.print()
            ConsoleReport(self._console, verbose=True).show_check(answer.result, replay_command)

    def _indented(self, text: str, style: str = "") -> None:
        width = max(self._console.width, 40)
        for line in textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="      "):
            self._console.print(Text(line, style=style), soft_wrap=True)


def _classes(answer: Answer) -> str:
    result = answer.result
    assert result is not None
    blocked = f" and {count(result.blocked, 'blocked execution')}" if result.blocked else ""
    classes = count(result.classes, "interleaving class", "interleaving classes")
    return f"{classes} ({result.equivalence}){blocked}"


def answers_to_json(answers: Sequence[Answer]) -> str:
    value = {"schema": json_report.SCHEMA, "answers": [_answer(each) for each in answers]}
    return document(value)


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "property": answer.expected.name,
        "answer": answer.text,
        "expected": answer.expected.text,
        "wrong": answer.is_wrong,
        "reason": answer.reason,
        "result": json_report.to_dict(answer.result) if answer.result is not None else None,
    }
