"""What the kernel and libc keep for the process is put back between executions.

Each program changes something and expects, in every execution, to find it as it was. Two threads that race
make sure that there are several executions.
"""

from __future__ import annotations

import pytest

import norn as package
from tests.conftest import check

FRAME = """
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
static atomic_int value;
static int file;
static FILE *stream;
BEFORE
static void *look(void *unused) {
    (void)(file + (stream != NULL));
    atomic_load(&value);
    return unused;
}
int main(void) {
    pthread_t thread[2];
    CHANGE
    for (int i = 0; i < 2; i++) pthread_create(&thread[i], 0, look, 0);
    for (int i = 0; i < 40; i++) atomic_store(&value, i);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], 0);
    return 0;
}
"""
CHANGES = {
    "closed": "for (int i = 0; i < 3; i++) { assert(fcntl(i, F_GETFD) != -1); close(i); }",
    "closed by range": "for (int i = 0; i < 3; i++) assert(fcntl(i, F_GETFD) != -1); close_range(0, 2, 0);",
    "all closed": "assert(fcntl(1, F_GETFD) != -1); for (int i = 0; i < 3; i++) close(i);"
    " for (int i = 100; i < 8192; i++) close(i);",
    "replaced": 'char name[50] = {0}; readlink("/proc/self/fd/1", name, 49); assert(!strstr(name, "zero"));'
    ' file = open("/dev/zero", O_RDWR); dup2(file, 1); dup3(file, 2, 0);',
    "left open": 'file = open("/dev/null", O_RDONLY); assert(dup(file) == file + 1);',
    "stream left open": 'stream = fopen("/dev/null", "r"); file = fileno(stream);',
    "stream closed": 'assert(fcntl(1, F_GETFD) != -1); printf("text"); fclose(stdout); fclose(stdin);',
    "stream reopened": 'assert(fileno(stdout) == 1); stream = freopen("/dev/zero", "w", stdout);',
    "end of input": "assert(!feof(stdin)); assert(getchar() == EOF && feof(stdin));",
    "buffer": 'char text[9] = {0}; puts("a"); assert(!text[0]); setvbuf(stdout, text, _IOFBF, 9);',
    "directory": 'char *where = get_current_dir_name(); assert(strcmp(where, "/") != 0); chdir("/");',
    "mask": "assert(umask(0123) != 0123);",
    "environment": 'assert(!getenv("NORN_A") && !getenv("NORN_B")); setenv("NORN_A", "1", 1);'
    ' putenv((char *)"NORN_B=1"); assert(getenv("PATH")); unsetenv("PATH");',
    "cleared environment": 'assert(getenv("PATH")); clearenv();',
    "locale": 'assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0); setlocale(LC_ALL, "C.UTF-8");',
    "limit": "struct rlimit limit; getrlimit(RLIMIT_CORE, &limit); assert(limit.rlim_cur != 4096);"
    " limit.rlim_cur = 4096; if (limit.rlim_max >= 4096) setrlimit(RLIMIT_CORE, &limit);",
    "random": "static int first; first = rand(); srand(7); assert(first != 0); file = first;",
}
# What is open when main begins, by a constructor.
EARLY = """
static int early;
static FILE *early_stream;
__attribute__((constructor)) static void before_main(void) {
    early = open("/proc/self/cmdline", O_RDONLY);
    early_stream = fopen("/dev/null", "r");
}
__attribute__((destructor)) static void after_main(void) {
    close(early);
    fclose(early_stream);
}
"""
USE_EARLY = "char letter[2]; assert(lseek(early, 0, SEEK_CUR) == 0 && read(early, letter, 2) == 2);"


def source(change: str, before: str = "") -> str:
    return FRAME.replace("BEFORE", before).replace("CHANGE", change)


@pytest.mark.parametrize("change", CHANGES)
def test_what_an_execution_changes_is_put_back(change, program):
    result = check(program(source(CHANGES[change])))
    assert result.verdict is package.Verdict.VERIFIED, (result.findings, result.problems, result.bounds)
    assert result.executions > 30


@pytest.mark.parametrize("change", ["replaced", "directory", "locale"])
def test_so_it_is_in_a_process_for_each(change, program):
    result = check(program(source(CHANGES[change])), isolate="fork")
    assert result.verdict is package.Verdict.VERIFIED, (result.findings, result.problems, result.bounds)


def test_what_was_opened_before_main_is_open_again_at_its_beginning(program):
    result = check(program(source(USE_EARLY, EARLY)))
    assert result.verdict is package.Verdict.VERIFIED, (result.findings, result.problems, result.bounds)
    assert result.executions > 30


LOG = """
#include <atomic>
#include <cassert>
#include <fstream>
#include <thread>
static std::ofstream log_file("/dev/null");
static std::ofstream other;
static std::atomic<int> value;
int main() {
    assert(log_file.is_open() && log_file.good() && !other.is_open());
    other.open("/dev/null");
    std::thread thread([] { value = 1; value = 2; });
    log_file << "seen " << value << std::endl;
    assert(log_file.good());
    thread.join();
}
"""


def test_a_global_stream_is_open_again_after_its_destructor(program):
    result = check(program(LOG, "program.cpp"))
    assert result.verdict is package.Verdict.VERIFIED, (result.findings, result.problems, result.bounds)
    assert result.executions == 3
