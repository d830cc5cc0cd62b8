"""Which memory of a function's frame other threads may know although accesses to it are not reported.

Compilers report accesses to a local variable if its address is given away. There are two exceptions. They
are generous here: an access too many that is reported is one to memory that no other thread touches, which
is not an event.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Ranges = tuple[tuple[int, int], ...]  # from an offset to %rbp to another one
FrameRule = Callable[[str], Ranges]  # of the assembly of a function

_ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
_KEEPING_NOTHING = ("__tsan_", "memcpy", "memmove", "memset")  # of what they are given
_CLOBBERED = ("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")

# gcc keeps the variables that nested functions use in one object, whose address is passed in %r10, written
# into a trampoline (which begins with this number) or given to a function that makes one.
_HAS_NESTED = re.compile(
    r"leaq\s+-?\d*\(%r[bs]p\),\s*%(r\w+)\n(?:\s+\.loc.*\n)*\s+movq\s+%\1,\s*%r10\s*$"
    r"|(?:leaq\s+-?\d*\(%r[bs]p\)|movq\s+%rsp),\s*%r10\s*$|\$-17599\b|__gcc_nested_func_ptr_created",
    re.MULTILINE,
)
_FRAME_ADDRESS = re.compile(r"^\s+leaq\s+(-\d+)\(%rbp[,)]", re.MULTILINE)

_ADDRESS = re.compile(r"^\s+leaq\s+(-\d+)\(%rbp(?:,[^)]*)?\),\s*%(r\w+)")
_COPY = re.compile(r"^\s+movq\s+%(r\w+),\s*%(r\w+)")
_SPILL = re.compile(r"^\s+movq\s+%(r\w+),\s*(-?\d*\(%rbp\))\s+# 8-byte Spill")
_RELOAD = re.compile(r"^\s+movq\s+(-?\d*\(%rbp\)),\s*%(r\w+)\s+# 8-byte Reload")
_STORE = re.compile(r"^\s+movq\s+%(r\w+),\s*[^%\s]")
_CALL = re.compile(r"^\s+callq?\s+(\S+)")
_MOVES_ON = re.compile(r"^\s+(?:add|sub)q\s+[^,]+,\s*%(r\w+)")
_OVERWRITE = re.compile(r"^\s+[a-z]\w*\s+.*,\s*%(\w+)\s*(?:#.*)?$")


def nothing(function: str) -> Ranges:
    """For compilers without exceptions."""
    return ()


def of_nested_functions(function: str) -> Ranges:
    """With gcc: from the lowest variable whose address is computed."""
    if not _HAS_NESTED.search(function):
        return ()
    lowest = min(map(int, _FRAME_ADDRESS.findall(function)), default=None)
    return () if lowest is None else ((lowest, 0),)


def of_fields(function: str) -> Ranges:
    """With clang before 22: accesses by name to fields and elements are not reported.

    A variable whose address is stored or given to a function (but a hook or a copy) extends to the next one
    whose address is computed.
    """
    starts = sorted({int(offset) for offset in _FRAME_ADDRESS.findall(function)})
    if not starts:
        return ()
    given = _given_away(function)
    return tuple((start, end) for start, end in zip(starts, [*starts[1:], 0], strict=True) if start in given)


def _given_away(function: str) -> set[int]:
    given: set[int] = set()
    held: dict[str, int] = {}  # by register or spill slot

    def move(source: str, target: str) -> None:
        if source in held:
            held[target] = held[source]
        else:
            held.pop(target, None)

    for line in function.split("\n"):
        if match := _ADDRESS.match(line):
            held[match[2]] = int(match[1])
        elif match := _SPILL.match(line) or _RELOAD.match(line) or _COPY.match(line):
            move(match[1], match[2])
        elif match := _CALL.match(line):
            if not match[1].startswith(_KEEPING_NOTHING):
                given.update(held[name] for name in _ARGUMENTS if name in held)
            for name in _CLOBBERED:
                held.pop(name, None)
        elif match := _STORE.match(line):
            if match[1] in held:
                given.add(held[match[1]])
        elif not _MOVES_ON.match(line) and (match := _OVERWRITE.match(line)):
            held.pop(match[1], None)
    return given
