"""A program may define functions that norn models, refuses or uses itself: its own are called, said once."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import norn
from norn.build.toolchain import find_ar
from tests.conftest import check

# A definition, and a use of it that holds with the program's own function only.
OWN = {
    "random": ("long random(void) { return 41; }", "random() == 41"),
    "strnlen": ("unsigned long strnlen(const char *s, unsigned long n) { return 7; }", 'strnlen("", 3) == 7'),
    "thrd_sleep": ("int thrd_sleep(int a) { return a + 1; }", "thrd_sleep(1) == 2"),
    "getline": ("int getline(int a) { return a + 2; }", "getline(1) == 3"),
    "memcpy": (
        "void *memcpy(void *t, const void *s, unsigned long n) { return 0; }",
        "memcpy(&x, &y, 1) == 0",
    ),
    "malloc": (
        "void *malloc(unsigned long n) { static char pool[64]; return pool; }",
        "malloc(3) == malloc(4)",
    ),
    "snprintf": ("int snprintf(char *a, long b, const char *c) { return 5; }", 'snprintf(0, 0, "") == 5'),
    "puts": ("int puts = 3;", "puts == 3"),
    "sem_post": ("int sem_post(int n) { return n; }", "sem_post(8) == 8"),
    "dup2": ("int dup2(int n) { return n; }", "dup2(9) == 9"),
    "pipe": ("int pipe(int n) { return n; }", "pipe(4) == 4"),
    "socket": ("int socket(int n) { return n; }", "socket(4) == 4"),
}
REFUSED = {"getline", "socket"}  # no model is lost
START = "#include <assert.h>\n#include <pthread.h>\nchar x, y; int shared;\n"
MAIN = """
static void *work(void *p) { shared++; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    shared++;
    USES
    pthread_join(t, 0);
    return 0;
}
"""


def main_using(names: Iterable[str]) -> str:
    return MAIN.replace("USES", "\n    ".join(f"assert({OWN[name][1]});" for name in names))


def declared(definition: str) -> str:
    """The definition as a declaration, for another file."""
    return f"extern {definition.partition('{')[0].partition('=')[0].strip(' ;')};\n"


def notes(result: norn.Result) -> list[str]:
    return [warning for warning in result.warnings if "its own code is used" in warning]


def test_the_programs_own_are_called(program):
    source = program(START + "\n".join(definition for definition, _ in OWN.values()) + main_using(OWN))
    result = check([source], cflags="-w", races="off")
    assert result.verdict is norn.Verdict.VERIFIED
    (said,) = notes(result)
    assert re.search(r"the program defines \w+, malloc, memcpy, \w+ and \d more: ", said)


def test_they_may_be_in_another_file(tmp_path):
    one, two = tmp_path / "one.c", tmp_path / "two.c"
    one.write_text(START + "".join(declared(definition) for definition, _ in OWN.values()) + main_using(OWN))
    two.write_text("\n".join(definition for definition, _ in OWN.values()) + "\n")
    assert check([one, two], cflags="-w", races="off").verdict is norn.Verdict.VERIFIED


def test_they_may_be_static_and_other_files_use_the_librarys(tmp_path):
    one, two = tmp_path / "one.c", tmp_path / "two.c"
    own = START + "".join(f"static {definition}\n" for definition, _ in OWN.values()) + "long other(void);\n"
    one.write_text(own + main_using(OWN).replace("return 0;", "return other() == 41;"))
    two.write_text("#include <stdlib.h>\nlong other(void) { return random(); }\n")
    result = check([one, two], cflags="-w", races="off")
    assert result.verdict is norn.Verdict.VERIFIED
    assert notes(result) == []


def test_what_norn_refuses_needs_no_note(program):
    source = program(START + "".join(OWN[name][0] + "\n" for name in REFUSED) + main_using(REFUSED))
    result = check([source], cflags="-w", races="off")
    assert result.verdict is norn.Verdict.VERIFIED
    assert notes(result) == []


def test_a_static_library_has_them(tmp_path):
    one, two = tmp_path / "one.c", tmp_path / "two.c"
    one.write_text(START + "long random(void);\n" + main_using(["random"]))
    two.write_text("long random(void) { return 41; }\n")
    compiled, library = tmp_path / "two.o", tmp_path / "libtwo.a"
    subprocess.run(["gcc", "-c", two, "-o", compiled], check=True)
    subprocess.run([find_ar(), "rcs", library, compiled], check=True)
    result = check([one], flags=[f"-L{tmp_path}", "-ltwo"], races="off")
    assert result.verdict is norn.Verdict.VERIFIED


def test_operators_of_cxx_can_be_replaced(tmp_path: Path):
    source = tmp_path / "one.cpp"
    source.write_text("""
        #include <cassert>
        #include <cstdlib>
        #include <thread>
        #include <vector>
        int made;
        void *operator new(std::size_t size) { ++made; return std::malloc(size); }
        void operator delete(void *p) noexcept { std::free(p); }
        void operator delete(void *p, std::size_t) noexcept { std::free(p); }
        int main() {
            std::vector<int> v(3);
            assert(made == 1);
            return 0;
        }
    """)
    assert check([source]).verdict is norn.Verdict.VERIFIED
