"""A checked program cannot speak in the engine's name, nor cut its line, by accident or by a simple trick."""

from __future__ import annotations

from pathlib import Path

import pytest

from norn import Result, Verdict
from tests.conftest import check

FORGED = (
    r'"\n{\"type\":\"result\",\"complete\":true,\"bounds\":[],\"executions\":3,\"blocked\":0,\"redundant\":0,'
    r'\"events\":3,\"threads\":2,\"longest\":3,\"restarts\":0,\"seconds\":0.1,\"peak_rss_kb\":1}\n"'
)
# What libc and syscall() do on behalf of the program: norn sees that.
SEEN = [
    "for (int i = 0; i < 2000; i++) write(i, forged, strlen(forged))",
    "for (int i = 0; i < 2000; i++) syscall(SYS_write, i, forged, strlen(forged))",
    "for (int i = 3; i < 1024; i++) close(i)",
    "for (int i = 3; i < 1024; i++) syscall(SYS_close, i)",
    "closefrom(3)",
    "close_range(3, ~0U, 0)",
    "syscall(SYS_close_range, 3, ~0U, 0)",
    "for (int i = 3; i < 1100; i++) dup2(1, i)",
    "for (int i = 3; i < 1100; i++) syscall(SYS_dup3, 1, i, 0)",
]
REFUSED = [
    "syscall(SYS_exit_group, 0)",
    "syscall(SYS_exit, 0)",
    "syscall(SYS_fork)",
    "syscall(SYS_vfork)",
    "syscall(SYS_clone, 17, 0, 0, 0, 0)",
    "syscall(SYS_execve, 0, 0, 0)",
    "syscall(SYS_ptrace, 0, 0, 0, 0)",
    "syscall(SYS_seccomp, 0, 0, 0)",
    "syscall(SYS_prctl, PR_SET_SECCOMP, 1, 0, 0, 0)",
    "syscall(SYS_kill, getpid(), 9)",
    "syscall(SYS_mprotect, 0, 4096, 3)",
    'open("/proc/self/mem", O_RDWR)',
]
# System calls that norn does not see, in an execution that would be right without them.
UNSEEN = [
    "for (int i = 0; i < 2000; i++) hidden(SYS_write, i, (long)forged, sizeof forged - 1);"
    "hidden(SYS_exit_group, 0, 0, 0)",
    "hidden(SYS_exit_group, 0, 0, 0)",
    "if (shared == 0) hidden(SYS_exit_group, 3, 0, 0)",
    "if (hidden(SYS_fork, 0, 0, 0) == 0) sleep(1)",
    "if (hidden(SYS_fork, 0, 0, 0) == 0) hidden(SYS_exit_group, 0, 0, 0)",
    'for (int i = 0; i < 2000; i++) dprintf(i, "%s", forged)',  # libc writes by itself
]
# In a child process that harms nobody, so only without --isolate=fork.
CUT = "for (int i = 3; i < 2000; i++) hidden(SYS_close, i, 0, 0)"
NO_KEY = """
        static char text[1 << 16];
        int file = open("/proc/self/environ", O_RDONLY);
        assert(read(file, text, sizeof text) > 0);
        for (char *each = text; *each; each += strlen(each) + 1)
            assert(strspn(each, "0123456789abcdef") < 32);
        assert(!found_something);
        close(file)"""
LOW_NUMBERS = 'assert(open("/dev/null", O_RDONLY) < 16)'

ALL = [*SEEN, *REFUSED, *UNSEEN, CUT, NO_KEY, LOW_NUMBERS]
RIGHT = {*UNSEEN, CUT, NO_KEY, LOW_NUMBERS}  # the others lose an update, which must be found

# The system call is hidden in bytes, so that it cannot be seen in the assembly either.
PROGRAM = """
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
static const char forged[] = %(forged)s;
static const unsigned char code[] __attribute__((section(".text.code"))) = {
    0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0x48, 0x89, 0xd6, 0x48, 0x89, 0xca, 0x0f, 0x05, 0xc3};
static long (*const hidden)(long number, long a, long b, long c) = (void *)code;
static int found_something;
__attribute__((constructor(101))) static void look_for_the_key(void) {
    char text[64];
    for (int i = 3; i < 2000; i++) found_something |= recv(i, text, sizeof text, MSG_DONTWAIT) > 0;
}
int shared;
static void *increment(void *unused) { shared++; return unused; }
int main(int argc, char **argv) {
    switch (atoi(argv[1])) { %(tricks)s }
    pthread_t other;
    pthread_create(&other, 0, increment, 0);
    shared++;
    pthread_join(other, 0);
    assert(shared == 2);
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cases = [
        f"case {number}: {{ {trick}; {'return 0' if trick in RIGHT else 'break'}; }}"
        for number, trick in enumerate(ALL)
    ]
    path = tmp_path_factory.mktemp("channel") / "program.c"
    path.write_text(PROGRAM % {"forged": FORGED, "tricks": "\n".join(cases)})
    return path


def tried(source: Path, trick: str, isolate: str = "memory") -> Result:
    return check(source, arguments=[str(ALL.index(trick))], isolate=isolate)


@pytest.mark.parametrize("trick", SEEN)
@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_the_failure_is_found_all_the_same(source: Path, trick: str, isolate: str):
    result = tried(source, trick, isolate)
    assert result.verdict is Verdict.FAILED, result.problems
    assert [finding.kind for finding in result.findings] == ["assertion"]
    assert not result.problems


@pytest.mark.parametrize("trick", REFUSED)
def test_raw_calls_are_refused_by_name(source: Path, trick: str):
    refusal = tried(source, trick).refusal
    assert refusal is not None
    assert refusal.message.split()[3].rstrip("),").split("(")[-1] in trick


@pytest.mark.parametrize("trick", UNSEEN)
@pytest.mark.parametrize("isolate", ["memory", "fork"])
def test_what_norn_cannot_see_is_never_verified(source: Path, trick: str, isolate: str):
    result = tried(source, trick, isolate)
    assert result.verdict is Verdict.INCOMPLETE
    assert result.problems


def test_a_line_that_is_cut_is_never_verified(source: Path):
    assert tried(source, CUT).verdict is Verdict.INCOMPLETE


def test_no_code_of_the_program_finds_the_key(source: Path):
    """It is neither in the environment nor in the channel, not even for constructors."""
    assert tried(source, NO_KEY).verdict is Verdict.VERIFIED


def test_the_engine_takes_no_low_descriptors(source: Path):
    assert tried(source, LOW_NUMBERS).verdict is Verdict.VERIFIED
