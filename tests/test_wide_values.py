"""Values of more than 8 bytes are compared by their bytes, and what does not fit is never taken for equal."""

from __future__ import annotations

from pathlib import Path

import pytest

from norn import session
from norn.build import build
from norn.build.options import sort_options
from norn.model import EQUIVALENCES
from tests.conftest import ROOT

# Two threads write structs, of which some are equal; main copies what is there and remembers it.
PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct wide { long part[5]; } shared;
static void *write(void *value) {
    struct wide mine;
    for (long round = 0; round < 2; round++) {
        memset(&mine, 0, sizeof mine);
        mine.part[4] = (long)value + round;
        memcpy(&shared, &mine, sizeof mine);
    }
    return 0;
}
int main(int argc, char **argv) {
    pthread_t one, two;
    pthread_create(&one, 0, write, (void *)1);
    pthread_create(&two, 0, write, (void *)2);
    struct wide first, second;
    memcpy(&first, &shared, sizeof first);
    memcpy(&second, &shared, sizeof second);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(!(first.part[4] == 3 && second.part[4] == atoi(argv[1])));
}
"""
# A compare-exchange of 16 bytes that succeeds only if no other thread has come in between.
EXCHANGE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct pair { long count, other; };
_Atomic struct pair shared;
static void *increment(void *unused) {
    struct pair seen = atomic_load(&shared);
    struct pair next = {seen.count + 1, -seen.count};
    while (!atomic_compare_exchange_strong(&shared, &seen, next)) {
        next.count = seen.count + 1;
        next.other = -seen.count;
    }
    return unused;
}
int main(void) {
    pthread_t one;
    pthread_create(&one, 0, increment, 0);
    increment(0);
    pthread_join(one, 0);
    assert(atomic_load(&shared).count == 2);
}
"""


def explore(source: Path, argument: int, equivalence: str, **options: str | int) -> session.Outcome:
    program = build([source], sort_options(["-mcx16", "-latomic"]))
    return session.run(
        [str(program.executable), str(argument)], {"equivalence": equivalence, "races": "off", **options}
    )


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wide") / "program.c"
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize("equivalence", EQUIVALENCES)
@pytest.mark.parametrize("room", [0, 100])
def test_room_for_values_does_not_change_the_answer(source: Path, equivalence: str, room: int):
    """Each outcome is still found, and nothing else."""
    isolate = "fork" if equivalence == "reads-value-from" else "memory"
    for wrong, is_reachable in ((2, True), (5, False)):
        outcome = explore(source, wrong, equivalence, most_wide_bytes=room, isolate=isolate)
        assert not outcome.errors
        assert bool(outcome.findings) == is_reachable, wrong
        assert outcome.result is not None
        assert outcome.result.complete != is_reachable


@pytest.mark.parametrize("equivalence", EQUIVALENCES)
def test_a_compare_exchange_is_exact_or_refused(tmp_path: Path, equivalence: str):
    source = tmp_path / "exchange.c"
    source.write_text(EXCHANGE)
    full = explore(source, 0, equivalence)
    assert full.result is not None
    assert full.result.complete
    (error,) = explore(source, 0, equivalence, most_wide_bytes=1).errors
    assert "compares and exchanges too many different values" in error


def test_colliding_values_are_told_apart():
    """Their digests are equal: the program says how that was done."""
    source = ROOT / "tests" / "programs" / "values_that_collide.c"
    outcome = explore(source, 0, "reads-value-from")
    assert [finding.kind for finding in outcome.findings] == ["assertion"]
