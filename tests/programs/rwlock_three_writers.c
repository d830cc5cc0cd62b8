// norn: verified
// classes: maz=6 rf=6 obs=6
// Writers exclude each other: three sections, 3! orders.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock;
static int total;

static void* writer(void* unused) {
    pthread_rwlock_wrlock(&lock);
    ++total;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    assert(pthread_rwlock_init(&lock, NULL) == 0);
    for (int k = 0; k < 2; ++k) pthread_create(&threads[k], NULL, writer, NULL);
    writer(NULL);
    for (int k = 0; k < 2; ++k) pthread_join(threads[k], NULL);
    assert(total == 3);
    return 0;
}
