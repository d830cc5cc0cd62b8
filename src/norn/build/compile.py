"""From objects to the executable: dependencies, compile, rename, link. Knows nothing of caching.

For each source:   instrument.compile_source  ->  objcopy --redefine-syms (`prepare`). Then one link with the
engine's objects; the driver links without -fsanitize, so that no sanitizer runtime comes in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from norn.build import instrument, preprocessed, tool, unseen_calls
from norn.build.engine_files import EngineFiles
from norn.build.options import CompilerOptions
from norn.build.toolchain import Compiler, find_objcopy, is_cxx, is_preprocessed
from norn.errors import BuildError

# What ld, gold and lld say of a symbol that nobody defines.
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) *\W?(\w+)")


@dataclass(frozen=True)
class Job:
    """Everything that determines the executable."""

    sources: tuple[Path, ...]  # as the user named them: they appear in messages and in __FILE__
    options: CompilerOptions
    compilers: dict[bool, Compiler]  # by "is C++"
    engine: EngineFiles

    @property
    def cxx(self) -> bool:
        return any(is_cxx(source) for source in self.sources)

    def compile_command(self, source: Path) -> list[str]:
        cxx = is_cxx(source)
        return instrument.compile_command(
            self.compilers[cxx], cxx, self.options.compile, self.options.optimisation, self.engine
        )


def dependencies(job: Job, source: Path) -> list[Path]:
    """The source and every header it includes, by the compiler's own account."""
    if is_preprocessed(source):
        return [source]
    output = tool.run(
        [*job.compile_command(source), "-M", "-MT", "x", str(source)], f"cannot compile {source}"
    )
    _, _, names = output.partition(":")
    # Make's escapes: a backslash ends a line or protects a space; a dollar is doubled.
    names = names.replace("\\\n", " ").replace("\\ ", "\0").replace("$$", "$").replace("\\#", "#")
    return [Path(name.replace("\0", " ")) for name in names.split()]


def compile_and_link(job: Job, directory: Path) -> tuple[Path, list[str]]:
    """Builds the executable in `directory`. Returns it with warnings about accesses that stay invisible."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        numbered = list(enumerate(job.sources))
        compiled = list(pool.map(lambda item: _compile(job, item[1], directory / f"{item[0]}.o"), numbered))
    objects = [directory / f"{number}.o" for number, _ in numbered]
    program = directory / "program"
    link(job.compilers[job.cxx], job.engine, objects, job.options.link, program, cxx=job.cxx)
    return program, [warning for warnings in compiled for warning in warnings]


def _compile(job: Job, source: Path, target: Path) -> list[str]:
    compiler = job.compilers[is_cxx(source)]
    warnings = instrument.compile_source(compiler, job.compile_command(source), source, target)
    if is_preprocessed(source) and (wrong := preprocessed.foreign_type(target)):
        raise BuildError(
            f"{source} was preprocessed with the headers of another system ({wrong}); "
            "preprocess it here, or give the original source"
        )
    return [*warnings, *prepare(job.engine, source, target)]


def prepare(engine: EngineFiles, source: Path, compiled: Path) -> list[str]:
    """Makes an instrumented object call norn's models. Returns warnings about calls that norn cannot see."""
    tool.run([find_objcopy(), f"--redefine-syms={engine.renames}", str(compiled)], f"cannot prepare {source}")
    return unseen_calls.describe(compiled, source)


def link(
    compiler: Compiler,
    engine: EngineFiles,
    objects: Sequence[Path],
    options: Sequence[str],
    program: Path,
    *,
    cxx: bool,
) -> str:
    """Links prepared objects with the engine. Returns what the linker printed."""
    command = [
        *compiler.command,
        "-no-pie",
        "-Wl,--wrap=main",
        "-Wl,-z,now",
        "-o",
        str(program),
        *map(str, objects),
        str(engine.engine),
        *([str(engine.engine_cxx)] if cxx else []),
        *options,
        "-lpthread",
        "-ldl",
        "-lm",
    ]
    try:
        return tool.run(command, "cannot link the program")
    except BuildError as problem:
        missing = _UNDEFINED.findall(problem.output)
        if "main" not in missing:
            raise
        # The linker says that norn's own runtime calls main, which helps nobody.
        output = problem.output if set(missing) != {"main"} else ""
        raise BuildError("the sources have no main function", output) from problem
