"""Results in notebooks: small, without scripts, and with styles that reach nothing outside of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from norn.model import Comparison, Result, Topology
from norn.report.html.page import (
    compared,
    environment,
    picture_of,
    template_text,
    verdict_class,
    walkthroughs_of,
)
from norn.report.html.walkthrough import Walkthrough
from norn.report.text import verdict_line
from norn.report.topology_words import headline, learned_from
from norn.report.words import count, describe_extent, figures


def result_to_fragment(result: Result) -> str:
    remarks = [describe_extent(result)] if result.findings else []
    if result.races:
        remarks.append(f"{count(len(result.races), 'data race')}: {'; '.join(map(str, result.races))}")
    remarks += [*result.problems, *result.warnings, figures(result)]
    return _fragment(verdict_line(result), remarks, walkthroughs_of(result))


def comparison_to_fragment(comparison: Comparison) -> str:
    problems = dict.fromkeys(problem for result in comparison.results for problem in result.problems)
    return _fragment(verdict_line(comparison), list(problems), (), comparison=compared(comparison))


def topology_to_fragment(topology: Topology) -> str:
    verdict, said = headline(topology)
    known = topology.verdict is not None
    return _fragment(
        (verdict, said),
        [*([learned_from(topology)] if known else ()), *topology.result.problems],
        (),
        picture=picture_of(topology) if known else "",
    )


def _fragment(
    verdict: tuple[str, str], remarks: Sequence[str], walkthroughs: Sequence[Walkthrough], **parts: Any
) -> str:
    style = template_text("colours.css") + template_text("diagram.css") + template_text("notebook.css")
    context = {
        "comparison": None,
        "picture": "",
        **parts,
        "style": Markup(style),
        "verdict": verdict[0],
        "said": verdict[1],
        "verdict_class": verdict_class(verdict[0]),
        "remarks": remarks,
        "walkthroughs": walkthroughs,
    }
    return environment().get_template("notebook.html").render(context)
