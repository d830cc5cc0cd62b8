// Signals that the program sends itself: raise, pthread_kill, kill of its own process.
//
// They are never dropped. What happens, by who gets the signal and what the action for it is:
//
//     receiver                            ignored  default            handler
//     the sender itself, unblocked        nothing  the process ends   runs at once, before the call returns
//     any thread that blocks it           pending, until it is unblocked or awaited
//     another one, in sigsuspend, pause   nothing  the process ends   runs there
//     another one, unblocked              nothing  the process ends   refused: it would run between any two
//                                                                     instructions, or interrupt a wait
//
// A process that ends by a signal is a finding, as after abort(). The actions that stop a process, and
// signals to other processes, are refused; so is everything that sends a signal later (timers). A signal to
// the process goes to the sender if only it does not block it, as POSIX demands; to the only one that does
// not; or, if all threads block it, into the word of the process. If several do not, and there is a handler,
// it is refused.
//
// The kernel does all of that in one step. Here it is several events: the action is read, then the words of
// the threads that are concerned are read or changed. What another thread changes in between is found: the
// action is looked at once more; and a thread that was found to block a signal for the process, and does not
// any more when it is marked (signal_words.cpp), has not taken the signal if it is still there.
//
// A handler runs in the thread like a function that it calls, with the signals blocked that its action says.
#include "executor/native/signal_delivery.h"

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/signal_actions.h"
#include "executor/native/signal_words.h"
#include "executor/native/sync_word.h"
#include "executor/native/threads.h"

extern "C" pid_t norn_getpid();

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

using SignalEvent = BasicWordEvent<std::uint64_t>;

// The action that applies if the program has said nothing. Returns if that is to do nothing.
void act_by_default(int number) {
    switch (number) {
        case SIGCHLD:
        case SIGCONT:
        case SIGURG:
        case SIGWINCH: return;
        case SIGSTOP:
        case SIGTSTP:
        case SIGTTIN:
        case SIGTTOU: {
            char name[32];
            std::snprintf(name, sizeof name, "raise of %s", name_of_signal(number));
            unsupported(name, "a process that stops until it is told to go on is not modelled");
        }
        default: break;
    }
    if (number == SIGABRT) fail("abort", "the program sends itself SIGABRT, which ends it");
    char text[120];
    std::snprintf(text, sizeof text, "the program sends itself %s, which ends it: it has no handler for it",
                  name_of_signal(number));
    fail("killed", text);
}

void call_handler(const SignalAction& action, int number) {
    if ((action.flags & SA_SIGINFO) == 0) {
        reinterpret_cast<void (*)(int)>(action.handler)(number);
        return;
    }
    siginfo_t about{};
    about.si_signo = number;
    about.si_code = SI_TKILL;
    about.si_pid = norn_getpid();
    about.si_uid = getuid();
    ucontext_t context{};
    getcontext(&context);
    reinterpret_cast<void (*)(int, siginfo_t*, void*)>(action.handler)(number, &about, &context);
}

[[noreturn]] void refuse_interruption(const char* function, int number) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "a handler of %s in another thread, which does not block it, would run between any two of "
                  "its instructions",
                  name_of_signal(number));
    unsupported(function, text);
}

// Where a mask blocks what was open before, a signal to the process may have been left to nobody if others
// send meanwhile (signal_words.cpp).
void change_mask_around_handler(std::uint64_t mask, int number, std::uintptr_t site) {
    if (pending_for_process(mask & ~own_mask(), site) != 0 && world().threads > 1)
        refuse_interruption("kill", number);
    change_mask(mask, MaskChange::around_handler, site);
}

void run_handler(const SignalAction& action, int number, std::uint64_t afterwards, std::uintptr_t site) {
    Thread& me = *world().current;
    const bool defers = (static_cast<unsigned>(action.flags) & SA_NODEFER) == 0;
    change_mask_around_handler(own_mask() | action.mask | (defers ? signal_bit(number) : 0), number, site);
    ++me.handlers;
    call_handler(action, number);
    --me.handlers;
    change_mask_around_handler(afterwards, number, site);
}

// Sends to a thread that is not the running one.
void send_to(Thread& target, int number, const char* function, std::uintptr_t site) {
    for (;;) {
        const SignalAction action = action_of(number, site);
        const std::uint64_t bit = signal_bit(number);
        enter();
        SignalEvent event(target.signals, {Operation::signal_send}, site);
        const std::uint64_t word = target.signals;
        const bool is_blocked = (word & bit) != 0;
        if (action.handler != action_at_fault(number).handler) continue;  // it was changed meanwhile
        if (is_blocked || (has_handler(action) && (word & suspended_bit) != 0)) {
            event.leave(word | bit << pending_shift);
            return;
        }
        if (ignores(action)) return;
        if (has_handler(action)) refuse_interruption(function, number);
        act_by_default(number);
        return;
    }
}

// Returns at once if the running thread does not block it, else leaves it pending.
void send_to_self(int number, std::uintptr_t site) {
    if ((own_mask() & signal_bit(number)) == 0) {
        deliver(number, site);
        return;
    }
    enter();
    Thread& me = *world().current;
    SignalEvent event(me.signals, {Operation::signal_send}, site);
    event.leave(me.signals | signal_bit(number) << pending_shift);
}

// All threads block the signal: it is for whoever does not any more, or awaits it.
void leave_to_process(int number, std::uintptr_t site) {
    World& w = world();
    const std::uint64_t bit = signal_bit(number) << pending_shift;
    {
        enter();
        SignalEvent event(w.process_signals, {Operation::signal_send}, site);
        event.leave(w.process_signals | bit);
    }
    for (std::size_t i = 0; i < w.threads; ++i) {
        Thread& thread = w.thread[i];
        if (&thread == w.current || !takes_part(thread)) continue;
        bool is_blocked = true;
        {
            enter();
            SignalEvent event(thread.signals, {Operation::signal_send}, site);
            is_blocked = (thread.signals & signal_bit(number)) != 0;
            event.leave(thread.signals | look_bit);
        }
        if (is_blocked) continue;
        enter();
        const SignalEvent event(w.process_signals, {Operation::signal_take, Condition::intersects, bit},
                                site);
        if (event.holds()) refuse_interruption("kill", number);
    }
}

void send_to_process(int number, std::uintptr_t site) {
    World& w = world();
    const SignalAction action = action_of(number, site);
    const std::uint64_t bit = signal_bit(number);
    Thread* open = nullptr;  // another thread that does not block it
    std::size_t others = 0;
    bool is_suspended = false;
    for (std::size_t i = 0; i < w.threads; ++i) {
        Thread& thread = w.thread[i];
        if (&thread == w.current || !takes_part(thread)) continue;
        enter();
        const SignalEvent event(thread.signals, {Operation::signal_send}, site);
        if ((thread.signals & bit) != 0) continue;
        ++others;
        open = &thread;
        is_suspended = (thread.signals & suspended_bit) != 0;
    }
    const bool is_own = (own_mask() & bit) == 0;
    if (!is_own && others == 0) return leave_to_process(number, site);
    if (others == 0) {
        deliver(number, site);
        return;
    }
    if (ignores(action)) return;
    if (!has_handler(action)) return act_by_default(number);
    if (is_own || others > 1 || !is_suspended) refuse_interruption("kill", number);
    send_to(*open, number, "kill", site);
}

void require_standard(const char* function, int number) {
    if ((signal_bit(number) & standard_signals) == 0)
        unsupported(function, "real-time signals, which are queued, are not modelled");
}

// Whether the thread has ended: a look, like that of pthread_tryjoin_np.
bool has_ended(const Thread& target, std::uintptr_t site) {
    const auto word = reinterpret_cast<std::uintptr_t>(&target.ended);
    const LocationId location = locate(*world().current, word, sizeof target.ended);
    if (location != no_location || counting()) {
        announce(Operation::try_join, Access::read, word, sizeof target.ended, location, site);
        perform();
    }
    return target.ended != 0;
}

int fail_with(int code) {
    errno = code;
    return -1;
}

}  // namespace

bool deliver(int number, std::uint64_t afterwards, std::uintptr_t site) {
    const SignalAction action = take_action(number, site);
    if (has_handler(action)) {
        run_handler(action, number, afterwards, site);
        return true;
    }
    if (!ignores(action)) act_by_default(number);
    return false;
}
bool deliver(int number, std::uintptr_t site) { return deliver(number, own_mask(), site); }

void run_abort_handler(std::uintptr_t site) {
    if (!enter()) return;
    if (!has_handler(action_of(SIGABRT, site))) return;
    change_mask(own_mask() & ~signal_bit(SIGABRT), MaskChange::by_program, site);
    deliver(SIGABRT, site);
}

extern "C" {

[[gnu::weak]] int norn_raise(int number) {
    if (number == 0) return 0;
    if (!is_signal(number)) return fail_with(EINVAL);
    require_standard("raise", number);
    if (!enter()) unsupported("raise", "signals are delivered in main and what it starts only");
    send_to_self(number, SITE);
    return 0;
}

[[gnu::weak]] int norn_pthread_kill(pthread_t handle, int number) {
    if (number != 0 && !is_signal(number)) return EINVAL;
    if (!enter()) return ESRCH;
    Thread* const target = thread_of(handle);
    if (target == nullptr) return ESRCH;
    if (number == 0) return 0;
    require_standard("pthread_kill", number);
    world().has_signals = true;
    if (target == world().current) {
        send_to_self(number, SITE);
    } else if (!has_ended(*target, SITE)) {
        send_to(*target, number, "pthread_kill", SITE);
    }
    return 0;
}

[[gnu::weak]] int norn_kill(pid_t process, int number) {
    if (number != 0 && !is_signal(number)) return fail_with(EINVAL);
    if (process != norn_getpid()) unsupported("kill", "signals to other processes are not modelled");
    if (number == 0) return 0;
    require_standard("kill", number);
    if (!enter()) unsupported("kill", "signals are delivered in main and what it starts only");
    world().has_signals = true;
    send_to_process(number, SITE);
    return 0;
}

// An alarm that never comes may be switched off.
[[gnu::weak]] unsigned norn_alarm(unsigned seconds) {
    if (seconds != 0) unsupported("alarm", "timers are not modelled");
    return 0;
}
}

}  // namespace norn::native
