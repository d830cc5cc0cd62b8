// One thread gives up by abort() where its assumption is wrong; that hides nothing of what the other one does.
#include <pthread.h>

extern void abort(void);
extern void reach_error(void);
void assume_abort_if_not(int condition) {
    if (!condition) {
        abort();
    }
}

int started, value;

void *gives_up(void *unused) {
    assume_abort_if_not(started == 2);
    return 0;
}
void *fails(void *unused) {
    value = 1;
    if (value == 1) reach_error();
    return 0;
}

int main(void) {
    pthread_t one, other;
    started = 1;
    pthread_create(&one, 0, fails, 0);
    pthread_create(&other, 0, gives_up, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
