"""Warnings about calls of library functions that read or write the program's memory where norn cannot see it.

The engine models the common functions of libc and refuses those that would block. Others work, but what they
do is invisible: if another thread uses the same memory, interleavings may be missed. The engine says which
functions the executions have called, and whether they were given memory that threads share: any function of
any library. Of some that are known to use memory, or state of their own, it is enough that they were called.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

from norn.model import telling_frame
from norn.protocol import ForeignCall
from norn.symbolize import Symbols, short_function

# What functions do of which any call is worth a warning.
FUNCTIONS = {
    "touches memory that norn does not see": """
        lsearch memfrob swab strxfrm strlcpy strlcat sscanf vsscanf strftime mktime gmtime_r localtime_r
        asctime_r ctime_r strerror_r send sendto iconv regexec mbstowcs wcstombs frexp modf""",
    "keeps hidden state that norn neither sees nor resets": """
        strtok gmtime localtime asctime ctime strerror hsearch getopt getopt_long""",
    "changes state of the whole process, which norn puts back but does not see": """
        setlocale chdir fchdir umask setenv unsetenv putenv clearenv""",
    "reads standard input, which is empty under norn, into memory that norn does not see": """
        gets getchar scanf vscanf""",
    "reads input that norn does not control (standard input is empty), into memory it does not see": """
        getc fgetc fscanf vfscanf getdents recv recvfrom readlink getcwd gethostname""",
}
# Parts of containers that are compiled in the C++ library, by a piece of their mangled names.
_CONTAINERS = {"_Rb_tree_": "std::map or std::set", "_List_node_base": "std::list"}
_UNSEEN = {name: what for what, names in FUNCTIONS.items() for name in names.split()}


def describe(calls: Sequence[ForeignCall], symbols: Symbols) -> list[str]:
    """One warning for each function that deserves one."""
    wanted = [call for call in calls if call.shares or name_in_source(call.function) in _UNSEEN]
    symbols.prepare(call.site - 1 for call in wanted)
    found = []
    for call in sorted(wanted, key=_key):
        name = name_in_source(call.function)
        frame = telling_frame(symbols.stack([call.site]))
        place = frame.place if frame is not None and frame.place else "the program"
        container = next((text for part, text in _CONTAINERS.items() if part in name), "")
        if container:
            found.append(
                f"{place}: the C++ library links the nodes of a {container} unseen, which threads share: "
                "interleavings may be missed unless a lock is held"
            )
        elif call.shares:
            found.append(
                f"{place} calls {_readable(name)} with memory that threads share, and norn does not see "
                "what it does there: interleavings may be missed unless a lock is held"
            )
        else:
            missed = "interleavings may be missed if threads share it"
            found.append(f"{place} calls {name}, which {_UNSEEN[name]}; {missed}")
    return list(dict.fromkeys(found))


def _readable(name: str) -> str:
    """A function of C++ as the source has it, as far as binutils are there."""
    tool = shutil.which("c++filt") or shutil.which("llvm-cxxfilt")
    if tool is None or not name.startswith("_Z"):
        return name
    done = subprocess.run([tool, name], capture_output=True, text=True, check=False)
    return short_function(done.stdout.strip()) if done.returncode == 0 else name


def _key(call: ForeignCall) -> str:
    return name_in_source(call.function)


def name_in_source(symbol: str) -> str:
    """Headers of libc give some functions other names."""
    for prefix in ("__isoc99_", "__isoc23_"):
        symbol = symbol.removeprefix(prefix)
    return symbol
