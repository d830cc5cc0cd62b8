// Concurrency Kit's stack, used wrongly: elements come back while another thread may still look at them.
//
// ck_stack_pop_upmc wants safe memory reclamation: an element that was taken must not be pushed again while
// another thread is taking one. Here it is, and the stack loses an element: the ABA problem.
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stddef.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[3];

static void* take(void* into) {
    *(ck_stack_entry_t**)into = ck_stack_pop_upmc(&stack);
    return NULL;
}

static void* take_two_and_return_one(void* into) {
    ck_stack_entry_t* const first = ck_stack_pop_upmc(&stack);
    *(ck_stack_entry_t**)into = ck_stack_pop_upmc(&stack);
    if (first != NULL) ck_stack_push_upmc(&stack, first);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    ck_stack_entry_t *by_one = NULL, *by_other = NULL;
    for (int i = 0; i < 3; ++i) ck_stack_push_upmc(&stack, &entries[i]);
    pthread_create(&one, NULL, take, &by_one);
    pthread_create(&other, NULL, take_two_and_return_one, &by_other);
    pthread_join(one, NULL);
    pthread_join(other, NULL);

    int times[3] = {0};
    if (by_one != NULL) ++times[by_one - entries];
    if (by_other != NULL) ++times[by_other - entries];
    for (ck_stack_entry_t* entry; (entry = ck_stack_pop_npsc(&stack)) != NULL;) ++times[entry - entries];
    for (int i = 0; i < 3; ++i) assert(times[i] == 1);
    return 0;
}
