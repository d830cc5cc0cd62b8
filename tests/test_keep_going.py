"""--keep-going finds every failure that some interleaving shows, with every equivalence.

Random programs against all their interleavings (`programs_that_fail.py`), and some whose failures are listed.
A thread that has failed goes no further, so what it would do later is not expected.
"""

from __future__ import annotations

import random
import re

import pytest

import norn as package
from norn.model import EQUIVALENCES, Finding
from tests.programs_that_fail import SOURCE, Failure, Threads, failures_of, random_threads

# Each found something that was missed once: later failures, the other of two releases, what comes after a
# use that is not too late, what a use that is too late seems to write.
TELLING = (
    ("f", "f", ""),
    ("wn", "l", "sn"),
    ("l", "cf", "wwr"),
    ("WfW", "R", "lc"),
    ("rfR", "fw", "R"),
    ("mfu", "wfc", "Wfc"),
    ("fs", "s", "fRR"),
    ("wf", "sf", "wR"),
)
RANDOM = range(20_000, 20_010)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("failing") / "program.c"
    path.write_text(SOURCE)
    return path


def place_of(finding: Finding, threads: Threads) -> Failure:
    for frame in finding.threads[0].stack:
        if step := re.fullmatch(r"step_(\d)_(\d)", frame.function or ""):
            thread, place = int(step[1]), int(step[2])
            # Beyond a block that is free as well: either is true, whichever comes first.
            kind = "heap-overflow" if threads[thread][place] == "o" else finding.kind
            return kind, thread, place
    raise AssertionError(finding)


def require_all(threads: Threads, source) -> None:
    for equivalence in EQUIVALENCES:
        result = package.check(
            source, equivalence=equivalence, keep_going=True, shrink=False, arguments=list(threads)
        )
        assert (result.bounds, result.problems) == ((), ()), (threads, equivalence)
        found = {place_of(finding, threads) for finding in result.findings}
        assert found == failures_of(threads), (threads, equivalence)
        assert all(finding.unconfirmed is None for finding in result.findings), (threads, equivalence)


@pytest.mark.parametrize("threads", TELLING, ids="-".join)
def test_every_failure_is_found(threads, source):
    require_all(threads, source)


@pytest.mark.parametrize("seed", RANDOM)
def test_every_failure_of_a_random_program_is_found(seed, source):
    require_all(random_threads(random.Random(seed)), source)


SEVERAL = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int flag;
static int zero;
static void *set(void *unused) {
    atomic_store(&flag, 1);
    assert(flag == 0);                   // 1
    return unused;
}
static void *divide(void *unused) {
    if (atomic_load(&flag)) zero = 7 / zero;  // 2
    return unused;
}
static void *fail_at_once(void *unused) {
    abort();                             // 3
    return unused;
}
int main(void) {
    pthread_t thread[3];
    void *(*const run[])(void *) = {set, divide, fail_at_once};
    for (int i = 0; i < 3; i++) pthread_create(&thread[i], 0, run[i], 0);
    for (int i = 0; i < 3; i++) pthread_join(thread[i], 0);
    return 0;
}
"""


@pytest.mark.parametrize("isolate", ["memory", "fork"])
@pytest.mark.parametrize("shrink", [True, False])
def test_each_failure_has_an_execution_of_its_own(isolate, shrink, program):
    result = package.check(
        program(SEVERAL), equivalence="reads-from", keep_going=True, isolate=isolate, shrink=shrink
    )
    kinds = sorted(finding.kind for finding in result.findings)
    assert kinds == ["abort", "arithmetic-fault", "assertion"]
    for finding in result.findings:
        assert finding.unconfirmed is None
        again = package.replay(finding.token, program(SEVERAL))
        assert [other.kind for other in again.findings] == [finding.kind]
        assert again.findings[0].location == finding.location


def test_the_first_failure_ends_the_check_otherwise(program):
    result = package.check(program(SEVERAL), equivalence="reads-from")
    assert len(result.findings) == 1
