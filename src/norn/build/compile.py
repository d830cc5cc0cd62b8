"""Runs the tools: dependencies, compile, correct, rename, link. Knows nothing of caching.

For each source:   compiler -S   ->  gcc_assembly.rewrite (gcc only), red_zones.add  ->  compiler -c  ->
objcopy --redefine-syms. Then one link with the engine's objects; the driver links without -fsanitize, so that
no sanitizer runtime comes in.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from norn.build import dialect, gcc_assembly, gcc_gaps, preprocessed, red_zones, unseen_calls
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
        compiler = self.compilers[is_cxx(source)]
        return [
            *compiler.command,
            *compiler.flags(self.options.optimisation),
            f"-I{self.engine.include}",
            *(["-include", str(self.engine.cxx_prelude)] if is_cxx(source) else []),
            *self.options.compile,
        ]


def dependencies(job: Job, source: Path) -> list[Path]:
    """The source and every header it includes, by the compiler's own account."""
    if is_preprocessed(source):
        return [source]
    output = _run([*job.compile_command(source), "-M", "-MT", "x", str(source)], f"cannot compile {source}")
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
    _link(job, objects, program)
    return program, [warning for warnings in compiled for warning in warnings]


def _compile(job: Job, source: Path, target: Path) -> list[str]:
    command = job.compile_command(source)
    warnings: list[str] = []
    assembly = target.with_suffix(".s")
    _run([*command, "-S", str(source), "-o", str(assembly)], f"cannot compile {source}")
    text = assembly.read_text(encoding="utf-8", errors="surrogateescape")
    if job.compilers[is_cxx(source)].family == "gcc":
        warnings = gcc_gaps.describe(text)
        text = gcc_assembly.rewrite(text)
    text = red_zones.add(dialect.mark(text))
    assembly.write_text(text, encoding="utf-8", errors="surrogateescape")
    driver = job.compilers[is_cxx(source)].command
    _run([*driver, "-c", str(assembly), "-o", str(target)], f"cannot assemble {source}")
    if is_preprocessed(source) and (wrong := preprocessed.foreign_type(target)):
        raise BuildError(
            f"{source} was preprocessed with the headers of another system ({wrong}); "
            "preprocess it here, or give the original source"
        )
    _run([find_objcopy(), f"--redefine-syms={job.engine.renames}", str(target)], f"cannot prepare {source}")
    return [*warnings, *unseen_calls.describe(target, source)]


def _link(job: Job, objects: Sequence[Path], program: Path) -> None:
    engine = [job.engine.engine, *([job.engine.engine_cxx] if job.cxx else [])]
    command = [
        *job.compilers[job.cxx].command,
        "-no-pie",
        "-Wl,--wrap=main",
        "-Wl,-z,now",
        "-o",
        str(program),
        *map(str, objects),
        *map(str, engine),
        *job.options.link,
        "-lpthread",
        "-ldl",
        "-lm",
    ]
    try:
        _run(command, "cannot link the program")
    except BuildError as problem:
        missing = _UNDEFINED.findall(problem.output)
        if "main" not in missing:
            raise
        # The linker says that norn's own runtime calls main, which helps nobody.
        output = problem.output if set(missing) != {"main"} else ""
        raise BuildError("the sources have no main function", output) from problem


def _run(command: list[str], failure: str) -> str:
    """Runs a tool; its own messages go into the error."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as problem:
        raise BuildError(f"{failure}: {command[0]}: {problem.strerror}") from problem
    if done.returncode < 0:
        raise BuildError(f"{failure}: {command[0]} was killed by signal {-done.returncode}", done.stderr)
    if done.returncode != 0:
        raise BuildError(failure, done.stderr)
    return done.stdout
