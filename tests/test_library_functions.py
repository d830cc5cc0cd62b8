"""Every modelled library function that touches memory of the program is right between its events.

What a function reads at one event are the bytes that it uses, and what it writes at one is there for whoever
comes next: all outcomes of two threads are found, under every equivalence, and no others.
"""

from __future__ import annotations

import re

import pytest

import norn
from norn import session
from norn.build import Program, build, engine_files
from norn.build.options import sort_options
from tests.conftest import ROOT, check
from tests.fuzz import KNOWN_EQUIVALENCES, OBSERVATION
from tests.library_cases import CASES, write_source

EQUIVALENCES = (*KNOWN_EQUIVALENCES, OBSERVATION)
TABLE = ROOT / "engine" / "executor" / "native" / "library_functions.txt"


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Program:
    source = tmp_path_factory.mktemp("library") / "cases.c"
    source.write_text(write_source())
    return build([source], sort_options(cflags="-w"))


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda number: f"{number}-{CASES[number].function}")
def test_all_outcomes_are_found_and_no_others(checked, number):
    case = CASES[number]
    command = [str(checked.executable), str(number)]
    for equivalence in EQUIVALENCES:
        options: dict[str, str | int | float] = {"equivalence": equivalence, "keep_going": 1}
        outcome = session.run(command, {"mode": "check", **options}, time_limit=60)
        what = f"{case.function}, {equivalence}: {outcome.errors or outcome.unsupported or outcome.diverged}"
        assert outcome.result is not None and outcome.result.bounds == [], what
        found = {re.sub(r".*outcome [!=]= (\d).*", r"\1", finding.message) for finding in outcome.findings}
        assert found == {str(wanted) for wanted in case.outcomes}, what


def rows() -> dict[str, str]:
    """Function -> number of events, of the table in the sources."""
    found: dict[str, str] = {}
    for count, names in re.findall(r"^(none|one|several): ([^\n]*?): ", TABLE.read_text(), re.M):
        for name in names.split():
            assert name not in found, f"{name} has two lines in {TABLE.name}"
            found[name] = count
    return found


def test_the_table_has_every_modelled_function():
    lines = engine_files.locate().renames.read_text().splitlines()
    renamed = dict(line.split() for line in lines if line.strip())
    modelled = {
        name for name, target in renamed.items() if not target.startswith(("norn_refused_", "norn_entry_"))
    }
    cxx = {name for name in modelled if name.startswith("_Z")}  # under their names in C++
    assert modelled - cxx - rows().keys() == set(), f"say in {TABLE.name} how these are right"
    assert {name for name in rows() if "::" not in name} - modelled == set()


# Their memory is what other tests are about: attributes, signals, blocks, atomic objects, descriptors.
ELSEWHERE = re.compile(
    r"pthread_|sig|realloc|mkstemp|__atomic_|__isoc23_|__strtok_r|v?printf|fputs|perror|pwrite64|wcscpy"
    r"|p?poll$|p?select$"
)


def test_every_function_of_several_events_has_a_case():
    tested = {case.function for case in CASES}
    several = {name for name, count in rows().items() if count == "several"}
    assert {name for name in several - tested if not ELSEWHERE.match(name)} == set()


# Formats and their arguments: norn takes them apart, and must come to the same as libc.
FORMATS = r"""
    TRY("plain") TRY("%d|%5d|%-5d|%05d|%+d|% d", 1, 2, 3, 4, 5, 6) TRY("%i %u %x %#X %o", -1, 2u, 255, 255, 8)
    TRY("%hhd %hd %ld %lld", (char)300, (short)70000, 1L << 40, 1LL << 41)
    TRY("%jd %zu %td %qd", (intmax_t)5, (size_t)6, (ptrdiff_t)7, 8LL)
    TRY("%f %.2f %10.3e %g %a %F %E %G %A", 1.5, 2.25, 3e10, 4e-9, 0.5, 1.0, 2.0, 3.0, 4.0)
    TRY("%Lf %.1Lf %d", 1.5L, 2.25L, 3) TRY("%f %d %f %d %Lg %s", 1.0, 2, 3.0, 4, 5.0L, "six")
    TRY("%s|%10s|%-10s|%.2s|%*s|%-*s|%.*s|%*.*s", "a", "b", "c", "defg", 5, "h", 6, "i", 2, "jkl", 7, 1, "mn")
    TRY("%.*s|%.*d|%*d", -1, "all", 3, 4, -5, 6) TRY("%c%c%%%c", 'x', 'y', 'z') TRY("%p %p", (void *)16, NULL)
    TRY("%s", (char *)NULL) TRY("%.3s", (char *)NULL) TRY("%5%|%") TRY("%2$s %1$d %2$s", 1, "two")
    TRY("%3$*1$.*2$f|", 9, 2, 1.2345) TRY("%1$d %1$05d", 7)
    TRY("%ls|%.2ls|%lc|%S", L"wide", L"wide", L'c', L"more")
    TRY("%'d %I64d", 1234567, 5) TRY("%d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9)
    TRY("%f %f %f %f %f %f %f %f %f %f", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.)
    TRY("a%nb%hhnc%hnd%lne", &n, &c, &h, &l)
    errno = ENOENT; TRY("%m %d", 3) TRY("%s %s", big, "end")
"""
FORMATTED = r"""
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
static int (*libc_snprintf)(char *, size_t, const char *, ...);
static int n; static signed char c; static short h; static long l; static char big[5000];
#define TRY(...) { \
    char own[9000], theirs[9000]; int code = errno; \
    int a = snprintf(own, sizeof own, __VA_ARGS__); int counts = n + 3 * c + 7 * h + 11 * l; errno = code; \
    int b = libc_snprintf(theirs, sizeof theirs, __VA_ARGS__); \
    assert(a == b && counts == n + 3 * c + 7 * h + 11 * l); if (a >= 0) assert(strcmp(own, theirs) == 0); \
    assert(snprintf(own, 3, __VA_ARGS__) == b); \
    if (a >= 0) assert(strncmp(own, theirs, 2) == 0 && strlen(own) < 3); \
    errno = code; assert(snprintf(NULL, 0, __VA_ARGS__) == b); }
static void *work(void *p) { return p; }
int main(void) {
    pthread_t t;
    libc_snprintf = dlsym(RTLD_DEFAULT, "snprintf");
    memset(big, 'x', sizeof big - 1);
    FORMATS
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
"""


def test_formatted_text_is_that_of_libc(program):
    result = check(program(FORMATTED.replace("FORMATS", FORMATS)), cflags="-w")
    assert result.verdict is norn.Verdict.VERIFIED, result.findings
