"""Who wrote each byte of memory last, while one goes through the steps of an execution."""

from __future__ import annotations

# Memory is cut into pieces of so many bytes, of which an access touches few.
_PIECE = 64


class LastWriters:
    """Of each piece of memory, ranges of bytes that do not overlap, in order, each with the number of the
    step that wrote it last. What one write costs does not depend on how much was written before."""

    def __init__(self) -> None:
        self._pieces: dict[int, list[tuple[int, int, int]]] = {}  # start, end, number of the step

    def of(self, address: int, size: int) -> list[int]:
        """The steps that the bytes there are from, each once."""
        end = address + size
        found: dict[int, None] = {}
        for piece in range(address // _PIECE, (end - 1) // _PIECE + 1):
            for start, stop, number in self._pieces.get(piece, ()):
                if start < end and stop > address:
                    found[number] = None
        return list(found)

    def write(self, address: int, size: int, number: int) -> None:
        end = address + size
        for piece in range(address // _PIECE, (end - 1) // _PIECE + 1):
            first, last = max(address, piece * _PIECE), min(end, (piece + 1) * _PIECE)
            old = self._pieces.get(piece, ())
            kept = [(first, last, number)]
            if len(old) == 1 and old[0][0] == first and old[0][1] == last:
                self._pieces[piece] = kept
                continue
            for start, stop, other in old:
                if start < first:
                    kept.append((start, min(stop, first), other))
                if stop > last:
                    kept.append((max(start, last), stop, other))
            kept.sort()
            self._pieces[piece] = kept
