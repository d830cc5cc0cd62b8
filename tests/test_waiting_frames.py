"""What is found of a loop that waits does not depend on where it lies on the stack.

The thread comes to its loop through a frame of some size, over what earlier calls have left there: calls of
the program, of libraries and of the engine. Whatever the size, the compiler, the equivalence and the way
executions are kept apart, the number of executions is the same.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import norn
from norn.model import EQUIVALENCES

EVERY_SIZE = os.environ.get("NORN_TEST_ALL") == "1"
SIZES = range(0, 1025, 16 if EVERY_SIZE else 112)
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]

FRAMES = "\n".join(
    f"static void frame_{size}(void) {{ char unused[{max(size, 1)}]; pass(unused); wait_for_flag(); }}"
    for size in range(0, 1025, 16)
)
TABLE = ", ".join(f"frame_{size}" for size in range(0, 1025, 16))
# The flag goes up, down and up again. Before the thread waits, it makes calls that leave something behind.
SOURCE = f"""
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long flag, data, other;

static void pass(char *bytes) {{ __asm__ volatile("" : : "r"(bytes) : "memory"); }}
static void wait_for_flag(void) {{
    for (;;) {{
        long v = __atomic_load_n(&flag, 5);
        if (v) return;
    }}
}}
static void leave_something(long value) {{
    long words[100];
    for (int i = 0; i < 100; i++) words[i] = value + i;
    pass((char *)words);
}}
{FRAMES}
static void (*const frames[])(void) = {{{TABLE}}};
static int chosen;

static void *write_flag(void *unused) {{
    data = 1;
    __atomic_store_n(&flag, 1, 5);
    __atomic_store_n(&flag, 0, 5);
    __atomic_store_n(&flag, 1, 5);
    return unused;
}}
static void *read_flag(void *unused) {{
    char text[40];
    leave_something(__atomic_fetch_add(&other, 1, 5));
    snprintf(text, sizeof text, "%ld", __atomic_load_n(&other, 5));
    frames[chosen]();
    __atomic_fetch_add(&other, data, 5);
    return unused;
}}
int main(int argc, char **argv) {{
    (void)argc;
    chosen = atoi(argv[1]);
    pthread_t a, b;
    pthread_create(&a, NULL, write_flag, NULL);
    pthread_create(&b, NULL, read_flag, NULL);
    __atomic_fetch_add(&other, 1, 5);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(other == 3);
}}
"""


@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_counts_are_the_same_in_every_frame(
    isolate: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "frames.c"
    source.write_text(SOURCE)
    sizes = SIZES if isolate == "memory" or EVERY_SIZE else SIZES[::5]
    for equivalence in EQUIVALENCES:
        counts = set()
        for compiler in COMPILERS:
            monkeypatch.setenv("CC", compiler)
            for size in sizes:
                result = norn.check(
                    source, arguments=[str(size // 16)], equivalence=equivalence, isolate=isolate
                )
                assert result.verdict is norn.Verdict.VERIFIED, (compiler, size, equivalence, result.problems)
                counts.add((result.classes, result.blocked))
        assert len(counts) == 1, (equivalence, counts)
