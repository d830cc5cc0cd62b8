"""Finds accesses that gcc does not report, and says where they are.

gcc reports neither the store of a struct that a function returns (`global = f();`) nor the read of a struct
that is passed by value (`f(global)`). norn cannot see such accesses, so the user is told. At -O0 they are
recognisable: a reported access is preceded, in the same straight line of code, by a hook that is given the
variable's address as the constant `$variable`; an unreported one touches the variable without that.

Only variables that are certainly global and writable are looked at: a gap is never claimed where there is
none. Inline assembly (between gcc's marks #APP and #NO_APP) is never reported; an empty one is only a barrier
for the compiler.
"""

from __future__ import annotations

import re

from norn.build.gcc_assembly import last_operand, writes_memory

_SECTION = re.compile(r"^\s+\.(?:section\s+([^\s,]+)|(text|data|bss))\b")
_COMMON = re.compile(r"^\s+\.l?comm\s+([^\s,]+)")
_LABEL = re.compile(r"^([A-Za-z_][\w.$]*|\.L\d+):")
_FILE = re.compile(r'^\s+\.file\s+(\d+)\s+(?:"[^"]*"\s+)?"([^"]+)"')
_LOCATION = re.compile(r"^\s+\.loc\s+(\d+)\s+(\d+)")
_INSTRUCTION = re.compile(r"^\s+(?!\.)([a-z][a-z0-9]*)\s+([^#]*)")
_ADDRESS_TAKEN = re.compile(r"\$([A-Za-z_][\w.$]*)")
_DIRECT_ACCESS = re.compile(r"(?<![\w.$:])([A-Za-z_][\w.$]*)(?:[+-]\d+)*\((?:%rip|%r\w+|,)")
_ASSEMBLY_BEGINS, _ASSEMBLY_ENDS = "#APP", "#NO_APP"
_WRITABLE = (".data", ".bss", "data", "bss")
# Guards of function-local statics: the compiler's own variables.
_INTERNAL = ("_ZGV", "__gcov")


def describe(assembly: str) -> list[str]:
    """One warning per source line with an access that gcc hides."""
    lines = assembly.split("\n")
    writable = _writable_variables(lines)
    files: dict[str, str] = {}
    place = ("", 0)
    addressed: set[str] = set()
    found: dict[tuple[str, int, str, str], None] = {}  # in order of appearance
    inline: dict[tuple[str, int], None] = {}
    in_inline = False
    for line in lines:
        if line.startswith((_ASSEMBLY_BEGINS, _ASSEMBLY_ENDS)):
            in_inline = line.startswith(_ASSEMBLY_BEGINS)
        elif in_inline and _INSTRUCTION.match(line):
            inline[place] = None
        elif match := _LABEL.match(line):
            addressed.clear()
        elif match := _LOCATION.match(line):
            place = (files.get(match.group(1), ""), int(match.group(2)))
        elif match := _FILE.match(line):
            files[match.group(1)] = match.group(2)
        elif match := _INSTRUCTION.match(line):
            mnemonic, operands = match.group(1), match.group(2).strip()
            addressed.update(_ADDRESS_TAKEN.findall(operands))
            touched = _DIRECT_ACCESS.search(operands)
            if touched is None:
                continue
            variable = touched.group(1)
            if mnemonic.startswith("lea"):
                addressed.add(variable)
            elif variable in writable and variable not in addressed:
                stored = writes_memory(mnemonic, operands) and variable in last_operand(operands)
                found[(*place, "write" if stored else "read", variable)] = None
    unseen = [
        f"{file}:{line}: what inline assembly reads and writes is not seen: its interleavings are missed"
        for file, line in inline
    ]
    return unseen + [
        f"{file}:{line}: gcc does not report this {access} of “{variable}” (a struct returned or passed "
        "by value): interleavings at it are not explored"
        for file, line, access, variable in found
    ]


def _writable_variables(lines: list[str]) -> set[str]:
    variables: set[str] = set()
    in_writable = False
    for line in lines:
        if match := _SECTION.match(line):
            section = match.group(1) or match.group(2)
            in_writable = section.startswith(_WRITABLE) and ".rel.ro" not in section
        elif (match := _COMMON.match(line)) or (in_writable and (match := _LABEL.match(line))):
            variables.add(match.group(1))
    return {name for name in variables if not name.startswith((".", *_INTERNAL))}
