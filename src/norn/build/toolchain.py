"""Finds the compiler and knows its flags.

Order: $CC / $CXX, then gcc, then clang, then PyPI's ziglang. The flags keep every access of the source
visible: without them compilers merge, move or hide accesses from the instrumentation, and norn would not see
them.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from norn.build import known_frames
from norn.errors import BuildError

PREPROCESSED_SUFFIXES = frozenset({".i", ".ii"})
CXX_SUFFIXES = frozenset({".cc", ".cpp", ".cxx", ".c++", ".C", ".ii"})
C_SUFFIXES = frozenset({".c", ".i"})
NORN_DRIVERS = frozenset({"norn-cc", "norn-c++"})

# -ftrivial-auto-var-init=zero makes reads of uninitialised locals repeatable; older clangs know only
# `pattern`.
_GCC_WITH_AUTO_INIT = 12
# The first that takes the --param's below.
_OLDEST_GCC = 11
_CLANG_WITH_ZERO_INIT = 16
# Older clangs do not report accesses to fields and elements of a local object whose address has escaped.
_CLANG_SEEING_ESCAPED_LOCALS = 22

# Version 4 of the debug information: addr2line of binutils 2.40 reads the lines of version 5 by gcc with the
# wrong file where a header comes first.
_COMMON_FLAGS = (
    "-g",
    "-gdwarf-4",
    "-fsanitize=thread",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-fno-pie",
    "-fno-omit-frame-pointer",
    "-fno-optimize-sibling-calls",
)
# -ftrivial-auto-var-init of gcc leaves out memory of alloca (clang's does not), which would hold whatever
# earlier calls and executions have left on the stack. A macro does not expand itself again.
_FILLED_ALLOCA = (
    "-D__builtin_alloca(norn_wanted)=__extension__({{ __SIZE_TYPE__ norn_size = (norn_wanted); "
    "__builtin_memset(__builtin_alloca(norn_size), {byte}, norn_size); }})"
)
_CLEARED_ALLOCA = _FILLED_ALLOCA.format(byte=0)
# -mno-align-stringops: copies of large structs go straight through them, as norn can follow it (unseen.py).
_GCC_FLAGS = (
    "-fno-builtin",
    "-mno-align-stringops",
    "--param=tsan-instrument-func-entry-exit=0",
    "--param=tsan-distinguish-volatile=1",
)
_CLANG_FLAGS = (
    "-mllvm",
    "-tsan-instrument-read-before-write",
    "-mllvm",
    "-tsan-instrument-func-entry-exit=0",
    "-mllvm",
    "-tsan-distinguish-volatile",
    "-mcx16",
)
_ZIG_FLAGS = ("-fno-sanitize=undefined", "-mcpu=x86_64")


@dataclass(frozen=True)
class Compiler:
    """One compiler driver for one language."""

    command: tuple[str, ...]
    family: str  # "gcc" or "clang"
    version: str  # "12.2.0"
    banner: str  # first line of --version: part of the cache key
    zig: bool = False

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])

    @property
    def name(self) -> str:
        return f"{shlex.join(self.command)} ({'zig ' if self.zig else ''}{self.family} {self.version})"

    @property
    def too_old(self) -> bool:
        return self.family == "gcc" and self.major < _OLDEST_GCC

    def flags(self, optimisation: str = "-O0") -> tuple[str, ...]:
        """Flags for compiling one source of a checked program."""
        if self.family == "gcc":
            init = ("-ftrivial-auto-var-init=zero",) if self.major >= _GCC_WITH_AUTO_INIT else ()
            return (optimisation, *_COMMON_FLAGS, *_GCC_FLAGS, _CLEARED_ALLOCA, *init)
        kind = "zero" if self.major >= _CLANG_WITH_ZERO_INIT else "pattern"
        zig = _ZIG_FLAGS if self.zig else ()
        return (optimisation, *_COMMON_FLAGS, *_CLANG_FLAGS, f"-ftrivial-auto-var-init={kind}", *zig)

    @property
    def flags_for_other_memory(self) -> tuple[str, ...]:
        """After those above: local variables that are not initialised hold something else. Empty: no way."""
        if self.family != "gcc" or self.major < _GCC_WITH_AUTO_INIT:
            return ()
        return ("-U__builtin_alloca", _FILLED_ALLOCA.format(byte="0xA5"), "-ftrivial-auto-var-init=pattern")

    @property
    def frame_rule(self) -> known_frames.FrameRule:
        """What it is known not to report of a function's frame."""
        if self.family == "gcc":
            return known_frames.of_nested_functions
        is_old = self.major < _CLANG_SEEING_ESCAPED_LOCALS
        return known_frames.of_fields if is_old else known_frames.nothing

    def warnings(self, optimisation: str = "-O0") -> list[str]:
        """What this compiler is known not to report with these flags."""
        found = []
        if optimisation not in ("-O0", "-Og"):
            found.append(
                f"{optimisation} lets {self.family} merge or remove accesses before norn can see them: "
                "interleavings may be missed; leave it out to check with -O0"
            )
        elif optimisation == "-Og":
            found.append("-Og lets the compiler merge some reads before norn can see them; prefer -O0")
        return found


def find_compiler(cxx: bool) -> Compiler:
    """The compiler for C or C++, or a BuildError that says what to install."""
    variable, usual = ("CXX", "g++ or clang++") if cxx else ("CC", "gcc or clang")
    too_old = None
    for command in _candidates(cxx):
        compiler = identify(tuple(command))
        if compiler is not None and not compiler.too_old:
            return compiler
        too_old = too_old or compiler
        if compiler is None and _chosen(variable):
            raise BuildError(
                f"${variable} is set to “{shlex.join(command)}”, which does not run or is not gcc or clang; "
                f"unset it, or set it to {usual}"
            )
    if too_old is not None:
        raise BuildError(
            f"{too_old.name} is too old: norn needs gcc >= {_OLDEST_GCC}, or clang. Install one, and set "
            f"${variable} to it if it has another name."
        )
    language, package = ("C++", "g++") if cxx else ("C", "gcc")
    raise BuildError(
        f"no {language} compiler found (tried ${variable}, gcc, clang and ziglang). "
        f"Install one, for example: apt install {package}. `norn doctor` shows what is there."
    )


def find_real_compiler(cxx: bool) -> tuple[str, ...]:
    """The driver that norn-cc or norn-c++ stands for: $NORN_CC / $NORN_CXX, then as above.

    $CC and $CXX are not looked at: in the builds that these are for, they name norn-cc.
    """
    variable, other = ("NORN_CXX", "NORN_CC") if cxx else ("NORN_CC", "NORN_CXX")
    candidates = _candidates_of(_chosen(variable), _chosen(other), cxx)
    for command in candidates:
        if shutil.which(command[0]) is not None:
            return tuple(command)
    if _chosen(variable):
        raise BuildError(f"${variable} is set to “{_chosen(variable)}”, which is not there")
    raise BuildError(
        f"no compiler found for {'C++' if cxx else 'C'}; install gcc or clang, or set ${variable} to one"
    )


def _chosen(variable: str) -> str:
    """The user's choice in the environment, if it is a real compiler."""
    chosen = os.environ.get(variable, "").strip()
    return "" if any(Path(word).name in NORN_DRIVERS for word in shlex.split(chosen)) else chosen


def _candidates(cxx: bool) -> list[list[str]]:
    variable, other = ("CXX", "CC") if cxx else ("CC", "CXX")
    return _candidates_of(_chosen(variable), _chosen(other), cxx)


def _candidates_of(chosen: str, chosen_other: str, cxx: bool) -> list[list[str]]:
    if chosen:
        return [shlex.split(chosen)]
    candidates = [["g++" if cxx else "gcc"], ["clang++" if cxx else "clang"]]
    partner = _partner(chosen_other, cxx)
    if partner:
        candidates.insert(0, partner)
    if importlib.util.find_spec("ziglang") is not None:
        candidates.append([sys.executable, "-m", "ziglang", "c++" if cxx else "cc"])
    return candidates


def _partner(chosen: str, cxx: bool) -> list[str]:
    """The C++ driver that belongs to a chosen C driver, or the other way round: clang-19 and clang++-19."""
    if not chosen:
        return []
    *prefix, driver = shlex.split(chosen)
    name = Path(driver).name
    pairs = [("clang", "clang++"), ("gcc", "g++")]
    for c_name, cxx_name in pairs:
        old, new = (c_name, cxx_name) if cxx else (cxx_name, c_name)
        if old in name and (cxx_name not in name) == cxx:
            return [*prefix, str(Path(driver).with_name(name.replace(old, new, 1)))]
    return []


@functools.cache
def identify(command: tuple[str, ...]) -> Compiler | None:
    """Asks a driver who it is. Nothing if it does not run or is neither gcc nor clang."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    text = done.stdout
    version = re.search(r"(\d+\.\d+(?:\.\d+)?)", re.sub(r"\([^)]*\)", "", text.split("\n")[0])) or re.search(
        r"(\d+\.\d+(?:\.\d+)?)", text
    )
    if done.returncode != 0 or version is None:
        return None
    if "clang" in text.lower():
        family = "clang"
    elif "Free Software Foundation" in text or "gcc" in text.lower():
        family = "gcc"
    else:
        return None
    return Compiler(command, family, version.group(1), text.split("\n")[0].strip(), "ziglang" in command)


def find_objcopy() -> str:
    """objcopy renames the library calls of the user's objects to norn's models."""
    for name in ("objcopy", "llvm-objcopy"):
        path = shutil.which(name)
        if path:
            return path
    raise BuildError("objcopy not found; it is part of binutils: apt install binutils")


def find_ar() -> str:
    """ar makes static libraries of instrumented objects."""
    for name in ("ar", "llvm-ar"):
        path = shutil.which(name)
        if path:
            return path
    raise BuildError("ar not found; it is part of binutils: apt install binutils")


def is_cxx(source: Path) -> bool:
    return source.suffix in CXX_SUFFIXES


def is_preprocessed(source: Path) -> bool:
    """Whether it has no headers of its own any more: they are in it, with marks of where each line was."""
    return source.suffix in PREPROCESSED_SUFFIXES


def is_source(source: Path) -> bool:
    return source.suffix in CXX_SUFFIXES or source.suffix in C_SUFFIXES
