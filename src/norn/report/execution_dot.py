"""The failing execution in the language of Graphviz: threads as columns, time from top to bottom."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import pairwise

from norn.model import Finding, Result, Step, Trace, telling_frame
from norn.report.execution import LinkKind, examine
from norn.report.run_context import RunContext
from norn.report.words import describe_state, describe_step, headline, printable

# More steps are no picture any more; those nearest to the failure are shown.
_MOST_STEPS = 150
_TITLE_WIDTH = 72
_STEP_WIDTH = 48
_STUCK = frozenset({"waiting", "looping"})
_READS_FROM = 'color="#0b6e4f", fontcolor="#0b6e4f", label="rf"'
_SYNCHRONISES = 'color="#8a4b08", style=dashed'


def execution_to_dot(result: Result, run: RunContext) -> str:
    """The first finding that has an execution; a graph without nodes, which says why, if there is none."""
    finding = next((each for each in result.findings if each.trace is not None), None)
    said = (
        headline(finding) if finding is not None else f"{result.verdict.value}: there is no failing execution"
    )
    lines = [
        "digraph execution {",
        f"  label={_quoted(*_wrapped(f'{run.program}: {said}', _TITLE_WIDTH))};",
        '  labelloc="t";',
        "  newrank=true;",
        '  fontname="monospace";',
        '  node [shape=box, style=rounded, fontname="monospace", fontsize=10];',
        '  edge [fontname="monospace", fontsize=9];',
    ]
    if finding is not None and finding.trace is not None:
        lines += _execution(finding, finding.trace, run)
    return "\n".join([*lines, "}"]) + "\n"


def _execution(finding: Finding, trace: Trace, run: RunContext) -> list[str]:
    steps = [step for step in trace.steps if step.matters]
    left_out = max(0, len(steps) - _MOST_STEPS)
    steps = steps[left_out:]
    lines = []
    involved = {state.id for state in finding.threads if state.state in _STUCK}
    for thread in sorted({step.thread for step in steps} | {finding.thread} | involved):
        own = [step for step in steps if step.thread == thread]
        name = trace.threads.get(thread, f"T{thread}")
        lines += [f"  subgraph cluster_{thread} {{", f"    label={_quoted(name)};", '    color="#888888";']
        lines += [f"    s{step.number} [label={_quoted(*_said(step, run))}];" for step in own]
        nodes = [f"s{step.number}" for step in own]
        if thread == finding.thread:
            own_states = [each for each in finding.threads if each.id == thread and each.state in _STUCK]
            waits = [describe_state(each) for each in own_states]
            said = [line for text in (headline(finding), *waits) for line in _wrapped(text, _STEP_WIDTH)]
            failed = _quoted(*said, finding.location or "")
            lines.append(f'    failure [label={failed}, color="#b00020", penwidth=2];')
            nodes.append("failure")
        for state in finding.threads:
            if state.id == thread != finding.thread and state.state in _STUCK:
                stuck = _quoted(*_wrapped(describe_state(state), _STEP_WIDTH))
                lines.append(f'    stuck{thread} [label={stuck}, color="#b00020"];')
                nodes.append(f"stuck{thread}")
        lines += [f"    {one} -> {other};" for one, other in pairwise(nodes)]
        lines.append("  }")
    for source, target, synchronises in _arrows(trace, steps):
        looks = _SYNCHRONISES if synchronises else _READS_FROM
        lines.append(f"  s{source} -> s{target} [{looks}, constraint=false];")
    # Not drawn: they put every step below the one before it, whichever threads these are of.
    order = [f"s{step.number}" for step in steps] + ["failure"]
    lines += [f"  {one} -> {other} [style=invis, weight=0];" for one, other in pairwise(order)]
    if left_out:
        lines.append(
            f"  earlier [shape=plaintext, label={_quoted(f'{left_out:,} earlier steps are not shown')}];"
        )
        lines.append(f"  earlier -> {order[0]} [style=invis];")
    return lines


def _arrows(trace: Trace, steps: Sequence[Step]) -> list[tuple[int, int, bool]]:
    """Those between the steps that are shown: of one that is not, the thread's step before or after it is."""
    thread_of = {step.number: step.thread for step in trace.steps}
    own: dict[int, list[int]] = {}
    for step in steps:
        own.setdefault(step.thread, []).append(step.number)
    found: dict[tuple[int, int], bool] = {}
    for link in examine(trace).links:
        before = [each for each in own.get(thread_of[link.begin], ()) if each <= link.begin]
        after = [each for each in own.get(thread_of[link.end], ()) if each >= link.end]
        if before and after and before[-1] < after[0]:
            ends = (before[-1], after[0])
            # Several ways to say the same are one arrow; what was read says most.
            found[ends] = found.get(ends, True) and link.kind is not LinkKind.READS_FROM
    return [(source, target, synchronises) for (source, target), synchronises in found.items()]


def _said(step: Step, run: RunContext) -> list[str]:
    lines = _wrapped(f"{step.number}. {describe_step(step)}", _STEP_WIDTH)
    frame = telling_frame(step.stack)
    if frame is not None and frame.file:
        lines.append(f"{run.relative(frame.file)}:{frame.line}")
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(printable(text), width) or [""]


def _quoted(*lines: str) -> str:
    """Text as it is: quotes, and what begins escapes and entities of Graphviz, mean themselves."""
    shown = [
        printable(line).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
        for line in lines
        if line
    ]
    return '"' + "\\n".join(shown) + '"'
