"""One source to one instrumented object. Used by `norn check` and by norn-cc alike.

    compiler -S   ->  gcc_assembly.rewrite (gcc only), dialect.mark, red_zones.add   ->  compiler -c

What comes out still calls the library functions that norn models by their own names: `compile.prepare`
renames them, with the names of the engine that the object is linked with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from norn.build import dialect, gcc_assembly, gcc_gaps, red_zones, tool
from norn.build.engine_files import EngineFiles
from norn.build.toolchain import Compiler


def compile_command(
    compiler: Compiler, cxx: bool, options: Sequence[str], optimisation: str, engine: EngineFiles
) -> list[str]:
    """The compiler with all options for instrumented code, but for what to make of which source."""
    return [
        *compiler.command,
        *compiler.flags(optimisation),
        f"-I{engine.include}",
        *(["-include", str(engine.cxx_prelude)] if cxx else []),
        *options,
    ]


def compile_source(
    compiler: Compiler,
    command: Sequence[str],
    source: str | Path,
    target: Path,
    *,
    language: str = "",
    text: bytes | None = None,
) -> list[str]:
    """Compiles into `target`. Returns warnings about accesses that the compiler hides.

    language: for the compiler's -x, where the name of the source does not tell. text: the source, if it is
    `-`, standard input.
    """
    what = [*(["-x", language] if language else []), str(source)]
    assembly = target.with_suffix(".s")
    tool.run([*command, "-S", *what, "-o", str(assembly)], f"cannot compile {source}", text)
    code = assembly.read_text(encoding="utf-8", errors="surrogateescape")
    warnings: list[str] = []
    if compiler.family == "gcc":
        warnings = gcc_gaps.describe(code)
        code = gcc_assembly.rewrite(code)
    code = red_zones.add(dialect.mark(code))
    assembly.write_text(code, encoding="utf-8", errors="surrogateescape")
    tool.run([*compiler.command, "-c", str(assembly), "-o", str(target)], f"cannot assemble {source}")
    return warnings


def fingerprint(engine: EngineFiles) -> str:
    """Changes whenever instrumented objects may come out differently, or mean something else."""
    content = hashlib.sha256()
    here = Path(__file__).parent
    modules = (
        "instrument",
        "gcc_assembly",
        "dialect",
        "red_zones",
        "toolchain",
        "command_line",
        "checked_options",
        "fat_object",
    )
    for path in (*(here / f"{name}.py" for name in modules), engine.cxx_prelude, engine.include / "norn.h"):
        content.update(path.read_bytes())
    return content.hexdigest()[:16]
