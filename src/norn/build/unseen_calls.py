"""Warnings about library functions that read or write the program's memory where norn cannot see it.

The engine models the common memory, string and formatting functions and refuses those that would block.
Others work, but what they touch is invisible: if another thread touches it too, interleavings may be missed.
Functions that only compute, or only touch memory of libc, are not listed.
"""

from __future__ import annotations

from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

# What such functions do, and which ones do it.
FUNCTIONS = {
    "touches memory that norn does not see": """
        qsort qsort_r bsearch lfind lsearch memccpy memmem rawmemchr memrchr memfrob swab explicit_bzero
        strtol strtoul strtoll strtoull strtod strtof strtold atoll atof strcoll strxfrm strcasecmp
        strncasecmp strcasestr strpbrk strspn strcspn strsep strtok_r strchrnul strlcpy strlcat stpncpy
        strverscmp sscanf vsscanf strftime mktime gmtime_r localtime_r
        asctime_r ctime_r strerror_r fwrite send sendto iconv regexec wcscpy wcslen wcscmp
        wmemcpy wmemset mbstowcs wcstombs frexp modf""",
    "keeps hidden state that norn neither sees nor resets": """
        strtok gmtime localtime asctime ctime strerror setlocale hsearch getopt getopt_long""",
    "reads standard input, which is empty under norn, into memory that norn does not see": """
        gets getchar scanf vscanf""",
    "reads input that norn does not control (standard input is empty), into memory it does not see": """
        read pread fread fgets getc fgetc fscanf vfscanf getdents recv recvfrom readlink getcwd
        gethostname""",
}
# Parts of containers that are compiled in the C++ library, by a piece of their mangled names.
_CONTAINERS = {"_Rb_tree_": "std::map or std::set", "_List_node_base": "std::list"}
_UNSEEN = {name: what for what, names in FUNCTIONS.items() for name in names.split()}


def _name_in_source(symbol: str) -> str:
    """A model (norn_) may still not see all that is touched; the other names are given by headers of libc."""
    for prefix in ("norn_", "__isoc99_", "__isoc23_"):
        symbol = symbol.removeprefix(prefix)
    return symbol


def describe(compiled: Path, source: Path) -> list[str]:
    """One warning for each such function that the object file calls."""
    with compiled.open("rb") as file:
        called = {
            _name_in_source(symbol.name)
            for section in ELFFile(file).iter_sections()
            if isinstance(section, SymbolTableSection)
            for symbol in section.iter_symbols()
            if symbol["st_shndx"] == "SHN_UNDEF"
        }
    containers = [
        f"{source} uses {container}; the C++ library links its nodes unseen: interleavings "
        "may be missed if threads share one without a lock"
        for part, container in _CONTAINERS.items()
        if any(part in name for name in called)
    ]
    return containers + [
        f"{source} calls {name}, which {_UNSEEN[name]}; interleavings may be missed if threads share it"
        for name in sorted(called & _UNSEEN.keys())
    ]
