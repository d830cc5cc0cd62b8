// scull_loop(N): a model of a toy character driver. A loader and two users, who open the device and read from
// or write to it, N times each. The loader forgets the mutex, and the users read two variables before they
// take it.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif

enum { request = 10 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int default_quantum = 4000, default_qset = 1000;  // only read
static int data, quantum, qset, size;
static int owner;  // X in the literature: who is in the critical section

static void trim(void) {
    int unused_qset = qset;
    (void)unused_qset;
    size = 0;
    quantum = default_quantum;
    qset = default_qset;
    data = 0;
}

static void open_device(void) {
    pthread_mutex_lock(&mutex);
    owner = 2;
    trim();
    int seen = owner;
    assert(seen >= 2);
    pthread_mutex_unlock(&mutex);
}

static void read_device(void) {
    int my_quantum = quantum;
    int unused_qset = qset;
    (void)unused_qset;
    pthread_mutex_lock(&mutex);
    owner = 0;
    if (size > 0) {
        int count = request;
        if (request >= size) count = size;
        if (count > my_quantum) count = my_quantum;
        int byte = data;
        (void)byte;
        int seen = owner;
        assert(seen <= 0);
    }
    pthread_mutex_unlock(&mutex);
}

static void write_device(void) {
    int my_quantum = quantum;
    int unused_qset = qset;
    (void)unused_qset;
    pthread_mutex_lock(&mutex);
    int count = request < my_quantum ? request : my_quantum;
    owner = 1;
    int byte = data;
    (void)byte;
    if (size < count) size = count;
    int seen = owner;
    assert(seen == 1);
    pthread_mutex_unlock(&mutex);
}

static void* load(void* unused) {
    (void)unused;
    trim();
    return NULL;
}

static void* use_by_reading(void* unused) {
    (void)unused;
    for (int round = 0; round < N; ++round) {
        open_device();
        read_device();
    }
    return NULL;
}

static void* use_by_writing(void* unused) {
    (void)unused;
    for (int round = 0; round < N; ++round) {
        open_device();
        write_device();
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, load, NULL);
    pthread_create(&threads[1], NULL, use_by_reading, NULL);
    pthread_create(&threads[2], NULL, use_by_writing, NULL);
    for (int k = 0; k < 3; ++k) pthread_join(threads[k], NULL);
    return 0;
}
