// norn: verified
// classes: maz=1 rf=1 obs=1 rvf=1
// Every byte of variables of all sizes is used, and none beside them. Threads take turns, so that there is
// one class.
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static bool flag;
static char pair[2];
char three[3];
short half;
char ten[10];
long double wide;
static int numbers[25];
struct {
    char name[5];
    double value;
} record = {"four", 4.0};
struct {
    int count;
    int items[];
} flexible = {3, {1, 2, 3}};
_Alignas(64) static char aligned[64];

static void use(void) {
    flag = !flag;
    memset(pair, 1, sizeof pair);
    memset(three, 2, sizeof three);
    half = (short)(half + 1);
    strcpy(ten, "nine more");
    wide = wide + 1;
    for (int i = 0; i < 25; ++i) numbers[i] += i;
    record.name[4] = 0;
    record.value *= 2;
    for (int i = 0; i < flexible.count; ++i) flexible.items[i]++;
    memset(aligned, 3, sizeof aligned);
}

static void* other(void* unused) {
    use();
    return unused;
}

int main(void) {
    pthread_t thread;
    use();
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    use();
    return strlen(ten) != 9 || flexible.items[2] != 6;
}
