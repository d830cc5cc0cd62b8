"""Random programs of three threads that fail in several ways, and all the ways in which each can fail.

A program is a list of operations for each thread, which one C source (`SOURCE`) carries out: so it is
compiled once. `failures_of` goes through every interleaving by itself. A thread that fails goes no further,
the others do.

    w W    write to a part of a heap block     s   set a flag
    r R    read it, and expect what was first  l   expect that the flag is not set
    f      free the block                      c   end the thread if the flag is set
    o      write beyond the block              m u lock and unlock a mutex
    n      write through a null pointer        x   end the process
"""

from __future__ import annotations

import random
from collections.abc import Sequence

THREADS = 3
MOST = 4  # operations of a thread
Threads = Sequence[str]  # an operation is a letter
# What failed, in which thread, at which of its operations.
Failure = tuple[str, int, int]

_HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *block;
static atomic_int flag;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char code[3][4];  // by thread and place

#define STEP(t, i)                                                \\
    static int step_##t##_##i(void) {                             \\
        switch (code[t][i]) {                                     \\
            case 'w': block[0] = t + 1; break;                    \\
            case 'W': block[1] = t + 1; break;                    \\
            case 'r': assert(block[0] == 0); break;               \\
            case 'R': assert(block[1] == 0); break;               \\
            case 'f': free(block); break;                         \\
            case 'o': block[2] = 1; break;                        \\
            case 'n': *(volatile int *)0 = 1; break;              \\
            case 's': atomic_store(&flag, 1); break;              \\
            case 'l': assert(atomic_load(&flag) == 0); break;     \\
            case 'c': return atomic_load(&flag);                  \\
            case 'm': pthread_mutex_lock(&mutex); break;          \\
            case 'u': pthread_mutex_unlock(&mutex); break;        \\
            case 'x': _Exit(0);                                   \\
        }                                                         \\
        return 0;                                                 \\
    }
#define THREAD(t)                                                                        \\
    STEP(t, 0) STEP(t, 1) STEP(t, 2) STEP(t, 3)                                          \\
    static void *thread_##t(void *unused) {                                              \\
        if (step_##t##_0() || step_##t##_1() || step_##t##_2() || step_##t##_3()) return unused; \\
        return unused;                                                                   \\
    }
"""
SOURCE = (
    _HEAD
    + "".join(f"THREAD({t})\n" for t in range(THREADS))
    + """
int main(int argc, char **argv) {
    void *(*const run[])(void *) = {thread_0, thread_1, thread_2};
    pthread_t thread[3];
    for (int t = 1; t < argc; t++)
        for (int i = 0; argv[t][i]; i++) code[t - 1][i] = argv[t][i];
    block = malloc(2 * sizeof *block);
    for (int t = 0; t < 3; t++) pthread_create(&thread[t], NULL, run[t], NULL);
    for (int t = 0; t < 3; t++) pthread_join(thread[t], NULL);
    return 0;
}
"""
)


def random_threads(chance: random.Random) -> Threads:
    kinds = "wWrRffslcwR" + ("onx" if chance.random() < 0.3 else "")
    threads = []
    for _ in range(THREADS):
        operations = "".join(chance.choice(kinds) for _ in range(chance.randint(1, 3)))
        threads.append(f"m{operations[0]}u" if chance.random() < 0.2 else operations)
    return threads


def failures_of(threads: Threads) -> set[Failure]:
    """By going through every interleaving."""
    found: set[Failure] = set()
    seen = set()
    # Where each thread is (None: it has failed or ended), the block, whether it is free, the flag, the owner.
    states = [((0,) * len(threads), (0, 0), False, False, None)]
    while states:
        state = states.pop()
        if state in seen:
            continue
        seen.add(state)
        places, block, is_freed, flag, owner = state
        for t, place in enumerate(places):
            if place is None or place == len(threads[t]):
                continue
            what = threads[t][place]
            failure = None
            new_block, new_freed, new_flag, new_owner, after = block, is_freed, flag, owner, place + 1
            if what in "wWrR" and is_freed:
                failure = "use-after-free"
            elif what in "wW":
                new_block = (t + 1, block[1]) if what == "w" else (block[0], t + 1)
            elif what in "rR" and block["rR".index(what)] != 0:
                failure = "assertion"
            elif what == "f" and is_freed:
                failure = "double-free"
            elif what == "f":
                new_freed = True
            elif what == "o":
                failure = "heap-overflow"
            elif what == "n":
                failure = "segmentation-fault"
            elif what == "s":
                new_flag = True
            elif what == "l" and flag:
                failure = "assertion"
            elif what == "c" and flag:
                after = None
            elif what == "m":
                if owner is not None:
                    continue
                new_owner = t
            elif what == "u":
                new_owner = None
            elif what == "x":
                after = None
            if failure is not None:
                found.add((failure, t, place))
                after = None
            moved = (*places[:t], after, *places[t + 1 :])
            states.append((moved, new_block, new_freed, new_flag, new_owner))
    return found
