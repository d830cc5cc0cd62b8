"""Whatever differs from run to run on a real machine is the same in every execution, and in the replay."""

from __future__ import annotations

from pathlib import Path

import pytest

import norn
from norn.build import processor_numbers
from tests.conftest import check

START = """
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>
"""
# Each sets the number that two threads then write to a shared place.
SOURCES = {
    "urandom": 'int f = open("/dev/urandom", O_RDONLY); read(f, &number, 4); close(f);',
    "random device by fopen": 'FILE *f = fopen("/dev/random", "r"); fread(&number, 4, 1, f); fclose(f);',
    "getrandom": "getrandom(&number, sizeof number, 0);",
    "system call": "syscall(SYS_getrandom, &number, sizeof number, 0);",
    "getentropy": "getentropy(&number, sizeof number);",
    "arc4random": "number = arc4random() + arc4random_uniform(7); arc4random_buf(&number, 4);",
    "drand48": "srand48(3); number = drand48() * 1000 + lrand48() + mrand48();",
    "rand_r": "static __thread unsigned seed = 1; number = rand_r(&seed);",
    "erand48": "unsigned short x[3] = {1, 2, 3}; number = erand48(x) * 1000 + nrand48(x) + jrand48(x);",
    "rdrand": "_rdrand32_step(&number);",
    "rdseed": "_rdseed32_step(&number);",
    "inline assembly": 'long wide; __asm__("rdrand %%rcx; movq %%rcx, %0" : "=r"(wide) : : "rcx", "cc");'
    " number = wide;",
    "rdtsc": "number = __rdtsc();",
    "rdtscp": "unsigned processor; number = __rdtscp(&processor);",
    "AT_RANDOM": "number = *(unsigned *)getauxval(AT_RANDOM);",
    "process": "number = getpid() + getppid();",
}  # fmt: skip
# A race whose outcome is told with the numbers: the replay must find them again.
PROGRAM = """
unsigned first, last;
__attribute__((target("rdrnd,rdseed"))) static unsigned draw(int source) {
    unsigned number = 0;
    switch (source) { CASES }
    return number;
}
static void *work(void *source) {
    unsigned number = draw((int)(long)source);
    if (first == 0) first = number % 1000 + 1;
    last = number % 1000 + 1;
    return NULL;
}
int main(int argc, char **argv) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, (void *)(long)atoi(argv[1]));
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    assert(first + last == 0);
    return 0;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cases = "\n".join(f"case {i}: {{ {code} break; }}" for i, code in enumerate(SOURCES.values()))
    path = tmp_path_factory.mktemp("random") / "program.c"
    path.write_text(START + PROGRAM.replace("CASES", cases))
    return path


@pytest.mark.parametrize("name", SOURCES)
def test_numbers_are_the_same_in_every_execution(source, name):
    """Else executions under one schedule would differ, and the finding could not be replayed."""
    which = str(list(SOURCES).index(name))
    results = [
        check([source], arguments=[which], keep_going=True, races="off", cflags="-w") for _ in range(2)
    ]
    for result in results:
        assert result.verdict is norn.Verdict.FAILED, result.warnings
        assert not any("INTERNAL" in warning or "determinis" in warning for warning in result.warnings)
    written = [[step.after for step in result.findings[0].trace.steps if step.writes] for result in results]
    assert written[0] == written[1]


def test_threads_draw_different_numbers(program):
    text = """
        unsigned drawn[2];
        static void *work(void *n) { getrandom(&drawn[(long)n], 4, 0); return n; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, NULL, work, (void *)1);
            work(0);
            pthread_join(t, NULL);
            assert(drawn[0] != drawn[1] && gettid() == getpid());
            return 0;
        }
    """
    assert check([program(START + text)]).verdict is norn.Verdict.VERIFIED


def test_random_device_of_cxx(program):
    text = """
        #include <cassert>
        #include <random>
        #include <thread>
        unsigned first;
        int main() {
            std::thread other([] { std::random_device device; if (first == 0) first = device(); });
            std::random_device device;
            if (first == 0) first = device();
            other.join();
            assert(first == 0);
        }
    """
    result = check([program(text, "program.cpp")])
    assert result.verdict is norn.Verdict.FAILED
    assert not any("INTERNAL" in warning for warning in result.warnings)


def test_registers_of_instructions():
    assert "movw (%rsp), %ax" in processor_numbers.rewrite("\trdrand\t%ax\n")
    assert "movl (%rsp), %r9d" in processor_numbers.rewrite("\trdseedl\t%r9d\n")
    assert "movq (%rsp), %r10" in processor_numbers.rewrite("\trdrandq %r10\n")
    assert processor_numbers.rewrite('\t.string "rdtsc"\n') == '\t.string "rdtsc"\n'
    assert processor_numbers.rewrite("\tcall my_rdtsc_reader\n") == "\tcall my_rdtsc_reader\n"


SLEEPS = """
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <time.h>
int shared;
static void *work(void *p) { shared = 1; return p; }
int main(void) {
    pthread_t t;
    struct timeval some = {1, 500000};
    struct timespec exact = {1, 0}, before, after;
    pthread_create(&t, 0, work, 0);
    clock_gettime(CLOCK_MONOTONIC, &before);
    int ready = poll(0, 0, 1000) + ppoll(0, 0, &exact, 0);
    ready += select(0, 0, 0, 0, &some) + pselect(0, 0, 0, 0, &exact, 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(ready == 0 && after.tv_sec - before.tv_sec >= 4);
    assert(shared == WANTED);
    pthread_join(t, 0);
    return 0;
}
"""


@pytest.mark.parametrize("wanted", [0, 1])
def test_poll_and_select_without_descriptors_sleep(program, wanted):
    """And a sleep orders nothing: the other thread may have run or not."""
    result = check([program(SLEEPS)], flags=[f"-DWANTED={wanted}"], races="off")
    assert result.verdict is norn.Verdict.FAILED
