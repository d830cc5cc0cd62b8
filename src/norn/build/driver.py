"""norn-cc and norn-c++: compilers that a project's own build system can use in place of gcc or clang.

Whatever they are asked, the real compiler does it, with the words as given, so that probes of `configure`,
generators that a build runs, its tests and the program itself work as always. Where an object came out, the
source is compiled once more with instrumentation, quietly, and put into the object (`fat_object`). At a link,
an object more goes to the linker: it carries the instrumented code of sources given right there, and a note
of the command. The linker does the rest. `norn check ./program` takes out what it finds (`binary`).

A source that does not compile with instrumentation does not end the build: its part says so, and `norn check`
will.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

from norn.build import checked_options, engine_files, fat_object, instrument, toolchain
from norn.build.command_line import Item, Kind, parse
from norn.build.fat_object import Part
from norn.build.toolchain import Compiler
from norn.errors import BuildError, NornError

# The linker would take such objects for its plugin's and drop the instrumented code in them.
_LINK_TIME_OPTIMISATION = ("-flto", "-fuse-linker-plugin", "-ffat-lto-objects", "-fno-fat-lto-objects")
_WITHOUT_ASSERTIONS = "built with -DNDEBUG, as releases are: there are no assertions in it that could fail"
_STANDARD_INPUT = "-"
_FAILED = 1


def main_cc() -> NoReturn:
    """Entry point of `norn-cc`."""
    _main("norn-cc", cxx=False)


def main_cxx() -> NoReturn:
    """Entry point of `norn-c++`."""
    _main("norn-c++", cxx=True)


def _main(name: str, cxx: bool) -> NoReturn:
    try:
        sys.exit(Driver(sys.argv[1:], cxx).run())
    except NornError as problem:
        said = str(problem)
        if isinstance(problem, BuildError):
            sys.stderr.write(problem.output)
            said = problem.message
        print(f"{name}: {said}", file=sys.stderr)
    except OSError as problem:
        print(f"{name}: {problem.filename or 'error'}: {problem.strerror}", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
    sys.exit(_FAILED)


class Driver:
    """One call of norn-cc."""

    def __init__(self, words: list[str], cxx: bool) -> None:
        self._cxx = cxx
        self._real = toolchain.find_real_compiler(cxx)
        self._line = parse(words, cxx)
        self._words = words
        expanded = [word for item in self._line.items for word in item.words]
        if any(word.startswith(_LINK_TIME_OPTIMISATION) for word in expanded):
            self._words = [word for word in expanded if not word.startswith(_LINK_TIME_OPTIMISATION)]
            self._line = parse(self._words, cxx)

    def run(self) -> int:
        """Returns the exit status."""
        line = self._line
        compiles = line.makes_objects and bool(line.sources)
        if not compiles and not line.links:
            return self._only_the_real_compiler()
        self._engine = engine_files.locate()
        self._fingerprint = instrument.fingerprint(self._engine)
        self._text = None
        if any(item.name == _STANDARD_INPUT for item in line.sources):
            self._text = sys.stdin.buffer.read()
        with tempfile.TemporaryDirectory(prefix="norn-cc-", ignore_cleanup_errors=True) as place:
            return self._compile(Path(place)) if compiles else self._link(Path(place))

    def _only_the_real_compiler(self) -> NoReturn:
        sys.stdout.flush()
        os.execvp(self._real[0], [*self._real, *self._words, *self._include()])

    def _include(self) -> list[str]:
        """<norn.h> is found by ordinary compilations, too, but after everything of that name."""
        return ["-idirafter", str(engine_files.locate().include)] if self._line.sources else []

    def _run_real_compiler(self, *more: str) -> int:
        command = [*self._real, *self._words, *self._include(), *more]
        status = subprocess.run(command, input=self._text, check=False).returncode
        return status if status >= 0 else 128 - status  # as a shell reports a signal

    def _compile(self, workplace: Path) -> int:
        status = self._run_real_compiler()
        if status != 0:
            return status
        for source in self._line.sources:
            target = Path(self._line.output or Path(source.name).with_suffix(".o").name)
            if not target.is_file():  # /dev/null
                continue
            try:
                fat_object.embed(target, [self._part(source, workplace, target)], workplace)
            except BaseException:
                target.unlink(missing_ok=True)  # or the next build would take it for complete
                raise
        return 0

    def _link(self, workplace: Path) -> int:
        line = self._line
        parts = [part for item in line.inputs if (part := self._part_of_input(item, workplace)) is not None]
        if not line.links_partly:
            words = checked_options.to_link(line, Path.cwd())
            parts.append(self._new_part(fat_object.LINK, "", arguments=tuple(words)))
        if not parts:
            return self._run_real_compiler()
        companion = fat_object.companion(self._real, parts, workplace, with_stubs=not line.links_partly)
        # An -x before it would hold for it, too.
        return self._run_real_compiler("-x", "none", str(companion))

    def _part_of_input(self, item: Item, workplace: Path) -> Part | None:
        """What has to be brought along: other objects have their parts with them."""
        if item.kind in (Kind.C, Kind.CXX):
            return self._part(item, workplace, None)
        if item.kind is Kind.ASSEMBLY:
            target = workplace / "assembled.o"
            options = checked_options.to_compile(self._line)
            language = ["-x", item.language] if item.language else []
            command = [*self._real, *options, "-c", *language, item.name, "-o", str(target)]
            done = subprocess.run(command, input=self._text, capture_output=True, check=False)
            return self._part(item, workplace, target) if done.returncode == 0 else None
        path = Path(item.name)
        if item.kind is not Kind.LINK_INPUT or path.suffix not in (".o", ".obj") or not path.is_file():
            return None
        data = path.read_bytes()
        if fat_object.has_parts(data):
            return None
        warning = f"{path} was not compiled by norn-cc: what it reads and writes is not seen"
        return self._new_part(fat_object.UNSEEN, str(path), warnings=(warning,), contents=data)

    def _part(self, source: Item, workplace: Path, compiled: Path | None) -> Part:
        """The part of a source. compiled: the ordinary object, where there is one."""
        name = source.name if source.name == _STANDARD_INPUT else str(Path(source.name))
        if source.kind is Kind.ASSEMBLY:
            assert compiled is not None
            warning = f"{name} is assembly: what it reads and writes is not seen"
            contents = compiled.read_bytes()
            return self._new_part(fat_object.UNSEEN, name, warnings=(warning,), contents=contents)
        cxx = source.kind is Kind.CXX
        try:
            compiler = toolchain.identify(self._real)
            if compiler is None:
                raise BuildError(f"{self._real[0]} is neither gcc nor clang")
            warnings = self._instrument(compiler, source, name, workplace / "part.o")
        except BuildError as problem:
            return self._new_part(fat_object.FAILED, name, cxx=cxx, message=problem.output or str(problem))
        contents = (workplace / "part.o").read_bytes()
        return self._new_part(fat_object.INSTRUMENTED, name, cxx=cxx, warnings=warnings, contents=contents)

    def _instrument(self, compiler: Compiler, source: Item, name: str, target: Path) -> tuple[str, ...]:
        """At -O0; with the level of the project only where that fails, which some code does."""
        options = [*checked_options.to_compile(self._line), "-w"]
        cxx = source.kind is Kind.CXX
        without = [_WITHOUT_ASSERTIONS] if checked_options.defines(self._line, "NDEBUG") else []

        def compile_at(level: str) -> tuple[str, ...]:
            command = instrument.compile_command(compiler, cxx, options, level, self._engine)
            instrument.compile_source(
                compiler, command, name, target, language=source.language, text=self._text
            )
            return (*without, *compiler.warnings(level))

        own_level = self._line.optimisation
        try:
            return compile_at("-O0")
        except BuildError:
            if own_level in ("", "-O0"):
                raise
        warnings = compile_at(own_level)
        return (
            f"{name} does not compile at -O0, so that it is checked at {own_level}",
            *warnings,
        )

    def _new_part(
        self,
        kind: str,
        source: str,
        *,
        cxx: bool | None = None,
        warnings: tuple[str, ...] = (),
        message: str = "",
        arguments: tuple[str, ...] = (),
        contents: bytes = b"",
    ) -> Part:
        return Part(
            kind,
            source,
            str(Path.cwd()),
            self._real,
            self._cxx if cxx is None else cxx,
            self._fingerprint,
            warnings,
            message,
            arguments,
            contents,
        )
