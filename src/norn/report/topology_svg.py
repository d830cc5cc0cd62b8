"""A topology as a picture: SVG made here, so that nothing needs to be installed. For light and dark pages.

`topology_layout` says where everything goes. Whatever comes from the program is text, never markup.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from xml.sax.saxutils import escape

from norn.model import Topology
from norn.report.topology import (
    ORDERED_LEGEND,
    REMOVED_LEGEND,
    learned_from,
    shared_by,
    summary,
    verdict,
)
from norn.report.topology_layout import (
    FONT_SIZE,
    LETTER,
    LINE,
    RADIUS,
    Layout,
    PlacedEdge,
    PlacedThread,
    lay_out,
)
from norn.report.words import printable

_MARGIN = 24
_NARROWEST = 560
_STYLE = f"""
  .page {{ fill: #ffffff; }}
  text {{ font: {FONT_SIZE}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1f2328; }}
  .verdict {{ font-weight: bold; }}
  .small {{ fill: #59636e; }}
  .id {{ font-weight: bold; text-anchor: middle; }}
  .middle {{ text-anchor: middle; }}
  .end {{ text-anchor: end; }}
  .thread {{ fill: #ddf4ff; stroke: #0969da; stroke-width: 1.5; }}
  .alone {{ fill: #f6f8fa; stroke: #818b98; stroke-dasharray: 2 3; }}
  .edge {{ fill: none; stroke: #59636e; stroke-width: 1.5; }}
  .removed {{ stroke: #b35900; stroke-width: 2.5; stroke-dasharray: 8 5; }}
  .label {{ fill: #ffffff; }}
  @media (prefers-color-scheme: dark) {{
    .page, .label {{ fill: #0d1117; }}
    text {{ fill: #e6edf3; }}
    .small {{ fill: #9198a1; }}
    .thread {{ fill: #12304f; stroke: #4493f8; }}
    .alone {{ fill: #151b23; stroke: #656c76; }}
    .edge {{ stroke: #9198a1; }}
    .removed {{ stroke: #ffa657; }}
  }}
"""


def topology_to_svg(topology: Topology) -> str:
    title = f"{verdict(topology)}: {summary(topology)}"
    layout = lay_out(topology, _NARROWEST)
    width = max(layout.bounds.right, _NARROWEST)
    head = _wrapped(title, width)
    layout = layout.moved(0, len(head) * LINE + 20)
    foot = list(_foot(topology, layout, width, max(layout.bounds.bottom, len(head) * LINE) + 34))
    height = foot[-1][0] + 6
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{-_MARGIN} {-_MARGIN} '
        f'{width + 2 * _MARGIN:.0f} {height + 2 * _MARGIN:.0f}" width="{width + 2 * _MARGIN:.0f}" '
        f'height="{height + 2 * _MARGIN:.0f}">',
        f"<title>{_text(title)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect class="page" x="{-_MARGIN}" y="{-_MARGIN}" width="100%" height="100%"/>',
    ]
    parts += [
        f'<text class="verdict" x="0" y="{(number + 1) * LINE - 4}">{_text(line)}</text>'
        for number, line in enumerate(head)
    ]
    # Lines first, so that labels and threads lie on them.
    parts += [_line(placed, topology) for placed in layout.edges]
    parts += [part for placed in layout.edges for part in _label(placed)]
    parts += [_thread(placed, topology) for placed in layout.threads]
    parts += [markup for _, markup in foot]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _line(placed: PlacedEdge, topology: Topology) -> str:
    """With everything that the threads share in the tooltip; the label may have room for less."""
    one, other = (printable(topology.threads.get(thread, f"T{thread}")) for thread in placed.edge.threads)
    told = f"{one} – {other}: {', '.join(shared_by(placed.edge, topology))}"
    removed = " removed" if placed.edge.removed else ""
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed.points)
    what = f"{told} (removed)" if placed.edge.removed else told
    return f'<polyline class="edge{removed}" points="{points}"><title>{_text(what)}</title></polyline>'


def _label(placed: PlacedEdge) -> Iterator[str]:
    box = placed.label_box
    if box is None:
        return
    yield (
        f'<rect class="label" x="{box.left:.1f}" y="{box.top:.1f}" rx="3" '
        f'width="{box.right - box.left:.1f}" height="{box.bottom - box.top:.1f}"/>'
    )
    x = box.middle[0]
    for number, line in enumerate(placed.label):
        y = box.top + 2 + (number + 1) * LINE - 4
        yield f'<text class="middle" x="{x:.1f}" y="{y:.1f}">{_text(line)}</text>'


def _thread(placed: PlacedThread, topology: Topology) -> str:
    x, y = placed.at
    box = placed.name_box
    held = {"start": box.left, "middle": box.middle[0], "end": box.right}[placed.anchor]
    kind = "thread alone" if placed.alone else "thread"
    full = topology.threads.get(placed.thread, f"T{placed.thread}")
    return (
        f'<g><title>{_text(full)}</title><circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}"/>'
        f'<text class="id" x="{x:.1f}" y="{y + 4.5:.1f}">T{placed.thread}</text>'
        f'<text class="{placed.anchor}" x="{held:.1f}" y="{box.bottom - 4:.1f}">'
        f"{_text(placed.name)}</text></g>"
    )


def _foot(topology: Topology, layout: Layout, width: float, top: float) -> Iterator[tuple[float, str]]:
    """The legend and what it was learned from: each line with its height."""
    y = top
    if any(edge.removed for edge in topology.edges):
        yield y, f'<polyline class="edge removed" points="0,{y - 4:.1f} 44,{y - 4:.1f}"/>'
        for line in _wrapped(REMOVED_LEGEND, width - 56):
            yield y, f'<text class="small" x="56" y="{y:.1f}">{_text(line)}</text>'
            y += LINE
    said = list(layout.legend)
    if topology.ordered:
        said.append(ORDERED_LEGEND)
    if any(placed.label_box is None for placed in layout.edges):
        said.append("too many edges for labels: each has its locations as a tooltip")
    if any(placed.alone for placed in layout.threads) and topology.edges:
        said.append("dotted: no edge")
    said.append(learned_from(topology))
    for text in said:
        for line in _wrapped(text, width):
            yield y, f'<text class="small" x="0" y="{y:.1f}">{_text(line)}</text>'
            y += LINE


def _wrapped(text: str, width: float) -> list[str]:
    return textwrap.wrap(printable(text), max(20, int(width / LETTER))) or [""]


def _text(text: str) -> str:
    return escape(printable(text))
