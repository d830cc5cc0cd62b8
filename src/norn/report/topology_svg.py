"""A topology as a picture: SVG made here, so that nothing needs to be installed. For light and dark pages.

`topology_layout` says where everything goes. Whatever comes from the program is text, never markup.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from norn.model import Topology
from norn.report.topology_layout import (
    FONT_SIZE,
    LETTER,
    LINE,
    RADIUS,
    Layout,
    PlacedEdge,
    PlacedThread,
    lay_out,
    text_width,
)
from norn.report.topology_words import ORDERED_LEGEND, REMOVED_LEGEND, headline, learned_from, shared_by
from norn.report.words import printable

_MARGIN = 24
# Text is wrapped to the width of the drawing, or to this where a drawing is narrower.
_NARROWEST_TEXT = 384
_SAMPLE = 44  # length of a line in the legend
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
    title = ": ".join(headline(topology))
    layout = lay_out(topology, _NARROWEST_TEXT)
    room = max(layout.bounds.right, _NARROWEST_TEXT)
    head = _wrapped(title, room)
    layout = layout.moved(0, len(head) * LINE + 20)
    foot = list(_foot(topology, layout, room, max(layout.bounds.bottom, len(head) * LINE) + 34))
    width = max([layout.bounds.right, *map(text_width, head), *(line.right for line in foot)])
    layout = layout.moved((width - layout.bounds.right) / 2, 0)
    height = foot[-1].y + 6
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
    parts += [markup for line in foot for markup in line.markup()]
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


@dataclass(frozen=True)
class _FootLine:
    text: str
    y: float
    x: float = 0
    removed: bool = False  # what a removed edge looks like stands before it

    @property
    def right(self) -> float:
        return self.x + text_width(self.text)

    def markup(self) -> Iterator[str]:
        if self.removed:
            yield f'<polyline class="edge removed" points="0,{self.y - 4:.1f} {_SAMPLE},{self.y - 4:.1f}"/>'
        yield f'<text class="small" x="{self.x:.0f}" y="{self.y:.1f}">{_text(self.text)}</text>'


def _foot(topology: Topology, layout: Layout, width: float, top: float) -> Iterator[_FootLine]:
    """The legend and what it was learned from."""
    y = top
    if any(edge.removed for edge in topology.edges):
        x = _SAMPLE + 12
        for number, line in enumerate(_wrapped(REMOVED_LEGEND, width - x)):
            yield _FootLine(line, y, x, removed=number == 0)
            y += LINE
    said = list(layout.legend)
    # Ordered locations come first: where a label is shown that has some, one is seen.
    if any(placed.label and set(placed.edge.locations) & set(topology.ordered) for placed in layout.edges):
        said.append(ORDERED_LEGEND)
    if any(placed.label_box is None for placed in layout.edges):
        said.append("too many edges for labels: each has its locations as a tooltip")
    if any(placed.alone for placed in layout.threads) and topology.edges:
        said.append("dotted: no edge")
    said.append(learned_from(topology))
    for text in said:
        for line in _wrapped(text, width):
            yield _FootLine(line, y)
            y += LINE


def _wrapped(text: str, width: float) -> list[str]:
    return textwrap.wrap(printable(text), max(20, int(width / LETTER))) or [""]


def _text(text: str) -> str:
    return escape(printable(text))
