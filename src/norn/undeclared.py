"""Functions that a C source calls without having declared them, and whose values are cut by that.

Old C lets a program call what it has not declared: it is taken for a function that returns an int. Where it
returns more (`malloc`, a pointer of 64 bits), the rest of the value is lost, and whatever the program does
with it is not what the source means. The compiler names such functions; the headers of the system, or another
source of the same program, say what they return.

    sources ──► the compiler's warnings ──► names ──► declarations elsewhere ──► those that matter

Functions that nobody declares are not defined either, and calling one is refused. The dialect of verification
tasks needs no declarations: values of `__VERIFIER_nondet_*` are as wide as the call expects.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from norn.build import tool
from norn.build.toolchain import Compiler, is_cxx

_IMPLICIT = re.compile(r"(?:implicit declaration of function|call to undeclared function) ['‘](\w+)['’]")
_DIALECT = re.compile(r"__VERIFIER_\w+|reach_error|assume_abort_if_not")
# What -aux-info of gcc writes: /* file:line:NC */ extern void *malloc (size_t);
_DECLARED = re.compile(r"\*/ (?:extern |static )?([^;(]*?)(\w+) \(")
_ASSUMED = re.compile(r":\d+:I\w \*/")  # not declared there either
_AS_WIDE_AS_INT = frozenset(
    {"int", "void", "unsigned int", "unsigned", "_Bool", "char", "short int", "unsigned char"}
)
_HEADERS = """
    assert ctype errno fcntl inttypes limits malloc math pthread sched semaphore setjmp signal stdio stdlib
    string strings time unistd wchar sys/mman sys/stat sys/time sys/types sys/wait
"""


def cut_values(compiler: Compiler, sources: Sequence[Path], options: Sequence[str]) -> list[str]:
    """Names of undeclared functions whose values are cut, or might be."""
    mine = [source for source in sources if not is_cxx(source)]
    flags = [option for option in options if option != "-w"]
    names = {name for source in mine for name in _undeclared(compiler, source, flags)}
    names = {name for name in names if not _DIALECT.fullmatch(name)}
    if not names or compiler.family != "gcc":
        return sorted(names)
    types = _declared(compiler, mine, flags)
    return sorted(name for name in names if types.get(name, "int") not in _AS_WIDE_AS_INT)


def _undeclared(compiler: Compiler, source: Path, flags: Sequence[str]) -> list[str]:
    wanted = ["-Wimplicit-function-declaration", "-Wno-error", "-fsyntax-only"]
    return _IMPLICIT.findall(
        tool.diagnostics([*compiler.command, *flags, *wanted, "-fno-builtin", str(source)])
    )


def _declared(compiler: Compiler, sources: Sequence[Path], flags: Sequence[str]) -> dict[str, str]:
    """What functions return, by the headers of the system and by all sources that define them."""
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="norn-") as directory:
        headers = Path(directory) / "headers.c"
        headers.write_text(
            "#define _GNU_SOURCE\n" + "".join(f"#include <{name}.h>\n" for name in _HEADERS.split())
        )
        written = Path(directory) / "declared"
        for source in (headers, *sources):
            written.unlink(missing_ok=True)
            tool.diagnostics(
                [*compiler.command, *flags, "-w", "-fsyntax-only", "-aux-info", str(written), str(source)]
            )
            for line in written.read_text(errors="replace").splitlines() if written.exists() else ():
                declared = _DECLARED.search(line)
                if declared is not None and not _ASSUMED.search(line):
                    found.setdefault(declared[2], declared[1].strip())
    return found
