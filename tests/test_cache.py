"""The cache gives back exactly what was built from the same content, and never stands in the way."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from norn.build import cache, engine_files, instrument
from norn.build.compile import Job
from norn.build.engine_files import EngineFiles
from norn.build.options import sort_options
from norn.build.toolchain import find_compiler
from norn.errors import BuildError


@pytest.fixture
def engine(tmp_path: Path) -> EngineFiles:
    """Stand-ins for the installed engine: keys depend on their content only."""
    root = tmp_path / "engine-root"
    for name in (
        "engine/norn_engine.o",
        "engine/norn_engine_cxx.o",
        "engine/renames.txt",
        "include/norn.h",
        "include/norn_cxx_visible.h",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    return engine_files.locate(root)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NORN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def key(engine: EngineFiles, *flags: str) -> str:
    return cache.key_of(Job((Path("a.c"),), sort_options(flags), {False: find_compiler(False)}, engine))


def test_key_depends_on_everything_that_matters(engine: EngineFiles, place: Path):
    (place / "a.c").write_text('#include "b.h"\nint main(void) { return B; }\n')
    (place / "b.h").write_text("#define B 1\n")
    first = key(engine)
    assert key(engine) == first
    seen = {first, key(engine, "-DN=1"), key(engine, "-lfoo")}
    (place / "b.h").write_text("#define B 2\n")
    seen.add(key(engine))
    (place / "a.c").write_text('#include "b.h"\nint main(void) { return B + 1; }\n')
    seen.add(key(engine))
    engine.engine.write_text("other")
    seen.add(key(engine))
    assert len(seen) == 6


def test_another_way_of_building_is_another_key(
    engine: EngineFiles, place: Path, monkeypatch: pytest.MonkeyPatch
):
    """An executable that an earlier norn has instrumented otherwise is never used again."""
    (place / "a.c").write_text("int main(void) { return 0; }\n")
    first = key(engine)
    copied = place / "build"
    shutil.copytree(Path(instrument.__file__).parent, copied, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(instrument, "__file__", str(copied / "instrument.py"))
    assert key(engine) == first
    for module in sorted(copied.glob("*.py")):
        before = module.read_text()
        module.write_text(before + "# another way")
        assert key(engine) != first, module.name
        module.write_text(before)


def test_local_library_is_part_of_the_key(engine: EngineFiles, place: Path):
    (place / "a.c").write_text("int main(void) { return 0; }\n")
    (place / "libfoo.a").write_text("1")
    before = key(engine, "-L.", "-lfoo")
    (place / "libfoo.a").write_text("2")
    assert key(engine, "-L.", "-lfoo") != before


def test_missing_header_is_a_compile_error(engine: EngineFiles, place: Path):
    (place / "a.c").write_text('#include "nothing.h"\n')
    with pytest.raises(BuildError) as caught:
        key(engine)
    assert "nothing.h" in caught.value.output


def stored(place: Path, name: str = "key") -> Path:
    built = place / "built"
    built.write_text("#!/bin/sh\n")
    built.chmod(0o755)
    return cache.store(name, built, cache.Note("0badcafe", ["w"]))


def test_store_and_look_up(place: Path):
    assert cache.look_up("key") is None
    program = stored(place)
    assert cache.look_up("key") == (program, cache.Note("0badcafe", ["w"]))
    assert stored(place) == program
    assert [path.name for path in cache.directory().iterdir()] == ["key"]


def test_damaged_entry_is_replaced(place: Path):
    program = stored(place)
    (program.parent / "note.json").write_text("{")
    assert cache.look_up("key") is None
    stored(place)
    assert cache.look_up("key") is not None


def test_places(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NORN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache.directory() == Path("/somewhere/norn")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.directory() == Path.home() / ".cache" / "norn"


def test_incomplete_installation(tmp_path: Path):
    with pytest.raises(BuildError, match="not completely installed"):
        engine_files.locate(tmp_path)


def test_header_names_with_spaces(engine: EngineFiles, place: Path):
    (place / "a.c").write_text('#include "b c.h"\nint main(void) { return 0; }\n')
    (place / "b c.h").write_text("")
    before = key(engine)
    (place / "b c.h").write_text("int x;")
    assert key(engine) != before
