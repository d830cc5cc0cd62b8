"""`norn doctor`: what norn needs, what it found, what is missing and how to get it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from norn import run, tour
from norn.build import cache, engine_files, toolchain
from norn.errors import NornError
from norn.model import Verdict
from norn.options import config
from norn.settings import Settings, Watch

# Bit of AT_HWCAP2 by which the kernel says that user code may set the fs base.
_AT_HWCAP2 = 26
_FSGSBASE = 1 << 1
_CXX = "C++ compiler"
CONFIGURATION = "configuration"
_TRIED = "lost_update_fixed.c"
_LITTLE_SPACE = 64 * 1024 * 1024
# What the same message says elsewhere.
_ADVERTISEMENT = " `norn doctor` shows what is there."


@dataclass(frozen=True)
class Check:
    name: str
    ok: bool
    found: str
    advice: str = ""
    needed: bool = True  # for checking C programs
    broken: bool = False  # it is there, but wrong

    @property
    def state(self) -> str:
        if self.ok:
            return "ok"
        if self.broken:
            return "wrong"
        return "missing" if self.needed else "without"


def examine() -> list[Check]:
    """All checks; then, if nothing is in its way, a trial."""
    checks = look_around()
    return [*checks, _trial()] if works(checks) else checks


def look_around() -> list[Check]:
    """What is there, in the order in which it matters."""
    return [
        _machine(),
        _compiler("C compiler", cxx=False),
        _compiler(_CXX, cxx=True, needed=False),
        _others(),
        _tool("objcopy", toolchain.find_objcopy, "apt install binutils"),
        _optional("addr2line", "apt install binutils (without it source lines are found more slowly)"),
        _optional("gdb", "apt install gdb (for norn replay --gdb)"),
        _yaml(),
        _engine(),
        _fsgsbase(),
        _cache(),
        _configuration(),
    ]


def works(checks: list[Check]) -> bool:
    return all(check.ok for check in checks if check.needed)


def works_for_cxx(checks: list[Check]) -> bool:
    return works(checks) and all(check.ok for check in checks if check.name == _CXX)


def _machine() -> Check:
    machine, system = platform.machine(), platform.system()
    ok = machine == "x86_64" and system == "Linux"
    return Check("machine", ok, f"{system} {machine}", "" if ok else "norn runs on Linux on x86-64 only")


def _compiler(name: str, cxx: bool, needed: bool = True) -> Check:
    try:
        compiler = toolchain.find_compiler(cxx)
    except NornError as problem:
        return Check(name, False, "none", str(problem).removesuffix(_ADVERTISEMENT), needed)
    return Check(name, True, f"{compiler.name}, will be used", "; ".join(compiler.warnings()), needed)


def _others() -> Check:
    """Compilers that are there but not chosen."""
    found = []
    for command in (("gcc",), ("g++",), ("clang",), ("clang++",)):
        compiler = toolchain.identify(command)
        if compiler is not None:
            found.append(f"{command[0]} {compiler.version}")
    return Check("all compilers", True, ", ".join(found) or "none", "", needed=False)


def _tool(name: str, find: Callable[[], str], advice: str) -> Check:
    try:
        path = find()
    except NornError:
        return Check(name, False, "none", advice)
    return Check(name, True, f"{path} ({_version(path)})")


def _optional(name: str, advice: str) -> Check:
    path = shutil.which(name)
    if path is None:
        return Check(name, False, "none", advice, needed=False)
    return Check(name, True, f"{path} ({_version(path)})", needed=False)


def _yaml() -> Check:
    if importlib.util.find_spec("yaml") is None:
        return Check("PyYAML", False, "none", "pip install pyyaml (for norn svcomp)", needed=False)
    return Check("PyYAML", True, importlib.metadata.version("pyyaml"), needed=False)


def _version(path: str) -> str:
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "does not run"
    return done.stdout.split("\n")[0].strip()


def _engine() -> Check:
    try:
        files = engine_files.locate()
    except NornError as problem:
        return Check("engine", False, "incomplete", str(problem), broken=True)
    return Check("engine", True, str(files.engine.parent))


def _fsgsbase() -> Check:
    capabilities = _auxiliary(_AT_HWCAP2)
    if capabilities & _FSGSBASE:
        return Check("fsgsbase", True, "yes: fast thread switches", needed=False)
    return Check(
        "fsgsbase", False, "no", "thread switches go through the kernel and are slower", needed=False
    )


def _auxiliary(wanted: int) -> int:
    """One value of the auxiliary vector of this process."""
    try:
        raw = Path("/proc/self/auxv").read_bytes()
    except OSError:
        return 0
    words = [int.from_bytes(raw[at : at + 8], "little") for at in range(0, len(raw) - 7, 8)]
    return dict(zip(words[::2], words[1::2], strict=False)).get(wanted, 0)


def _cache() -> Check:
    place = cache.directory()
    existing = place
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    free = shutil.disk_usage(existing).free
    shown = f"{place} ({free / 2**30:.1f} GiB free)"
    problem = _why_not_written(existing)
    if problem is not None:
        advice = f"cannot be written ({problem}): every check builds anew; set NORN_CACHE to another place"
        return Check("cache", False, shown, advice, needed=False)
    advice = "little space left: set NORN_CACHE to another place" if free < _LITTLE_SPACE else ""
    return Check("cache", not advice, shown, advice, needed=False)


def _why_not_written(directory: Path) -> str | None:
    """By trying: permissions do not tell everything."""
    try:
        with tempfile.TemporaryFile(dir=directory):
            return None
    except OSError as problem:
        return problem.strerror


def _trial() -> Check:
    """What all the others are for: a small program is built and checked, without the cache."""
    name = "trial"
    with tempfile.TemporaryDirectory(prefix="norn-doctor-") as directory:
        source = Path(directory) / _TRIED
        try:
            tour.lay_out(source.parent, [_TRIED])
            with cache.elsewhere(source.parent / "cache"):
                result = run.check(source, Settings(), Watch())
        except NornError as problem:
            said = getattr(problem, "output", "").strip()
            advice = f"a small program cannot be checked: {said or problem}"
            return Check(name, False, "failed", advice, broken=True)
    if result.verdict is not Verdict.VERIFIED:
        return Check(name, False, f"{result.verdict}", "; ".join(result.problems), broken=True)
    return Check(name, True, "a small program was built and checked")


def _configuration() -> Check:
    try:
        file = config.load().file
    except NornError as problem:
        return Check(CONFIGURATION, False, "cannot be used", str(problem), broken=True)
    return Check(CONFIGURATION, True, str(file or "no norn.toml, nor [tool.norn] in pyproject.toml"))
