// Fails only if the input is 1 and the threads come in a certain order.
#include <pthread.h>

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int input, ready;

void *set(void *unused) {
    input = __VERIFIER_nondet_uchar();
    ready = 1;
    input = 0;
    return 0;
}

int main(void) {
    pthread_t setter;
    pthread_create(&setter, 0, set, 0);
    if (ready && input == 1) reach_error();
    pthread_join(setter, 0);
    return 0;
}
