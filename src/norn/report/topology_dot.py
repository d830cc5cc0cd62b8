"""A topology in the language of Graphviz, for who wants to draw it with other tools."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from norn.model import Topology
from norn.report.topology_words import ORDERED_LEGEND, REMOVED_LEGEND, headline, learned_from, shared_by
from norn.report.words import printable

# An edge's label shows so many locations, one a line; the rest is counted.
_MOST_LOCATIONS = 8
# Letters of a line of the title: Graphviz does not wrap it.
_TITLE_WIDTH = 72


def topology_to_dot(topology: Topology) -> str:
    lines = [
        "graph topology {",
        f"  label={_quoted(*_title(topology))};",
        '  labelloc="t";',
        '  fontname="monospace";',
        '  node [shape=box, style=rounded, fontname="monospace"];',
        '  edge [fontname="monospace"];',
    ]
    lines += [f"  T{thread} [label={_quoted(name)}];" for thread, name in topology.threads.items()]
    for edge in topology.edges:
        names = shared_by(edge, topology)
        if len(names) > _MOST_LOCATIONS:
            names[_MOST_LOCATIONS - 1 :] = [f"{len(names) - _MOST_LOCATIONS + 1:,} more"]
        looks = ', style=dashed, color="#b35900", tooltip="removed (X)"' if edge.removed else ""
        one, other = edge.threads
        lines.append(f"  T{one} -- T{other} [label={_quoted(*names)}{looks}];")
    return "\n".join([*lines, "}"]) + "\n"


def _title(topology: Topology) -> Iterator[str]:
    """The headline and, since it is the only text of the whole graph, the legend."""
    said = [": ".join(headline(topology)), learned_from(topology)]
    if any(edge.removed for edge in topology.edges):
        said.append(f"dashed: {REMOVED_LEGEND}")
    if topology.ordered:
        said.append(ORDERED_LEGEND)
    for text in said:
        yield from textwrap.wrap(printable(text), _TITLE_WIDTH)


def _quoted(*lines: str) -> str:
    """Text as it is: quotes and backslashes, which begin escapes of Graphviz, mean themselves."""
    shown = [printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + "\\n".join(shown) + '"'
