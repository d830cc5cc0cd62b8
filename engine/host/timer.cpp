#include "host/timer.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#include <cstdint>
#include <cstdio>

#include "executor/native/faults.h"
#include "executor/native/scheduler.h"
#include "executor/native/stack_walk.h"
#include "executor/native/system_call.h"
#include "executor/native/world.h"

namespace norn {

namespace {

constexpr long period_us = 100'000;
constexpr unsigned few_ticks =
    3;                          // the count of writes begins anew now and then, and may be the same by chance
constexpr double patience = 1;  // seconds that an execution gets to notice the end by itself

double limit = 0;
double watchdog_limit = 0;
double started = 0;
double processor_started = 0;
double progress_at = 0;           // when the last progress was seen
std::uint64_t progress_mark = 0;  // what it looked like
std::uint32_t writes_mark = 0;    // Thread::private_writes at the last tick
unsigned ticks_since_write = 0;   // ... and for how many it has been that
volatile sig_atomic_t interrupted = 0;
volatile int child = 0;
volatile bool asked_child = false;
volatile bool ended_child = false;
bool in_child = false;

double in_seconds(const timespec& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double read_clock(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return in_seconds(time);
}

double now() { return read_clock(CLOCK_MONOTONIC); }

// Only the child knows where it is stuck: it is asked to say so. One that does not answer is ended.
void end_child(bool is_watchdog, double time) {
    if (is_watchdog && !asked_child) {
        asked_child = true;
        progress_at = time - watchdog_limit + patience;
        kill(child, SIGALRM);
        return;
    }
    ended_child = is_watchdog;
    kill(child, SIGKILL);
}

// The execution is stuck in code without visible operations: leave it for good.
void abandon(const ucontext_t* context, bool is_watchdog) {
    native::World& w = native::world();
    if (!w.running) return;
    if (!is_watchdog) native::finish(Ending::interrupted);
    const auto& registers = context->uc_mcontext.gregs;
    const auto site = static_cast<std::uintptr_t>(registers[REG_RIP]);
    const auto frame = static_cast<std::uintptr_t>(registers[REG_RBP]);
    const std::uintptr_t caller =
        native::in_engine(site)
            ? native::caller_without_frame(static_cast<std::uintptr_t>(registers[REG_RSP]), frame)
            : 0;
    w.current->fault_site = caller != 0 ? caller : site + 1;  // stands for the instruction before it
    w.current->fault_frame = frame;
    char text[300];
    std::snprintf(text, sizeof text,
                  "thread T%u ran for %.0f s without a visible operation, one that others can notice: %s",
                  unsigned{w.current->id}, watchdog_limit,
                  ticks_since_write < few_ticks
                      ? "it goes round in a loop, and what it writes there no other thread uses"
                      : "an endless loop, or a call that blocks");
    native::unsupported("(stuck)", text);
}

// Not by libc: what libraries do counts as done by the thread that runs (executor/native/foreign_calls.h),
// which is not to blame for a signal.
double now_in_handler() {
    timespec time{};
    native::system_call(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&time));
    return in_seconds(time);
}

void on_tick(int, siginfo_t*, void* handed_over) {
    const auto* const context = static_cast<ucontext_t*>(handed_over);
    if (in_child) return abandon(context, true);  // it has no timer of its own: its parent asks
    native::World& w = native::world();
    const double time = now_in_handler();
    const std::uint32_t writes = w.running ? w.current->private_writes : 0;
    ticks_since_write = writes != writes_mark ? 0 : ticks_since_write + 1;
    writes_mark = writes;
    const std::uint64_t mark = (w.executions << 32) + w.count + w.ticks + w.switches;
    if (mark != progress_mark || (!w.running && child == 0)) {
        progress_mark = mark;
        progress_at = time;
        ticks_since_write = few_ticks;
    }
    const bool over = (limit > 0 && time - started > limit) || interrupted;
    if (over) w.interrupt = true;
    const double stuck = time - progress_at;
    // Perhaps a thread spins on memory that nobody else has touched yet: let all its accesses be looked at.
    if (w.running && stuck > patience) w.current_tag = native::no_tag;
    const bool is_watchdog = !(over && stuck > patience);
    if (is_watchdog && !(watchdog_limit > 0 && stuck > watchdog_limit)) return;
    child != 0 ? end_child(is_watchdog, time) : abandon(context, is_watchdog);
}

void on_interrupt(int) {
    interrupted = 1;
    native::world().interrupt = true;
}

}  // namespace

void start_timer(double time_limit, double watchdog) {
    limit = time_limit;
    watchdog_limit = watchdog;
    started = progress_at = now();
    processor_started = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    struct sigaction action{};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    struct sigaction tick{};
    tick.sa_sigaction = on_tick;
    tick.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER;
    sigaction(SIGALRM, &tick, nullptr);
    const itimerval timer{{0, period_us}, {0, period_us}};
    setitimer(ITIMER_REAL, &timer, nullptr);
}

double elapsed_seconds() { return now() - started; }
double processor_seconds() { return read_clock(CLOCK_PROCESS_CPUTIME_ID) - processor_started; }
bool time_is_up() { return limit > 0 && elapsed_seconds() > limit; }
bool was_interrupted() { return interrupted != 0; }
bool child_was_stuck() { return ended_child; }
void set_child(int process) {
    child = process;
    asked_child = false;
}
void be_child() { in_child = true; }

}  // namespace norn
