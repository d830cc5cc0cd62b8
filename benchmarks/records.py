"""What `bench` knows of one exploration, and the file of them: a line for each program, size and equivalence.

The file has tab-separated values and is written line by line, so that an interrupt loses nothing that is
done. `plots` and `page` read nothing else: with the file of an old run they draw the same again.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TextIO

FOREIGN_FIELDS = ("classes", "seconds", "ratio", "note")


@dataclass(frozen=True)
class Foreign:
    """What another tool says of the same program; empty where it was not run, or said nothing."""

    classes: int | None = None
    seconds: float | None = None
    ratio: float | None = None  # its time by ours
    note: str = ""  # why there is no figure


@dataclass(frozen=True)
class Record:
    """One program at one size, explored with one equivalence."""

    program: str
    size: str  # "9", "C=1,A=2"
    equivalence: str  # its short name
    classes: int | None = None  # executions + blocked; none if the row was left out
    blocked: int | None = None
    expected: str = ""  # "1536", "≤ 3908", "fails: assertion"
    origin: str = ""  # of what is expected: "published", "counted", "bounds"
    match: str = "-"  # "yes", "NO", or "-": nothing to compare
    seconds: float | None = None  # of the exploration
    whole_seconds: float | None = None  # the start of the process and its report included, the build not
    rate: float | None = None  # executions a second
    peak_mb: float | None = None
    note: str = ""  # why the row was left out, or what is wrong
    foreign: dict[str, Foreign] = field(default_factory=dict)  # by name of the tool

    @property
    def name(self) -> str:
        return f"{self.program}({self.size.replace(',', ', ')})" if self.size else self.program

    @property
    def fails(self) -> bool:
        """Whether the program is wrong, so that there is nothing to count."""
        return self.expected.startswith("fails")

    @property
    def is_done(self) -> bool:
        return self.match != "-"


_OWN = [each.name for each in fields(Record) if each.name != "foreign"]
_NUMBERS = {"classes": int, "blocked": int, "seconds": float, "whole_seconds": float, "ratio": float}
_NUMBERS |= {"rate": float, "peak_mb": float}


class Writer:
    """Writes records as they come."""

    def __init__(self, file: TextIO, tools: Iterable[str]) -> None:
        self._tools = tuple(tools)
        self._file = file
        names = [*_OWN, *(f"{tool}_{name}" for tool in self._tools for name in FOREIGN_FIELDS)]
        self._rows = csv.DictWriter(file, names, delimiter="\t", lineterminator="\n")
        self._rows.writeheader()

    def write(self, record: Record) -> None:
        cells = {name: _shown(getattr(record, name)) for name in _OWN}
        for tool in self._tools:
            theirs = asdict(record.foreign.get(tool, Foreign()))
            cells |= {f"{tool}_{name}": _shown(theirs[name]) for name in FOREIGN_FIELDS}
        self._rows.writerow(cells)
        self._file.flush()


def read(path: Path) -> list[Record]:
    with path.open(newline="", encoding="utf-8") as file:
        return [_record(cells) for cells in csv.DictReader(file, delimiter="\t")]


def _record(cells: dict[str, str]) -> Record:
    tools = [name.removesuffix("_ratio") for name in cells if name.endswith("_ratio")]
    foreign = {
        tool: Foreign(**{name: _value(name, cells[f"{tool}_{name}"]) for name in FOREIGN_FIELDS})
        for tool in tools
        if any(cells[f"{tool}_{name}"] for name in FOREIGN_FIELDS)
    }
    return Record(**{name: _value(name, cells[name]) for name in _OWN}, foreign=foreign)


def _value(name: str, text: str) -> Any:
    convert = _NUMBERS.get(name)
    if convert is None:
        return text
    return convert(text) if text else None


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)
