"""From objects to the executable: dependencies, compile, rename, link. Knows nothing of caching.

For each source:   instrument.compile_source  ->  objcopy --redefine-syms (`prepare`). Then one link with the
engine's objects; the driver links without -fsanitize, so that no sanitizer runtime comes in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from norn.build import instrument, link_advice, own_functions, preprocessed, tool
from norn.build.engine_files import EngineFiles
from norn.build.options import CompilerOptions
from norn.build.toolchain import Compiler, find_objcopy, is_cxx, is_preprocessed
from norn.errors import BuildError


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
    """Builds the executable in `directory`. Returns it with notes about functions of the program."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        numbered = list(enumerate(job.sources))
        list(pool.map(lambda item: _compile(job, item[1], directory / f"{item[0]}.o"), numbered))
    objects = [directory / f"{number}.o" for number, _ in numbered]
    renames = directory / "renames.txt"
    notes = own_functions.write_renames(job.engine, objects, _static_libraries(job), renames)
    for source, each in zip(job.sources, objects, strict=True):
        prepare(renames, source, each)
    program = directory / "program"
    link(
        job.compilers[job.cxx],
        job.engine,
        objects,
        job.options.link,
        program,
        cxx=job.cxx,
        text=lambda: "".join(_preprocessed(job, source) for source in job.sources),
    )
    return program, notes


def _preprocessed(job: Job, source: Path) -> str:
    return tool.run([*job.compile_command(source), "-E", "-P", str(source)], f"cannot preprocess {source}")


def _compile(job: Job, source: Path, target: Path) -> None:
    compiler = job.compilers[is_cxx(source)]
    instrument.compile_source(compiler, job.compile_command(source), source, target)
    if is_preprocessed(source) and (wrong := preprocessed.foreign_type(target)):
        raise BuildError(
            f"{source} was preprocessed with the headers of another system ({wrong}); "
            "preprocess it here, or give the original source"
        )


def _static_libraries(job: Job) -> list[Path]:
    """Those of the -l options that the linker finds as archives, in the directories of -L."""
    found = []
    for name in job.options.libraries:
        for place in job.options.library_directories:
            shared, static = (Path(place) / f"lib{name}{suffix}" for suffix in (".so", ".a"))
            if static.is_file() and not shared.is_file():
                found.append(static)
            if static.is_file() or shared.is_file():
                break
    return found


def prepare(renames: Path, source: Path, compiled: Path) -> None:
    """Makes an instrumented object call norn's models."""
    tool.run([find_objcopy(), f"--redefine-syms={renames}", str(compiled)], f"cannot prepare {source}")


def link(
    compiler: Compiler,
    engine: EngineFiles,
    objects: Sequence[Path],
    options: Sequence[str],
    program: Path,
    *,
    cxx: bool,
    text: Callable[[], str] = lambda: "",
) -> str:
    """Links prepared objects with the engine. Returns what the linker printed.

    text: the sources, for advice where it fails.
    """
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
        missing = link_advice.undefined_names(problem.output)
        if "main" in missing:
            # The linker says that norn's own runtime calls main, which helps nobody.
            output = problem.output if set(missing) != {"main"} else ""
            raise BuildError("the sources have no main function", output) from problem
        advice = [each.text for each in link_advice.advise(problem.output, text())]
        raise BuildError("\n".join([problem.message, *advice]), problem.output) from problem
