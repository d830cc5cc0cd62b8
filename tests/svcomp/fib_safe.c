// Two threads add two numbers to each other, three times each: nothing above 21 comes out.
#include <pthread.h>

extern void reach_error(void);
void __VERIFIER_assert(int condition) {
    if (!(condition)) reach_error();
}

int i = 1, j = 1;
#define NUM 3

void *t1(void *arg) {
    for (int k = 0; k < NUM; k++) i += j;
    return 0;
}
void *t2(void *arg) {
    for (int k = 0; k < NUM; k++) j += i;
    return 0;
}

int main(int argc, char **argv) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    int condI = i > 21;
    int condJ = j > 21;
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    __VERIFIER_assert(i <= 21 && j <= 21 && !condI && !condJ);
    return 0;
}
