"""A result as JUnit XML: what CI systems read to show tests that passed and failed.

A program is a test suite. The check is a test case; where there are several findings, each further one is a
test case of its own, since a test case can fail only once. A finding that no replay has confirmed is an
error, not a failure, and has a test case of its own, too.
"""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import norn
from norn.model import Finding, Result, Verdict
from norn.report.clean_console import plain_console
from norn.report.console import ConsoleReport
from norn.report.run_context import RunContext, one_line
from norn.report.words import describe_bounds, headline
from norn.unconfirmed import describe

_CASE = "every interleaving"
_WIDTH = 120
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
# All that XML 1.0 allows in a document.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_of(result: Result, run: RunContext) -> str:
    seconds = f"{result.seconds + result.build_seconds:.3f}"
    cases = _cases(result, run, seconds)
    counts = {
        "tests": str(len(cases)),
        "failures": str(sum(case.find("failure") is not None for case in cases)),
        "errors": str(sum(case.find("error") is not None for case in cases)),
        "skipped": str(sum(case.find("skipped") is not None for case in cases)),
        "time": seconds,
    }
    suite = ElementTree.Element(
        "testsuite", {"name": _text(run.program), **counts, "timestamp": f"{run.started:%Y-%m-%dT%H:%M:%S}"}
    )
    suite.append(_properties(result, run))
    suite.extend(cases)
    warnings = [*result.warnings, *(f"data race: {race}" for race in result.races)]
    if warnings:
        _add(suite, "system-err", "\n".join(f"warning: {one_line(warning)}" for warning in warnings) + "\n")
    suites = ElementTree.Element("testsuites", {"name": "norn", **counts})
    suites.append(suite)
    ElementTree.indent(suites)
    return f"{_DECLARATION}{ElementTree.tostring(suites, encoding='unicode')}\n"


def _cases(result: Result, run: RunContext, seconds: str) -> list[ElementTree.Element]:
    first = _case(_CASE, run, seconds)
    cases = [first, *(_unconfirmed(finding, run) for finding in result.unconfirmed)]
    for number, finding in enumerate(result.findings):
        case = first
        if number > 0:
            where = f" at {finding.location}" if finding.location else ""
            case = _case(f"{_CASE}: {number + 1}. {finding.kind}{where}", run, "0")
            cases.append(case)
        attributes = {"message": _text(one_line(headline(finding))), "type": _text(finding.kind)}
        _add(case, "failure", _story(replace(result, findings=(finding,)), run), attributes)
        if finding.location:
            file, _, line = finding.location.rpartition(":")
            case.attrib.update(file=_text(run.relative(file)), line=_text(line))
    if result.findings:
        return cases
    said = {"message": _text(one_line(_reason(result)))}
    if result.unusable:
        _add(first, "error", _story(result, run), {**said, "type": "cannot-check"})
    elif result.verdict is Verdict.INCOMPLETE:
        _add(first, "skipped", "", said)
        _add(first, "system-out", _story(result, run))
    return cases


def _unconfirmed(finding: Finding, run: RunContext) -> ElementTree.Element:
    case = _case(f"replay of what was found: {finding.kind}", run, "0")
    _add(case, "error", "", {"message": _text(one_line(describe(finding))), "type": "unconfirmed"})
    return case


def _case(name: str, run: RunContext, seconds: str) -> ElementTree.Element:
    return ElementTree.Element(
        "testcase", {"name": _text(one_line(name)), "classname": _text(_class_name(run)), "time": seconds}
    )


def _class_name(run: RunContext) -> str:
    """Folders and file as CI systems show packages and classes."""
    return "norn." + ".".join(part.replace(".", "_") for part in run.program.strip("/").split("/"))


def _reason(result: Result) -> str:
    """Why there is neither a failure nor a proof."""
    if result.refusal is not None:
        reason = f": {result.refusal.reason}" if result.refusal.reason else ""
        return f"{result.refusal.message}{reason}"
    return "; ".join(result.problems) or describe_bounds(result.bounds) or "it could not be finished"


def _story(result: Result, run: RunContext) -> str:
    """What the console would show."""
    console, page = plain_console(_WIDTH)
    ConsoleReport(console).show_check(result, run.replay_command)
    return page.getvalue()


def _properties(result: Result, run: RunContext) -> ElementTree.Element:
    values = {
        "norn.version": norn.__version__,
        "verdict": result.verdict.value,
        "exit_code": str(int(result.exit_code)),
        "equivalence": result.equivalence,
        "executions": str(result.executions),
        "blocked": str(result.blocked),
        "cut": str(result.cut),
        "threads": str(result.threads),
        "bounds": ",".join(result.bounds),
        "races": str(len(result.races)),
        "command": run.command_line,
        **{f"token.{number}": finding.token for number, finding in enumerate(result.findings, 1)},
    }
    properties = ElementTree.Element("properties")
    for name, value in values.items():
        ElementTree.SubElement(properties, "property", {"name": name, "value": _text(one_line(value))})
    return properties


def _add(parent: ElementTree.Element, name: str, text: str, attributes: dict[str, str] | None = None) -> None:
    child = ElementTree.SubElement(parent, name, attributes or {})
    child.text = _text(text) or None


def _text(text: str) -> str:
    """What XML cannot hold is replaced; the writer escapes the rest."""
    return _FORBIDDEN.sub("\ufffd", text)
