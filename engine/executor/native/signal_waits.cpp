// Waiting for signals: sigwait, sigwaitinfo, sigtimedwait, sigsuspend, pause.
//
// A wait for signals is a wait on the words of signals (signal_words.cpp); all of these are cancellation
// points. Signals that a thread awaits are blocked meanwhile, as POSIX demands of the program anyway. With a
// timeout the thread looks once, at any moment, and time passes if there is none (virtual_time.h).
//
// A thread that waits for a signal which nobody sends may get it from outside. So it waits for ever for norn,
// and still that is no deadlock: `is_left_to_signals` says what becomes of such an execution. Threads that
// wait for such a thread to end, or for a mutex that it holds, go on with it. But one that waits for a mutex
// held by a thread that has ended, or that itself waits for one in a circle, waits for ever whatever comes: a
// deadlock. Of others (a condition variable, a semaphore) it is not known whether the signal would make
// somebody wake them: then the result is incomplete.
#include "executor/native/signal_waits.h"

#include <signal.h>

#include <cerrno>
#include <ctime>

#include "executor/native/access.h"
#include "executor/native/atomic_section.h"
#include "executor/native/cancellation.h"
#include "executor/native/scheduler.h"
#include "executor/native/signal_actions.h"
#include "executor/native/signal_delivery.h"
#include "executor/native/signal_words.h"
#include "executor/native/virtual_time.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

int fail_with(int code) {
    errno = code;
    return -1;
}

std::uint64_t read_set(const sigset_t* set, std::uintptr_t site) {
    range_access(set, sizeof(std::uint64_t), Operation::load, site);
    const std::uint64_t wanted = set_in(*set);
    note_expected(wanted);
    return wanted;
}

// Signals are blocked while they are awaited, and then as before.
template <typename Wait>
int with_blocked(std::uint64_t set, std::uintptr_t site, Wait wait) {
    const std::uint64_t before = own_mask();
    const bool changes = (set & standard_signals & ~before) != 0;
    if (changes) change_mask(before | set, MaskChange::by_program, site);
    const int number = wait();
    if (changes) change_mask(before, MaskChange::by_program, site);
    return number;
}

int await(std::uint64_t set, std::uintptr_t site) {
    return with_blocked(set, site, [&] {
        begin_wait(site);
        const int number = await_pending(set, site);
        end_wait();
        return number;
    });
}

void tell_about(siginfo_t* about, int number, std::uintptr_t site) {
    if (about == nullptr) return;
    range_access(about, sizeof *about, Operation::store, site);
    *about = {};
    about->si_signo = number;
    about->si_code = SI_TKILL;
}

// With other signals blocked, waits until a handler has run.
int suspend(std::uint64_t mask, std::uintptr_t site) {
    const std::uint64_t before = own_mask();
    begin_wait(site);
    for (bool has_run = false; !has_run;) {
        int number = exchange_mask(mask, MaskChange::to_suspend, site);
        if (number == 0) number = await_pending(~mask & standard_signals, site);
        has_run = deliver(number, before, site);
    }
    end_wait();
    return fail_with(EINTR);
}

bool waits_for_signal(const Thread& thread) {
    return thread.state == State::alive && thread.parked && thread.next.operation == Operation::signal_wait &&
           !enabled(thread);
}

// The only thread that can let this one go on, or null: anybody, or nobody.
const Thread* awaited_by(const Thread& thread, bool& is_for_ever) {
    is_for_ever = false;
    if (thread.state != State::alive || !thread.parked || waits_in_queue(thread)) return nullptr;
    World& w = world();
    if (thread.next.operation == Operation::join) {
        for (std::size_t i = 0; i < w.threads; ++i)
            if (reinterpret_cast<std::uintptr_t>(&w.thread[i].ended) == thread.next.address)
                return &w.thread[i];
        return nullptr;
    }
    if (thread.next.operation != Operation::lock && thread.next.operation != Operation::wake_lock)
        return nullptr;
    const std::uint64_t owner = value_at(thread.next.address, thread.next.size);  // mutex.cpp
    if (owner == 0 || owner > w.threads) return nullptr;
    const Thread& holder = w.thread[owner - 1];
    is_for_ever = holder.state == State::ended;
    return &holder;
}

enum class Hope : std::uint8_t { by_signal, unknown, none };

// Follows who waits for whom.
Hope hope_of(const Thread& thread) {
    const Thread* at = &thread;
    for (std::size_t steps = 0; steps <= world().threads; ++steps) {
        if (waits_for_signal(*at)) return Hope::by_signal;
        bool is_for_ever = false;
        at = awaited_by(*at, is_for_ever);
        if (is_for_ever) return Hope::none;
        if (at == nullptr) return Hope::unknown;
    }
    return Hope::none;  // round and round
}

}  // namespace

Outlook outlook_with_signals(bool (*is_missed)(const Thread&)) {
    World& w = world();
    bool any = false;
    for (std::size_t i = 0; i < w.threads; ++i) any = any || waits_for_signal(w.thread[i]);
    if (!any) return Outlook::hopeless;
    Outlook outlook = Outlook::quiet;
    for (std::size_t i = 0; i < w.threads; ++i) {
        if (!is_missed(w.thread[i])) continue;
        switch (hope_of(w.thread[i])) {
            case Hope::none: return Outlook::hopeless;
            case Hope::unknown: outlook = Outlook::unknown; break;
            case Hope::by_signal: break;
        }
    }
    return outlook;
}

extern "C" {

[[gnu::weak]] int norn_sigwait(const sigset_t* set, int* taken) {
    if (!enter()) return EINVAL;
    const int number = await(read_set(set, SITE), SITE);
    range_access(taken, sizeof *taken, Operation::store, SITE);
    *taken = number;
    return 0;
}

[[gnu::weak]] int norn_sigwaitinfo(const sigset_t* set, siginfo_t* about) {
    if (!enter()) return fail_with(EINVAL);
    const int number = await(read_set(set, SITE), SITE);
    tell_about(about, number, SITE);
    return number;
}

[[gnu::weak]] int norn_sigtimedwait(const sigset_t* set, siginfo_t* about, const timespec* limit) {
    if (!enter()) return fail_with(EINVAL);
    if (limit == nullptr) return norn_sigwaitinfo(set, about);
    range_access(limit, sizeof *limit, Operation::load, SITE);
    const timespec time = *limit;
    if (time.tv_sec < 0 || time.tv_nsec < 0 || time.tv_nsec >= static_cast<long>(second))
        return fail_with(EINVAL);
    const std::uint64_t wanted = read_set(set, SITE);
    const int number = with_blocked(wanted, SITE, [&] {
        test_cancellation(SITE);
        return take_pending(wanted, SITE);
    });
    if (number != 0) {
        tell_about(about, number, SITE);
        return number;
    }
    sleep_for(static_cast<std::uint64_t>(time.tv_sec) * second + static_cast<std::uint64_t>(time.tv_nsec),
              SITE);
    return fail_with(EAGAIN);
}

[[gnu::weak]] int norn_sigsuspend(const sigset_t* set) {
    if (!enter()) return fail_with(EINVAL);
    range_access(set, sizeof(std::uint64_t), Operation::load, SITE);
    return suspend(set_in(*set), SITE);
}
[[gnu::weak]] int norn_pause() {
    if (!enter()) return fail_with(EINTR);
    return suspend(own_mask(), SITE);
}
}

}  // namespace norn::native
