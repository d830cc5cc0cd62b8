// norn: failed thread-misuse
// A thread that detaches itself is joined: which of the two comes first does not matter.
#include <threads.h>

static int alone(void* unused) {
    (void)unused;
    thrd_detach(thrd_current());
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, alone, NULL);
    thrd_join(thread, NULL);
    return 0;
}
