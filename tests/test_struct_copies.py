"""Structs of every size can be copied where threads share them: norn follows what the compilers make of it.

Compilers copy small structs by moves, the last of which may overlap the one before, larger ones by repeated
string moves or by a call, and structs that are passed by value onto the stack. All accesses are announced or
made visible (src/norn/build/unseen.py); an access that is neither would make the result incomplete.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

import norn

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
SIZES = {
    "char": (*range(1, 70), 127, 129, 131, 257, 263),
    "short": (5, 7, 11, 35, 129),
    "int": (*range(1, 35), 65, 100, 129),
    "long": (3, 17, 33, 100),
}


def source_for(element: str, sizes: Sequence[int]) -> str:
    types, copies = [], []
    for n in sizes:
        types.append(f"""
            struct s{n} {{ {element} v[{n}]; }};
            static struct s{n} a{n}, b{n}, *p{n} = &a{n}, c{n}[2];
            static struct s{n} same{n}(struct s{n} x) {{ return x; }}""")
        copies.append(f"""
            b{n} = a{n}; *p{n} = b{n}; b{n} = *p{n};
            c{n}[i] = *p{n}; *p{n} = c{n}[1 - i]; a{n} = same{n}(*p{n});
            {{ struct s{n} l = a{n}, *q = &l; l.v[{n} - 1]++; *p{n} = l; *q = a{n}; b{n} = *q; }}""")
    return f"""
        #include <assert.h>
        #include <pthread.h>
        static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        {"".join(types)}
        static void *work(void *first) {{
            int i = first != 0;
            pthread_mutex_lock(&mutex);
            {"".join(copies)}
            pthread_mutex_unlock(&mutex);
            return 0;
        }}
        int main(void) {{
            pthread_t thread;
            pthread_create(&thread, 0, work, 0);
            work(&mutex);
            pthread_join(thread, 0);
            return 0;
        }}
    """


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("element", SIZES)
def test_no_copy_is_a_gap(
    element: str, compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "copies.c"
    source.write_text(source_for(element, SIZES[element]))
    monkeypatch.setenv("CC", compiler)
    result = norn.check(source, equivalence="rf")
    assert result.verdict is norn.Verdict.VERIFIED, result.problems
    assert result.classes == 2
