"""Programs of `tests/programs` whose primitives the compilers build from other parts with other flags.

With -fexceptions a cleanup handler of C is a variable with a destructor, which the unwinder runs; C++20 has
atomic references; with -mcx16, or clang, atomics of 16 bytes come in by other functions.
"""

from __future__ import annotations

import shutil

import pytest

import norn
from tests.conftest import ROOT
from tests.expectation import read_expectation
from tests.test_programs import STANDARDS, require_expected

needs_clang = pytest.mark.skipif(shutil.which("clang") is None, reason="needs clang")

WITH_UNWINDER = ("cleanup_order.c", "cleanup_unlocks.c", "cancel_cond_wait.c", "cancel_in_handler.c")
LARGE_ATOMICS = ("atomic_16_bytes.c", "atomic_large.c", "atomic_flag_lock.c", "cpp_atomic_struct.cpp")
NEWER_STANDARD = ("cpp_atomic_ref.cpp", "cpp_atomic_double.cpp", "cpp_cancel_unwinds.cpp")


def require_verdict(name: str, *flags: str) -> None:
    path = ROOT / "tests" / "programs" / name
    standard = STANDARDS[path.suffix]
    result = norn.check(path, flags=[standard, *flags], equivalence="reads-from")
    require_expected(result, path, read_expectation(path))


@pytest.mark.parametrize("name", WITH_UNWINDER)
def test_cleanup_handlers_of_c_by_the_unwinder(name: str) -> None:
    require_verdict(name, "-fexceptions")


@pytest.mark.parametrize("name", NEWER_STANDARD)
def test_newer_standard(name: str) -> None:
    require_verdict(name, "-std=gnu++20")


@pytest.mark.parametrize("name", LARGE_ATOMICS)
def test_large_atomics_by_instructions(name: str) -> None:
    require_verdict(name, "-mcx16")


@needs_clang
@pytest.mark.parametrize("name", (*LARGE_ATOMICS, *WITH_UNWINDER, "once_left_by_exit.c"))
def test_clang(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "clang")
    monkeypatch.setenv("CXX", "clang++")
    require_verdict(name)


@needs_clang
@pytest.mark.parametrize("name", LARGE_ATOMICS)
def test_clang_with_large_instructions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "clang")
    monkeypatch.setenv("CXX", "clang++")
    require_verdict(name, "-mcx16")
