"""Pictures as text: a canvas for SVG and axes with a logarithmic or a linear scale. For `plots`.

Hand-made and small: the same figures always give the same file, so that a change of a picture is a change of
a figure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

INK, FAINT, GRID = "#24292f", "#6a737d", "#e4e7eb"
TEXT_SIZE = 11


@dataclass(frozen=True)
class Style:
    """How a series looks. Shape and colour, so that one of them is enough to tell it."""

    colour: str
    shape: str  # "circle", "square", "diamond", "triangle", "cross"


@dataclass
class Canvas:
    width: float
    height: float
    title: str
    elements: list[str] = field(default_factory=list)

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = GRID, dash: str = "") -> None:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.elements.append(
            f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" stroke="{colour}"{dashes}/>'
        )

    def path(self, points: list[tuple[float, float]], colour: str) -> None:
        where = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self.elements.append(f'<polyline points="{where}" fill="none" stroke="{colour}" stroke-width="1.5"/>')

    def text(
        self,
        x: float,
        y: float,
        words: str,
        anchor: str = "start",
        colour: str = INK,
        size: float = TEXT_SIZE,
        bold: bool = False,
        turned: bool = False,
    ) -> None:
        weight = ' font-weight="600"' if bold else ""
        turn = f' transform="rotate(-90 {_n(x)} {_n(y)})"' if turned else ""
        self.elements.append(
            f'<text x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}" fill="{colour}" '
            f'font-size="{_n(size)}"{weight}{turn}>{escape(words)}</text>'
        )

    def mark(self, x: float, y: float, style: Style, words: str = "", size: float = 3.5) -> None:
        """A point; `words` appear where a pointer rests on it. Points are the elements of class `point`."""
        told = f"<title>{escape(words)}</title>" if words else ""
        kind = ' class="point"' if words else ""
        paint = f'fill={quoteattr(style.colour)} stroke="#ffffff" stroke-width="0.6"'
        if style.shape == "circle":
            shape = f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(size)}" {paint}/>'
        elif style.shape == "cross":
            shape = (
                f'<path d="M{_n(x - size)} {_n(y - size)}L{_n(x + size)} {_n(y + size)}'
                f'M{_n(x - size)} {_n(y + size)}L{_n(x + size)} {_n(y - size)}" '
                f'stroke={quoteattr(style.colour)} stroke-width="1.8"/>'
            )
        else:
            corners = " ".join(f"{_n(x + a * size)},{_n(y + b * size)}" for a, b in _CORNERS[style.shape])
            shape = f'<polygon points="{corners}" {paint}/>'
        self.elements.append(f"<g{kind}>{told}{shape}</g>")

    def render(self) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(self.width)}" height="{_n(self.height)}" '
            f'viewBox="0 0 {_n(self.width)} {_n(self.height)}" role="img" '
            'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">\n'
            f"<title>{escape(self.title)}</title>\n"
            f'<rect width="{_n(self.width)}" height="{_n(self.height)}" rx="6" fill="#ffffff"/>\n'
            + "\n".join(self.elements)
            + "\n</svg>\n"
        )


_CORNERS = {
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "triangle": ((0, -1.2), (1.15, 0.9), (-1.15, 0.9)),
}


@dataclass(frozen=True)
class Axis:
    """From values to places on the canvas."""

    low: float
    high: float
    start: float  # the place of `low`
    end: float  # and of `high`
    logarithmic: bool = True

    def at(self, value: float) -> float:
        low, high = self._scaled(self.low), self._scaled(self.high)
        share = (self._scaled(value) - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value

    def ticks(self, most: int = 8) -> list[float]:
        """Powers of ten, or whole numbers: at most so many."""
        if self.logarithmic:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            step = max(1, math.ceil((last - first + 1) / most))
            return [10.0**power for power in range(first, last + 1, step)]
        step = max(1, next(s for s in _STEPS if (self.high - self.low) / s <= most))
        first = math.ceil(self.low / step)
        return [float(step * k) for k in range(first, math.floor(self.high / step) + 1)]


_STEPS = [a * 10**b for b in range(7) for a in (1, 2, 5)]


def decades(values: list[float]) -> tuple[float, float]:
    """Whole powers of ten around values; two different ones."""
    low = 10.0 ** math.floor(math.log10(min(values)))
    high = 10.0 ** math.ceil(math.log10(max(values)))
    return low, max(high, low * 10)


def power(value: float) -> str:
    """A power of ten as people write it: 1, 10, 1,000, 10⁶."""
    exponent = round(math.log10(value))
    if 0 <= exponent <= 4:
        return f"{10**exponent:,}"
    digits = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{digits}"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
