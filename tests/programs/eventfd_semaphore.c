// norn: verified
// An eventfd that counts down lets in as many as it says.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int permits;
static int inside;

static void* work(void* unused) {
    uint64_t one = 0;
    assert(read(permits, &one, sizeof one) == sizeof one && one == 1);
    assert(__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST) == 1);
    __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    assert(write(permits, &one, sizeof one) == sizeof one);
    return unused;
}

int main(void) {
    pthread_t first, second;
    permits = eventfd(1, EFD_SEMAPHORE);
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
