"""Addresses of a real executable get the names of its source."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from norn.symbolize import HEAP_BASE, STACK_BASE, Symbols, short_function
from norn.values import Scalar

TEXT = """#include <pthread.h>
struct Item { int key; struct { short low; short high; } pair; double weight; };
struct Item items[3];
int matrix[2][5];
unsigned counter;
pthread_mutex_t m;
int *pointer;
char label[8];
int called(int x) { return x + matrix[1][2]; }
int main(void) { static _Bool ready; ready = 1; return called(counter) + ready; }
"""


@pytest.fixture(scope="module")
def executable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("symbols")
    (directory / "a.c").write_text(TEXT)
    subprocess.run(["gcc", "-g", "-O0", "-no-pie", "a.c", "-o", "program"], cwd=directory, check=True)
    return directory / "program"


@pytest.fixture(scope="module")
def address(executable: Path) -> dict[str, int]:
    with executable.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        return {symbol.name: symbol["st_value"] for symbol in table.iter_symbols()}


@pytest.fixture
def symbols(executable: Path) -> Symbols:
    return Symbols(executable, [Path("a.c")])


@pytest.mark.parametrize(
    ("variable", "offset", "size", "name", "kind"),
    [
        ("counter", 0, 4, "counter", "unsigned"),
        ("items", 0, 4, "items[0].key", "signed"),
        ("items", 16 + 6, 2, "items[1].pair.high", "signed"),
        ("items", 32 + 8, 8, "items[2].weight", "float"),
        ("items", 16, 16, "items[1]", None),
        ("matrix", 4 * 7, 4, "matrix[1][2]", "signed"),
        ("m", 0, 40, "m", None),
        ("pointer", 0, 8, "pointer", "pointer"),
        ("label", 0, 6, "label", "text"),
        ("label", 2, 1, "label[2]", "character"),
    ],
)
def test_data(
    symbols: Symbols, address: dict[str, int], variable: str, offset: int, size: int, name: str, kind
):
    shown, scalar = symbols.data(address[variable] + offset, size)
    assert (shown, scalar.kind if scalar else None) == (name, kind)


def test_static_local(symbols: Symbols, address: dict[str, int]):
    static = next(value for name, value in address.items() if name.startswith("ready."))
    assert symbols.data(static, 1) == ("ready", Scalar("boolean", 1))


def test_without_debug_information_of_the_source(executable: Path, address: dict[str, int]):
    plain = Symbols(executable)
    assert plain.data(address["matrix"] + 8)[0] == "matrix+8"
    assert plain.data(address["counter"])[0] == "counter"


def test_memory_of_threads(symbols: Symbols):
    assert symbols.data(HEAP_BASE + (2 << 30) + 0x40)[0] == "heap of T2+0x40"
    assert symbols.data(STACK_BASE + (1 << 30) + 0x10)[0] == "stack of T1+0x10"
    assert symbols.data(0x10)[0] == "0x10"


def code_names(symbols: Symbols, address: dict[str, int]) -> tuple[str, str | None]:
    (frame,) = symbols.stack([address["called"] + 5])
    return frame.function, frame.place


def test_code_by_addr2line_and_by_line_tables_agree(symbols, executable, address, monkeypatch):
    function, place = code_names(symbols, address)
    assert function == "called"
    assert place is not None
    assert place.endswith("a.c:9")
    monkeypatch.setattr("shutil.which", lambda _: None)
    again, other = code_names(Symbols(executable, [Path("a.c")]), address)
    assert again == "called"
    assert other is not None
    assert other.endswith("a.c:9")


def test_exact_address_of_a_fault(symbols: Symbols, address: dict[str, int]):
    assert symbols.stack([address["called"]], fault=True)[0].function == "called"
    assert symbols.function(address["main"]) == "main"


@pytest.mark.parametrize(
    ("kind", "size", "value", "shown"),
    [
        ("signed", 4, 0xFFFFFFFF, "-1"),
        ("signed", 1, 0x7F, "127"),
        ("unsigned", 4, 0xFFFFFFFF, "4294967295"),
        ("boolean", 1, 1, "true"),
        ("pointer", 8, 0, "NULL"),
        ("float", 8, 0x3FF8000000000000, "1.5"),
        ("text", 6, int.from_bytes(b"hello\0", "little"), '"hello"'),
        ("text", 4, 0x80FF, "0x80ff"),
    ],
)
def test_values(kind: str, size: int, value: int, shown: str):
    assert Scalar(kind, size).show(value) == shown


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("main", "main"),
        (
            "main::{lambda(std::vector<int>&, int)#2}::operator()(std::vector<int>&, int) const",
            "main::lambda 2",
        ),
        ("void work<int>(int)", "work"),
        ("std::queue<int, std::deque<int, std::allocator<int> > >::push(int&&)", "std::queue::push"),
        ("A::operator<(A const&) const", "A::operator<"),
        ("(anonymous namespace)::work(int)", "work"),
    ],
)
def test_short_function(name: str, short: str):
    assert short_function(name) == short
