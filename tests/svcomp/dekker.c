// Dekker's algorithm, with a bounded number of tries.
#include <pthread.h>

extern void reach_error(void);
extern void abort(void);
void assume_abort_if_not(int condition) {
    if (!condition) abort();
}

enum { TRIES = 2 };
int wants[2], turn, inside;

void enter(int me, int other) {
    wants[me] = 1;
    for (int i = 0; wants[other]; ++i) {
        assume_abort_if_not(i < TRIES);
        if (turn != me) {
            wants[me] = 0;
            assume_abort_if_not(turn == me);
            wants[me] = 1;
        }
    }
}

void leave(int me, int other) {
    turn = other;
    wants[me] = 0;
}

void *thread(void *argument) {
    int me = (int)(long)argument;
    enter(me, 1 - me);
    inside = me;
    if (inside != me) reach_error();
    leave(me, 1 - me);
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, thread, (void *)0);
    pthread_create(&other, 0, thread, (void *)1);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
