// Readers and writers, by a word that sections change: a writer is alone.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int writing, readers, data;

void __VERIFIER_atomic_take_write_lock() {
    __VERIFIER_assume(writing == 0 && readers == 0);
    writing = 1;
}
void __VERIFIER_atomic_take_read_lock() {
    __VERIFIER_assume(writing == 0);
    readers = readers + 1;
}
void __VERIFIER_atomic_release_read_lock() { readers = readers - 1; }

void *writer(void *unused) {
    __VERIFIER_atomic_take_write_lock();
    data = 3;
    writing = 0;
    return 0;
}
void *reader(void *unused) {
    __VERIFIER_atomic_take_read_lock();
    int seen = data;
    if (data != seen) reach_error();
    __VERIFIER_atomic_release_read_lock();
    return 0;
}

int main() {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, writer, 0);
    pthread_create(&t2, 0, reader, 0);
    pthread_create(&t3, 0, reader, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    return 0;
}
