"""The parts of the engine that CMake installed into the package, to be linked into checked programs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from norn.errors import BuildError


@dataclass(frozen=True)
class EngineFiles:
    root: Path

    @property
    def engine(self) -> Path:
        return self.root / "engine" / "norn_engine.o"

    @property
    def engine_cxx(self) -> Path:
        """Linked in addition into C++ programs."""
        return self.root / "engine" / "norn_engine_cxx.o"

    @property
    def renames(self) -> Path:
        """Library functions whose calls go to norn's models instead (objcopy --redefine-syms)."""
        return self.root / "engine" / "renames.txt"

    @property
    def include(self) -> Path:
        return self.root / "include"

    @property
    def cxx_prelude(self) -> Path:
        """Included before every C++ source: makes accesses inside std::string visible."""
        return self.include / "norn_cxx_visible.h"

    @property
    def all(self) -> tuple[Path, ...]:
        return (self.engine, self.engine_cxx, self.renames, self.include / "norn.h", self.cxx_prelude)

    def digest(self) -> str:
        """Changes whenever the engine does, so that programs built with another one are not reused."""
        content = hashlib.sha256()
        for path in self.all:
            content.update(path.read_bytes())
        return content.hexdigest()


def locate(root: Path | None = None) -> EngineFiles:
    """The engine beside this package."""
    files = EngineFiles(root or Path(__file__).resolve().parent.parent)
    for path in files.all:
        if not path.is_file():
            raise BuildError(
                f"norn is not completely installed: {path} is missing. Reinstall it: pip install ."
            )
    return files
