"""Accesses that gcc hides are named with their line, and nothing else is."""

import subprocess
from pathlib import Path

import pytest

from norn.build.gcc_gaps import describe
from norn.build.toolchain import identify

GCC, GXX = identify(("gcc",)), identify(("g++",))

HIDDEN = """struct Two { int a, b; }; struct Many { long a, b, c; };
struct Two two; struct Many many;
struct Two make_two(void); struct Many make_many(void); void take(struct Many);
void returned(void) { two = make_two(); }
void returned_in_memory(void) { many = make_many(); }
void passed(void) { take(many); }
"""
VISIBLE = """struct S { long a, b, c; }; struct S g, h; int x, array[4]; const int table[3] = {1, 2, 3};
double d; static int hidden; int (*call)(void); __thread int own; int f(int i) {
    static int calls; calls++; g = h; x = table[i]; array[i] = x; hidden += array[1]; d = 1.5; own = x;
    switch (i) {
        case 0: x = 1; break; case 1: x = 2; break; case 2: x = 3; break; case 3: x = 7; break; case 4: x = 9;
    }
    return call() + x;
}
"""
VISIBLE_CXX = """#include <atomic>
#include <mutex>
#include <string>
#include <vector>
std::mutex m; std::atomic<int> a; std::vector<int> v; std::string s; int plain;
struct Base { virtual int f() { return plain; } virtual ~Base() = default; }; Base object;
int f() { static std::string once("x"); std::lock_guard<std::mutex> l(m); a++; v.push_back(1); s += "x";
  plain = object.f(); return plain; }
"""


def assembly(text: str, directory: Path, name: str) -> str:
    compiler = GXX if name.endswith("cpp") else GCC
    if compiler is None or compiler.family != "gcc":
        pytest.skip("gcc is not installed")
    (directory / name).write_text(text)
    command = [*compiler.command, *compiler.flags(), "-S", name, "-o", "a.s"]
    subprocess.run(command, cwd=directory, check=True)
    return (directory / "a.s").read_text()


def test_hidden_accesses(tmp_path: Path):
    found = describe(assembly(HIDDEN, tmp_path, "a.c"))
    assert [text.split(" (")[0] for text in found] == [
        "a.c:4: gcc does not report this write of “two”",
        "a.c:5: gcc does not report this write of “many”",
        "a.c:6: gcc does not report this read of “many”",
    ]


@pytest.mark.parametrize(("text", "name"), [(VISIBLE, "a.c"), (VISIBLE_CXX, "a.cpp")])
def test_no_false_alarm(text: str, name: str, tmp_path: Path):
    assert describe(assembly(text, tmp_path, name)) == []


def test_inline_assembly_is_named_unless_it_is_empty(tmp_path: Path):
    text = """int x;
void f(void) { __asm__ volatile("" ::: "memory"); }
void g(void) { __asm__ volatile("lock incl %0" : "+m"(x)); }
"""
    (found,) = describe(assembly(text, tmp_path, "a.c"))
    assert found.startswith("a.c:3: what inline assembly reads and writes is not seen")
