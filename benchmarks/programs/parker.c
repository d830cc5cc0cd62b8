// parker(N): a thread parks until a condition holds, main unparks it: a model of a lost wake-up in a Java
// runtime, right under sequential consistency. At most N parks. Main is the unparker and does not join.
//
// Waiting is one read and an assume, so many executions are blocked.
#include <assert.h>
#include <norn.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int stop;                          // the condition the parker waits for
static atomic_int unparker_done;                 // main has finished
static atomic_int parker_locks, unparker_locks;  // the two halves of a lock for two threads
static atomic_int permit;
static atomic_int sleeping;  // the parker is waiting

static void unpark(void) {
    atomic_store(&unparker_locks, 1);
    __VERIFIER_assume(atomic_load(&parker_locks) == 0);
    int before = atomic_load(&permit);
    atomic_store(&permit, 1);
    atomic_store(&unparker_locks, 0);
    if (before < 1) atomic_store(&sleeping, 0);
}

static void park(void) {
    if (atomic_load(&permit) > 0) {
        atomic_store(&permit, 0);
        return;
    }
    atomic_store(&parker_locks, 1);
    if (atomic_load(&unparker_locks) != 0) {
        atomic_store(&parker_locks, 0);
        return;
    }
    if (atomic_load(&permit) > 0) {
        atomic_store(&permit, 0);
        atomic_store(&parker_locks, 0);
        return;
    }
    atomic_store(&sleeping, 1);
    atomic_store(&parker_locks, 0);
    if (atomic_load(&unparker_done) != 0) {
        int asleep = atomic_load(&sleeping);
        assert(asleep == 0);  // else nobody is left to wake the parker
    }
    __VERIFIER_assume(atomic_load(&sleeping) == 0);
    atomic_store(&parker_locks, 1);
    __VERIFIER_assume(atomic_load(&unparker_locks) == 0);
    atomic_store(&permit, 0);
    atomic_store(&parker_locks, 0);
}

static void* run_parker(void* unused) {
    (void)unused;
    for (int i = 0; atomic_load(&stop) == 0; ++i) {
        __VERIFIER_assume(i < N);
        park();
    }
    return NULL;
}

int main(void) {
    pthread_t parker;
    pthread_create(&parker, NULL, run_parker, NULL);
    unpark();
    atomic_store(&stop, 1);
    unpark();
    atomic_store(&unparker_done, 1);
    return 0;
}
