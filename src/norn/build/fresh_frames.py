"""Makes every stack frame begin as zeros, in the assembly between compiler and assembler.

A frame lies where earlier calls had theirs: those of the program, of libraries, and of the engine, whose
hooks run on the stacks of the program. What they left there shows in variables that are not initialised, in
slots that the compiler has not used yet and in padding. It would make executions differ, and the state of a
thread depend on more than what the thread itself did (engine/executor/native/thread_state.h). So whatever
lowers the stack pointer also clears what it takes:

    subq $16, %rsp            subq $16, %rsp
                      ==>     movq $0, 0(%rsp)
                              movq $0, 8(%rsp)
                              cmpb $0, norn_has_unseen_writes(%rip)
                              je 1f
                              pushq $16
                              call norn_fresh_frame
                          1:

The call tells the engine that what other threads wrote here does not matter any more (unseen_writes.h). Large
frames are cleared by it, too. It leaves all registers as they are. Inline assembly stays as it is. The stores
are marked, since they are no accesses of the program (unseen.py).
"""

from __future__ import annotations

import re

_TAKES_CONSTANT = re.compile(r"\s+(?:subq\s+\$(\d+)|addq\s+\$-(\d+)|leaq\s+-(\d+)\(%rsp\)),\s*%rsp\b")
_TAKES_REGISTER = re.compile(r"\s+subq\s+(%r\w+),\s*%rsp\b")
_ALIGNS = re.compile(r"\s+andq\s+\$-(\d+),\s*%rsp\b")
_MOVES = re.compile(r"\s+movq\s+(%r(?!bp)\w+),\s*%rsp\b")
_INLINE_ASSEMBLY = re.compile(r"\s*#(NO_)?APP\b")

MARK = "# fresh"  # at the end of what clears
_LONGEST_INLINE = 128  # bytes that are cleared one by one


def clear(assembly: str) -> str:
    """The assembly with instructions that clear frames."""
    lines: list[str] = []
    in_inline_assembly = False
    for line in assembly.split("\n"):
        marker = _INLINE_ASSEMBLY.match(line)
        if marker is not None:
            in_inline_assembly = marker[1] is None
        if in_inline_assembly or "%rsp" not in line:
            lines.append(line)
        elif taken := _TAKES_CONSTANT.match(line):
            keeps_flags = taken[3] is not None
            lines += [line, *_clear_taken(int(taken[1] or taken[2] or taken[3]), keeps_flags)]
        elif taken := _TAKES_REGISTER.match(line):
            lines += [line, f"\tpushq\t{taken[1]}", "\tcall\tnorn_fresh_frame"]
        elif aligned := _ALIGNS.match(line):
            lines += [*(_cleared(f"-{at}(%rsp)") for at in range(8, int(aligned[1]) + 1, 8)), line]
        elif moved := _MOVES.match(line):
            lines += [f"\tpushq\t{moved[1]}", "\tcall\tnorn_fresh_stack", line]
        else:
            lines.append(line)
    return "\n".join(lines)


def _cleared(place: str) -> str:
    return f"\tmovq\t$0, {place}\t{MARK}"


def _clear_taken(size: int, keeps_flags: bool) -> list[str]:
    call = [f"\tpushq\t${size}", "\tcall\tnorn_fresh_frame"]
    if keeps_flags or size > _LONGEST_INLINE or size % 8 != 0:
        return call
    stores = [_cleared(f"{at}(%rsp)") for at in range(0, size, 8)]
    return [*stores, "\tcmpb\t$0, norn_has_unseen_writes(%rip)", "\tje\t7707f", *call, "7707:"]
