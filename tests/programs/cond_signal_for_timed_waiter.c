// norn: failed deadlock
// Two threads wait, one of them with a timeout. The only signal may go to that one, and the other waits for
// ever.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t waiting;

static void* patient(void* unused) {
    pthread_mutex_lock(&mutex);
    sem_post(&waiting);
    pthread_cond_wait(&changed, &mutex);  // found here
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void* impatient(void* unused) {
    struct timespec deadline = {2000000000, 0};
    pthread_mutex_lock(&mutex);
    sem_post(&waiting);
    pthread_cond_timedwait(&changed, &mutex, &deadline);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t first, second;
    sem_init(&waiting, 0, 0);
    pthread_create(&first, NULL, patient, NULL);
    pthread_create(&second, NULL, impatient, NULL);
    sem_wait(&waiting);
    sem_wait(&waiting);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
