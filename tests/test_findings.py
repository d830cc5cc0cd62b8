"""Every kind of finding, each from a few lines of C, confirmed by replay and located in the source."""

from __future__ import annotations

import pytest

import norn
from norn import session
from norn.build import build
from norn.build.options import sort_options
from norn.results import make_result
from norn.symbolize import Symbols
from tests.conftest import check

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <string.h>
#include <unistd.h>
#include <norn.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int *shared;
static volatile int zero;
static int recurse(int n) { char frame[1000]; frame[n % 1000] = 1; return recurse(n + 1) + frame[0]; }
static void *work(void *unused) {
    (void)unused; (void)recurse;
    x = 1;
    BODY /* LINE */
    return 0;
}
int main(void) {
    pthread_t thread;
    shared = malloc(16);
    pthread_create(&thread, 0, work, 0);
    x = 2;
    MAIN
    pthread_join(thread, 0);
    return 0;
}
"""

FINDINGS = {
    "assertion": "assert(x == 3);",
    "abort": "abort();",
    "reach-error": "reach_error();",
    "reach-error verifier": "__VERIFIER_error();",
    "segmentation-fault null": "*(volatile int *)(long)zero = 1;",
    "segmentation-fault wild": "x = *(volatile int *)0x123456789000;",
    "segmentation-fault not canonical": "x = *(volatile int *)0xdeadbeefdeadbeef;",
    "segmentation-fault in libc": "x = (int)strlen((char *)(long)zero);",
    "segmentation-fault atomic": "__atomic_store_n((int *)(long)zero, 1, 0);",
    "arithmetic-fault": "x = 7 / zero;",
    "illegal-instruction": "__builtin_trap();",
    "stack-overflow": "x = recurse(0);",
    "use-after-free": "int *p = malloc(8); free(p); x = p[0];",
    "use-after-free memset": "int *p = malloc(8); free(p); memset(p, 0, 4);",
    "double-free": "int *p = malloc(8); free(p); free(p);",
    "invalid-free": "free((char *)shared + 4);",
    "heap-overflow": "int *p = malloc(8); p[2] = 1;",
    "heap-overflow odd size": "char *p = malloc(5); p[5] = 1;",
    "heap-overflow before": "char *p = malloc(5); p[-1] = 1;",
    "heap-overflow range": "char *p = malloc(100); memset(p, 0, 101);",
    "global-overflow": "static int table[4]; table[4 + zero] = 1;",
    "thread-misuse": "pthread_detach(pthread_self()); pthread_detach(pthread_self());",
    "mutex-misuse relock": "pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
    "mutex-misuse unlock": "pthread_mutex_unlock(&m);",
    "mutex-misuse destroy": "pthread_mutex_lock(&m); pthread_mutex_destroy(&m);",
    "mutex-misuse use of destroyed": "pthread_mutex_destroy(&m); pthread_mutex_lock(&m);",
    "deadlock": "pthread_mutex_t *n = (pthread_mutex_t *)calloc(1, sizeof m); pthread_cond_t c = "
    "PTHREAD_COND_INITIALIZER; pthread_mutex_lock(n); pthread_cond_wait(&c, n);",
}


@pytest.mark.parametrize("case", FINDINGS)
@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_finding(case, isolate, program):
    text = PROGRAM.replace("BODY", FINDINGS[case]).replace("MAIN", "")
    source = program(text)
    result = check(source, isolate=isolate)
    assert result.verdict is norn.Verdict.FAILED
    (finding,) = result.findings
    assert finding.kind == case.split(" ")[0]
    assert not finding.unconfirmed
    line = next(n for n, line in enumerate(text.split("\n"), 1) if "/* LINE */" in line)
    if finding.kind == "stack-overflow":
        assert finding.threads[0].stack[0].function == "recurse"
    else:
        assert finding.location == f"{source}:{line}"
    assert finding.threads[0].id == 1 or finding.kind == "deadlock"


def test_use_after_free_between_threads(program):
    result = check(program(PROGRAM.replace("BODY", "free(shared);").replace("MAIN", "x = shared[0];")))
    (finding,) = result.findings
    assert (finding.kind, finding.thread) == ("use-after-free", 0)
    assert "allocated by T0 and freed by T1" in finding.message


def test_the_first_finding_of_an_execution_counts_and_keep_going_finds_them_all(program):
    text = PROGRAM.replace("BODY", "if (x == 2) abort(); else assert(x == 0);").replace("MAIN", "")
    result = check(program(text), keep_going=True)
    assert sorted(finding.kind for finding in result.findings) == ["abort", "assertion"]
    assert all(not finding.unconfirmed for finding in result.findings)


@pytest.mark.parametrize(
    ("call", "function"),
    [
        ("fork();", "fork"),
        ("raise(SIGSTOP);", "SIGSTOP"),
        ("alarm(1);", "alarm"),
        ("int old; pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);", "pthread_setcanceltype"),
        ("socket(AF_INET, SOCK_STREAM, 0);", "socket"),
        ("for (;;);", "(stuck)"),
    ],
)
def test_what_is_not_modelled_is_named_with_its_line(call, function, program):
    source = program(PROGRAM.replace("BODY", call).replace("MAIN", ""))
    result = check(source)
    assert result.verdict is norn.Verdict.INCOMPLETE
    assert result.exit_code == 2
    (problem,) = result.problems
    assert function.strip("()") in problem or "endless loop" in problem
    assert f"{source.name}:" in problem


@pytest.mark.parametrize("loop", ["for (;;);", "static int mine; for (;;) mine = mine + 1;"])
@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_a_thread_that_is_stuck_is_refused_with_its_line(loop, isolate, program):
    """Also in a process of its own, and where the engine itself is interrupted, at the private writes."""
    text = PROGRAM.replace("BODY", loop).replace("MAIN", "")
    source = program(text)
    built = build([source], sort_options([], ""))
    options = {"mode": "check", "equivalence": "reads-from", "isolate": isolate, "watchdog": 1}
    outcome = session.run([str(built.executable)], options)
    result = make_result(outcome, built, "reads-from", Symbols(built.executable, built.sources), ())
    assert (result.verdict, result.exit_code) == (norn.Verdict.INCOMPLETE, 2)
    assert result.refusal is not None and "without a visible operation" in result.refusal.message
    line = next(n for n, line in enumerate(text.split("\n"), 1) if "/* LINE */" in line)
    assert result.refusal.frame is not None and result.refusal.frame.place == f"{source}:{line}"
    assert "norn_assume" in result.refusal.advice


@pytest.mark.parametrize(
    ("loop", "said"),
    [("for (;;);", "an endless loop, or a call that blocks"), ("for (;;) n++;", "no other thread uses")],
)
def test_a_loop_on_memory_of_its_own_is_told_as_such(loop, said, program):
    """Atomics of one thread are no events either."""
    text = PROGRAM.replace("BODY", f"static _Atomic int n; n = 0; {loop}").replace("MAIN", "")
    built = build([program(text)], sort_options([], ""))
    outcome = session.run(
        [str(built.executable)], {"mode": "check", "equivalence": "reads-from", "watchdog": 1}
    )
    assert outcome.unsupported is not None and said in outcome.unsupported.message


@pytest.mark.parametrize(("equivalence", "blocked"), [("reads-from", 1), ("mazurkiewicz", 2)])
def test_a_failed_assume_stops_one_thread_and_is_no_failure(equivalence, blocked, program):
    text = PROGRAM.replace("BODY", "norn_assume(x == 2);").replace("MAIN", "")
    result = check(program(text), equivalence=equivalence)
    assert result.verdict is norn.Verdict.VERIFIED
    assert (result.executions, result.blocked) == (1, blocked)
