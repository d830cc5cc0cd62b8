// poll and select without any descriptor: a sleep with another name.
//
// With descriptors they are refused. Without a timeout nobody can ever end the call: it waits for a signal.
#include <poll.h>
#include <sys/select.h>

#include <cerrno>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/virtual_time.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

void require_none(bool has_descriptors, bool has_limit, const char* function) {
    if (has_descriptors) unsupported(function, "waiting for file descriptors is not modelled");
    if (!has_limit) unsupported(function, "a wait that only a signal can end is not modelled");
}

int fail_with(int code) {
    errno = code;
    return -1;
}

int sleep_like(const char* function, bool has_descriptors, const timespec* time, std::uintptr_t site) {
    require_none(has_descriptors, time != nullptr, function);
    range_access(time, sizeof *time, Operation::load, site);
    const timespec wanted = *time;
    if (wanted.tv_sec < 0 || wanted.tv_nsec < 0 || wanted.tv_nsec >= 1'000'000'000) return fail_with(EINVAL);
    sleep_for(static_cast<std::uint64_t>(wanted.tv_sec) * second + static_cast<std::uint64_t>(wanted.tv_nsec),
              site);
    return 0;
}

}  // namespace

extern "C" {

int norn_sleeping_poll(pollfd*, nfds_t count, int milliseconds) {
    require_none(count != 0, milliseconds >= 0, "poll");
    sleep_for(static_cast<std::uint64_t>(milliseconds) * 1'000'000, SITE);
    return 0;
}
int norn_sleeping_ppoll(pollfd*, nfds_t count, const timespec* time, const sigset_t*) {
    return sleep_like("ppoll", count != 0, time, SITE);
}
int norn_sleeping_select(int limit, fd_set*, fd_set*, fd_set*, timeval* time) {
    require_none(limit != 0, time != nullptr, "select");
    range_access(time, sizeof *time, Operation::load, SITE);
    const timeval wanted = *time;
    if (wanted.tv_sec < 0 || wanted.tv_usec < 0) return fail_with(EINVAL);
    sleep_for(static_cast<std::uint64_t>(wanted.tv_sec) * second +
                  static_cast<std::uint64_t>(wanted.tv_usec) * 1000,
              SITE);
    return 0;
}
int norn_sleeping_pselect(int limit, fd_set*, fd_set*, fd_set*, const timespec* time, const sigset_t*) {
    return sleep_like("pselect", limit != 0, time, SITE);
}
}

}  // namespace norn::native
