"""A result as workflow commands of GitHub Actions, which shows them at the lines of a pull request.

Findings are errors. Races, and findings that no replay has confirmed, are warnings. What keeps the check from
being complete is a notice. Everything is escaped, so that text of the program cannot become a command of its
own.
"""

from __future__ import annotations

from collections.abc import Iterator

from norn.model import Finding, Race, Result, Verdict, telling_frame
from norn.report.kinds import title_of
from norn.report.rows import rows_that_matter
from norn.report.run_context import RunContext, one_line
from norn.report.words import count, describe_bounds, headline, printable_lines
from norn.unconfirmed import describe

# Steps of the story in a message: those nearest to the failure.
_MOST_STEPS = 40


def github_of(result: Result, run: RunContext) -> str:
    lines = [_finding(finding, run) for finding in result.findings]
    lines += [_unconfirmed(finding, run) for finding in result.unconfirmed]
    lines += [_race(race, run) for race in result.races]
    lines += list(_notices(result, run))
    lines += [_command("notice", {"title": "norn: warning"}, one_line(text)) for text in result.warnings]
    # No text of the program here: this line is not a command, and must not become one.
    found = f", {count(len(result.findings), 'finding')}" if result.findings else ""
    races = f", {count(len(result.races), 'data race')}" if result.races else ""
    verdict = "cannot check" if _is_refused(result) else result.verdict.value
    lines.append(f"norn: {verdict}{found}{races}; {count(result.runs, 'execution')} ({result.equivalence})")
    return "\n".join(lines) + "\n"


def _finding(finding: Finding, run: RunContext) -> str:
    title = f"norn: {title_of(finding)}"
    story = [headline(finding)]
    story += finding.explanation
    if finding.trace is not None:
        rows = rows_that_matter(finding.trace.steps)
        if len(rows) > _MOST_STEPS:
            story.append(f"… {count(len(rows) - _MOST_STEPS, 'earlier step')}")
        for row in rows[-_MOST_STEPS:]:
            name = finding.trace.threads.get(row.thread, f"T{row.thread}")
            place = row.frame.place if row.frame is not None else None
            story.append(f"{name}: {row.said}{f'  ({place})' if place else ''}")
    again = run.replay_of(finding.token)
    if again:
        story.append(f"See it again: {again}")
    return _command("error", {**_at(finding.location, run), "title": title}, *story)


def _unconfirmed(finding: Finding, run: RunContext) -> str:
    return _command(
        "warning", {**_at(finding.location, run), "title": "norn: not confirmed"}, describe(finding)
    )


def _race(race: Race, run: RunContext) -> str:
    frame = telling_frame(race.accesses[1].stack)
    where = _at(frame.place if frame is not None else None, run)
    return _command("warning", {**where, "title": "norn: data race"}, f"data race: {race}")


def _notices(result: Result, run: RunContext) -> Iterator[str]:
    if result.refusal is not None:
        refusal = result.refusal
        where = _at(refusal.frame.place if refusal.frame is not None else None, run)
        reason = f": {refusal.reason}" if refusal.reason else ""
        yield _command(
            "error",
            {**where, "title": "norn: cannot check"},
            f"{refusal.message}{reason}",
            refusal.advice,
        )
    elif _is_refused(result):
        yield _command("error", {"title": "norn: cannot check"}, *result.problems)
    elif result.verdict is Verdict.INCOMPLETE:
        why = list(result.problems) or [describe_bounds(result.bounds) or "it could not be finished"]
        nothing = "nothing else failed so far" if result.unconfirmed else "nothing failed so far"
        yield _command("notice", {"title": "norn: incomplete"}, *why, nothing)
    elif result.problems:
        yield _command("notice", {"title": "norn: incomplete"}, *result.problems)


def _is_refused(result: Result) -> bool:
    return result.unusable and result.verdict is not Verdict.FAILED


def _at(place: str | None, run: RunContext) -> dict[str, str]:
    file, _, line = (place or "").rpartition(":")
    return {"file": run.relative(file), "line": line} if file and line.isdigit() else {}


def _command(name: str, properties: dict[str, str], *lines: str) -> str:
    given = ",".join(f"{key}={_escaped_property(value)}" for key, value in properties.items())
    text = "\n".join(one_line(line) for line in lines)
    return f"::{name} {given}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped(printable_lines(text)).replace(":", "%3A").replace(",", "%2C")
