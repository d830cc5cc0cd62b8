// norn: cannot check SIGSEGV
// What a handler does about a fault is not followed.
#include <signal.h>
#include <stdlib.h>

static void handle(int number) {
    (void)number;
    exit(0);
}

int main(void) {
    signal(SIGSEGV, handle);
    int* volatile nowhere = NULL;
    *nowhere = 1;
    return 0;
}
