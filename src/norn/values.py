"""Values as people read them, by the type that the debug information gives them."""

from __future__ import annotations

import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class Scalar:
    """How to print a value of a basic type, or of bytes that hold bit-fields."""

    # "signed", "unsigned", "float", "boolean", "character", "enumeration", "pointer", "text", "bit-fields"
    kind: str
    size: int
    names: tuple[tuple[int, str], ...] = ()  # of an enumeration
    fields: tuple[BitField, ...] = ()

    def show(self, value: int) -> str:
        if self.kind in ("signed", "unsigned"):
            return self._show_number(value)
        if self.fields:
            shown = [field.show(value) for field in self.fields]
            return shown[0] if len(shown) == 1 else f"{{{', '.join(shown)}}}"
        if self.kind == "boolean":
            return "false" if value == 0 else "true" if value == 1 else str(value)
        if self.kind == "pointer":
            return "NULL" if value == 0 else f"{value:#x}"
        if self.kind == "text":
            return _show_text(value, self.size)
        if self.kind == "float" and self.size in (4, 8):
            raw = value.to_bytes(8, "little")[: self.size]
            number: float = struct.unpack("<f" if self.size == 4 else "<d", raw)[0]
            return f"{number:g}"
        if self.kind == "character" and 0x20 <= value < 0x7F:
            return "'\\''" if value == 0x27 else f"'{chr(value)}'"
        return self._show_number(value)

    def _show_number(self, value: int) -> str:
        signed = self.kind in ("signed", "character", "enumeration")
        if not self.names:
            is_negative = signed and self.size <= 8 and value >> (8 * self.size - 1) & 1
            return str(value - (1 << 8 * self.size) if is_negative else value)
        if signed and self.size <= 8 and value >> (8 * self.size - 1) & 1:
            number = value - (1 << 8 * self.size)
            # (Enumerators of an unsigned type are given as they are.)
            return dict(self.names).get(number) or dict(self.names).get(value) or str(number)
        return dict(self.names).get(value) or str(value)


@dataclass(frozen=True)
class BitField:
    """Some bits of a value."""

    first: int
    width: int
    scalar: Scalar  # of the declared type

    def show(self, value: int) -> str:
        bits = value >> self.first & (1 << self.width) - 1
        is_negative = self.scalar.kind in ("signed", "character") and bits >> (self.width - 1) & 1
        sign = (1 << 8 * self.scalar.size) - (1 << self.width) if is_negative else 0
        return self.scalar.show(bits + sign)


def digest(value: int) -> str:
    """Values above 8 bytes are known by a digest only."""
    return f"digest {value & 0xFFFFFFFF:08x}"


def _show_text(value: int, size: int) -> str:
    if size > 8:
        return digest(value)
    text, _, rest = value.to_bytes(8, "little")[:size].partition(b"\0")
    readable = all(0x20 <= letter < 0x7F for letter in text) and not rest.strip(b"\0")
    return f'"{text.decode("ascii")}"' if readable else f"{value:#x}"
