// Signals, as far as they never come: signal, sigaction, pthread_sigmask, sigprocmask, pthread_kill.
//
// Nobody sends a checked program a signal. So a program may say that it ignores one, or that it does not any
// more, and may block and unblock them: it is told again what it said, and there is no other effect. A
// handler is refused, as are the functions that send signals or wait for them. pthread_kill with signal 0
// only asks whether there is such a thread. What is done about a signal concerns the whole process: each call
// is a read-modify-write of a word of its own. A thread inherits the mask of the one that starts it.
#include "executor/native/signals.h"

#include <pthread.h>
#include <signal.h>

#include <cerrno>
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/sync_word.h"
#include "executor/native/threads.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

bool can_be_set(int number) {
    return number > 0 && number < static_cast<int>(signal_limit) && number != SIGKILL && number != SIGSTOP;
}

// Returns whether the signal was ignored before.
bool set_ignored(int number, bool ignored, std::uintptr_t site) {
    SyncWord& word = world().ignored_signals[number];
    WordEvent event(word, {Operation::signal_setting}, site);
    const bool before = word != 0;
    event.leave(ignored ? 1 : 0);
    return before;
}

bool is_ignored(int number, std::uintptr_t site) {
    SyncWord& word = world().ignored_signals[number];
    const WordEvent event(word, {Operation::signal_setting}, site);
    return word != 0;
}

sighandler_t as_handler(bool ignored) { return ignored ? SIG_IGN : SIG_DFL; }

void require_no_handler(const char* function, sighandler_t handler) {
    if (handler != SIG_IGN && handler != SIG_DFL) unsupported(function, "signal handlers are not modelled");
}

int fail_with(int code) {
    errno = code;
    return -1;
}

int change_mask(int how, const sigset_t* set, sigset_t* old, std::uintptr_t site) {
    if (!enter()) return 0;
    std::uint64_t& mask = world().current->signal_mask;
    const std::uint64_t before = mask;
    if (set != nullptr) {
        std::uint64_t wanted = 0;
        range_access(set, sizeof wanted, Operation::load, site);
        std::memcpy(&wanted, set, sizeof wanted);
        switch (how) {
            case SIG_BLOCK: mask |= wanted; break;
            case SIG_UNBLOCK: mask &= ~wanted; break;
            case SIG_SETMASK: mask = wanted; break;
            default: return EINVAL;
        }
    }
    if (old != nullptr) {
        range_access(old, sizeof *old, Operation::store, site);
        std::memset(old, 0, sizeof *old);
        std::memcpy(old, &before, sizeof before);
    }
    return 0;
}

}  // namespace

void forget_signal_settings() {
    World& w = world();
    if (!w.has_signal_settings) return;
    std::memset(w.ignored_signals, 0, sizeof w.ignored_signals);
}

extern "C" {

// Weak: a program may have a function of its own by that name.
[[gnu::weak]] sighandler_t norn_signal(int number, sighandler_t handler) {
    if (!can_be_set(number) || handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    require_no_handler("signal", handler);
    if (!enter()) return SIG_DFL;
    world().has_signal_settings = true;
    return as_handler(set_ignored(number, handler == SIG_IGN, SITE));
}

int norn_sigaction(int number, const struct sigaction* action, struct sigaction* old) {
    if (!can_be_set(number)) return fail_with(EINVAL);
    if (!enter()) return 0;
    bool before = false;
    if (action != nullptr) {
        range_access(action, sizeof *action, Operation::load, SITE);
        require_no_handler("sigaction", action->sa_handler);
        world().has_signal_settings = true;
        enter();
        before = set_ignored(number, action->sa_handler == SIG_IGN, SITE);
    } else {
        before = is_ignored(number, SITE);
    }
    if (old != nullptr) {
        range_access(old, sizeof *old, Operation::store, SITE);
        std::memset(old, 0, sizeof *old);
        old->sa_handler = as_handler(before);
    }
    return 0;
}

int norn_pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
    return change_mask(how, set, old, SITE);
}
int norn_sigprocmask(int how, const sigset_t* set, sigset_t* old) {
    const int code = change_mask(how, set, old, SITE);
    return code == 0 ? 0 : fail_with(code);
}

int norn_pthread_kill(pthread_t handle, int number) {
    if (number < 0 || number >= static_cast<int>(signal_limit)) return EINVAL;
    if (number != 0) unsupported("pthread_kill", "signals are not modelled");
    if (!enter()) return 0;
    return thread_of(handle) == nullptr ? ESRCH : 0;
}
}

}  // namespace norn::native
