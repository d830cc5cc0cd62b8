"""Draws all interleavings of a tiny program, and under them how equivalences divide them into classes.

SVG for light and dark pages, in the colours of the other pictures. What is drawn is decided by
`equivalence_pictures`; nothing here knows what an equivalence is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

MARGIN = 20
LETTER = 7.3  # width of a letter of the font
LINE = 18
STEP = 30  # from one event down to the next
PILL = 20  # height of an event
BETWEEN = 12  # cards
BAR = 28  # height of a class

STYLE = """
  .page { fill: #ffffff; }
  text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1f2328; }
  .head { font-weight: bold; }
  .small { fill: #59636e; }
  .middle { text-anchor: middle; }
  .card { fill: #f6f8fa; stroke: #d1d9e0; }
  .class { fill: #dff3e4; stroke: #1a7f37; stroke-width: 1.5; }
  .run { fill: #1a7f37; }
  .event { stroke-width: 1.5; }
  .t0 { fill: #ffffff; stroke: #59636e; }
  .t1 { fill: #ddf4ff; stroke: #0969da; }
  .t2 { fill: #fff1d6; stroke: #b35900; }
  .t3 { fill: #ece3ff; stroke: #6639ba; }
  .source { fill: none; stroke: #1f2328; stroke-width: 1.3; }
  .tip { fill: #1f2328; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; }
    text { fill: #e6edf3; }
    .small { fill: #9198a1; }
    .card { fill: #151b23; stroke: #3d444d; }
    .class { fill: #12351f; stroke: #3fb950; }
    .run { fill: #3fb950; }
    .t0 { fill: #0d1117; stroke: #9198a1; }
    .t1 { fill: #12304f; stroke: #4493f8; }
    .t2 { fill: #4a2d06; stroke: #ffa657; }
    .t3 { fill: #33245c; stroke: #b392f0; }
    .source { stroke: #e6edf3; }
    .tip { fill: #e6edf3; }
  }
"""


@dataclass(frozen=True)
class Step:
    """An event of an interleaving."""

    thread: int
    label: str
    source: int | None  # of a read: which step of the interleaving it reads from


@dataclass(frozen=True)
class Row:
    """How an equivalence divides the interleavings."""

    title: str
    classes: Sequence[Sequence[int]]  # numbers of interleavings, next to each other
    run: frozenset[int]  # the interleavings that norn has run


@dataclass(frozen=True)
class Picture:
    title: str
    lanes: Sequence[int]  # threads, from left to right
    interleavings: Sequence[Sequence[Step]]
    rows: Sequence[Row]
    legend: Sequence[str]


def draw(picture: Picture) -> str:
    lane = max(len(step.label) for steps in picture.interleavings for step in steps) * LETTER + 14
    card = lane * len(picture.lanes) + 10
    width = len(picture.interleavings) * (card + BETWEEN) - BETWEEN
    steps = max(len(steps) for steps in picture.interleavings)
    cards_top = 2 * LINE
    card_height = LINE + steps * STEP + 2
    body = [f'<text class="head" x="0" y="{LINE - 4}">{escape(picture.title)}</text>']
    for number, interleaving in enumerate(picture.interleavings):
        left = number * (card + BETWEEN)
        body.append(
            f'<rect class="card" x="{left:.1f}" y="{cards_top}" width="{card:.1f}" '
            f'height="{card_height}" rx="6"/>'
        )
        body += _card(interleaving, picture.lanes, left + 5, cards_top, lane)
    y = cards_top + card_height + 2 * LINE
    for row in picture.rows:
        body.append(f'<text class="head" x="0" y="{y - 6}">{escape(row.title)}</text>')
        body += _bars(row, y, card)
        y += BAR + 2 * LINE
    for line in picture.legend:
        body.append(f'<text class="small" x="0" y="{y - 6}">{escape(line)}</text>')
        y += LINE
    width = max([width, *(len(line) * LETTER for line in picture.legend)])
    height = y - LINE
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{-MARGIN} {-MARGIN} '
            f'{width + 2 * MARGIN:.0f} {height + 2 * MARGIN:.0f}" width="{width + 2 * MARGIN:.0f}" '
            f'height="{height + 2 * MARGIN:.0f}">',
            f"<title>{escape(picture.title)}</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            'orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
            f'<rect class="page" x="{-MARGIN}" y="{-MARGIN}" width="100%" height="100%"/>',
            *body,
            "</svg>\n",
        ]
    )


def _card(
    interleaving: Sequence[Step], lanes: Sequence[int], left: float, top: float, lane: float
) -> Iterator[str]:
    """One interleaving: a column a thread, time goes down, an arrow from each source to its read."""

    def middle(number: int) -> tuple[float, float]:
        x = left + (lanes.index(interleaving[number].thread) + 0.5) * lane
        return x, top + LINE + number * STEP + STEP / 2

    for number, thread in enumerate(lanes):
        x = left + (number + 0.5) * lane
        yield f'<text class="small middle" x="{x:.1f}" y="{top + 14:.1f}">T{thread}</text>'
    for number, step in enumerate(interleaving):
        x, y = middle(number)
        yield (
            f'<rect class="event t{step.thread}" x="{x - lane / 2 + 3:.1f}" y="{y - PILL / 2:.1f}" '
            f'width="{lane - 6:.1f}" height="{PILL}" rx="{PILL // 2 if step.source is not None else 3}"/>'
            f'<text class="middle" x="{x:.1f}" y="{y + 4:.1f}">{escape(step.label)}</text>'
        )
    for number, step in enumerate(interleaving):
        if step.source is not None:
            (from_x, from_y), (to_x, to_y) = middle(step.source), middle(number)
            if from_x == to_x:
                start = f"M{from_x:.1f} {from_y + PILL / 2:.1f}L"
            else:  # out of its side and then down, so as not to lie on events of its own thread
                side = lane / 2 - 3 if to_x > from_x else 3 - lane / 2
                start = f"M{from_x + side:.1f} {from_y:.1f}Q{to_x:.1f} {from_y:.1f} "
            yield f'<path class="source" marker-end="url(#tip)" d="{start}{to_x:.1f} {to_y - PILL / 2:.1f}"/>'


def _bars(row: Row, y: float, card: float) -> Iterator[str]:
    """The classes, each as wide as the cards of its interleavings; a dot under those that were run."""
    for members in row.classes:
        left = members[0] * (card + BETWEEN)
        width = len(members) * (card + BETWEEN) - BETWEEN
        yield (f'<rect class="class" x="{left:.1f}" y="{y:.1f}" width="{width:.1f}" height="{BAR}" rx="6"/>')
        for member in members:
            if member in row.run:
                x = member * (card + BETWEEN) + card / 2
                yield f'<circle class="run" cx="{x:.1f}" cy="{y + BAR / 2:.1f}" r="5"/>'
