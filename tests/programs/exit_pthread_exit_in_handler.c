// norn: cannot check pthread_exit
#include <pthread.h>
#include <stdlib.h>

static void handler(void) { pthread_exit(NULL); }

int main(void) {
    atexit(handler);
    return 0;
}
