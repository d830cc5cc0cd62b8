// norn: verified
//
// Message passing with an atomic flag. The message is plain data, written before the flag is raised and read
// only by those who have seen the flag, so that nobody sees half a message. A receiver that comes too early
// goes home without one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { receivers = 2, tries = 2 };

static struct {
    int length;
    int checksum;
} message;
static atomic_int sent;

static void* send_message(void* unused) {
    (void)unused;
    message.length = 12;
    message.checksum = 345;
    atomic_store_explicit(&sent, 1, memory_order_release);
    return NULL;
}

static void* receive_message(void* unused) {
    (void)unused;
    for (int attempt = 0; attempt < tries; ++attempt) {
        if (atomic_load_explicit(&sent, memory_order_acquire)) {
            assert(message.length == 12);
            assert(message.checksum == 345);
            break;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t sender, receiver[receivers];
    pthread_create(&sender, NULL, send_message, NULL);
    for (int k = 0; k < receivers; ++k) pthread_create(&receiver[k], NULL, receive_message, NULL);
    pthread_join(sender, NULL);
    for (int k = 0; k < receivers; ++k) pthread_join(receiver[k], NULL);
    return 0;
}
