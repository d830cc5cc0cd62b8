"""Marks the functions whose names mean something in the dialect of verification benchmarks.

The body of a function named `__VERIFIER_atomic_...` is an atomic section; to reach a function named
`reach_error` or `__VERIFIER_error` is the failure itself, whatever its body does. Programs define such
functions themselves, often as static ones, and call them directly, by pointer or as the start of a thread. So
it is not the calls that are changed but the functions, in the assembly between compiler and assembler:

    __VERIFIER_atomic_inc:                    __VERIFIER_atomic_inc:
        pushq %rbp                                pushq %rbp
        movq %rsp, %rbp                  ==>      movq %rsp, %rbp
        ...                                       call __norn_section_enter
        leave                                     ...
        ret                                       call __norn_section_leave
                                                  leave
                                                  ret

The engine's two functions (engine/executor/native/atomic_section.cpp) leave every register as it is.
"""

from __future__ import annotations

import re

# In C++ a name is mangled: its length before it, the types of the parameters after it.
_SECTION = re.compile(r"(?:_ZL?\d+)?__VERIFIER_atomic_(?!(?:begin|end)(?:v|$))\w*")
_ERROR = re.compile(r"(?:_ZL?\d+)?(?:reach_error|__VERIFIER_error)v?")
_LABEL = re.compile(r"([A-Za-z_]\w*):")
_FRAME_MADE = re.compile(r"\s+movq\s+%rsp, %rbp\b")
_FRAME_GIVEN_UP = re.compile(r"\s+(?:leaveq?|popq\s+%rbp)\b")
_FUNCTION_END = re.compile(r"\s+\.cfi_endproc\b")


def mark(assembly: str) -> str:
    """The assembly with calls of the engine in these functions."""
    if "__VERIFIER_" not in assembly and "reach_error" not in assembly:
        return assembly
    lines: list[str] = []
    at_start = at_end = ""  # what to call in the function at hand
    for line in assembly.split("\n"):
        label = _LABEL.match(line)
        if label is not None:
            if _SECTION.fullmatch(label[1]):
                at_start, at_end = "__norn_section_enter", "__norn_section_leave"
            elif _ERROR.fullmatch(label[1]):
                at_start, at_end = "__norn_reached_error", ""
        elif _FUNCTION_END.match(line):
            at_start = at_end = ""
        if at_end and _FRAME_GIVEN_UP.match(line):
            lines.append(f"\tcall\t{at_end}")
        lines.append(line)
        if at_start and _FRAME_MADE.match(line):
            lines.append(f"\tcall\t{at_start}")
            at_start = ""
    return "\n".join(lines)
