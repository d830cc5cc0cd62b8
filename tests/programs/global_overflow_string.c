// norn: failed global-overflow
// The name is copied without the room for its end.
#include <pthread.h>
#include <string.h>

char name[10];

static void* rename_it(void* unused) {
    strcpy(name, "ten bytes!");  // found here
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, rename_it, NULL);
    pthread_join(thread, NULL);
    return 0;
}
