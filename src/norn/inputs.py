"""What a program takes from outside: its arguments, numbers by chance, times, files, the environment.

norn runs a program with one of each: no arguments, an empty standard input, always the same numbers.
A verification task leaves them open, so that for it a search with one value is no answer. The compiler says
which functions are called, in its assembly, and whether `main` looks at its parameters.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from norn.build import tool
from norn.build.toolchain import Compiler

_FUNCTIONS_TEXT = """
    rand rand_r random random_r drand48 lrand48 mrand48 getrandom getentropy arc4random
    time clock gettimeofday clock_gettime timespec_get times ftime
    getpid getppid gettid getuid geteuid sched_getcpu sysconf get_nprocs
    getenv secure_getenv gethostname getcwd
    getchar getc getc_unlocked fgetc fgets gets ungetc
    scanf fscanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf
    getline getdelim fread read pread readv fopen fdopen freopen open openat creat stat fstat lstat access
    socket accept recv recvfrom recvmsg ioctl
"""
_FUNCTIONS = frozenset(_FUNCTIONS_TEXT.split())
_CALL = re.compile(r"^\s+(?:call|jmp)q?\s+([A-Za-z_]\w*)(?:@PLT)?$", re.MULTILINE)
_LABEL = re.compile(r"^([A-Za-z_]\w*):", re.MULTILINE)
_MAIN = re.compile(r"\bmain\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*\{")
_OLD_MAIN = re.compile(r"\bmain\s*\(\s*(?!void\b)\w[\w\s,]*\)\s*\w")
_IN_MAIN = re.compile(r"In function ['‘](?:int )?main\b.*?(?=In function |\Z)", re.DOTALL)
_UNUSED = re.compile(r"unused parameter ['‘](\w+)['’]")


def taken_from_outside(compiler: Compiler, sources: Sequence[Path], options: Sequence[str]) -> list[str]:
    """Functions of the library that are called for what they get there, and `main`, if it has arguments."""
    found: set[str] = set()
    own: set[str] = set()
    flags = [option for option in options if option != "-w"]
    for source in sources:
        with tempfile.TemporaryDirectory(prefix="norn-") as directory:
            assembly = Path(directory) / "assembly.s"
            wanted = ["-Wunused-parameter", "-S", "-o", str(assembly), str(source)]
            said = tool.diagnostics([*compiler.command, *flags, *wanted])
            text = assembly.read_text(errors="replace") if assembly.exists() else ""
        found |= _FUNCTIONS.intersection(_CALL.findall(text))
        own |= set(_LABEL.findall(text))
        if "main" in own and _uses_arguments(source.read_text(errors="replace"), said):
            found.add("main")
    return sorted(found - (own - {"main"}))


def _uses_arguments(text: str, said: str) -> bool:
    """Whether `main` has named parameters of which the compiler does not say that they are unused."""
    main = _MAIN.search(text)
    if main is None:
        return _OLD_MAIN.search(text) is not None
    parameters = [each.strip() for each in main[1].split(",")]
    named = [each for each in parameters if len(re.findall(r"\w+", each)) > 1]
    unused = [name for part in _IN_MAIN.findall(said) for name in _UNUSED.findall(part)]
    return len(named) > len(unused)
