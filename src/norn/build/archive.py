"""Reads static libraries (`ar` archives), thin ones included."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from norn.errors import BuildError

_MAGIC, _THIN_MAGIC = b"!<arch>\n", b"!<thin>\n"
_HEADER_SIZE = 60
_TABLES = ("/", "/SYM64/", "//", "ARFILENAMES/")


def is_archive(data: bytes) -> bool:
    return data.startswith((_MAGIC, _THIN_MAGIC))


def members(path: Path) -> Iterator[tuple[str, bytes]]:
    """The name and contents of each member, in order."""
    data = path.read_bytes()
    thin = data.startswith(_THIN_MAGIC)
    long_names = b""
    at = len(_MAGIC)
    while at + _HEADER_SIZE <= len(data):
        header = data[at : at + _HEADER_SIZE]
        try:
            size = int(header[48:58])
        except ValueError as problem:
            raise BuildError(f"{path}: this archive is damaged") from problem
        name = header[:16].decode("utf-8", "replace").rstrip()
        at += _HEADER_SIZE
        is_table = name in _TABLES
        contents = data[at : at + size] if is_table or not thin else b""
        if is_table or not thin:
            at += size + size % 2
        if name == "//":
            long_names = contents
        if is_table:
            continue
        if name.startswith("/") and name[1:].isdigit():
            start = int(name[1:])
            name = long_names[start : long_names.find(b"\n", start)].decode("utf-8", "replace")
        name = name.removesuffix("/")
        if thin:
            contents = _member_outside(path, name)
        yield name, contents


def _member_outside(archive: Path, name: str) -> bytes:
    try:
        return (archive.parent / name).read_bytes()
    except OSError as problem:
        raise BuildError(f"{archive}: its member {name} cannot be read: {problem.strerror}") from problem
