// Ends and failures the program asks for itself: assert, abort, exit, the verifier's intrinsics; and random
// numbers, which here depend on the thread alone.
#include <sys/syscall.h>
#include <cerrno>

#include <cstdarg>
#include <cstdio>

#include "executor/native/access.h"
#include "executor/native/exit_status.h"
#include "executor/native/faults.h"
#include "executor/native/futex.h"
#include "executor/native/heap.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/scheduler.h"
#include "executor/native/system_call.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

Thread& caller() { return world().running ? *world().current : world().thread[0]; }

std::uint32_t next_random(std::uint64_t& state) {
    state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return static_cast<std::uint32_t>(state >> 33);
}

[[noreturn]] void stop_thread(State state) {
    enter();
    world().current->state = state;
    leave();
}

[[noreturn]] void exit_program(int status, const char* how) {
    end_with_status(status, how);
    world().exit_called = true;
    stop_thread(State::exited);
}

}  // namespace

extern "C" {

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
void norn_abort() { fail("abort", "abort() was called"); }
void norn_exit(int status) { exit_program(status, "exit"); }
void norn__exit(int status) { exit_program(status, "_exit"); }
void norn__Exit(int status) { exit_program(status, "_Exit"); }
void norn_quick_exit(int status) { exit_program(status, "quick_exit"); }

void __VERIFIER_error() { fail("reach-error", "__VERIFIER_error() was reached"); }
void reach_error() {
    if (is_counted("reach-error")) fail("reach-error", "reach_error() was reached");
}

// Called at the beginning of functions of these names that the program defines itself.
void norn_reached_error(std::uintptr_t, std::uintptr_t) { reach_error(); }

void norn_assume(int condition) {
    if (condition == 0) stop_thread(State::stopped);
}
void __VERIFIER_assume(int condition) {
    if (condition == 0) stop_thread(State::stopped);
}

unsigned norn_choose(unsigned alternatives) {
    if (!enter() || alternatives <= 1) return 0;
    if (alternatives > UINT16_MAX) unsupported("norn_choose", "a choice has at most 65535 alternatives");
    announce(Operation::choose, Access::none, 0, 0, no_location, SITE).alternatives =
        static_cast<std::uint16_t>(alternatives);
    return perform().choice;
}

int __cxa_thread_atexit(void (*function)(void*), void* argument, void*) noexcept {
    if (!world().running) return 0;
    Thread& me = *world().current;
    auto* const work = static_cast<AtEnd*>(allocate(sizeof(AtEnd)));
    *work = {function, argument, me.at_end};
    me.at_end = work;
    return 0;
}

// Nothing of the process survives an execution, so what should happen at its exit never does.
int norn_atexit(void (*)()) { return 0; }
int __cxa_atexit(void (*)(void*), void*, void*);
int norn_cxa_atexit(void (*function)(void*), void* argument, void* module) {
    return world().running ? 0 : __cxa_atexit(function, argument, module);
}

int norn_rand() { return static_cast<int>(next_random(caller().random)); }
void norn_srand(unsigned seed) { caller().random = seed; }
void norn_srandom(unsigned seed) { norn_srand(seed); }
long norn_random() { return norn_rand(); }

// Reached by libstdc++ (waiting atomics) with SYS_futex.
long syscall(long number, ...) {
    va_list arguments;
    va_start(arguments, number);
    long a[6];
    for (long& argument : a) argument = va_arg(arguments, long);
    va_end(arguments);
    if (world().running && number == SYS_futex) return call_futex(a, SITE);
    if (world().running) spoil_round(*world().current);
    const long result = system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (result >= 0 || result < -4095) return result;
    errno = static_cast<int>(-result);
    return -1;
}
}

}  // namespace norn::native
