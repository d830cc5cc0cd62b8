// Clocks, sleeping and yielding.
#include "executor/native/virtual_time.h"

#include <sys/time.h>

#include <cerrno>

#include "executor/native/access.h"
#include "executor/native/cancellation.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/scheduler.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

constexpr std::uint64_t per_look = 1000;  // nanoseconds by which a clock moves when it is looked at
constexpr std::uint32_t many_looks = 16;  // after so many in a row more time has passed

std::uint64_t mix(std::uint64_t hash, std::uint64_t part) {
    hash = (hash ^ part) * 0x9E37'79B9'7F4A'7C15U;
    return hash ^ hash >> 32;
}

// How much later than asked for a thread goes on, by how often it did before: 0, one minute, one hour, three
// days.
constexpr std::uint64_t lateness[] = {0, 64 * second, 4096 * second, 262'144 * second};
constexpr std::uint32_t most_late = 3;

void be_late(Thread& me) {
    const bool has_looked = me.looks != 0;
    me.looks = 0;
    if (me.delays == most_late && !has_looked) return;  // it would not notice
    me.clock += lateness[me.delays];
    if (me.delays < most_late) {
        ++me.delays;
    } else {
        me.clock += mix(1, me.clock) % 65'536 * second;  // no step that a program might count by
    }
    // In the end to a full second, so that each round of a loop finds the same parts of a second.
    if (me.delays == most_late) me.clock = (me.clock + second - 1) / second * second;
}

bool is_valid(const timespec& time) {
    return time.tv_nsec >= 0 && static_cast<std::uint64_t>(time.tv_nsec) < second;
}

std::uint64_t nanoseconds(const timespec& time) {
    if (time.tv_sec < 0) return 0;
    return static_cast<std::uint64_t>(time.tv_sec) * second + static_cast<std::uint64_t>(time.tv_nsec);
}

void tell_time(timespec* time, std::uintptr_t site) {
    const std::uint64_t value = look_at_clock();
    range_access(time, sizeof *time, Operation::store, site);
    *time = {static_cast<time_t>(value / second), static_cast<long>(value % second)};
}

// Returns an error code.
int sleep_by(const timespec* time, std::uintptr_t site) {
    range_access(time, sizeof *time, Operation::load, site);
    if (!is_valid(*time) || time->tv_sec < 0) return EINVAL;
    sleep_for(nanoseconds(*time), site);
    return 0;
}

}  // namespace

std::uint64_t look_at_clock() {
    if (!world().running) return epoch;
    Thread& me = *world().current;
    if (!world().has_clock_looks) {
        world().has_clock_looks = true;
        start_learning();  // that time passed was of no account
    }
    if (me.delays < most_late) spoil_round(me);  // it may find later that enough time has passed
    if (me.looks == many_looks) be_late(me);
    ++me.looks;
    return epoch + (me.clock += per_look);
}

void let_time_pass(std::uint64_t until) {
    Thread& me = *world().current;
    if (me.delays < most_late && world().has_clock_looks) spoil_round(me);  // as above, even after the loop
    if (until > epoch && until - epoch > me.clock) me.clock = until - epoch;
    be_late(me);
}

void sleep_for(std::uint64_t nanoseconds, std::uintptr_t site) {
    if (enter()) let_time_pass(epoch + world().current->clock + nanoseconds);
    test_cancellation(site);  // a request may come while the thread sleeps
}

int time_out(const timespec* deadline) {
    if (!is_valid(*deadline)) return EINVAL;
    if (world().running) let_time_pass(nanoseconds(*deadline));
    return ETIMEDOUT;
}

bool has_seen_days(const Thread& thread) { return thread.delays == most_late; }

bool RelativeTimes::is_near(std::uint64_t time) const {
    constexpr std::uint64_t years = 100'000'000 * second;
    return time >= epoch && time + lateness[most_late] / 4 > now_ && time < now_ + years;
}

// Words that look like times of the last days or next years are taken for times: as seconds and nanoseconds,
// or in one number of some unit. (How long ago an older one was makes no difference any more.)
RelativeTimes::Part RelativeTimes::part_of(std::uint64_t word, std::uint64_t next) const {
    if (is_near(word)) return {word - now_, false};
    if (word < 10 * epoch / second && is_near(word * second)) {
        if (next < second) return {word * second + next - now_, true};
        return {word - now_ / second, false};
    }
    if (word < 10 * epoch / 1000 && is_near(word * 1000)) return {word - now_ / 1000, false};
    if (word < 10 * epoch / 1'000'000 && is_near(word * 1'000'000)) return {word - now_ / 1'000'000, false};
    return {word, false};
}

extern "C" {

int sched_yield() { return 0; }
int pthread_yield() { return 0; }
void thrd_yield() {}

unsigned sleep(unsigned seconds) {
    sleep_for(seconds * second, SITE);
    return 0;
}
int usleep(unsigned microseconds) {
    sleep_for(microseconds * 1000UL, SITE);
    return 0;
}
int nanosleep(const timespec* time, timespec*) {
    const int code = sleep_by(time, SITE);
    if (code == 0) return 0;
    errno = code;
    return -1;
}
int clock_nanosleep(clockid_t, int flags, const timespec* time, timespec*) {
    if ((flags & TIMER_ABSTIME) == 0) return sleep_by(time, SITE);
    range_access(time, sizeof *time, Operation::load, SITE);
    if (!is_valid(*time)) return EINVAL;
    if (enter()) let_time_pass(nanoseconds(*time));
    test_cancellation(SITE);
    return 0;
}
int thrd_sleep(const timespec* time, timespec*) { return sleep_by(time, SITE) == 0 ? 0 : -2; }

int norn_clock_gettime(clockid_t, timespec* time) {
    tell_time(time, SITE);
    return 0;
}
int norn_timespec_get(timespec* time, int base) {
    tell_time(time, SITE);
    return base;
}
int norn_gettimeofday(timeval* time, void*) {
    const std::uint64_t value = look_at_clock();
    range_access(time, sizeof *time, Operation::store, SITE);
    *time = {static_cast<time_t>(value / second), static_cast<suseconds_t>(value % second / 1000)};
    return 0;
}
time_t norn_time(time_t* result) {
    const auto value = static_cast<time_t>(look_at_clock() / second);
    if (result != nullptr) {
        range_access(result, sizeof *result, Operation::store, SITE);
        *result = value;
    }
    return value;
}
clock_t norn_clock() { return static_cast<clock_t>((look_at_clock() - epoch) / 1000); }

// For the clocks of the C++ library (engine/executor/cxx).
std::uint64_t norn_now() { return look_at_clock(); }
}

}  // namespace norn::native
