// Futexes: FUTEX_WAIT, FUTEX_WAKE and their forms with a bit set in which all bits are set.
//
// A futex is any word of the program. Those that wait stand in a queue, whose word (the number of them) is
// the location of waits and wake-ups, as with a condition variable: a wake-up of one picks any of them, and
// if nobody waits it changes nothing.
//
// To wait means to find the expected value and to enter the queue in one step. An event touches one location
// only, so the thread enters first and looks then; if it finds something else it leaves the queue again. A
// wake-up that picked it meanwhile goes to the next in the queue, so that none is lost on a thread that did
// not really wait. (What that adds are wake-ups of threads that entered in between, and the kernel allows
// wake-ups for no reason.) A wait with a timeout leaves the queue by itself at any moment, like that of a
// condition variable (virtual_time.h).
//
// A wake-up of several, but not of all, is so many wake-ups of one: the kernel wakes them one after another,
// too. Requeueing, priority inheritance and operations on a second word are refused.
#include "executor/native/futex.h"

#include <linux/futex.h>

#include <cerrno>
#include <climits>
#include <ctime>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/scheduler.h"
#include "executor/native/sync_word.h"
#include "executor/native/virtual_time.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

// The queue of a futex keeps its place for good: it is a location.
FutexQueue& queue_of(const void* futex) {
    World& w = world();
    const auto address = reinterpret_cast<std::uintptr_t>(futex);
    std::size_t place = (address >> 2) % World::futex_limit;
    for (std::size_t tries = 0; tries < World::futex_limit; ++tries) {
        FutexQueue& queue = w.futex[place];
        if (queue.address == 0) queue.address = address;
        if (queue.address == address) return queue;
        place = (place + 1) % World::futex_limit;
    }
    unsupported("futex", "the program waits on more than 1024 different words");
}

std::uint64_t key_of(const FutexQueue& queue) { return reinterpret_cast<std::uintptr_t>(&queue.waiters); }

// Takes the n-th thread out of the queue.
void wake_one(const FutexQueue& queue, std::uint16_t n, EventIndex cause) {
    World& w = world();
    for (std::size_t i = 0; i < w.threads; ++i) {
        Thread& thread = w.thread[i];
        if (thread.waiting_on != key_of(queue) || n-- != 0) continue;
        thread.waiting_on = 0;
        thread.woken_by = cause;
        return;
    }
}

// True: the thread was woken before. `really`: if not, it waits no longer; else it never did.
bool leave_queue(FutexQueue& queue, bool really, std::uintptr_t site) {
    Thread& me = *world().current;
    WordEvent event(queue.waiters, {Operation::wait_end}, site);
    if (me.waiting_on != 0) {
        me.waiting_on = 0;
        event.leave(queue.waiters - 1);
        return false;
    }
    if (!really && queue.waiters > 0) {
        wake_one(queue, 0, event.index());
        event.leave(queue.waiters - 1);
    }
    return true;
}

int wait(const void* futex, std::uint32_t expected, const timespec* deadline, std::uintptr_t site) {
    if (!enter()) return EAGAIN;
    Thread& me = *world().current;
    FutexQueue& queue = queue_of(futex);
    {
        WordEvent event(queue.waiters, {Operation::wait, Condition::always, expected}, site);
        event.leave(queue.waiters + 1);
    }
    me.waiting_on = key_of(queue);
    range_access(futex, sizeof expected, Operation::load, site, Order::relaxed);
    const bool differs = *static_cast<const volatile std::uint32_t*>(futex) != expected;
    enter();
    if (differs) {
        leave_queue(queue, false, site);
        return EAGAIN;
    }
    if (deadline != nullptr) return leave_queue(queue, true, site) ? 0 : time_out(deadline);
    announce(Operation::barrier_wake, Access::none, key_of(queue), sizeof queue.waiters, no_location, site)
        .guarded = true;
    perform();
    return 0;
}

int wait_until(const void* futex, std::uint32_t expected, const timespec* time, std::uintptr_t site) {
    if (time == nullptr) return wait(futex, expected, nullptr, site);
    range_access(time, sizeof *time, Operation::load, site);
    const timespec deadline = *time;
    return wait(futex, expected, &deadline, site);
}

// The time counts from now on.
int wait_for(const void* futex, std::uint32_t expected, const timespec* time, std::uintptr_t site) {
    if (time == nullptr) return wait(futex, expected, nullptr, site);
    range_access(time, sizeof *time, Operation::load, site);
    const std::uint64_t now = look_at_clock();
    const std::uint64_t end = now % second + static_cast<std::uint64_t>(time->tv_nsec);
    const timespec deadline{time->tv_sec + static_cast<time_t>(now / second + end / second),
                            static_cast<long>(end % second)};
    return wait(futex, expected, &deadline, site);
}

// Wakes up to `most` threads. Returns how many.
long wake(const void* futex, std::uint32_t most, std::uintptr_t site) {
    long woken = 0;
    FutexQueue& queue = queue_of(futex);
    while (most > 0) {
        enter();
        const bool all = most >= INT_MAX;
        WordEvent event(queue.waiters, {all ? Operation::broadcast : Operation::signal, Condition::nonzero},
                        site);
        if (!event.holds()) break;
        const std::uint32_t waiters = queue.waiters;
        for (std::uint32_t i = 0; i < (all ? waiters : 1); ++i)
            wake_one(queue, all ? 0 : event.choice(), event.index());
        event.leave(all ? 0 : waiters - 1);
        woken += all ? waiters : 1;
        if (all) break;
        --most;
    }
    return woken;
}

}  // namespace

std::uintptr_t futex_of_queue(std::uintptr_t word) {
    const World& w = world();
    const auto first = reinterpret_cast<std::uintptr_t>(w.futex);
    if (word < first || word >= first + sizeof w.futex) return 0;
    return w.futex[(word - first) / sizeof(FutexQueue)].address;
}

void forget_futex_waiters() {
    World& w = world();
    if (!w.has_futexes) return;
    for (FutexQueue& queue : w.futex) queue.waiters = 0;
}

long call_futex(const long (&arguments)[6], std::uintptr_t site) {
    const auto* const futex = reinterpret_cast<const void*>(arguments[0]);
    const auto value = static_cast<std::uint32_t>(arguments[2]);
    const auto* const time = reinterpret_cast<const timespec*>(arguments[3]);
    const bool has_all_bits = static_cast<std::uint32_t>(arguments[5]) == FUTEX_BITSET_MATCH_ANY;
    world().has_futexes = true;
    if (reinterpret_cast<std::uintptr_t>(futex) % sizeof(std::uint32_t) != 0) {
        errno = EINVAL;
        return -1;
    }
    int code = 0;
    switch (static_cast<int>(arguments[1]) & FUTEX_CMD_MASK) {
        case FUTEX_WAIT: code = wait_for(futex, value, time, site); break;
        case FUTEX_WAIT_BITSET:
            if (!has_all_bits) unsupported("futex(FUTEX_WAIT_BITSET)", "sets of bits are not modelled");
            code = wait_until(futex, value, time, site);
            break;
        case FUTEX_WAKE: return wake(futex, value, site);
        case FUTEX_WAKE_BITSET:
            if (!has_all_bits) unsupported("futex(FUTEX_WAKE_BITSET)", "sets of bits are not modelled");
            return wake(futex, value, site);
        default: unsupported("futex", "only FUTEX_WAIT and FUTEX_WAKE are modelled");
    }
    if (code == 0) return 0;
    errno = code;
    return -1;
}

}  // namespace norn::native

extern "C" {

int norn_futex_wait(const void* word, unsigned expected, const timespec* deadline) {
    norn::native::world().has_futexes = true;
    return norn::native::wait(word, expected, deadline, SITE);
}
void norn_futex_wake_all(const void* word) {
    if (!norn::native::world().running) return;
    norn::native::world().has_futexes = true;
    norn::native::wake(word, INT_MAX, SITE);
}
}
