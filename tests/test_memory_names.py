"""What a trace calls memory: locals of whatever thread, heap blocks, what the C++ library wraps."""

from __future__ import annotations

from pathlib import Path

import pytest

import norn
from norn.model import UNKNOWN
from norn.report.words import describe_step
from tests.told import finding_of, said_by, steps_of

LOCALS_AND_BLOCKS = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
enum state { IDLE, BUSY = 5 };
struct job { enum state state; char letter; struct job *next; unsigned large; float part; int items[4]; };
struct work { int *count; struct job *job; };
static int *numbers;
static void (*called)(void);
static void callee(void) {}
static void *worker(void *argument) {
    struct work *work = argument;
    *work->count += 1;
    work->job->state = BUSY;
    work->job->letter = 'x';
    work->job->next = work->job;
    work->job->large = 4000000000u;
    work->job->part = 0.25f;
    work->job->items[2] = -7;
    numbers[3] = 9;
    called = callee;
    return 0;
}
int main(void) {
    int local = 0;
    struct work work = {&local, calloc(1, sizeof *work.job)};
    numbers = calloc(5, sizeof *numbers);
    char *raw = malloc(3);
    pthread_t thread;
    pthread_create(&thread, 0, worker, &work);
    pthread_join(thread, 0);
    free(raw);
    assert(local == 2);
}
"""

OTHER_FRAMES = """
#include <assert.h>
#include <pthread.h>
static int *handed[2];
static pthread_barrier_t both;
static int count;
static void *worker(void *argument) {
    long me = (long)argument;
    int count = 10 + (int)me;
    handed[me] = &count;
    pthread_barrier_wait(&both);
    assert(*handed[1 - me] == 10);
    return 0;
}
int main(void) {
    pthread_t thread[2];
    count = 1;
    pthread_barrier_init(&both, 0, 2);
    for (long i = 0; i < 2; i++) pthread_create(&thread[i], 0, worker, (void *)i);
    for (long i = 0; i < 2; i++) pthread_join(thread[i], 0);
}
"""

LIBRARY = """
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
struct Node { int value = 0; };
class Queue {
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<bool> open_{true};
    std::vector<short> items_ = std::vector<short>(3);

public:
    void put() {
        std::lock_guard<std::mutex> guard(mutex_);
        items_[1] = 5;
        open_ = false;
        changed_.notify_one();
    }
};
std::vector<int> slots(4);
int main() {
    int count = 0;
    enum class Kind { basic, gold };
    std::atomic<Kind> kind{Kind::basic};
    auto node = std::make_unique<Node>();
    auto shared = std::make_shared<Node>();
    auto *queue = new Queue;
    std::thread thread([&, shared] {
        ++count;
        kind = Kind::gold;
        node->value = 1;
        shared->value = 2;
        slots[2] = 7;
        queue->put();
    });
    thread.join();
    assert(count + node->value + shared->value + slots[2] == 0);
}
"""

FAILING_STORE = """
#include <pthread.h>
#include <stdlib.h>
struct node { int value; };
static struct node *shared;
static void *writer(void *unused) { struct node *node = shared; if (node) node->value = 5; return unused; }
int main(void) {
    pthread_t thread;
    struct node *node = shared = calloc(1, sizeof *shared);
    pthread_create(&thread, 0, writer, 0);
    shared = 0;
    free(node);
    pthread_join(thread, 0);
}
"""

CONSTANT_TEXT = """
static char *text = (char *)"constant";
int main(void) { text[1] = 'x'; }
"""

FREED_TWICE = """
#include <stdlib.h>
int main(void) { char *text = malloc(8); free(text); free(text); }
"""


def test_locals_of_other_threads_and_heap_blocks(tmp_path: Path) -> None:
    finding = finding_of(tmp_path, LOCALS_AND_BLOCKS, "a.c")
    assert said_by(finding, 1) >= {
        "read work.count = &local",
        "read local = 0",
        "write local = 1 (was 0)",
        "read work.job = &job#1",
        "write job#1.state = BUSY (was IDLE)",
        "write job#1.letter = 'x' (was 0)",
        "write job#1.next = &job#1 (was NULL)",
        "write job#1.large = 4000000000 (was 0)",
        "write job#1.part = 0.25 (was 0)",
        "write job#1.items[2] = -7 (was 0)",
        "read numbers = &block@a.c:27",
        "write block@a.c:27[3] = 9 (was 0)",
        "write called = &callee (was NULL)",
    }
    assert "free block@a.c:28" in said_by(finding, 0)


def test_a_topology_has_the_same_names(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(LOCALS_AND_BLOCKS.replace("assert(local == 2);", "").replace("*work->count += 1;", ""))
    source.write_text(source.read_text().replace("pthread_join", "local = work.job->letter; pthread_join"))
    (edge,) = norn.topology(source).edges
    assert edge.locations == ("job#1.letter",)


def test_variables_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    finding = finding_of(tmp_path, OTHER_FRAMES, "a.c")
    assert "write count = 1 (was 0)" in said_by(finding, 0)
    assert "write handed[0] = &T1 worker::count (was NULL)" in said_by(finding, 1)
    assert "write T2 worker::count = 11 (was 0)" in said_by(finding, 2)


def test_so_are_those_of_calls_inside_calls_and_of_blocks_inside_blocks(tmp_path: Path) -> None:
    text = """
        #include <assert.h>
        static int *handed[4];
        static void descend(int depth) {
            int local = depth;
            handed[depth] = &local;
            if (depth < 2) descend(depth + 1);
            else { int local = 7; handed[3] = &local; assert(*handed[0] + *handed[2] + local == 0); }
        }
        int main(void) { descend(0); }
    """
    said = said_by(finding_of(tmp_path, text, "a.c"), 0)
    assert said >= {f"write handed[{i}] = &descend::local#{i + 1} (was NULL)" for i in range(4)}
    assert said >= {f"read descend::local#{i + 1} = {value}" for i, value in ((0, 0), (2, 2), (3, 7))}


def test_a_pointer_to_a_local_is_named_by_the_call_that_has_it(tmp_path: Path) -> None:
    text = """
        #include <assert.h>
        static int *kept, *other;
        static void first(void) { int x = 1; kept = &x; *kept = 5; }
        static void second(void) { int y; other = &y; *other = 6; }
        static void third(void) { int z = 3; kept = &z; }
        int main(void) { first(); second(); third(); assert(0); }
    """
    assert said_by(finding_of(tmp_path, text, "a.c"), 0) >= {
        "write kept = &x (was NULL)",
        "write other = &y (was NULL)",
        "read other = &y",
    }


def test_so_are_static_ones_of_functions_and_namespaces(tmp_path: Path) -> None:
    text = """
        #include <cassert>
        namespace game { int calls; }
        static void first() { static int calls; calls = 1; game::calls = 4; { static int calls; calls = 5; } }
        static int *second() { static int calls[2]; calls[1] = 2; return calls; }
        static int *kept;
        int main() { first(); kept = second(); kept++; assert(0); }
    """
    assert said_by(finding_of(tmp_path, text, "a.cpp"), 0) >= {
        "write first::calls#1 = 1 (was 0)",
        "write game::calls = 4 (was 0)",
        "write first::calls#2 = 5 (was 0)",
        "write second::calls[1] = 2 (was 0)",
        "write kept = &second::calls (was NULL)",
        "write kept = &second::calls[1] (was &second::calls)",
    }


def test_what_the_library_wraps_has_the_name_of_the_user(tmp_path: Path) -> None:
    finding = finding_of(tmp_path, LIBRARY, "a.cpp")
    assert said_by(finding, 1) >= {
        "write count = 1 (was 0)",
        "write kind = gold (was basic)",
        "write node->value = 1 (was 0)",
        "write shared->value = 2 (was 0)",
        "write slots[2] = 7 (was 0)",
        "lock Queue#1.mutex_",
        "write Queue#1.items_[1] = 5 (was 0)",
        "write Queue#1.open_ = false (was true)",
        "signal Queue#1.changed_: nobody waits",
    }
    captured = [step for step in steps_of(finding) if step.location == "lambda#1.count"]
    assert captured
    assert {step.after for step in captured} == {"&count"}
    assert not any(step.matters for step in captured)


def test_what_a_lambda_captured_does_not_lie_in_its_frame(tmp_path: Path) -> None:
    text = """
        #include <cassert>
        static long kept;
        struct large { long values[8]; };
        static void keep(const long &temporary) { kept = temporary; }
        int main() {
            large some = {};
            auto run = [some] { keep(some.values[0] + 5); };
            run();
            assert(0);
        }
    """
    said = said_by(finding_of(tmp_path, text, "a.cpp"), 0)
    assert "write kept = 5 (was 0)" in said
    assert not any(each.endswith("= 5") and "some" in each for each in said)


@pytest.mark.parametrize("name", ["a.c", "a.cpp"])
def test_races_are_named_likewise(tmp_path: Path, name: str) -> None:
    text = """
        #include <pthread.h>
        #include <stdlib.h>
        struct job { int state; };
        static void *first(void *argument) { ((struct job *)argument)->state = 1; return 0; }
        static void *second(void *argument) { *(int *)argument = 1; return 0; }
        int main(void) {
            pthread_t a, b;
            int local = 0;
            struct job *job = (struct job *)calloc(1, sizeof *job);
            pthread_create(&a, 0, first, job);
            pthread_create(&b, 0, second, &local);
            job->state = 2;
            local = 3;
            pthread_join(a, 0);
            pthread_join(b, 0);
        }
    """
    source = tmp_path / name
    source.write_text(text)
    assert {race.location for race in norn.check(source).races} == {"job::state", "local"}


def test_a_write_to_freed_memory_does_not_happen(tmp_path: Path) -> None:
    finding = finding_of(tmp_path, FAILING_STORE, "a.c")
    assert finding.kind == "use-after-free"
    assert finding.message.endswith("(node#1.value)")
    last = steps_of(finding)[-1]
    assert (last.operation, last.writes, last.before, last.after) == ("store", True, "0", UNKNOWN)
    assert describe_step(last) == "write node#1.value (fails)"
    assert "free node#1" in said_by(finding, 0)


def test_neither_does_one_that_crashes(tmp_path: Path) -> None:
    finding = finding_of(tmp_path, CONSTANT_TEXT, "a.c")
    last = steps_of(finding)[-1]
    assert (last.operation, last.before, last.after) == ("store", "111", UNKNOWN)


def test_nor_a_second_release(tmp_path: Path) -> None:
    finding = finding_of(tmp_path, FREED_TWICE, "a.c")
    first, second = (step for step in steps_of(finding) if step.operation == "free")
    assert (first.location, describe_step(first)) == ("block@a.c:3", "free block@a.c:3")
    assert describe_step(second) == "free block@a.c:3 (fails)"
    assert finding.message.endswith("(block@a.c:3)")


def test_a_store_that_happened_before_a_crash_has_its_value(tmp_path: Path) -> None:
    text = "int done, zero; int main(void) { int x = zero; done = 1; return 7 / x; }"
    finding = finding_of(tmp_path, text, "a.c")
    assert finding.kind == "arithmetic-fault"
    assert describe_step(steps_of(finding)[-1]) == "write done = 1 (was 0)"


def test_a_futex_has_the_name_of_its_word(tmp_path: Path) -> None:
    text = """
        #include <linux/futex.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        static struct { int other, word; } object;
        int main(void) { syscall(SYS_futex, &object.word, FUTEX_WAIT, 0, 0, 0, 0); }
    """
    finding = finding_of(tmp_path, text, "a.c")
    assert "wait on object.word (futex)" in said_by(finding, 0)
    (thread,) = finding.threads
    assert (thread.detail, thread.object) == ("waits on the futex", "object.word")


def test_temporaries_of_atomic_operations_do_not_matter(tmp_path: Path) -> None:
    text = """
        #include <assert.h>
        #include <stdatomic.h>
        static atomic_int inside;
        int main(void) { assert(atomic_exchange(&inside, 2) + atomic_load(&inside) == 0); }
    """
    steps = steps_of(finding_of(tmp_path, text, "a.c"))
    temporaries = [step for step in steps if "__atomic_" in step.location]
    assert temporaries
    assert not any(step.matters for step in temporaries)
    assert all(step.matters for step in steps if step.location == "inside")
