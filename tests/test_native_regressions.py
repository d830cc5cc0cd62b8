"""Programs that an earlier executor got wrong: each keeps its verdict and its number of classes."""

from __future__ import annotations

import pytest

import norn
from tests.conftest import check

C = """
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_t first, second;
#define START(f) pthread_create(&first, 0, f, 0)
#define JOIN pthread_join(first, 0)
"""
CPP = "#include <atomic>\n#include <cassert>\n#include <memory>\n#include <thread>\n"

# Reads and writes of library functions happen at their events, not before or after: all these can fail.
CAN_FAIL = {
    "memcmp reads its operands one after the other": """
        static char a[4], b[4];
        static void *w(void *p) { a[0] = 1; b[0] = 1; return p; }
        int main(void) { START(w); int r = memcmp(a, b, 1); JOIN; assert(r >= 0); return 0; }""",
    "compare-exchange reads and writes what is expected": """
        static atomic_int v = 5;
        static int expected, seen;
        static void *w(void *p) { seen = expected; return p; }
        int main(void) {
            START(w); atomic_compare_exchange_strong(&v, &expected, 9); JOIN;
            assert(seen == 5); return 0; }""",
    "a string argument is read": """
        static char shared[8];
        static void *w(void *p) { shared[0] = 'x'; return p; }
        int main(void) { char l[8]; START(w); snprintf(l, 8, "%s", shared); assert(l[0] == 0); return 0; }""",
    "a number is parsed from what is there": """
        static char digits[4] = "1";
        static void *w(void *p) { digits[0] = '2'; return p; }
        int main(void) { START(w); int n = atoi(digits); JOIN; assert(n == 1); return 0; }""",
}


@pytest.mark.parametrize("case", CAN_FAIL)
def test_can_fail(case, program):
    result = check(program(C + CAN_FAIL[case]))
    assert [finding.kind for finding in result.findings] == ["assertion"]
    assert not result.findings[0].unconfirmed


# Right programs that were once refused, called wrong, or did not end.
VERIFIED = {
    "memory that asprintf allocates": (
        """
        static char *p;
        static void *w(void *q) { p[0] = 'x'; p[1] = 'y'; return q; }
        int main(void) {
            assert(asprintf(&p, "%s", "rather long text") == 16);
            pthread_create(&first, 0, w, 0); pthread_create(&second, 0, w, 0);
            return 0; }""",
        4,
    ),
    "the environment begins anew": (
        """
        static atomic_int x;
        static void *w(void *p) { x++; return p; }
        int main(void) {
            assert(!getenv("NORN_TEST")); setenv("NORN_TEST", "1", 1);
            pthread_create(&first, 0, w, 0); pthread_create(&second, 0, w, 0);
            return 0; }""",
        2,
    ),
    "a detached thread may wait for work for ever": (
        """
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        static int work;
        static void *w(void *p) {
            pthread_mutex_lock(&m);
            for (;;) { while (!work) pthread_cond_wait(&c, &m); work = 0; }
            return p; }
        int main(void) {
            START(w); pthread_detach(first);
            pthread_mutex_lock(&m); work = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
            return 0; }""",
        2,
    ),
    "nested functions": (
        """
        int main(void) {
            int calls = 0, a[3] = {3, 2, 1};
            int compare(const void *x, const void *y) { calls++; return *(int *)x - *(int *)y; }
            qsort(a, 3, sizeof(int), compare);
            assert(a[0] == 1 && calls > 0);
            return 0; }""",
        1,
    ),
}


@pytest.mark.parametrize("case", VERIFIED)
@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_verified(case, isolate, program):
    text, classes = VERIFIED[case]
    result = check(program(C + text), equivalence="mazurkiewicz", isolate=isolate)
    assert result.verdict is norn.Verdict.VERIFIED, (result.findings, result.problems)
    assert (result.executions, result.redundant) == (classes, 0)


def test_use_after_free_races_with_the_free(program):
    text = """
        static int *p;
        static void *w(void *q) { assert(*p != 5); return q; }
        int main(void) { p = malloc(4); *p = 5; START(w); free(p); JOIN; return 0; }"""
    result = check(program(C + text), keep_going=True)
    assert sorted(finding.kind for finding in result.findings) == ["assertion", "use-after-free"]
    assert result.executions == 2


WAITING = """
    static KIND int flag;
    static void *w(void *p) { flag = 1; return p; }
    int main(void) { START(w); LOOP JOIN; return 0; }"""


# An atomic flag is loaded into a temporary, which the first round finds as it is on the stack: only the
# second one leaves everything as it was.
@pytest.mark.parametrize(("kind", "classes"), [("", 1), ("volatile", 1), ("_Atomic", 2)])
def test_a_loop_that_waits_for_another_thread_goes_round_once_in_vain(kind, classes, program):
    text = WAITING.replace("KIND", kind).replace("LOOP", "while (!flag) { }")
    result = check(program(C + text))
    assert result.verdict is norn.Verdict.VERIFIED
    assert (result.executions, result.blocked) == (classes, 1)


@pytest.mark.parametrize("kind", ["", "volatile", "_Atomic"])
@pytest.mark.parametrize("counts", [False, True])
def test_a_loop_that_waits_meets_the_limit_only_if_it_changes_something(counts, kind, program):
    text = f"""
        static {kind} int flag, rounds;
        static void *w(void *p) {{ flag = 1; return p; }}
        int main(void) {{ START(w); while (!flag) {{ {"++rounds;" if counts else ""} }} JOIN; return 0; }}"""
    result = check(program(C + text), max_events=5000)
    if counts:
        assert result.verdict is norn.Verdict.INCOMPLETE
        assert result.bounds == ("max-events",)
        assert result.exit_code == 3
    else:
        assert result.verdict is norn.Verdict.VERIFIED
        assert result.executions > 0
        assert result.blocked > 0


CPP_VERIFIED = {
    "reference counts are atomic": (
        "int main() { auto p = std::make_shared<int>(1); std::weak_ptr<int> w = p;"
        " std::thread a([p] { assert(*p == 1); }), b([p] { assert(*p == 1); });"
        " p.reset(); a.join(); b.join(); assert(w.expired()); }"
    ),
    "static locals are initialised once": (
        "struct S { int v; S() : v(7) {} }; static S& get() { static S s; return s; }"
        " int main() { std::thread a([] { assert(get().v == 7); }); assert(get().v == 7); a.join(); }"
    ),
}


@pytest.mark.parametrize("case", CPP_VERIFIED)
def test_cpp_verified(case, program):
    result = check(program(CPP + CPP_VERIFIED[case], "program.cpp"))
    assert result.verdict is norn.Verdict.VERIFIED, (result.findings, result.problems)
    assert result.redundant == 0


def test_who_initialises_a_static_local_is_open(program):
    text = (
        "static int id(int v) { return v; } static int get(int v) { static int x = id(v); return x; }"
        " int main() { std::thread t(get, 1), u(get, 2); t.join(); u.join(); assert(get(3) == 1); }"
    )
    result = check(program(CPP + text, "program.cpp"))
    assert [finding.kind for finding in result.findings] == ["assertion"]


def test_exceptions_of_several_threads_are_one_class_for_each_order_of_their_effects(program):
    text = (
        "struct E { int a; }; static std::atomic<int> x;"
        " static void f(int i) { try { throw E{i}; } catch (E& e) { x += e.a; } x++; }"
        " int main() { std::thread t(f, 1), u(f, 2); t.join(); u.join(); assert(x == 5); }"
    )
    result = check(program(CPP + text, "program.cpp"))
    assert result.verdict is norn.Verdict.VERIFIED
    assert (result.executions, result.redundant) == (6, 0)


def test_a_limit_that_is_just_met_is_no_bound(program):
    text = """
        static atomic_int x;
        static void *w(void *p) { x++; return p; }
        int main(void) { START(w); x++; return 0; }"""
    assert check(program(C + text), max_executions=2).verdict is norn.Verdict.VERIFIED
    assert check(program(C + text), max_executions=1).bounds == ("max-executions",)


def test_strings_are_seen(program):
    text = (
        '#include <string>\nstatic std::string s = "a long enough string to be on the heap";'
        " int main() { std::thread t([] { s[0] = 'b'; });"
        ' bool same = s.compare(0, 1, "a") == 0; t.join(); assert(same); }'
    )
    result = check(program(CPP + text, "program.cpp"))
    assert [finding.kind for finding in result.findings] == ["assertion"]
