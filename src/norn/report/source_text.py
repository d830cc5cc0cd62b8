"""Lines of source files, for showing beside a step."""

from __future__ import annotations

from pathlib import Path


class SourceText:
    """Reads each file once. A file that is not there has no lines."""

    def __init__(self) -> None:
        self._files: dict[str, list[str]] = {}

    def line(self, file: str | None, number: int | None) -> str:
        if file is None or number is None:
            return ""
        lines = self.lines(file)
        return lines[number - 1].strip().replace("\t", " ") if 0 < number <= len(lines) else ""

    def lines(self, file: str) -> list[str]:
        """All of them, as they are."""
        if file not in self._files:
            try:
                self._files[file] = Path(file).read_text(encoding="utf-8", errors="replace").split("\n")
            except OSError:
                self._files[file] = []
        return self._files[file]
