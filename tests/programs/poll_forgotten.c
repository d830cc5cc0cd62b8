// norn: failed deadlock
// Nobody makes any of the descriptors ready.
#include <poll.h>
#include <sys/eventfd.h>

int main(void) {
    struct pollfd wanted[] = {{eventfd(0, 0), POLLIN, 0}, {eventfd(0, 0), POLLIN, 0}};
    return poll(wanted, 2, -1);  // found here
}
