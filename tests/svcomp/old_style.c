/* Older than the standard: no types, no declarations, parameters declared below. */
#include <pthread.h>

int turn;

static check(value, wanted)
    int value, wanted;
{
    if (value != wanted) reach_error();
    return value;
}

void *work(argument)
    void *argument;
{
    __VERIFIER_atomic_begin();
    turn = turn + 1;
    check(turn > 0, 1);
    __VERIFIER_atomic_end();
    return 0;
}

main() {
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    check(turn, 2);
    return 0;
}
