"""Instructions of x86-64 in AT&T syntax: what one does with its memory operand, and how large that is.

For `unseen`, which looks for accesses without a hook. What is not known here is treated as unknown, never as
harmless.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

PREFIXES = frozenset({"rep", "repz", "repnz", "repe", "repne", "lock", "notrack", "data16"})
_INSTRUCTION = re.compile(r"^\s+(?!\.)([a-z]\w*)\b[ \t]*([^#]*)")

READ, WRITE, UPDATE, NONE, UNKNOWN = "read", "write", "update", "none", "unknown"

_SUFFIX_SIZES = {"b": 1, "w": 2, "l": 4, "q": 8}
# Of the source of a move that extends it.
_EXTENDING = re.compile(r"^mov([sz])([bwl])([wlq])$")
_NO_ACCESS = re.compile(r"^(lea[wlq]?|nop[wlq]?|prefetch\w*|endbr64|clflush\w*|clwb|cldemote|invlpg)$")
_ONLY_READS = re.compile(
    r"^(cmp|test|push|mul|imul|div|idiv|bt|call|jmp|v?u?comis[sd]|ldmxcsr|fldcw|fldenv|frstor)[bwlq]?$"
    r"|^v?cvt\w+$|^p?(?:min|max)\w+$|^f(?:ld|ild|add|iadd|sub|subr|isub|mul|imul|div|divr|idiv|com|comp|icom|ucom)"
    r"(?:s|l|ll|q|t)?$|^fld[ts]?$|^ptest$|^cmov\w+$|^(?:tzcnt|lzcnt|popcnt|bsf|bsr|movbe)[wlq]?$|^crc32[bwlq]?$"
)
_STORES = re.compile(
    r"^(set\w+|f(?:st|stp|ist|istp|isttp)(?:s|l|ll|q|t)?|fn?stcw|fn?stsw|v?stmxcsr|movnti[lq]?|pop[wlq]?)$"
)
_MOVES = re.compile(
    r"^v?(mov|movabs|mova|movu|movaps|movups|movapd|movupd|movdqa|movdqu|movss|movsd|movd|movq|movlps|movhps"
    r"|movlpd|movhpd|movnt\w+|lddqu|movdqa(?:32|64)|movdqu(?:8|16|32|64))[bwlq]?$"
)
# Read the memory operand, change it and write it back.
_UPDATES = re.compile(
    r"^(add|sub|adc|sbb|and|or|xor|inc|dec|neg|not|shl|shr|sal|sar|rol|ror|rcl|rcr|bts|btr|btc|xadd|xchg|shld|shrd)[bwlq]?$"
    r"|^cmpxchg(?:8b|16b|[bwlq])?$"
)
_SSE_SIZES = (
    (
        re.compile(
            r"^v?(?:movss|(?:add|sub|mul|div|sqrt|min|max|rcp|rsqrt|cmp\w*|ucomi|comi)ss|cvtss2\w+|cvttss2\w+)l?q?$"
        ),
        4,
    ),
    (
        re.compile(
            r"^v?(?:movsd|(?:add|sub|mul|div|sqrt|min|max|cmp\w*|ucomi|comi)sd|cvtsd2\w+|cvttsd2\w+)l?q?$"
        ),
        8,
    ),
    (
        re.compile(
            r"^v?(?:movlps|movhps|movlpd|movhpd|movddup|cvtps2pd|cvtdq2pd|cvtpi2p[sd]|pmov[sz]x(?:bw|wd|dq))$"
        ),
        8,
    ),
    (re.compile(r"^v?cvtsi2s[sd]q$"), 8),
    (re.compile(r"^v?cvtsi2s[sd]l?$"), 4),
    (re.compile(r"^v?movd$"), 4),
    (re.compile(r"^v?movq$"), 8),
)
_X87_SIZES = {"s": 4, "l": 8, "t": 10, "ll": 8, "q": 8}
_X87 = re.compile(r"^f(?:ld|st|stp|add|sub|subr|mul|div|divr|com|comp|ucom)(s|l|t)$")
_X87_INTEGER = re.compile(r"^f(?:ild|ist|istp|isttp|iadd|isub|imul|idiv|icom)(s|l|ll|q)?$")
_WIDE_REGISTER = re.compile(r"%(ymm|zmm|k[0-7]\b)")
_REGISTER_SIZES = {"xmm": 16, "ymm": 32, "zmm": 64}


@dataclass(frozen=True)
class Effect:
    """What an instruction does with its memory operand."""

    kind: str
    size: int


@cache
def effect_of(mnemonic: str, operands: tuple[str, ...], memory: int) -> Effect:
    """memory: which of the operands it is."""
    if _NO_ACCESS.match(mnemonic):
        return Effect(NONE, 0)
    is_last = memory == len(operands) - 1
    size = _size_of(mnemonic, operands, memory)
    if size == 0:
        return Effect(UNKNOWN, 0)
    if mnemonic.startswith("xchg"):
        return Effect(UPDATE, size)
    if _MOVES.match(mnemonic) or _EXTENDING.match(mnemonic):
        return Effect(WRITE if is_last and len(operands) > 1 else READ, size)
    if _STORES.match(mnemonic):
        return Effect(WRITE, size)
    if not is_last or (_ONLY_READS.match(mnemonic) and mnemonic not in ("btsl",)):
        return Effect(READ, size)
    if _UPDATES.match(mnemonic):
        return Effect(UPDATE, size)
    if len(operands) == 1 and _ONLY_READS.match(mnemonic):
        return Effect(READ, size)
    return Effect(UNKNOWN, size)


def uses_wide_registers(text: str) -> bool:
    return _WIDE_REGISTER.search(text) is not None


def _size_of(mnemonic: str, operands: tuple[str, ...], memory: int) -> int:
    """0: not known."""
    if extending := _EXTENDING.match(mnemonic):
        return _SUFFIX_SIZES[extending[2]]
    if mnemonic in ("cmpxchg16b", "cmpxchg8b"):
        return 16 if mnemonic == "cmpxchg16b" else 8
    if mnemonic.startswith("f"):
        return _x87_size(mnemonic)
    vectors = [
        _REGISTER_SIZES[operand[1:4]]
        for number, operand in enumerate(operands)
        if number != memory and operand[1:4] in _REGISTER_SIZES
    ]
    if vectors or mnemonic.startswith(("cvt", "vcvt", "ucomi", "comi")):
        for pattern, size in _SSE_SIZES:
            if pattern.match(mnemonic):
                return size
        return max(vectors, default=0)
    if mnemonic.startswith(("call", "jmp", "push", "pop")):
        return 2 if mnemonic.endswith("w") else 8
    if mnemonic.startswith("set"):
        return 1
    for number, operand in enumerate(operands):
        if (
            number != memory
            and operand.startswith("%")
            and not mnemonic.startswith(("sh", "sa", "ro", "rc", "crc"))
        ):
            return register_size(operand)
    if mnemonic in ("ldmxcsr", "stmxcsr", "vldmxcsr", "vstmxcsr"):
        return 4
    return _SUFFIX_SIZES.get(mnemonic[-1], 0)


def _x87_size(mnemonic: str) -> int:
    if mnemonic in ("fldcw", "fnstcw", "fstcw", "fnstsw", "fstsw"):
        return 2
    if real := _X87.match(mnemonic):
        return _X87_SIZES[real[1]]
    if integer := _X87_INTEGER.match(mnemonic):
        return {"s": 2, "l": 4, None: 2}.get(integer[1], 8)
    return 0


_FULL = ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp")


def _registers() -> dict[str, tuple[str, int]]:
    names: dict[str, tuple[str, int]] = {}
    for full in _FULL:
        short = full[1:]
        names |= {full: (full, 8), "e" + short: (full, 4), short: (full, 2)}
        low = short[0] + "l" if short.endswith("x") else short + "l"
        names[low] = (full, 1)
        if short.endswith("x"):
            names[short[0] + "h"] = (full, 1)
    for number in range(8, 16):
        full = f"r{number}"
        names |= {full: (full, 8), full + "d": (full, 4), full + "w": (full, 2), full + "b": (full, 1)}
    return names


REGISTERS = _registers()


def register_size(operand: str) -> int:
    known = REGISTERS.get(operand[1:])
    return known[1] if known is not None else 0


@lru_cache(maxsize=1 << 16)
def parsed(line: str) -> tuple[str, tuple[str, ...], int, str] | None:
    """The mnemonic, the operands, which of them is memory (or -1), and a prefix. None: not an instruction."""
    match = _INSTRUCTION.match(line)
    if match is None:
        return None
    mnemonic, text, prefix = match[1], match[2].strip(), ""
    while mnemonic in PREFIXES and text:
        prefix = mnemonic if mnemonic != "notrack" else prefix
        words = text.lstrip("; \t").split(None, 1)
        mnemonic, text = words[0], words[1] if len(words) > 1 else ""
    parts = split(text) if text else ()
    return mnemonic, parts, memory_operand(mnemonic, parts), prefix


def memory_operand(mnemonic: str, parts: tuple[str, ...]) -> int:
    """Which operand is memory, or -1."""
    if mnemonic.startswith("j") and not (parts and parts[0].startswith("*")):
        return -1
    for number, part in enumerate(parts):
        if part[:1] not in "%$" or part.startswith(("%fs:", "%gs:")):
            if part.startswith("*%") and "(" not in part and ":" not in part:
                return -1
            return number
    return -1


def split(text: str) -> tuple[str, ...]:
    """Operands: what is between commas outside parentheses."""
    if "(" not in text:
        return tuple(part.strip() for part in text.split(","))
    parts, depth, start = [], 0, 0
    for position, letter in enumerate(text):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    parts.append(text[start:].strip())
    return tuple(parts)
