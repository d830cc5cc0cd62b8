"""What the native executor makes of C and C++ programs: outcomes and exact numbers of classes."""

from __future__ import annotations

import pytest

import norn
from tests.conftest import check

THREADS = """
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <norn.h>
"""


def verified(program, text: str, name: str = "program.c", **settings: object) -> norn.Result:
    result = check(program(THREADS + text, name), **settings)
    assert result.verdict is norn.Verdict.VERIFIED, (result.findings, result.problems)
    assert result.redundant == 0
    return result


def test_struct_copies_read_before_they_write(program):
    # Copier: read of src, write of dst; changer: write of src; reader: read of dst. Two independent races.
    text = """
    struct pair { long a; int b, c; };
    static struct pair src = {1, 1, 1}, dst, other;
    static void *copier(void *p) { dst = src; return p; }
    static void *changer(void *p) { src.a = 2; return p; }
    static void *reader(void *p) { other = dst; return p; }
    int main(void) {
        pthread_t t[3];
        pthread_create(&t[0], 0, copier, 0);
        pthread_create(&t[1], 0, changer, 0);
        pthread_create(&t[2], 0, reader, 0);
        for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
        assert(dst.b == 1 && (dst.a == 1 || dst.a == 2));
        FORBIDDEN
        return 0;
    }"""
    assert verified(program, text.replace("FORBIDDEN", "")).executions == 4
    for old, seen in ((1, 0), (1, 1), (2, 0), (2, 2)):
        unreachable = text.replace("FORBIDDEN", f"assert(!(dst.a == {old} && other.a == {seen}));")
        assert check(program(THREADS + unreachable)).verdict is norn.Verdict.FAILED, (old, seen)


def test_a_copied_struct_is_the_one_that_was_read(program):
    # Between the read and the write of the copy another thread changes the source and reads the old target.
    text = """
    struct pair { long a; int b, c; };
    static struct pair src = {1, 1, 1}, dst;
    static atomic_int changed;
    static void *copier(void *p) { dst = src; return p; }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, copier, 0);
        src.a = 2;
        long seen = dst.a;
        pthread_join(t, 0);
        assert(src.a == 2);
        assert(!(dst.a == 1 && seen == 0));
        return 0;
    }"""
    result = check(program(THREADS + text))
    assert result.verdict is norn.Verdict.FAILED
    assert not result.findings[0].unconfirmed


def test_library_copies_are_events(program):
    text = """
    static char a[600], b[600], name[32];
    static void *t(void *p) { memcpy(b, a, sizeof a); snprintf(name, sizeof name, "n%d", 42); return p; }
    int main(void) {
        pthread_t thread;
        memset(a, 7, sizeof a);
        pthread_create(&thread, 0, t, 0);
        a[599] = 8;
        pthread_join(thread, 0);
        assert(strcmp(name, "n42") == 0 && (b[599] == 7 || b[599] == 8) && b[0] == 7);
        char *copy = strdup(name);
        copy = realloc(copy, 100);
        strcat(copy, "xyz");
        assert(strcmp(copy, "n42xyz") == 0);
        free(copy);
        return 0;
    }"""
    assert verified(program, text).executions == 2


def test_recursive_and_error_checking_mutexes(program):
    text = """
    int main(void) {
        pthread_mutexattr_t attributes;
        pthread_mutex_t r, e;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&r, &attributes);
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
        pthread_mutex_init(&e, &attributes);
        assert(pthread_mutex_unlock(&r) == EPERM && pthread_mutex_unlock(&e) == EPERM);
        assert(pthread_mutex_lock(&r) == 0 && pthread_mutex_lock(&r) == 0 && pthread_mutex_trylock(&r) == 0);
        assert(pthread_mutex_lock(&e) == 0 && pthread_mutex_lock(&e) == EDEADLK);
        assert(pthread_mutex_trylock(&e) == EBUSY);
        for (int i = 0; i < 3; i++) assert(pthread_mutex_unlock(&r) == 0);
        assert(pthread_mutex_unlock(&r) == EPERM && pthread_mutex_unlock(&e) == 0);
        assert(pthread_mutex_destroy(&r) == 0 && pthread_mutex_destroy(&e) == 0);
        return 0;
    }"""
    assert verified(program, text).executions == 1


@pytest.mark.parametrize(("wake", "classes"), [("signal", 4), ("broadcast", 4)])
def test_who_wakes_is_a_choice(wake, classes, program):
    # Two waiters are in the queue in either order; a signal wakes either, a broadcast both, in either order.
    text = """
    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    static int waiting, woken[2], go;
    static void *waiter(void *p) {
        pthread_mutex_lock(&m);
        waiting++;
        pthread_cond_wait(&c, &m);
        woken[(long)p] = 1;
        pthread_mutex_unlock(&m);
        return 0;
    }
    int main(void) {
        pthread_t t[2];
        for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, waiter, (void *)i);
        pthread_mutex_lock(&m);
        norn_assume(waiting == 2);
        pthread_cond_WAKE(&c);
        pthread_mutex_unlock(&m);
        for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
        return 0;
    }"""
    result = check(program(THREADS + text.replace("WAKE", wake)), keep_going=True)
    assert result.redundant == 0
    assert result.executions == classes
    # The signal leaves one thread waiting: a deadlock in each of the executions that get there.
    assert {finding.kind for finding in result.findings} == ({"deadlock"} if wake == "signal" else set())


def test_a_wait_with_a_mutex_of_its_own_comes_after_its_signal(program):
    # Nobody else uses a waiter's mutex, so taking it is invisible; that this comes after the signal is not.
    text = """
    static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
    static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    static atomic_int x;
    static void *waiter(void *p) {
        pthread_mutex_lock(&m[(long)p]);
        pthread_cond_wait(&c, &m[(long)p]);
        pthread_mutex_unlock(&m[(long)p]);
        (void)atomic_load(&x);
        return 0;
    }
    int main(void) {
        pthread_t t[2];
        for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, waiter, (void *)i);
        pthread_cond_signal(&c);
        atomic_store(&x, 1);
        return 0;
    }"""
    result = check(program(THREADS + text), keep_going=True)
    assert result.bounds == ()
    # No waiter in time; one in time (either, reading 0 or 1) and the other late; both, in either order, and
    # either is woken.
    assert (result.executions, result.redundant) == (2 + 2 * 2 + 2 * 2 * 2, 0)


def test_the_handle_of_a_thread_is_written_by_its_creation(program):
    text = """
    static pthread_t handle;
    static void *reader(void *p) { assert(handle == 0); return p; }
    static void *nothing(void *p) { return p; }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, reader, 0);
        pthread_create(&handle, 0, nothing, 0);
        return 0;
    }"""
    assert check(program(THREADS + text)).verdict is norn.Verdict.FAILED


def test_thread_ids_and_heap_addresses_do_not_depend_on_the_interleaving(program):
    text = """
    static pthread_t ids[2];
    static void *blocks[2];
    static void *leaf(void *p) { blocks[(long)p] = malloc(8); return 0; }
    static void *node(void *p) {
        pthread_create(&ids[(long)p], 0, leaf, p);
        pthread_join(ids[(long)p], 0);
        return 0;
    }
    static atomic_int x;
    static void *noise(void *p) { atomic_fetch_add(&x, 1); return node(p); }
    int main(void) {
        pthread_t t[2];
        for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, noise, (void *)i);
        for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
        assert(ids[0] != ids[1] && blocks[0] != blocks[1]);
        return 0;
    }"""
    assert verified(program, text).executions == 2


def test_thread_local_variables_and_errno(program):
    text = """
    static __thread int mine = 5;
    static int *other;
    static atomic_int published;
    static void *t(void *p) {
        assert(mine == 5);
        mine = 6; errno = EDOM;
        other = &mine; atomic_store(&published, 1);
        (void)atomic_load(&published);
        assert(mine == 6 && errno == EDOM);
        return p;
    }
    int main(void) {
        pthread_t thread;
        errno = ERANGE; mine = 7;
        pthread_create(&thread, 0, t, 0);
        if (atomic_load(&published)) assert(other != &mine);
        assert(errno == ERANGE && mine == 7);
        pthread_join(thread, 0);
        assert(errno == ERANGE && mine == 7);
        return 0;
    }"""
    assert verified(program, text).executions == 2


def test_globals_heap_and_statics_begin_anew_in_every_execution(program):
    text = """
    static int counter = 3, zero;
    static char big[1 << 20];
    static atomic_int x;
    static void *t(void *p) { atomic_store(&x, 1); return p; }
    int main(void) {
        static int calls;
        pthread_t thread;
        assert(counter++ == 3 && zero++ == 0 && calls++ == 0 && big[12345]++ == 0);
        int *block = malloc(1000 * sizeof *block);
        for (int i = 0; i < 1000; i++) assert(block[i]++ == 0);
        pthread_create(&thread, 0, t, 0);
        (void)atomic_load(&x);
        pthread_join(thread, 0);
        return 0;
    }"""
    assert verified(program, text).executions == 2
    assert verified(program, text, isolate="fork").executions == 2


def test_shared_stack_variables_and_mixed_sizes(program):
    # The writer sets both halves of a word on main's stack; main reads the whole: three outcomes.
    text = """
    static void *t(void *p) { ((int *)p)[0] = 1; ((int *)p)[1] = 1; return 0; }
    int main(void) {
        long word = 0;
        pthread_t thread;
        pthread_create(&thread, 0, t, &word);
        long seen = word;
        pthread_join(thread, 0);
        assert(seen == 0 || seen == 1 || seen == 0x100000001);
        return 0;
    }"""
    assert verified(program, text).executions == 3


def test_a_choice_has_all_alternatives(program):
    text = "int main(void) { unsigned a = norn_choose(3), b = norn_choose(a + 1); assert(b <= a); return 0; }"
    assert verified(program, text).executions == 6


def test_exit_ends_the_thread_that_calls_it(program):
    text = """
    static atomic_int x;
    static void *t(void *p) { atomic_store(&x, 1); exit(0); return p; }
    int main(void) {
        pthread_t h;
        pthread_create(&h, 0, t, 0);
        (void)atomic_load(&x);
        pthread_join(h, 0);
        return 0;
    }"""
    assert verified(program, text).executions == 2


def test_c11_threads(program):
    text = """
    #include <threads.h>
    static mtx_t m; static cnd_t c; static int ready;
    static int t(void *p) { (void)p; mtx_lock(&m); ready = 1; cnd_signal(&c); mtx_unlock(&m); return 7; }
    int main(void) {
        thrd_t h; int result;
        mtx_init(&m, mtx_plain); cnd_init(&c);
        thrd_create(&h, t, 0);
        mtx_lock(&m);
        while (!ready) cnd_wait(&c, &m);
        mtx_unlock(&m);
        thrd_join(h, &result);
        assert(result == 7);
        mtx_destroy(&m); cnd_destroy(&c);
        return 0;
    }"""
    assert verified(program, text).executions == 2


CPP = """
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <iostream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <pthread.h>
static std::mutex m;
static std::condition_variable cv;
static std::vector<std::string> queue;
static std::vector<int> made_before_main = {1, 2, 3};
static std::atomic<int> done{0};
static thread_local int tl = 7;
struct Guard { ~Guard() { done++; } };
static void produce(int n) {
    for (int i = 0; i < n; ++i) {
        std::lock_guard<std::mutex> g(m);
        queue.push_back("item " + std::to_string(i));
        cv.notify_one();
    }
    tl++;
    assert(tl == 8);
    try { throw std::runtime_error("x"); } catch (std::exception&) { done++; }
}
static void consume(int n) {
    for (int i = 0; i < n; ++i) {
        std::unique_lock<std::mutex> g(m);
        cv.wait(g, [] { return !queue.empty(); });
        queue.erase(queue.begin());
    }
    EXTRA
}
int main() {
    made_before_main.push_back(4);
    assert(made_before_main.size() == 4);
    auto p = std::make_shared<int>(5);
    std::thread a(produce, 2), b(consume, 2), c([p] { Guard g; pthread_exit(nullptr); });
    a.join(); b.join(); c.join();
    std::cout << "left " << queue.size() << std::endl;
    assert(queue.empty() && done == 2 && tl == 7);
}
"""


def test_cpp_threads_exceptions_and_unwinding(program):
    result = check(program(CPP.replace("EXTRA", ""), "program.cpp"))
    assert result.verdict is norn.Verdict.VERIFIED, (result.findings, result.problems)
    assert result.redundant == 0


def test_uncaught_exception(program):
    result = check(program(CPP.replace("EXTRA", 'throw std::runtime_error("boom");'), "program.cpp"))
    (finding,) = result.findings
    assert finding.kind == "exception"
    assert "std::runtime_error: boom" in finding.message
    assert finding.threads[0].stack[0].function.startswith("consume")
    assert not finding.unconfirmed
