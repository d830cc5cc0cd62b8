// norn: cannot check pthread_key_create
// More keys than norn has room for.
#include <pthread.h>

int main(void) {
    pthread_key_t key;
    for (int k = 0; k < 129; ++k) pthread_key_create(&key, NULL);
    return 0;
}
