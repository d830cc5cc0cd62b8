"""Corrects how gcc reports the copy of a struct, in the assembly between compiler and assembler.

For `a = b` on structs gcc calls the write hook of `a`, then the read hook of `b`, and copies only then. A
hook announces the access that follows it, so that the engine would take the write as done when the read
begins, and could let another thread run in between. The pair is recognisable: nothing is stored between the
two calls, whereas the store of an ordinary write follows its hook directly. Such a write hook is renamed to
`__norn_copy_write*`, which tells the engine that the write takes effect together with the read after it.

    call __tsan_write_range            call __norn_copy_write_range
    (only the address of b here)  ==>  (unchanged)
    call __tsan_read_range             call __tsan_read_range

A store of a register to the frame may be the compiler saving an address for later rather than a store of the
program. It is taken for that only where it provably is: its slot lies below every frame address that the
function ever computes, so no hooked object can contain it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SIZES = "1|2|4|8|16"
_WRITE_HOOK = re.compile(rf"^__tsan_(?:volatile_)?write(?:({_SIZES})|(_range))$")
_READ_HOOK = re.compile(rf"^__tsan_(?:volatile_)?read(?:{_SIZES}|_range)$")
_CALL = re.compile(r"^\s+call\s+(\S+)")
_INSTRUCTION = re.compile(r"^\s+(?!\.)([a-z][a-z0-9]*)\b\s*(.*)$")
_LABEL = re.compile(r"^\s*([^\s:#\"]+):")
# Labels that mark places for debuggers and unwinders; nothing jumps to them.
_MARKER_LABEL = re.compile(r"^\.L(?:BB|BE|VL|FB|FE|VUE?|EHB|EHE|BI|BIE)\d+$|^\.LM\d+$|^\.Ltext|^\.Letext")
_FUNCTION_START = re.compile(r"^\s+\.(?:cfi_startproc|cfi_endproc)\b")
_FRAME_STORE = re.compile(r"^movq?\s+%r[a-z0-9]+,\s*(-\d+)\(%rbp\)$|^movq\s+%xmm\d+,\s*(-\d+)\(%rbp\)$")
_FRAME_ADDRESS = re.compile(r"^\s+lea[ql]?\s+(-?\d+)\(%rbp")

# With a memory operand in the last place, these only read it (or do not touch it at all).
_READS_LAST = (
    "cmp",
    "test",
    "ucomis",
    "comis",
    "lea",
    "prefetch",
    "div",
    "idiv",
    "mul",
    "imul",
    "nop",
    "bt",
    "fld",
    "fild",
    "fadd",
    "fsub",
    "fmul",
    "fdiv",
    "fcom",
    "fucom",
    "ldmxcsr",
    "fldcw",
)
_ALWAYS_STORES = (
    "rep",
    "repz",
    "repnz",
    "movs",
    "stos",
    "xchg",
    "lock",
    "xadd",
    "cmpxchg",
    "push",
    "enter",
    "xsave",
    "maskmov",
)
_STRING_OPERATIONS = re.compile(r"^(?:movs|stos)[bwlq]?$")
_BRANCHES = re.compile(r"^(?:j[a-z]+|ret|leave|iret|loop[a-z]*|syscall|int|ud2|hlt)$")


@dataclass
class _Open:
    """A write hook whose store has not been seen yet."""

    line: int
    renamed: str


def rewrite(assembly: str) -> str:
    """The assembly with the write hooks of struct copies renamed."""
    lines = assembly.split("\n")
    lowest = _lowest_frame_addresses(lines)
    pending: _Open | None = None
    in_inline_assembly = False
    for index, line in enumerate(lines):
        if line.startswith("#APP"):
            in_inline_assembly, pending = True, None
        elif line.startswith("#NO_APP"):
            in_inline_assembly = False
        if in_inline_assembly or not line or line[0] == "#":
            continue
        label = _LABEL.match(line)
        if label:
            if not _MARKER_LABEL.match(label.group(1)):
                pending = None
            continue
        call = _CALL.match(line)
        if call:
            target = call.group(1).removesuffix("@PLT")
            if pending is not None and _READ_HOOK.match(target):
                lines[pending.line] = pending.renamed
            written = _WRITE_HOOK.match(target)
            pending = None
            if written:
                copied = "__norn_copy_write" + (written.group(1) or written.group(2))
                pending = _Open(index, line.replace(target, copied, 1))
            continue
        if pending is not None:
            instruction = _INSTRUCTION.match(line)
            if instruction and _ends_the_wait(*instruction.groups(), lowest=lowest[index]):
                pending = None
    return "\n".join(lines)


def _ends_the_wait(mnemonic: str, operands: str, *, lowest: int) -> bool:
    """Whether the instruction may be the announced store, or leaves the straight line of code."""
    if _BRANCHES.match(mnemonic):
        return True
    if not writes_memory(mnemonic, operands):
        return False
    saved = _FRAME_STORE.match(f"{mnemonic} {operands.split('#', 1)[0].strip()}")
    if saved:
        slot = int(saved.group(1) or saved.group(2))
        return slot >= lowest
    return True


def writes_memory(mnemonic: str, operands: str) -> bool:
    operands = operands.split("#", 1)[0].strip()
    if _STRING_OPERATIONS.match(mnemonic):
        # `movsbl`-like sign extensions have other names; a two-operand `movsd` moves a double.
        return "," not in operands or _is_memory(last_operand(operands))
    if any(mnemonic.startswith(name) for name in _ALWAYS_STORES) and not _sign_extends(mnemonic):
        return True
    if any(mnemonic.startswith(name) for name in _READS_LAST) and not mnemonic.startswith(
        ("btr", "bts", "btc")
    ):
        return False
    return bool(operands) and _is_memory(last_operand(operands))


def _sign_extends(mnemonic: str) -> bool:
    return bool(re.match(r"^movs(?:[bwl][wlq]|s|d|x|bl|ldup|hdup)$", mnemonic))


def last_operand(operands: str) -> str:
    """The destination: what follows the last comma outside parentheses."""
    depth = 0
    for position in range(len(operands) - 1, -1, -1):
        character = operands[position]
        if character == ")":
            depth += 1
        elif character == "(":
            depth -= 1
        elif character == "," and depth == 0:
            return operands[position + 1 :].strip()
    return operands.strip()


def _is_memory(operand: str) -> bool:
    return not operand.startswith(("%", "$")) or operand.startswith(("%fs:", "%gs:"))


def _lowest_frame_addresses(lines: list[str]) -> list[int]:
    """For each line, the lowest frame offset whose address its function computes."""
    lowest = [0] * len(lines)
    start = 0
    current = 0
    for index, line in enumerate(lines):
        found = _FRAME_ADDRESS.match(line)
        if found:
            current = min(current, int(found.group(1)))
        elif _FUNCTION_START.match(line) or index == len(lines) - 1:
            lowest[start : index + 1] = [current] * (index + 1 - start)
            start, current = index + 1, 0
    return lowest
