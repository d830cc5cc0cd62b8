"""Replay tokens: a schedule with its choices as one printable word.

    norn1.<base64url of: hash of the program (4 bytes), CRC-32 of the rest (4 bytes), compressed numbers>

The numbers are variable-length integers: the runs of the schedule (thread, ticks, checksum), the choices, the
parents of the threads, each list preceded by its length. The version is in front and readable, so that a
token of another version can be told from a damaged one.
"""

from __future__ import annotations

import base64
import binascii
import functools
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from norn.errors import TokenError

VERSION = 1
_PREFIX = "norn"
_HEADER = 8
_LARGEST_NUMBER = 1 << 64


@dataclass(frozen=True)
class Token:
    program_hash: str  # 8 hex digits
    schedule: str  # as in docs/protocol.md
    choices: str
    parents: str

    @property
    def ticks(self) -> int:
        """How long the execution is, operations on memory of one thread included."""
        return sum(int(run.split(":")[1]) for run in self.schedule.split(",") if run)

    def require_program(self, program_hash: str) -> None:
        """Raises unless the token was made by this very program."""
        if self.program_hash != program_hash:
            raise TokenError(
                f"the token belongs to another program ({self.program_hash}; this one is {program_hash}): "
                "sources, compiler options, compiler or norn itself have changed since. "
                "Run `norn check` again for a new token."
            )


@functools.lru_cache(maxsize=16)
def encode(token: Token) -> str:
    """(Several findings of one execution have the same schedule.)"""
    runs = [int(number) for number in token.schedule.replace(":", ",").split(",") if number]
    numbers = [len(runs) // 3, *runs]
    for part in (token.choices, token.parents):
        values = [int(value) for value in part.split(",") if value]
        numbers += [len(values), *values]
    body = zlib.compress(b"".join(map(_varint, numbers)), 9)
    data = bytes.fromhex(token.program_hash) + zlib.crc32(body).to_bytes(4, "little") + body
    return f"{_PREFIX}{VERSION}." + base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> Token:
    """The token, or a TokenError that says what is wrong with it."""
    text = text.strip()
    form = re.fullmatch(rf"{_PREFIX}(\d+)\.([A-Za-z0-9_-]+)", text)
    if form is None:
        raise TokenError(f"not a replay token: {text[:40]!r} (one starts with {_PREFIX}{VERSION}.)")
    if int(form.group(1)) != VERSION:
        raise TokenError(
            f"the token has version {form.group(1)}, this norn reads version {VERSION}: "
            "replay it with the norn that made it"
        )
    try:
        encoded = form.group(2)
        data = base64.b64decode(encoded + "=" * (-len(encoded) % 4), altchars=b"-_", validate=True)
        program_hash, checksum, body = data[:4], data[4:_HEADER], data[_HEADER:]
        if len(data) <= _HEADER or zlib.crc32(body) != int.from_bytes(checksum, "little"):
            raise ValueError("checksum")
        numbers = _numbers(zlib.decompress(body))
        runs = [f"{next(numbers)}:{next(numbers)}:{next(numbers)}" for _ in range(next(numbers))]
        choices, parents = ([str(next(numbers)) for _ in range(next(numbers))] for _ in range(2))
        if next(numbers, None) is not None:
            raise ValueError("trailing numbers")
    except (ValueError, binascii.Error, zlib.error, StopIteration, RuntimeError) as problem:
        raise TokenError("the replay token is damaged: copy it again, in full") from problem
    return Token(program_hash.hex(), ",".join(runs), ",".join(choices), ",".join(parents))


@functools.lru_cache(maxsize=1 << 17)
def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def _numbers(data: bytes) -> Iterator[int]:
    number, shift = 0, 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        shift += 7
        if number >= _LARGEST_NUMBER:
            raise ValueError("number out of range")
        if byte < 0x80:
            yield number
            number, shift = 0, 0
    if shift:
        raise ValueError("cut off")
