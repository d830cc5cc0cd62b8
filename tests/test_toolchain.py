"""The compiler is the one the user asked for, and its flags are those of its family."""

from pathlib import Path

import pytest

from norn.build import known_frames, toolchain
from norn.build.toolchain import Compiler, find_compiler, identify
from norn.errors import BuildError


def fake_compiler(directory: Path, name: str, banner: str) -> Path:
    path = directory / name
    path.write_text(f"#!/bin/sh\necho '{banner}'\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing on it but what the test puts there."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/nowhere")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    identify.cache_clear()
    yield tmp_path
    identify.cache_clear()


GCC = "gcc (Debian 12.2.0-14) 12.2.0 Free Software Foundation"
CLANG = "Debian clang version 14.0.6"


def test_gcc_before_clang(only: Path):
    fake_compiler(only, "clang", CLANG)
    assert find_compiler(cxx=False).family == "clang"
    identify.cache_clear()
    fake_compiler(only, "gcc", GCC)
    found = find_compiler(cxx=False)
    assert (found.family, found.version, found.major) == ("gcc", "12.2.0", 12)


def test_choice_of_the_user(only: Path, monkeypatch: pytest.MonkeyPatch):
    fake_compiler(only, "gcc", GCC)
    chosen = fake_compiler(only, "clang-19", "clang version 19.1.7")
    monkeypatch.setenv("CC", str(chosen))
    assert find_compiler(cxx=False).version == "19.1.7"
    fake_compiler(only, "clang++-19", "clang version 19.1.7")
    assert find_compiler(cxx=True).command == (str(only / "clang++-19"),)


def test_choice_that_does_not_run(only: Path, monkeypatch: pytest.MonkeyPatch):
    fake_compiler(only, "gcc", GCC)
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(BuildError, match=r"\$CC is set to “no-such-compiler”"):
        find_compiler(cxx=False)


def test_no_compiler(only: Path):
    with pytest.raises(BuildError, match="no C compiler found"):
        find_compiler(cxx=False)
    with pytest.raises(BuildError, match=r"no C\+\+ compiler found"):
        find_compiler(cxx=True)


def test_flags():
    gcc = Compiler(("gcc",), "gcc", "12.2.0", "")
    assert "-fno-builtin" in gcc.flags()
    assert gcc.flags()[0] == "-O0"
    assert "-ftrivial-auto-var-init=zero" in gcc.flags()
    assert not [flag for flag in Compiler(("gcc",), "gcc", "11.4", "").flags() if "auto-var-init" in flag]
    clang = Compiler(("clang",), "clang", "14.0.6", "")
    assert "-tsan-instrument-read-before-write" in clang.flags("-O1")
    assert "-ftrivial-auto-var-init=pattern" in clang.flags()


def test_warnings():
    gcc = Compiler(("gcc",), "gcc", "12.2.0", "")
    assert gcc.warnings() == []
    assert "-O2" in gcc.warnings("-O2")[0]
    assert Compiler(("clang",), "clang", "19.1.7", "").warnings() == []


def test_what_is_not_reported_of_frames():
    rules = {
        "gcc": known_frames.of_nested_functions,
        "clang 19.1.7": known_frames.of_fields,
        "clang 22.1.8": known_frames.nothing,
    }
    for name, rule in rules.items():
        family, _, version = name.partition(" ")
        assert Compiler((family,), family, version or "12.2.0", "").frame_rule is rule


def test_sources_by_suffix():
    assert toolchain.is_cxx(Path("a.cpp"))
    assert toolchain.is_cxx(Path("a.C"))
    assert not toolchain.is_cxx(Path("a.c"))
    assert not toolchain.is_source(Path("a.o"))
