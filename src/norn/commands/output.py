"""Files that commands write: checked before the work, written after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from norn import output
from norn.errors import NornError, UsageError
from norn.model import Comparison, Result

STANDARD_OUTPUT = "-"


@dataclass(frozen=True)
class Shown:
    """Options that every command has that shows a result."""

    json: str | None
    quiet: bool
    verbose: bool


@dataclass(frozen=True)
class ShownOnPage(Shown):
    """Of those whose result may be a page, too."""

    html: str | None


def require_targets(sources: Sequence[Path], targets: Mapping[str, str | None]) -> None:
    """A long check must not end with a result that cannot be written, nor with one written over the program.

    targets: option -> the file it names, or `-`, or nothing.
    """
    written: list[tuple[str, Path]] = []
    for option, target in targets.items():
        if option == "--html" and target == STANDARD_OUTPUT:
            raise UsageError("--html -: the page goes into a file; say which")
        if target is None or target == STANDARD_OUTPUT:
            continue
        path = Path(target)
        if not path.absolute().parent.is_dir():
            raise UsageError(f"{option} {target}: no such directory")
        if path.is_dir():
            raise UsageError(f"{option} {target}: is a directory")
        if path.exists() and not path.is_file():
            continue  # a device or a pipe takes whatever comes
        if any(_is_same_file(path, source) for source in sources):
            raise UsageError(f"{option} {target}: this is a source of the program, it would be overwritten")
        for other, taken in written:
            if _is_same_file(path, taken):
                raise UsageError(f"{other} and {option} would write the same file: {target}")
        written.append((option, path))


def write(text: str, target: str | None, option: str = "--json") -> None:
    if target is not None:
        output.write(text, target, option)


def write_html(result: Result | Comparison, target: str | None) -> None:
    """Before anything is shown: a reader of what is shown may end early."""
    if target is None:
        return
    try:
        result.write_html(target)
    except OSError as problem:
        raise NornError(f"--html {target}: {problem.strerror}") from problem


def _is_same_file(one: Path, other: Path) -> bool:
    """Also by another name, a link, and where neither exists yet."""
    try:
        return one.samefile(other)
    except OSError:
        return one.resolve() == other.resolve()
