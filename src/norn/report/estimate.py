"""Estimates in words (docs/estimate.md): how many executions there are, the part explored, what is left.

Read by the progress line and by reports. Numbers are rounded to what can be known: one or two digits.
"""

from __future__ import annotations

from norn.model import Estimate

_UNITS = (("s", 1.0), ("min", 60.0), ("h", 3600.0), ("days", 86400.0))
_AT_MOST = 100  # of a unit, before the next one is taken
_TOO_LONG = 365 * 86400.0
_SCALES = ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k"))
_LARGEST = 1e15


def in_all(low: float, high: float) -> str:
    """`40 k-90 k executions`, with a dash between."""
    return f"{_between(_short(low), _short(high))} executions"


def explored(covered: Estimate) -> str:
    """`about 12-30 % of all`."""
    least, most = (100 * part for part in covered.parts)
    if most < 0.1:
        return "less than 0.1 % of all"
    if least < 0.1:
        return f"less than {_percent(most)} % of all"
    return f"about {_between(_percent(least), _percent(most))} % of all"


def time_left(least: float, most: float) -> str:
    """Of seconds: `2-5 min left`."""
    if most >= _TOO_LONG:
        return "more than a year left" if least >= _TOO_LONG else "perhaps more than a year left"
    unit, length = next((each for each in _UNITS if most < _AT_MOST * each[1]), _UNITS[-1])
    low, high = _two_digits(least / length), max(_two_digits(most / length), 1)
    if low < 1:
        return f"up to {high:,} {unit} left"
    return f"{_between(f'{low:,}', f'{high:,}')} {unit} left"


def _between(low: str, high: str) -> str:
    return low if low == high else f"{low}–{high}"


def _percent(value: float) -> str:
    if value < 10:
        return f"{value:.1f}" if value < 1 else f"{value:.0f}"
    return f"{min(5 * round(value / 5), 95)}"


def _two_digits(value: float) -> int:
    return int(float(f"{value:.2g}"))


def _short(value: float) -> str:
    if value >= _LARGEST:
        return "more than 1000 T"
    rounded = float(f"{value:.2g}")
    for scale, letter in _SCALES:
        if rounded >= 10 * scale or (scale > 1e3 and rounded >= scale):
            return f"{_plain(rounded / scale)}{letter}"
    return f"{rounded:,.0f}"


def _plain(value: float) -> str:
    """With a fraction only where it is one of the two digits."""
    return f"{value:.1f}".removesuffix(".0") if value < 10 else f"{value:.0f}"
