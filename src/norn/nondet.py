"""Which values `__VERIFIER_nondet_*()` gives: `--nondet 0`, `0,1,5`, `-2..2`, `random`, `random:SEED`.

    words of the user ──► settle_nondet (found sensible, a seed drawn) ──► commands that do it again
                                └─► nondet_for_engine (ranges written out; docs/protocol.md, option `nondet`)

Which values leave others out depends on the type of each call; the engine knows that, and says so in the
result.
"""

from __future__ import annotations

import random
import re

from norn.errors import UsageError

DEFAULT_NONDET = "0"

# A choice of the engine has at most so many alternatives.
_MOST_VALUES = 65535
_LOWEST, _HIGHEST = -(1 << 63), (1 << 64) - 1
_SEEDS = 1 << 32
_RANDOM = re.compile(r"random(?::(\d+))?")
_ITEM = re.compile(r"([+-]?\d+)(?:\.\.([+-]?\d+))?")


def settle_nondet(text: str) -> str:
    """Found sensible, as the user would give it: ranges stay ranges, random values have their seed."""
    wanted = text.replace(" ", "")
    drawn = _RANDOM.fullmatch(wanted)
    if drawn is None:
        _values_of(wanted, text)
        return wanted
    seed = int(drawn[1]) if drawn[1] is not None else random.randrange(_SEEDS)
    if seed > _HIGHEST:
        raise UsageError(f"--nondet {text}: the seed is too large")
    return f"random:{seed}"


def nondet_for_engine(nondet: str) -> str:
    """`0,1,5` or `random:SEED`. nondet: settled. The engine reads signed numbers of 64 bits."""
    if seed_of(nondet) is not None:
        return nondet
    values = _values_of(nondet, nondet)
    return ",".join(str(value - (1 << 64) if value >= 1 << 63 else value) for value in values)


def _values_of(wanted: str, text: str) -> list[int]:
    """Each once. text: what the user gave, for messages."""
    values: dict[int, None] = {}
    for item in wanted.split(","):
        bounds = _ITEM.fullmatch(item)
        if bounds is None:
            raise UsageError(
                f"--nondet {text}: “{item}” is no number; give values as 0,1,5, a range as 0..3, or random"
            )
        first = int(bounds[1])
        last = int(bounds[2]) if bounds[2] is not None else first
        if last < first:
            raise UsageError(f"--nondet {text}: the range {item} is empty")
        if first < _LOWEST or last > _HIGHEST:
            raise UsageError(f"--nondet {text}: {item} does not fit into 64 bits")
        if last - first >= _MOST_VALUES or len(values) + last - first >= _MOST_VALUES:
            raise UsageError(f"--nondet {text}: these are more than {_MOST_VALUES} values")
        values |= dict.fromkeys(range(first, last + 1))
    return list(values)


# Types of `__VERIFIER_nondet_TYPE()`: bits, and whether the value has a sign.
_TYPES = {
    "bool": (1, False),
    "char": (8, True),
    "uchar": (8, False),
    "short": (16, True),
    "ushort": (16, False),
    "int": (32, True),
    "uint": (32, False),
    "unsigned": (32, False),
    "unsigned_int": (32, False),
    "long": (64, True),
    "ulong": (64, False),
    "longlong": (64, True),
    "ulonglong": (64, False),
    "size_t": (64, False),
}


def value_of(nondet: str, function: str, choice: int, alternatives: int) -> int | None:
    """What a call gave when it took an alternative; None where that is not certain.

    nondet: settled. Values that are the same in the type of the call are one alternative.
    """
    kind = _TYPES.get(function.removeprefix("__VERIFIER_nondet_"))
    if kind is None or not nondet or seed_of(nondet) is not None:
        return None
    bits, signed = kind
    values = list(dict.fromkeys(_as_wide(each, bits) for each in _values_of(nondet, nondet)))
    if len(values) != alternatives or choice >= alternatives:
        return None
    value = values[choice]
    return value - (1 << bits) if signed and value >= 1 << (bits - 1) else value


def _as_wide(value: int, bits: int) -> int:
    return int(value != 0) if bits == 1 else value % (1 << bits)


def seed_of(nondet: str) -> str | None:
    """The seed of random values, as the user would give it."""
    return nondet if nondet.startswith("random:") else None
