// norn: verified
// classes: maz=4 rf=4 obs=4
// Two threads hand a value over and back. Main may wait for the answer or find it, and the other one may wait
// for the question or find it, independently of each other: 2 * 2.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t question_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t answer_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static int question, answer;

static void* oracle(void* unused) {
    pthread_mutex_lock(&question_mutex);
    while (question == 0) pthread_cond_wait(&asked, &question_mutex);
    int number = question;
    pthread_mutex_unlock(&question_mutex);
    pthread_mutex_lock(&answer_mutex);
    answer = 2 * number;
    pthread_cond_signal(&answered);
    pthread_mutex_unlock(&answer_mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, oracle, NULL);
    pthread_mutex_lock(&question_mutex);
    question = 21;
    pthread_cond_signal(&asked);
    pthread_mutex_unlock(&question_mutex);
    pthread_mutex_lock(&answer_mutex);
    while (answer == 0) pthread_cond_wait(&answered, &answer_mutex);
    assert(answer == 42);
    pthread_mutex_unlock(&answer_mutex);
    pthread_join(thread, NULL);
    return 0;
}
