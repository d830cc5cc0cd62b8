"""Loops that wait are recognised, and nothing is lost by it: random programs against an exhaustive search.

Each program writes its outcome to a file, so that the outcomes norn has seen can be compared; and it must
find livelocks and deadlocks where there are some and nowhere else. Further seeds can be tried at any time.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import norn
from norn.model import EQUIVALENCES
from tests.waiting_programs import Behaviour, Program, explore, interesting_program


def behaviour_of(program: Program, equivalence: str, folder: Path) -> tuple[norn.Result, Behaviour]:
    """What norn finds, and the outcomes that the program has written meanwhile."""
    source = folder / "program.c"
    source.write_text(program.source())
    outcomes = folder / f"outcomes-{equivalence}"
    outcomes.write_text("")
    result = norn.check(
        source,
        flags=["-std=gnu17"],
        arguments=[str(outcomes)],
        equivalence=equivalence,
        keep_going=True,
        time_limit=20,
    )
    kinds = frozenset(finding.kind for finding in result.findings)
    return result, Behaviour(frozenset(outcomes.read_text().splitlines()), kinds)


@pytest.mark.parametrize("seed", range(1, 7))
def test_random_program(seed: int, tmp_path: Path) -> None:
    program = interesting_program(seed)
    expected = explore(program)
    counts = []
    for equivalence in EQUIVALENCES:  # the coarsest first
        result, seen = behaviour_of(program, equivalence, tmp_path)
        assert seen == expected, (equivalence, seed, result.bounds, result.problems)
        assert result.bounds == (), (equivalence, seed)
        assert all(finding.unconfirmed is None for finding in result.findings)
        counts.append(result.executions)
    assert counts == sorted(counts), seed


def test_what_interrupts_the_engine_does_not_disturb_rounds(tmp_path: Path) -> None:
    """Its timer ticks while threads run: to recognise a round must not depend on when."""
    source = tmp_path / "program.c"
    source.write_text("""
        #include <pthread.h>
        #define WAITERS 3
        static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
        static int ready;
        static void *wait(void *unused) {
            const struct timespec long_ago = {0, 0};
            pthread_mutex_lock(&mutex);
            while (!ready) pthread_cond_timedwait(&changed, &mutex, &long_ago);
            pthread_mutex_unlock(&mutex);
            return unused;
        }
        int main(void) {
            pthread_t thread[WAITERS];
            for (int i = 0; i < WAITERS; i++) pthread_create(&thread[i], NULL, wait, NULL);
            pthread_mutex_lock(&mutex);
            ready = 1;
            pthread_mutex_unlock(&mutex);
            for (int i = 0; i < WAITERS; i++) pthread_join(thread[i], NULL);
            return 0;
        }""")
    result = norn.check(source, equivalence="reads-from", max_executions=60_000)
    assert result.bounds in ((), ("max-executions",)), result.problems
    assert result.executions + result.blocked > 30_000
