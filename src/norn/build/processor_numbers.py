"""Replaces instructions whose results differ from run to run, in the assembly of the program.

`rdrand` and `rdseed` draw random numbers and `rdtsc` reads a clock, by an intrinsic or inline assembly. An
execution has to do the same again: each becomes a call of the engine, which gives its own random numbers and
its virtual time (engine/executor/native/processor_numbers.cpp) and changes no register but those of the
instruction. Below the stack pointer there may be variables (the red zone), so the call is made further down.
"""

from __future__ import annotations

import re

_MENTIONED = re.compile(r"\brd(?:rand|seed|tscp?)")
# One of several statements of a line, perhaps: inline assembly separates them by semicolons.
_RANDOM = re.compile(r"(?<![\w.$%\"])rd(?:rand|seed)[wlq]?\s+%(\w+)")
_CLOCK = re.compile(r"(?<![\w.$%\"])rdtsc(p?)(?!\w)")
_BELOW, _BACK = "leaq -136(%rsp), %rsp", "leaq 136(%rsp), %rsp"
_MOVES = {16: "movw", 32: "movl", 64: "movq"}


def rewrite(assembly: str) -> str:
    if not _MENTIONED.search(assembly):
        return assembly
    return "\n".join(_rewritten(line) for line in assembly.split("\n"))


def _rewritten(line: str) -> str:
    if line.lstrip().startswith((".", "#", "//")) or not _MENTIONED.search(line):
        return line
    return _CLOCK.sub(_read_clock, _RANDOM.sub(_draw, line))


def _draw(instruction: re.Match[str]) -> str:
    register = instruction[1]
    move = _MOVES[_bits_of(register)]
    # With the carry flag the processor says that there is a number.
    return f"{_BELOW}; call norn_instead_of_rdrand; {move} (%rsp), %{register}; {_BACK}; stc"


def _read_clock(instruction: re.Match[str]) -> str:
    processor = "; xorl %ecx, %ecx" if instruction[1] else ""
    return f"{_BELOW}; call norn_instead_of_rdtsc; movl (%rsp), %eax; movl 4(%rsp), %edx; {_BACK}{processor}"


def _bits_of(register: str) -> int:
    if register.startswith("e") or re.fullmatch(r"r\d+d", register):
        return 32
    return 64 if register.startswith("r") and not register.endswith("w") else 16
