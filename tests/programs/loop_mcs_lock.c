// norn: verified
// A lock whose queue consists of nodes on the stacks of those who wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node*) next;
    atomic_int waits;
};

static _Atomic(struct node*) tail;
static int count;

static void lock(struct node* node) {
    atomic_store(&node->next, NULL);
    atomic_store(&node->waits, 1);
    struct node* before = atomic_exchange(&tail, node);
    if (before == NULL) return;
    atomic_store(&before->next, node);
    while (atomic_load(&node->waits)) {
    }
}

static void unlock(struct node* node) {
    struct node* expected = node;
    if (atomic_load(&node->next) == NULL) {
        if (atomic_compare_exchange_strong(&tail, &expected, NULL)) return;
        while (atomic_load(&node->next) == NULL) {
        }
    }
    atomic_store(&atomic_load(&node->next)->waits, 0);
}

static void* work(void* unused) {
    struct node node;
    lock(&node);
    count++;
    unlock(&node);
    return unused;
}

int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    assert(count == 2);
}
