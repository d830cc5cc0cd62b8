"""Signals: what a program is told about those that norn does not send, and those that it sends itself.

What a single thread does to itself (raise, kill, masks, handlers inside of handlers, waits) has one outcome
only, so that the system itself is the oracle: random sequences of such calls are run natively, and norn must
find the same.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import norn as package
from norn.model import EQUIVALENCES
from tests.conftest import check

RANDOM_CALLS = """
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int numbers[] = {SIGUSR1, SIGUSR2, SIGHUP, SIGURG, SIGCHLD, SIGTERM};
static unsigned long state, digest = 5381;
static int depth;

static unsigned pick(unsigned below) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(state >> 33) % below;
}
static int some(void) { return numbers[pick(6)]; }
static void note(unsigned long value) { digest = digest * 33 + value; }
static unsigned long bits(const sigset_t *set) {
    unsigned long found = 0;
    for (int i = 0; i < 6; i++) found = found * 2 + (unsigned long)sigismember(set, numbers[i]);
    return found;
}
static sigset_t random_set(void) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < 6; i++) if (pick(2)) sigaddset(&set, numbers[i]);
    return set;
}
static void note_mask(void) {
    sigset_t set;
    assert(sigprocmask(SIG_BLOCK, NULL, &set) == 0);
    note(bits(&set));
}
static void send(int number) {
    if (pick(2)) assert(raise(number) == 0);
    else assert(kill(getpid(), number) == 0);
}
static void handle(int number) {
    note(1000 + (unsigned long)number);
    note_mask();
    if (depth < 3 && pick(3) == 0) {
        ++depth;
        send(some());
        --depth;
    }
    note(2000 + (unsigned long)number);
}
static void handle_too(int number, siginfo_t *about, void *context) {
    note(3000 + (unsigned long)(number == about->si_signo) + (context != NULL));
    handle(number);
}
static void set_action(int number) {
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    const int may_end = number != SIGURG && number != SIGCHLD;  // its default ends the process
    switch (pick(may_end ? 3 : 4)) {
        case 0: action.sa_handler = handle; break;
        case 1: action.sa_sigaction = handle_too; action.sa_flags = SA_SIGINFO; break;
        case 2: action.sa_handler = SIG_IGN; break;
        default: action.sa_handler = SIG_DFL; break;
    }
    if (pick(3) == 0) action.sa_flags |= (int)SA_NODEFER;
    if (!may_end && pick(3) == 0) action.sa_flags |= (int)SA_RESETHAND;
    action.sa_mask = random_set();
    assert(sigaction(number, &action, &old) == 0);
    note((unsigned long)(old.sa_flags & 0x4FFFFFFB) & ~0x04000000UL);
    note(old.sa_handler == SIG_DFL ? 1 : old.sa_handler == SIG_IGN ? 2 : old.sa_handler == handle ? 3 : 4);
    note(bits(&old.sa_mask));
}
static void look_for_one(void) {
    sigset_t set = random_set();
    const struct timespec none = {0, 0};
    siginfo_t about;
    const int number = sigtimedwait(&set, &about, &none);
    assert(number > 0 || errno == EAGAIN);
    note((unsigned long)(number + 1));
}
static void suspend(void) {
    sigset_t pending, mask = random_set();
    assert(sigpending(&pending) == 0);
    for (int i = 0; i < 6; i++) {
        struct sigaction action;
        sigaction(numbers[i], NULL, &action);
        const int is_handled = action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
        if (!sigismember(&pending, numbers[i]) || !is_handled) continue;
        sigdelset(&mask, numbers[i]);
        assert(sigsuspend(&mask) == -1 && errno == EINTR);
        return;
    }
}
int main(int argc, char **argv) {
    sigset_t set, old;
    state = strtoul(argv[1], NULL, 10);
    for (int i = 0; i < 6; i++) signal(numbers[i], handle);
    for (int step = 0; step < 60; step++) {
        switch (pick(7)) {
            case 0: set_action(some()); break;
            case 1: case 2: send(some()); break;
            case 3:
                set = random_set();
                assert(sigprocmask((int)pick(3), &set, &old) == 0);
                note(bits(&old));
                break;
            case 4: assert(sigpending(&set) == 0); note(bits(&set)); break;
            case 5: look_for_one(); break;
            default: suspend(); break;
        }
        note_mask();
    }
    if (argc < 3) printf("%lu\\n", digest);
    else assert(digest == strtoul(argv[2], NULL, 10));
    return 0;
}
"""

WAITS_FOR_WORK = """
#include <pthread.h>
#include <signal.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stop;
static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!stop) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t worker;
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&worker, 0, work, 0);
    sigwait(&set, &number);
    pthread_mutex_lock(&mutex);
    stop = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(worker, 0);
    return 0;
}
"""

HANDLER = """
#include <pthread.h>
#include <signal.h>
static int shared;
static void stop(int number) { (void)number; }
static void *work(void *unused) { __atomic_add_fetch(&shared, 1, 5); return unused; }
int main(void) {
    pthread_t thread;
    SETTING
    pthread_create(&thread, 0, work, 0);
    __atomic_add_fetch(&shared, 1, 5);
    pthread_join(thread, 0);
    return 0;
}
"""


@pytest.fixture(scope="module")
def random_calls(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    source = tmp_path_factory.mktemp("signals") / "random_calls.c"
    source.write_text(RANDOM_CALLS)
    native = source.with_suffix("")
    subprocess.run(["gcc", "-o", native, source], check=True)
    return source, native


@pytest.mark.parametrize("seed", range(20))
def test_random_calls_of_one_thread_do_what_they_do_natively(seed, random_calls):
    source, native = random_calls
    digest = subprocess.run([native, str(seed)], check=True, capture_output=True, text=True).stdout.strip()
    result = check(source, arguments=[str(seed), digest])
    assert result.verdict is package.Verdict.VERIFIED, (result.findings, result.problems)


@pytest.mark.parametrize("seed", range(3))
def test_they_have_no_digest_but_that(seed, random_calls):
    source, native = random_calls
    digest = subprocess.run([native, str(seed)], check=True, capture_output=True, text=True).stdout.strip()
    result = check(source, arguments=[str(seed), str(int(digest) + 1)])
    assert result.verdict is package.Verdict.FAILED


@pytest.mark.parametrize(
    ("setting", "names"),
    [
        ("signal(SIGINT, stop); signal(SIGTERM, stop);", "SIGINT, SIGTERM"),
        ("struct sigaction a = {0}; a.sa_handler = stop; sigaction(SIGHUP, &a, 0);", "SIGHUP"),
        ("signal(SIGPIPE, SIG_IGN); signal(SIGINT, SIG_DFL);", ""),
    ],
)
def test_one_warning_names_the_signals_that_are_expected(setting, names, program):
    result = check(program(HANDLER.replace("SETTING", setting)))
    assert result.verdict is package.Verdict.VERIFIED and result.executions == 2
    told = [warning for warning in result.warnings if "signal" in warning]
    assert len(told) == (1 if names else 0)
    assert not names or f"({names})" in told[0]


@pytest.mark.parametrize("equivalence", EQUIVALENCES)
def test_threads_that_wait_for_what_a_signal_would_bring_are_not_judged(equivalence, program):
    result = package.check(program(WAITS_FOR_WORK), equivalence=equivalence)
    assert (result.verdict, result.exit_code) == (package.Verdict.INCOMPLETE, 3)
    assert result.bounds == ("signal-wait",) and not result.findings


@pytest.mark.parametrize("equivalence", EQUIVALENCES)
def test_they_are_if_the_program_sends_it(equivalence, program):
    sends = WAITS_FOR_WORK.replace("sigwait(", "pthread_kill(pthread_self(), SIGTERM); sigwait(")
    result = package.check(program(sends), equivalence=equivalence)
    assert result.verdict is package.Verdict.VERIFIED
    lost = sends.replace("    pthread_cond_signal(&changed);\n", "")
    result = package.check(program(lost), equivalence=equivalence)
    assert [finding.kind for finding in result.findings] == ["deadlock"]


@pytest.mark.parametrize("function", ["setitimer(0, 0, 0)", "ualarm(1, 0)", "alarm(1)", "killpg(0, 15)"])
def test_what_sends_a_signal_otherwise_is_refused(function, program):
    headers = "".join(f"#include <{name}.h>\n" for name in ("signal", "sys/time", "unistd"))
    text = f"#define _GNU_SOURCE\n{headers}int main(void) {{ {function}; return 0; }}"
    result = check(program(text))
    assert result.exit_code == 2 and result.refusal is not None
    assert function.partition("(")[0] in result.refusal.message


@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_a_failure_in_a_handler_is_replayed(isolate, program):
    text = HANDLER.replace(
        "(void)number;", "int seen = __atomic_load_n(&shared, 5); if (seen) __builtin_trap();"
    )
    result = check(
        program(
            text.replace("SETTING", "signal(SIGUSR1, stop);").replace(
                "pthread_join", "raise(SIGUSR1); pthread_join"
            )
        ),
        isolate=isolate,
    )
    (finding,) = result.findings
    assert finding.kind in ("trap", "illegal-instruction") and finding.unconfirmed is None
