"""A crash inside of a library that norn has not compiled is reported with the library and the call."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import norn
from tests.conftest import check

LIBRARY = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_key_t key;
static __thread int calls;
int *nowhere;
// As GLib does.
__attribute__((constructor)) static void begin(void) {
    pthread_key_create(&key, 0);
    pthread_setspecific(key, "early");
#ifdef BAD_START
    *nowhere = 1;
#endif
}
const char *library_name(void) { return pthread_getspecific(key); }
__attribute__((noinline)) static int deeper(int n) {
    char room[64];
    memset(room, n, 64);
    return room[n % 64] + 1;
}
int library_writes(int *p, int n) {
    int a = deeper(n), b = deeper(a);
    *p = a + b;
    return a * b + ++calls;
}
int library_recurses(int n) {
    volatile char room[256];
    room[0] = n;
    return library_recurses(n + room[0]) + 1;
}
void library_aborts(int n) { if (deeper(n)) abort(); }
void library_calls_back(void (*f)(int *), int *p) { int a = deeper(3); f(p); nowhere = a ? p : 0; }
"""
PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
const char *library_name(void);
int library_writes(int *, int), library_recurses(int);
void library_aborts(int), library_calls_back(void (*)(int *), int *);
int *target, shared, value;
static void write(int *p) {
    *p = 1;
}
static void use(void) {
    USE
}
static void *work(void *p) { target = &value; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    use();
    pthread_join(t, NULL);
    return 0;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("crashes")
    source = directory / "odd.c"
    source.write_text(LIBRARY)
    for name, flags in (("odd", []), ("bad", ["-DBAD_START"])):
        command = ["gcc", "-O2", "-shared", "-fPIC", "-fno-optimize-sibling-calls", *flags, source]
        subprocess.run([*command, "-o", directory / f"lib{name}.so"], check=True)
    return directory


def checked(library: Path, program, use: str, name: str = "odd") -> norn.Result:
    flags = [f"-L{library}", f"-l{name}", f"-Wl,-rpath,{library}"]
    return check([program(PROGRAM.replace("USE", use))], flags=flags, races="off", cflags="-w")


# What the program does, the kind of the finding, where, and what is said.
CRASHES = {
    "null pointer": ("library_writes(target, 5);", "segmentation-fault", 13, "libodd.so (library_writes)"),
    "recursion": ("library_recurses(1);", "stack-overflow", 13, "libodd.so (library_recurses)"),
    "abort": ("library_aborts(2);", "abort", 13, ""),
    "callback": ("library_calls_back(write, target);", "segmentation-fault", 10, ""),
}


@pytest.mark.parametrize("what", CRASHES)
def test_a_crash_in_a_library_names_it_and_the_call(library, program, what):
    use, kind, line, said = CRASHES[what]
    result = checked(library, program, use)
    assert result.verdict is norn.Verdict.FAILED, result.problems
    (finding,) = result.findings
    assert finding.kind == kind
    assert said in finding.message
    assert str(finding.location).endswith(f"program.c:{line}")


def test_constructors_of_libraries_may_use_what_norn_models(library, program):
    result = checked(library, program, "assert(library_name()[0] == 'e');")
    assert result.verdict is norn.Verdict.VERIFIED, result.problems


def test_a_crash_before_main_is_reported(library, program):
    result = checked(library, program, "library_name();", name="bad")
    assert result.verdict is norn.Verdict.INCOMPLETE
    assert any("crashed before main" in problem and "libbad.so" in problem for problem in result.problems)
