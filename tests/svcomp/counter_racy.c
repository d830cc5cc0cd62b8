// The same without the mutex: an update gets lost. The error function does nothing but to be reached.
#include <pthread.h>

void reach_error() {}

int counter;

void *count(void *unused) {
    for (int i = 0; i < 2; ++i) {
        int seen = counter;
        counter = seen + 1;
    }
    return 0;
}

int main() {
    pthread_t one, other;
    pthread_create(&one, 0, count, 0);
    pthread_create(&other, 0, count, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    if (counter < 3) reach_error();
    return 0;
}
