"""One source to one instrumented object. Used by `norn check` and by norn-cc alike.

    compiler -S  ->  gcc_assembly.rewrite (gcc only), fresh_frames.clear, unseen.show,
                     processor_numbers.rewrite, dialect.mark, red_zones.add  ->  compiler -c

What comes out still calls the library functions that norn models by their own names: `compile.prepare`
renames them, with the names of the engine that the object is linked with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from norn.build import dialect, fresh_frames, gcc_assembly, processor_numbers, red_zones, tool, unseen
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
) -> None:
    """Compiles into `target`.

    language: for the compiler's -x, where the name of the source does not tell. text: the source, if it is
    `-`, standard input.
    """
    what = [*(["-x", language] if language else []), str(source)]
    assembly = target.with_suffix(".s")
    tool.run([*command, "-S", *what, "-o", str(assembly)], f"cannot compile {source}", text)
    code = assembly.read_text(encoding="utf-8", errors="surrogateescape")
    if compiler.family == "gcc":
        code = gcc_assembly.rewrite(code)
    code = unseen.show(fresh_frames.clear(code), compiler.frame_rule)
    # (After that: its calls in inline assembly touch no memory of the program.)
    code = red_zones.add(dialect.mark(processor_numbers.rewrite(code)))
    assembly.write_text(code, encoding="utf-8", errors="surrogateescape")
    tool.run([*compiler.command, "-c", str(assembly), "-o", str(target)], f"cannot assemble {source}")


def fingerprint(engine: EngineFiles) -> str:
    """Changes whenever instrumented objects may come out differently, or mean something else."""
    content = hashlib.sha256()
    modules = sorted(Path(__file__).parent.glob("*.py"))
    for path in (*modules, engine.cxx_prelude, engine.include / "norn.h"):
        content.update(path.read_bytes())
    return content.hexdigest()[:16]
