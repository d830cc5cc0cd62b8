#include "host/channel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "executor/native/system_call.h"
#include "host/messages.h"

namespace norn {

namespace {

using native::system_call;

constexpr char variable[] = "NORN_FD=";
constexpr std::size_t page_size = 4096;
constexpr std::size_t key_length = 32;
// Not higher: the kernel's table of a process, which fork copies, grows with its highest descriptor.
constexpr int highest_descriptor = 1023;

struct Page {
    int descriptor;
    long process;              // who may speak
    std::size_t key_size;      // 0: Python gave none, for a person reads this
    char key[key_length + 1];  // followed by a space
};

Page* page = nullptr;
int known_descriptor = -1;  // a copy for those who only ask whether a descriptor is the channel

// Makes the page accessible for a moment.
class Opened {
public:
    explicit Opened(int protection) { protect(protection); }
    ~Opened() { protect(PROT_NONE); }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

private:
    static void protect(int protection) {
        system_call(SYS_mprotect, reinterpret_cast<long>(page), static_cast<long>(page_size), protection);
    }
};

long own_process() { return system_call(SYS_getpid); }

int highest_allowed() {
    rlimit limit{};
    system_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, reinterpret_cast<long>(&limit));
    const bool is_low = limit.rlim_cur > 0 && limit.rlim_cur <= highest_descriptor;
    return is_low ? static_cast<int>(limit.rlim_cur) - 1 : highest_descriptor;
}

// The same channel under another number, as high as may be.
int move_up(int descriptor) {
    for (int wanted = highest_allowed(); wanted > descriptor; --wanted) {
        const long moved = system_call(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, wanted);
        if (moved < 0) continue;
        system_call(SYS_close, descriptor);
        return static_cast<int>(moved);
    }
    system_call(SYS_fcntl, descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

int number_in(char** environment) {
    for (; *environment != nullptr; ++environment)
        if (std::strncmp(*environment, variable, sizeof variable - 1) == 0)
            return std::atoi(*environment + sizeof variable - 1);
    return -1;
}

// Only system calls by hand: libraries are not initialised yet.
void open_channel(int, char**, char** environment) {
    const int given = number_in(environment);
    if (given < 0) return;
    const long got = system_call(SYS_mmap, 0, static_cast<long>(page_size), PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got < 0) return;
    page = reinterpret_cast<Page*>(got);
    system_call(SYS_madvise, got, static_cast<long>(page_size), MADV_DONTDUMP);
    // Fails with anything but a socket: then there is no key.
    const long received = system_call(SYS_recvfrom, given, reinterpret_cast<long>(page->key),
                                      static_cast<long>(key_length), MSG_WAITALL);
    if (received == static_cast<long>(key_length)) {
        page->key[key_length] = ' ';
        page->key_size = key_length + 1;
    }
    system_call(SYS_shutdown, given, SHUT_RD);
    page->descriptor = known_descriptor = move_up(given);
    page->process = own_process();
    system_call(SYS_mprotect, got, static_cast<long>(page_size), PROT_NONE);
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const before_all)(int, char**, char**) = open_channel;

bool send_parts(iovec (&parts)[2], int descriptor) {
    std::size_t first = 0;
    while (first < 2) {
        const long written = system_call(SYS_writev, descriptor, reinterpret_cast<long>(parts + first),
                                         static_cast<long>(2 - first));
        if (written == -EINTR) continue;
        if (written < 0) return false;
        auto left = static_cast<std::size_t>(written);
        while (first < 2 && left >= parts[first].iov_len) left -= parts[first++].iov_len;
        if (first == 2) break;
        parts[first].iov_base = static_cast<char*>(parts[first].iov_base) + left;
        parts[first].iov_len -= left;
    }
    return true;
}

}  // namespace

bool has_channel() { return page != nullptr; }

void send_bytes(const char* bytes, std::size_t size, bool begins) {
    bool is_owner = false;
    bool is_sent = false;
    {
        const Opened opened(PROT_READ);
        is_owner = page->process == own_process();
        iovec parts[2] = {{page->key, begins ? page->key_size : 0}, {const_cast<char*>(bytes), size}};
        if (is_owner) is_sent = send_parts(parts, page->descriptor);
    }
    if (!is_owner) {
        adopt_channel();
        die("the program made another process by a system call that norn does not see; processes are not "
            "modelled");
    }
    if (!is_sent) std::_Exit(3);  // nobody listens any more
}

void adopt_channel() {
    if (page == nullptr) return;
    const Opened opened(PROT_READ | PROT_WRITE);
    page->process = own_process();
}

void expect_no_children() {
    int status = 0;
    const long child = system_call(SYS_wait4, -1, reinterpret_cast<long>(&status), WNOHANG | __WALL, 0);
    if (child != -ECHILD)
        die("the program made another process by a system call that norn does not see; processes are not "
            "modelled");
}

int channel_descriptor() { return known_descriptor; }

void leave_descriptor() {
    const Opened opened(PROT_READ | PROT_WRITE);
    const int old = page->descriptor;
    long moved = system_call(SYS_fcntl, old, F_DUPFD_CLOEXEC, old + 1);
    if (moved < 0) moved = system_call(SYS_fcntl, old, F_DUPFD_CLOEXEC, 0);
    if (moved < 0) return;  // the program takes the line, and no result will come
    page->descriptor = known_descriptor = static_cast<int>(moved);
    system_call(SYS_close, old);
}

}  // namespace norn
