// norn: verified
// A loop in which one thread waits for another, without a deadline, and which a thread that has seen days
// pass then goes through until one: what is known of the loop does not end it before that.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static atomic_bool ready, never;
static time_t deadline;

static void wait_for(atomic_bool* flag, const time_t* end) {
    while (!*flag)
        if (time(NULL) > *end) break;
}

static void* wait_long(void* unused) {
    const time_t no_end = (time_t)1 << 60;
    wait_for(&ready, &no_end);
    return unused;
}

static void* set(void* unused) {
    never = false;
    ready = true;
    return unused;
}

int main(void) {
    pthread_t waiting, setting;
    pthread_create(&waiting, NULL, wait_long, NULL);
    pthread_create(&setting, NULL, set, NULL);
    pthread_join(waiting, NULL);
    pthread_join(setting, NULL);
    for (int i = 0; i < 4; i++) sleep(1);
    deadline = time(NULL) + 5;
    wait_for(&never, &deadline);
    return 0;
}
