"""Programs whose failures take long to report unless care is taken: many pointers, steps, switches."""

from __future__ import annotations

# The update of `x` is lost if main is stopped between its read and its write.
_LOST = "int y = x; x = y + 1;"
_START = "pthread_t t; pthread_create(&t, 0, work, 0);"
_CHECK = "pthread_join(t, 0); assert(x == 2);"
_HEAD = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
static int x;
"""

# N blocks, each with a pointer to the one before it, which both threads go through.
POINTERS = f"""{_HEAD}
struct node {{ struct node *next; long key; }};
static struct node *head;
static void *work(void *p) {{
    long sum = 0;
    for (struct node *n = head; n; n = n->next) ++sum;
    {_LOST}
    return p;
}}
int main(void) {{
    for (int i = 0; i < N; ++i) {{
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }}
    {_START} {_LOST} {_CHECK}
}}
"""

# The same in one block: things of two types, side by side and mixed.
SLAB = f"""{_HEAD}
struct node {{ struct node *next; long key; }};
struct other {{ struct other *next; double weight; short tag; }};
static char *arena;
static size_t used;
static struct node *nodes;
static struct other *others;
static void *take(size_t size) {{ void *taken = arena + used; used += size; return taken; }}
static void *work(void *p) {{
    long sum = 0;
    for (struct node *n = nodes; n; n = n->next) ++sum;
    for (struct other *n = others; n; n = n->next) ++sum;
    {_LOST}
    return p;
}}
int main(void) {{
    arena = malloc(N * 64);
    for (int i = 0; i < N / 2; ++i) {{
        struct node *n = take(sizeof *n);
        n->next = nodes;
        nodes = n;
        if (i % 3) take(8);
        struct other *o = take(sizeof *o);
        o->next = others;
        others = o;
    }}
    {_START} {_LOST} {_CHECK}
}}
"""

# N writes to memory of one thread.
PRIVATE = f"""{_HEAD}
static int own[1000];
static void *work(void *p) {{ {_LOST} return p; }}
int main(void) {{
    for (int i = 0; i < N; ++i) own[i % 1000] = i;
    {_START} {_LOST} {_CHECK}
}}
"""

# N events.
EVENTS = f"""{_HEAD}
static atomic_int c;
static void *work(void *p) {{ for (int i = 0; i < N / 2; ++i) ++c; {_LOST} return p; }}
int main(void) {{ {_START} for (int i = 0; i < N / 2; ++i) ++c; {_LOST} {_CHECK} }}
"""

# 2 N switches, and no two stretches alike.
SWITCHES = f"""{_HEAD}
static sem_t here, there;
static int seen[N];
static void *work(void *p) {{
    for (int i = 0; i < N; ++i) {{ sem_wait(&here); seen[i] = i; sem_post(&there); }}
    return p;
}}
int main(void) {{
    sem_init(&here, 0, 0);
    sem_init(&there, 0, 0);
    {_START}
    for (int i = 0; i < N; ++i) {{ sem_post(&here); sem_wait(&there); x += seen[i]; }}
    pthread_join(t, 0);
    assert(x < 0);
}}
"""

# Two threads that never end, and race before they begin not to.
ENDLESS = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int c;
static int x;
static void *work(void *p) {
    x = 1;
    for (;;) atomic_fetch_add_explicit(&c, 1, memory_order_relaxed);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x = 2;
    for (;;) atomic_fetch_add_explicit(&c, 1, memory_order_relaxed);
}
"""
