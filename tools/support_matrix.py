"""Writes docs/support.md: which library functions norn models, refuses, or passes through.

Nothing in it is written by hand but the headers the functions belong to. What is modelled or refused is
read from the engine that was built (the symbols it defines, the calls that are renamed to its own), the
words on it from the first sentence of the source file that does it, from refused.def and from the list of
functions whose accesses are not seen. `make docs-matrix` refreshes the page; a test fails if it is out of
date.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from generated import ROOT, write_or_check

from norn import unseen_calls
from norn.build import engine_files

PAGE = ROOT / "docs" / "support.md"
ENGINE = ROOT / "engine" / "executor"
REFUSED_PREFIX = "norn_refused_"
ENTRY_PREFIX = "norn_entry_"  # notes the registers, then goes on to the function itself

# The header of a function: the first pattern that fits its name.
HEADERS = (
    ("norn.h", r"norn_|__VERIFIER_|reach_error"),
    ("C++", r"operator |std::|__cxa_|__gxx_"),
    ("pthread.h", r"_?_?pthread_"),
    ("semaphore.h", r"sem_"),
    ("threads.h", r"thrd_|mtx_|cnd_|tss_|call_once"),
    ("stdatomic.h", r"__atomic_|__sync_|atomic_"),
    ("sched.h", r"sched_|clone$|unshare$|setns$"),
    ("sys/mman.h", r"mmap|munmap|mremap|shm_"),
    ("sys/ipc.h, sys/sem.h, sys/msg.h, sys/shm.h", r"semop|semtimedop|msg|shmat"),
    ("mqueue.h", r"mq_"),
    ("sys/epoll.h, sys/eventfd.h, sys/timerfd.h", r"epoll_|eventfd|timerfd_"),
    ("poll.h, sys/select.h", r"p?poll$|p?select$"),
    ("sys/socket.h", r"socket|socketpair|connect|accept|send|recv"),
    ("sys/wait.h, spawn.h", r"wait|posix_spawn"),
    ("ucontext.h", r"\w+context$"),
    ("dlfcn.h", r"dl"),
    ("setjmp.h", r"_?(?:sig)?longjmp"),
    ("sys/ptrace.h, sys/uio.h", r"ptrace$|process_vm_"),
    ("signal.h", r"_*s?sig|_*(?:sysv|bsd)_signal|raise$|kill$|killpg|tgkill"),
    ("assert.h", r"__assert"),
    (
        "time.h, sys/time.h",
        r"clock|time|gettimeofday|nanosleep|mktime|gmtime|localtime|asctime|ctime|strftime"
        r"|timespec_get|setitimer|timer_",
    ),
    ("string.h, strings.h", r"mem(?!align)|_*str(?!to[ldfu])|rawmem|bzero|bcopy|stp|swab|explicit_bzero"),
    ("wchar.h", r"wcs|wmem|mbs"),
    ("sys/auxv.h, sys/resource.h, sys/stat.h", r"getauxval|setrlimit|umask"),
    ("math.h", r"frexp|modf"),
    (
        "stdio.h",
        r"_*(?:iso\w+_)?v?[fsd]*n?(?:printf|scanf)$|v?asprintf|f?puts|fwrite|fread|f?gets$|getchar|perror"
        r"|f(?:re|d)?open|fclose|set(?:v|line)?buf"
        r"|f?getc$|_*getline|_*getdelim|open_memstream|popen",
    ),
    (
        "stdlib.h",
        r"(?:m|c|re|v)alloc|reallocarray|aligned_alloc|memalign|posix_memalign|free|abort|exit|_Exit"
        r"|quick_exit|atexit|s?rand|[dejlmns]*rand48|seed48|random_r|initstate|setstate|s?random"
        r"|lcong48|rand_r|ato|_*(?:isoc23_)?strto|qsort|bsearch|system|realpath|arc4random|malloc_usable"
        r"|at_quick_exit|on_exit|clearenv|putenv|(?:un)?setenv|mkstemp",
    ),
    (
        "search.h, getopt.h, locale.h, regex.h, iconv.h",
        r"hsearch|lfind|lsearch|getopt|setlocale|regexec|iconv",
    ),
    ("dirent.h", r"scandir|getdents"),
    ("fcntl.h, sys/ioctl.h", r"open(?:at)?(?:64)?$|creat|fcntl(?:64)?$|ioctl$"),
    (
        "unistd.h, sys/random.h",
        r"v?fork|_Fork|f?exec|_exit|pipe|pause|u?alarm|s?brk|u?sleep|daemon|p?read|p?write"
        r"|readlink|getcwd|gethostname|get(?:p|pp|t)id|getrandom|getentropy|syscall"
        r"|close$|close_range|closefrom|dup|lseek|f?chdir|f(?:data)?sync",
    ),
)
OTHER = "others"

INTRODUCTION = """# What is supported

Generated from the code by `make docs-matrix`: do not edit.

Every function of the C library that norn knows, by header. **Modelled**: norn has its own, whose effects
are events; the file named beside it begins with which behaviours it allows. **Refused**: a call ends the
check with exit code 2 and names the function and the line. **Passed through**: the library's own function
is called, as one step; what it touches is not seen, and `norn check` warns if an execution calls it. A
function that is not on this page is called as it is, of whatever library: norn warns if an execution gives
it a pointer to memory that threads share (see [limitations](limitations.md)). A function that the program
defines itself is used in place of norn's model, and norn says so.
"""
HOW = """## How they use memory

The bytes that a function uses are those of its read event, and what it writes is in memory before the
thread's next event. Of functions with several events another thread may come in between: all outcomes of
that are found, under every equivalence (`tests/library_cases.py`).

| events | functions | how |
|---|---|---|
"""


@dataclass(frozen=True)
class Support:
    """How one function is supported."""

    function: str
    how: str  # "modelled", "refused" or "passed through"
    what: str  # in words


def collect() -> list[Support]:
    """Every function that norn knows of."""
    files = engine_files.locate()
    renamed = dict(line.split() for line in files.renames.read_text().splitlines() if line.strip())
    defined = _defined(files.engine) | _defined(files.engine_cxx)
    reasons = dict(re.findall(r'^REFUSE\((\w+), "(.*)"\)', _text(ENGINE / "native" / "refused.def"), re.M))
    found = []
    for called, target in renamed.items():
        name, own = _without_mangling(called), target.removeprefix(ENTRY_PREFIX)
        if own not in defined:
            raise SystemExit(f"calls of {name} are renamed to {own}, which the engine does not define")
        if name.startswith("__tsan_"):
            continue  # a section of its own has these
        if own.startswith(REFUSED_PREFIX):
            found.append(Support(name, "refused", reasons[name]))
        else:
            found.append(Support(name, "modelled", _place_of(own)))
    for symbol in defined - set(renamed.values()):
        name = _readable(symbol)
        if name and name not in renamed:
            found.append(Support(name, "modelled", _place_of(symbol)))
    known = {support.function for support in found}
    for what, names in unseen_calls.FUNCTIONS.items():
        found += [Support(name, "passed through", what) for name in names.split() if name not in known]
    return sorted(set(found), key=lambda support: support.function)


def write() -> str:
    """The page."""
    supported = collect()
    groups: dict[str, list[Support]] = defaultdict(list)
    for support in supported:
        groups[_header_of(support.function)].append(support)
    counts = [
        f"{sum(s.how == how for s in supported)} {how}" for how in ("modelled", "refused", "passed through")
    ]
    page = [INTRODUCTION, f"In all: {', '.join(counts)}.", ""]
    for header in sorted(groups):
        title = (
            header if header in ("C++", OTHER) else ", ".join(f"`<{name}>`" for name in header.split(", "))
        )
        page += [f"## {title}", "", "| | | functions |", "|---|---|---|"]
        page += list(_rows(groups[header]))
        page.append("")
    page += [HOW.rstrip(), *_how_rows(), ""]
    page += [
        "## Instrumentation",
        "",
        "Calls that the compiler inserts (`N`: bytes, or bits of an atomic):",
        "",
    ]
    page += [", ".join(f"`{hook}`" for hook in _hooks()), ""]
    return "\n".join(page)


def _rows(supported: list[Support]) -> Iterator[str]:
    rows: dict[tuple[str, str], list[str]] = defaultdict(list)
    for support in supported:
        rows[support.how, support.what].append(support.function)
    for how, what in sorted(
        rows, key=lambda row: (("modelled", "refused", "passed through").index(row[0]), row[1])
    ):
        names = ", ".join(f"`{name}`" for name in rows[how, what])
        yield f"| {how} | {what} | {names} |"


def _how_rows() -> Iterator[str]:
    table = _text(ENGINE / "native" / "library_functions.txt")
    for count, names, how in re.findall(r"^(none|one|several): ([^\n]*?): (.*)$", table, re.M):
        yield f"| {count} | {', '.join(f'`{name}`' for name in names.split())} | {how} |"


def _header_of(function: str) -> str:
    return next((header for header, pattern in HEADERS if re.match(pattern, function)), OTHER)


def _defined(compiled: Path) -> set[str]:
    """The functions that an object file defines for others."""
    with compiled.open("rb") as file:
        return {
            symbol.name
            for section in ELFFile(file).iter_sections()
            if isinstance(section, SymbolTableSection)
            for symbol in section.iter_symbols()
            if symbol["st_shndx"] != "SHN_UNDEF"
            and symbol["st_info"]["bind"] != "STB_LOCAL"
            and symbol["st_info"]["type"] == "STT_FUNC"
        }


def _readable(symbol: str) -> str:
    """The name by which programs call it; nothing if they do not."""
    operators = {"_Znw": "operator new", "_Zna": "operator new[]", "_Zdl": "operator delete"}
    operators |= {"_Zda": "operator delete[]"}
    if symbol[:4] in operators:
        return operators[symbol[:4]]
    if symbol.startswith(("__tsan_", "__norn_", "__wrap_")) or (
        symbol.startswith("norn_") and not _is_offered(symbol)
    ):
        return ""
    return _without_mangling(symbol)


def _without_mangling(symbol: str) -> str:
    """`std::chrono::system_clock::now` of the symbol of a member of std; others as they are."""
    rest = re.sub("^_ZNK?St", "", symbol)
    if rest == symbol:
        return symbol
    names = ["std"]
    while length := re.match(r"[0-9]+", rest):
        end = length.end() + int(length[0])
        names.append(rest[length.end() : end])
        rest = rest[end:]
    return "::".join(name for name in names if not re.fullmatch(r"_V[0-9]+", name))


def _is_offered(symbol: str) -> bool:
    return re.search(rf"\b{symbol}\(", _text(ROOT / "src" / "norn" / "include" / "norn.h")) is not None


def _place_of(symbol: str) -> str:
    """The first sentence of the source file that defines a function, and a link to it."""
    names = {symbol, _readable(symbol) or symbol}
    names |= {"::".join(name.split("::")[-2:]) for name in names}
    for source, lines in _definitions().items():
        if any(_defines(line, names) for line in lines):
            link = f"[{source.name}](../{source.relative_to(ROOT)})"
            return f"{_summary(source)} {link}"
    return ""


@functools.cache
def _definitions() -> dict[Path, list[str]]:
    """The lines of each source file that may define a function."""
    return {
        source: [
            line
            for line in _text(source).splitlines()
            if "(" in line and ("##" in line or not line.startswith((" ", "//", "#")))
        ]
        for source in sorted(ENGINE.glob("*/*.cpp"))
    }


def _defines(line: str, names: set[str]) -> bool:
    """Whether a function of one of the names is defined there, or by a macro: `OPEN(name)`, `a_##b##_c(`."""
    alternatives = "|".join(map(re.escape, names))
    if re.match(rf"[A-Z_]+\((?:{alternatives})\)", line):
        return True
    for pasted in re.findall(r"\b\w*##\w+(?:##\w*)?(?=\()", line):
        made = re.compile(re.sub(r"##\w+(?:##|$)", r"\\w*", pasted))
        if any(made.fullmatch(name) for name in names):
            return True
    return re.match(rf"[^\s{{=(][^{{=(]*\b(?:{alternatives})\(", line) is not None and not line.endswith(";")


def _summary(source: Path) -> str:
    """The first sentence of the comment at the top of a source file, or of its header."""
    for path in (source, source.with_suffix(".h")):
        if path.exists() and (comment := re.match(r"(?://.*\n)+", _text(path))):
            first, _, _ = comment[0].partition("\n//\n")
            text = " ".join(line.lstrip("/ ").strip() for line in first.splitlines())
            sentence = re.split(r"(?<=[.;]) ", text)[0].strip().rstrip(".;") + "."
            return re.sub(r"[|*]|_(?=_)|(?<=_)_", r"\\\g<0>", sentence)
    return ""


def _hooks() -> list[str]:
    names = _defined(engine_files.locate().engine)
    return sorted({re.sub(r"\d+", "N", name) for name in names if name.startswith("__tsan_")})


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def main() -> None:
    write_or_check((__doc__ or "").split("\n")[0], {PAGE: write()}, "docs-matrix")


if __name__ == "__main__":
    main()
