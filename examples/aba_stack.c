// norn: failed assertion
//
// A lock-free stack with the ABA problem. `pop` reads the top node and its successor, then swings `top` if it
// is still the same node. But the same node may have been popped and pushed again meanwhile, with another
// successor: the stack is A, B; one thread is about to replace A by B; the other pops A and B, keeps B and
// pushes A back. The exchange still finds A and puts B, which is in use, on the stack.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node*) next;
    atomic_int in_use;  // 1 while a thread owns the node
};

static struct node a, b;
static _Atomic(struct node*) top;

static void push(struct node* node) {
    atomic_store(&node->in_use, 0);
    struct node* old = atomic_load(&top);
    do {
        atomic_store(&node->next, old);
    } while (!atomic_compare_exchange_strong(&top, &old, node));
}

static struct node* pop(void) {
    struct node* old = atomic_load(&top);
    while (old != NULL) {
        struct node* next = atomic_load(&old->next);
        // Wrong: `next` may be out of date
        if (atomic_compare_exchange_strong(&top, &old, next)) {
            int owned_before = atomic_exchange(&old->in_use, 1);
            assert(!owned_before);
            return old;
        }
    }
    return NULL;
}

static void* take_one(void* unused) {
    (void)unused;
    pop();
    return NULL;
}

static void* take_two_return_one(void* unused) {
    (void)unused;
    struct node* first = pop();
    struct node* second = pop();  // kept
    (void)second;
    if (first != NULL) push(first);
    return NULL;
}

int main(void) {
    push(&b);
    push(&a);
    pthread_t taker, recycler;
    pthread_create(&taker, NULL, take_one, NULL);
    pthread_create(&recycler, NULL, take_two_return_one, NULL);
    pthread_join(taker, NULL);
    pthread_join(recycler, NULL);
    while (pop() != NULL) {  // what is still on the stack must belong to nobody: `pop` asserts it
    }
    return 0;
}
