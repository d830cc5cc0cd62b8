// Failures the program asks for itself: assert, abort, the verifier's intrinsics; and system calls by number.
#include <sys/syscall.h>
#include <cerrno>

#include <cstdarg>
#include <cstdio>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/futex.h"
#include "executor/native/hidden_descriptor.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/raw_calls.h"
#include "executor/native/scheduler.h"
#include "executor/native/signal_delivery.h"
#include "executor/native/system_call.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

[[noreturn]] void stop_thread() {
    enter();
    world().current->state = State::stopped;
    leave();
}

}  // namespace

extern "C" {

// What some system calls are modelled as (random_numbers.cpp).
long norn_getrandom(void* target, unsigned long size, unsigned flags);
int norn_getpid();
int norn_gettid();

void norn_assert_fail(const char* condition, const char* file, unsigned line, const char* function) {
    char text[512];
    std::snprintf(text, sizeof text, "assertion `%s` failed in %s", condition,
                  function != nullptr ? function : "?");
    fail_at("assertion", text, file, line);
}
void norn_assert_perror_fail(int code, const char* file, unsigned line, const char* function) {
    char text[512];
    std::snprintf(text, sizeof text, "assertion on error code %d failed in %s", code, function);
    fail_at("assertion", text, file, line);
}
void norn_uncaught_exception(const char* message) {
    if (world().running) fail("exception", message);
}
void norn_abort() {
    run_abort_handler(SITE);
    fail("abort", "abort() was called");
}

void __VERIFIER_error() { fail("reach-error", "__VERIFIER_error() was reached"); }
void reach_error() {
    if (is_counted("reach-error")) fail("reach-error", "reach_error() was reached");
}

// Called at the beginning of functions of these names that the program defines itself.
void norn_reached_error(std::uintptr_t, std::uintptr_t) { reach_error(); }

void norn_assume(int condition) {
    if (condition == 0) stop_thread();
}
void __VERIFIER_assume(int condition) {
    if (condition == 0) stop_thread();
}

unsigned norn_choose(unsigned alternatives) {
    if (!enter() || alternatives <= 1) return 0;
    if (alternatives > UINT16_MAX) unsupported("norn_choose", "a choice has at most 65535 alternatives");
    announce(Operation::choose, Access::none, 0, 0, no_location, SITE).alternatives =
        static_cast<std::uint16_t>(alternatives);
    return perform().choice;
}

// Reached by libstdc++ (waiting atomics) with SYS_futex.
long syscall(long number, ...) {
    va_list arguments;
    va_start(arguments, number);
    long a[6];
    for (long& argument : a) argument = va_arg(arguments, long);
    va_end(arguments);
    if (world().running && number == SYS_futex) return call_futex(a, SITE);
    if (world().running) {
        spoil_round(*world().current);
        refuse_raw_call(number, a);
    }
    switch (number) {
        case SYS_getrandom: return norn_getrandom(reinterpret_cast<void*>(a[0]), a[1], 0);
        case SYS_getpid: return norn_getpid();
        case SYS_gettid: return norn_gettid();
        default: break;
    }
    long result = 0;
    if (!call_on_descriptor(number, a, result))
        result = system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (result >= 0 || result < -4095) return result;
    errno = static_cast<int>(-result);
    return -1;
}
}

}  // namespace norn::native
