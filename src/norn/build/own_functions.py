"""Functions and variables of the program that have a name which norn uses: the program's own win.

norn renames the calls of library functions that it models or refuses, defines others (`nanosleep`), and calls
some itself (`malloc`, `strlen`). A program may define any of these names: `random` of a port, `thrd_sleep` of
tinycthread, a `malloc` of its own. In all its objects such a name, where it is defined and where it is used,
becomes `norn_own_...`: calls of the program reach the program's function, whichever object it is in, and norn
and libc keep theirs. (`static` functions need nothing: a call in the same object is bound to them whatever
the name is.)

A static library that is not built by norn-cc keeps its names. It is asked before libc, so calls of what it
defines are not renamed, unless norn calls a function of that name itself.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from norn.build import archive, elf_sections
from norn.build.engine_files import EngineFiles

OWN_PREFIX = "norn_own_"
OWN_CODE = "its own code is used, not norn's model"  # how the warning ends
_SYMBOL = struct.Struct("<IBBHQQ")
_LOCAL, _STRONG = 0, 1  # bindings: of a symbol that only its object knows, and of one that is defined once
_UNDEFINED = 0
_LISTED = 4


@dataclass(frozen=True)
class _Names:
    defined: frozenset[str]  # for others
    strong: frozenset[str]  # those of which there may be one only
    used: frozenset[str]


def write_renames(
    engine: EngineFiles, objects: Sequence[Path], libraries: Iterable[Path], target: Path
) -> list[str]:
    """Writes what to rename in the program's objects. Returns a warning if that is not as always.

    libraries: static ones, which are not rewritten.
    """
    renames = dict(line.split() for line in engine.renames.read_text().splitlines() if line.strip())
    of_engine = _names([engine.engine, engine.engine_cxx])
    taken = renames.keys() | of_engine.strong | of_engine.used
    own = _names(objects).defined & taken - {"main"}
    others = (_names([*libraries]).defined & renames.keys()) - of_engine.used - own
    kept = {name: new for name, new in renames.items() if name not in own | others}
    lines = [f"{name} {new}\n" for name, new in kept.items()]
    lines += [f"{name} {OWN_PREFIX}{name}\n" for name in sorted(own)]
    target.write_text("".join(lines))
    modelled = {name for name, new in renames.items() if not new.startswith("norn_refused_")}
    replaced = sorted((own | others) & (modelled | of_engine.strong))
    if not replaced:
        return []
    more = f" and {len(replaced) - _LISTED} more" if len(replaced) > _LISTED else ""
    return [f"the program defines {', '.join(replaced[:_LISTED])}{more}: {OWN_CODE}"]


def _names(files: Iterable[Path]) -> _Names:
    """The global symbols of object files and of members of archives."""
    defined: set[str] = set()
    strong: set[str] = set()
    used: set[str] = set()
    for path in files:
        data = path.read_bytes()
        pieces = (contents for _, contents in archive.members(path)) if archive.is_archive(data) else [data]
        for piece in pieces:
            for name, binding, section in _global_symbols(piece):
                (used if section == _UNDEFINED else defined).add(name)
                if section != _UNDEFINED and binding == _STRONG:
                    strong.add(name)
    return _Names(frozenset(defined), frozenset(strong), frozenset(used))


def _global_symbols(data: bytes) -> Iterator[tuple[str, int, int]]:
    """Name, binding and section of each."""
    found = elf_sections.read(data, ".symtab", ".strtab")
    if found is None or ".symtab" not in found.contents:
        return
    names = found.contents[".strtab"]
    for at, info, _, section, _, _ in _SYMBOL.iter_unpack(found.contents[".symtab"]):
        if info >> 4 != _LOCAL and at != 0:
            yield names[at : names.find(b"\0", at)].decode("utf-8", "replace"), info >> 4, section
