"""Instrumented code inside of ordinary object files, as norn-cc makes them.

An object that norn-cc compiles is the one that the real compiler makes, with one section more. The section
holds a *part*: the same source compiled again, with instrumentation, and what norn has to know about it. The
section is not loaded, so that a program runs as always; but `ar` keeps it, and a linker, which knows nothing
of it, puts the parts of all the objects it takes one after the other into the executable or shared library.
There `binary` finds exactly those that belong to the program.

    magic   length of the header (4 bytes)   length of the object (8 bytes)   header (JSON)   object (zlib)
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from norn.build import elf_sections, tool
from norn.build.toolchain import find_objcopy
from norn.errors import BuildError

SECTION = ".norn.parts"
_MAGIC = b"NORNPART"
_LENGTHS = struct.Struct("<IQ")

# What a part is.
INSTRUMENTED = "instrumented"
UNSEEN = "unseen"  # ordinary code: assembly, or an object that something else has made
FAILED = "failed"  # the source does not compile with instrumentation; `message` says why
LINK = "link"  # no object: what the executable or library was linked with, and how


@dataclass(frozen=True)
class Part:
    kind: str
    source: str  # as it was named to norn-cc
    directory: str  # in which norn-cc ran
    compiler: tuple[str, ...]
    cxx: bool
    fingerprint: str  # of the instrumentation, see `instrument.fingerprint`
    warnings: tuple[str, ...] = ()
    message: str = ""
    arguments: tuple[str, ...] = ()  # of a link: see `checked_options.to_link`
    object: bytes = b""


def pack(part: Part) -> bytes:
    header = json.dumps(asdict(replace(part, object=b"")) | {"object": None}).encode()
    contents = zlib.compress(part.object, 1)
    return _MAGIC + _LENGTHS.pack(len(header), len(contents)) + header + contents


def unpack(section: bytes, where: str) -> Iterator[Part]:
    """All parts of a section. where: for the message, if it is damaged."""
    at = 0
    while True:
        while section[at : at + 1] == b"\0":  # linkers may leave gaps
            at += 1
        if at >= len(section):
            return
        try:
            if not section.startswith(_MAGIC, at):
                raise ValueError("no part")
            header, contents = _LENGTHS.unpack_from(section, at + len(_MAGIC))
            start = at + len(_MAGIC) + _LENGTHS.size
            at = start + header + contents
            fields = json.loads(section[start : start + header])
            lists = {name: tuple(fields[name]) for name in ("compiler", "warnings", "arguments")}
            object_file = zlib.decompress(section[start + header : at])
            part = Part(**(fields | lists | {"object": object_file}))
        except (ValueError, struct.error, zlib.error, KeyError, TypeError) as problem:
            raise BuildError(
                f"{where}: what norn-cc has put into it is damaged, or was made by another version of norn; "
                "build it again with norn-cc"
            ) from problem
        yield part


def parts_of(data: bytes, where: str) -> list[Part]:
    """The parts in an object, executable or shared library; none if norn-cc did not make it."""
    found = elf_sections.read(data, SECTION)
    return list(unpack(found.contents.get(SECTION, b""), where)) if found is not None else []


def has_parts(data: bytes) -> bool:
    found = elf_sections.read(data)
    return found is not None and SECTION in found.names


def embed(target: Path, parts: Sequence[Part], workplace: Path) -> None:
    """Adds parts to an object file."""
    section = workplace / "section"
    section.write_bytes(b"".join(map(pack, parts)))
    flags = ["--set-section-flags", f"{SECTION}=readonly"]
    tool.run(
        [find_objcopy(), "--add-section", f"{SECTION}={section}", *flags, str(target)],
        f"cannot add instrumented code to {target}",
    )


# What a program can call by <norn.h>, for when it runs by itself: the first is chosen, and an assumption that
# does not hold ends it. The program's own definitions come first.
_STUBS = """
    .section .text.norn,"ax",@progbits
    .macro function name
    .weak \\name
    .hidden \\name
    .type \\name, @function
\\name:
    .endm
    function norn_choose
    xorl %eax, %eax
    ret
    function norn_assume
    function __VERIFIER_assume
    testl %edi, %edi
    je 1f
    ret
    function __VERIFIER_error
1:  ud2
"""


def companion(driver: Sequence[str], parts: Sequence[Part], workplace: Path, *, with_stubs: bool) -> Path:
    """An object that brings parts into a link, and nothing that runs unless it is called."""
    section = workplace / "section"
    section.write_bytes(b"".join(map(pack, parts)))
    code = workplace / "norn.s"
    target = workplace / "norn.o"
    command = [*driver, "-c", "-x", "assembler", str(code), "-o", str(target)]
    # R: a linker that leaves out unused sections keeps it, although nothing else of this object is used.
    # Assemblers of before 2021 do not know it.
    for flags in ("R", ""):
        code.write_text(
            f'    .section {SECTION},"{flags}",@progbits\n    .incbin "{section}"\n'
            f'    .section .note.GNU-stack,"",@progbits\n{_STUBS if with_stubs else ""}'
        )
        try:
            tool.run(command, "cannot prepare the link")
            break
        except BuildError:
            if not flags:
                raise
    return target
