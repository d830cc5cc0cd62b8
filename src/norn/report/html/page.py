"""The report as one HTML file: overview, how it fails, races, topology, comparison, where it came from.

It works without a network and without other files, and asks for none: its policy (Content-Security-Policy)
allows only the one style and the one script that are in it, by their hashes. Everything that comes from the
checked program is escaped by the template (`autoescape`) or, for the script, is JSON in which no tag can
begin or end.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import platform
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

import norn
from norn.model import Comparison, Race, Result, Setting, Topology, Verdict
from norn.report.comparison import bar_lengths, is_logarithmic, lay_out, unfinished
from norn.report.html.diagram import LINK_MEANINGS, MEANINGS, colour_class, mark_svg
from norn.report.html.walkthrough import Walkthrough, walk_through_finding, walk_through_trace
from norn.report.text import verdict_line
from norn.report.topology_svg import topology_to_svg
from norn.report.topology_words import headline as topology_headline
from norn.report.topology_words import learned_from, shared_by
from norn.report.words import (
    count,
    decimal,
    describe_bounds,
    describe_chance,
    describe_choice,
    describe_coverage,
    describe_extent,
    describe_failures,
    printable,
    seconds,
)

_TEMPLATES = Path(__file__).parent / "templates"
# Wide enough for every column of a comparison.
_ALL_COLUMNS = 10_000

_VERIFIED_MEANS = (
    "For this input, these sources, this compiler and these options, no order in which the threads can run "
    "under sequential consistency leads to a failure."
)
_EQUIVALENT = {
    "reads-value-from": "Executions in which every read finds the same value, and the same reads come before "
    "each other by cause, count as one.",
    "reads-from": "Executions in which every read takes its value from the same write count as one.",
    "observation": "Executions in which every read takes its value from the same write count as one; where "
    "threads communicate in a circle, the order of some writes counts too.",
    "mazurkiewicz": "Executions with the same order of conflicting accesses count as one.",
}
_VERIFIED_DOES_NOT_MEAN = (
    "that other inputs are fine",
    "that reorderings by the processor or the optimiser are harmless: sequential consistency was checked",
    "anything about code that norn cannot see: inline assembly, libraries that are not compiled with it",
)


def result_to_html(result: Result) -> str:
    """The report of a check or of a replay."""
    walkthroughs = walkthroughs_of(result)
    return _page(
        verdict_line(result),
        result,
        result.setting,
        walkthroughs=walkthroughs,
        races=[_RaceShown.of(race) for race in result.races],
        topology=_topology(result.topology),
    )


def comparison_to_html(comparison: Comparison) -> str:
    """The report of a comparison, with the findings of the first equivalence that has some."""
    failing = next((result for result in comparison.results if result.findings), None)
    told = failing or next(iter(comparison.results), None)
    learned = next((each.topology for each in comparison.results if each.topology is not None), None)
    setting = told.setting if told is not None else None
    return _page(
        verdict_line(comparison),
        None,
        setting,
        walkthroughs=walkthroughs_of(failing) if failing is not None else [],
        topology=_topology(learned),
        comparison=compared(comparison),
        comparison_remarks=[*comparison.contradictions, *unfinished(comparison)],
        problems=_distinct(problem for result in comparison.results for problem in result.problems),
        warnings=_distinct(warning for result in comparison.results for warning in result.warnings),
        claim=_VERIFIED if comparison.verdict is Verdict.VERIFIED else None,
        found_by=failing.equivalence if failing is not None else "",
    )


def walkthroughs_of(result: Result) -> list[Walkthrough]:
    """What the page tells: each finding, or the execution of a replay that did not fail."""
    command = result.setting.replay_command if result.setting is not None else ()
    if result.findings:
        return [walk_through_finding(finding, command, len(result.findings)) for finding in result.findings]
    return [walk_through_trace(result.trace)] if result.trace is not None and result.trace.steps else []


@functools.cache
def environment() -> jinja2.Environment:
    """Text from the program is escaped, and letters that cannot be shown are replaced, wherever it stands."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["options"] = _with_options
    made.globals |= {
        "colour": colour_class,
        "mark": mark_svg,
        "marks": MEANINGS,
        "links": {kind.value: meaning for kind, meaning in LINK_MEANINGS.items()},
    }
    return made


_OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]*(?:=[a-z]+)?)")


def _with_options(text: str) -> Markup:
    """Options of the command line as code, which is not broken at its hyphens."""
    parts = _OPTION.split(printable(text))
    code = Markup('<code class="option">{}</code>')
    return Markup("").join(code.format(part) if odd % 2 else part for odd, part in enumerate(parts))


def template_text(name: str) -> str:
    """A style or script, as it is."""
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _shown(value: object) -> object:
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _page(verdict: tuple[str, str], result: Result | None, setting: Setting | None, **parts: Any) -> str:
    style = template_text("colours.css") + template_text("diagram.css") + template_text("page.css")
    script = template_text("page.js")
    files = setting.files if setting is not None else ()
    walkthroughs: Sequence[Walkthrough] = parts["walkthroughs"]
    context: dict[str, Any] = {
        "races": (),
        "comparison": None,
        "comparison_remarks": (),
        "problems": result.problems if result is not None else (),
        "warnings": result.warnings if result is not None else (),
        "found_by": "",
        **parts,
        "policy": _policy(style, script),
        "style": Markup(style),
        "script": Markup(script),
        "verdict": verdict[0],
        "said": verdict[1],
        "verdict_class": verdict_class(verdict[0]),
        "program": ", ".join(Path(file).name for file in files) or "program",
        "figures": _figures(result) if result is not None else (),
        "remarks": _remarks(result) if result is not None else (),
        "claim": _claim(result) if result is not None else parts.get("claim"),
        "setting": setting,
        "environment": _environment(setting),
        "command": " ".join(setting.check_command) if setting is not None else "",
        "version": norn.__version__,
        "data": _json_in_script([walkthrough.data for walkthrough in walkthroughs]),
    }
    return environment().get_template("page.html").render(context)


def verdict_class(verdict: str) -> str:
    """How it looks."""
    if verdict in ("failed", "reproduced", "INTERNAL ERROR"):
        return "failed"
    return (
        "verified"
        if verdict in ("verified", "acyclic")
        else "neutral"
        if verdict in ("replayed", "cyclic")
        else "incomplete"
    )


def _policy(style: str, script: str) -> str:
    """Only this style and this script, pictures only where they are in the page itself, nothing else."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json_in_script(value: object) -> Markup:
    """JSON for a script element, where a `<` could end it. Escaped as JSON allows: it stays the same."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


@dataclass(frozen=True)
class _Claim:
    """What follows from the result, and what does not."""

    title: str
    means: str
    limits: tuple[str, ...] = ()


_VERIFIED = _Claim("What “verified” means here", _VERIFIED_MEANS, _VERIFIED_DOES_NOT_MEAN)


def _claim(result: Result) -> _Claim | None:
    if result.equivalence == "replay":
        return None
    races = (
        (f"that there is no data race: {count(len(result.races), 'race')} told below",)
        if result.races
        else ()
    )
    match result.verdict:
        case Verdict.VERIFIED:
            means = f"{_VERIFIED_MEANS} {_EQUIVALENT.get(result.equivalence, '')}"
            return replace(_VERIFIED, means=means, limits=(*races, *_VERIFIED_DOES_NOT_MEAN))
        case Verdict.FAILED:
            means = "The failure is real: it was replayed, and seen again."
            return _Claim("How much was explored", f"{means} {_sentence(describe_extent(result))}")
        case Verdict.INCOMPLETE:
            if result.unusable:
                advice = result.refusal.advice if result.refusal is not None else ""
                return _Claim(
                    "What this means", f"Nothing is claimed about this program. {_sentence(advice)}".strip()
                )
            bounds = _sentence(describe_bounds(result.bounds) or "it could not be finished")
            covered = _sentence(describe_coverage(result)) if result.coverage is not None else ""
            return _Claim(
                "What bounds this answer",
                f"{bounds} {covered} Nothing follows for the executions that were not explored.",
            )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text and not text.endswith(".") else text


def _figures(result: Result) -> list[tuple[str, str, str]]:
    """Title, value, and a remark below it."""
    if not result.runs:
        return []
    complete = "every class" if result.complete else "not every class"
    if result.bounds == ("finding",):
        complete = "until the first finding"
    if result.equivalence == "replay":
        return [
            (
                "steps",
                f"{len(result.trace.steps):,}" if result.trace is not None else "0",
                "of this execution",
            ),
            ("threads", f"{result.threads:,}", ""),
        ]
    rate = f"{result.executions / result.seconds:,.0f} a second" if result.seconds >= 0.001 else ""
    found = [("executions", f"{result.executions:,}", complete)]
    if result.blocked:
        found.append(("blocked", f"{result.blocked:,}", "a thread was stopped"))
    if result.redundant:
        found.append(("redundant", f"{result.redundant:,}", "of classes explored before"))
    if result.cut:
        found.append(("cut short", f"{result.cut:,}", "met a limit on events"))
    return [
        *found,
        ("equivalence", result.equivalence, "what counts as the same"),
        ("time", seconds(result.seconds), rate),
        ("events", decimal(result.events_per_execution), f"in each; at most {result.longest:,}"),
        ("threads", f"{result.threads:,}", ""),
        ("memory", f"{decimal(result.peak_rss_mb)} MB", "at most"),
    ]


def _remarks(result: Result) -> list[str]:
    lines = (describe_failures(result), describe_chance(result), describe_choice(result))
    return [line for line in lines if line]


@dataclass(frozen=True)
class _RaceShown:
    title: str
    accesses: tuple[tuple[int, str, str, tuple[tuple[str, str], ...]], ...]  # thread, name, what, frames
    token: str

    @classmethod
    def of(cls, race: Race) -> _RaceShown:
        return cls(
            race.location or "memory",
            tuple(
                (
                    access.thread,
                    access.name,
                    access.what,
                    tuple((frame.function, frame.place or "") for frame in access.stack),
                )
                for access in race.accesses
            ),
            race.token,
        )


def _topology(topology: Topology | None) -> dict[str, Any] | None:
    if topology is None or topology.verdict is None:
        return None
    names = topology.threads
    return {
        "title": ": ".join(topology_headline(topology)),
        "picture": picture_of(topology),
        "learned": learned_from(topology),
        "edges": [
            (
                [names.get(thread, f"T{thread}") for thread in edge.threads],
                shared_by(edge, topology),
                edge.removed,
            )
            for edge in topology.edges
        ],
    }


def picture_of(topology: Topology) -> str:
    """As an address that holds it all: its styles then stay in the picture."""
    return "data:image/svg+xml;base64," + base64.b64encode(topology_to_svg(topology).encode()).decode()


@dataclass(frozen=True)
class ComparisonShown:
    """The table and the chart of a comparison."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[tuple[str, str, int], ...]  # equivalence, classes, length of 400 at most
    logarithmic: bool


def compared(comparison: Comparison) -> ComparisonShown:
    columns, _ = lay_out(comparison, _ALL_COLUMNS)
    counts = [result.executions for result in comparison.results]
    logarithmic = is_logarithmic(counts)
    lengths = bar_lengths(counts, logarithmic)
    return ComparisonShown(
        titles=tuple(columns),
        rows=tuple(zip(*columns.values(), strict=True)),
        bars=tuple(
            (
                result.equivalence,
                f"{'' if result.complete else '≥ '}{result.executions:,}",
                round(400 * length),
            )
            for result, length in zip(comparison.results, lengths, strict=True)
        ),
        logarithmic=logarithmic,
    )


def _environment(setting: Setting | None) -> list[tuple[str, str]]:
    found = [("norn", norn.__version__)]
    if setting is not None:
        found += [
            ("program", shlex.join(setting.files)),
            ("compiler", setting.compiler),
            ("compiler options", shlex.join(setting.flags)),
            ("arguments", shlex.join(setting.arguments)),
        ]
    found += [
        ("Python", platform.python_version()),
        ("machine", f"{platform.system()} {platform.release()} {platform.machine()}"),
    ]
    return [(title, value) for title, value in found if value]


def _distinct(texts: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
