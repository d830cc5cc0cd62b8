// Signal actions: signal, sigaction and their relatives.
//
// What is to be done about a signal concerns the whole process: each call is a read-modify-write of a word of
// that signal. The word holds the number of an action (handler, flags, mask) in a table; actions keep their
// numbers over all executions, so that equal words mean equal actions. Number 0 is the default. What was set
// before main begins is there again in each execution.
//
// No signal comes from outside of the program. Handlers are remembered, and run only for signals that the
// program sends itself (signal_delivery.cpp); which signals have handlers, or are waited for, goes into the
// result, so that the user is told once that executions with such signals are not explored. To ignore a
// signal removes it from what is pending, as POSIX demands. The engine's own handlers, by which it finds
// faults, are never replaced: these functions never call the system's.
//
// siginterrupt changes the flag that says whether system calls go on after a handler. It can be asked for
// again, and makes no difference else, as no call is ever interrupted.
#include "executor/native/signal_actions.h"

#include <signal.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/signal_words.h"
#include "executor/native/sync_word.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

bool can_be_set(int number) { return is_signal(number) && number != SIGKILL && number != SIGSTOP; }

bool operator==(const SignalAction& a, const SignalAction& b) {
    return a.handler == b.handler && a.mask == b.mask && a.flags == b.flags;
}

SyncWord number_of(const SignalAction& action) {
    World& w = world();
    for (SyncWord i = 0; i <= w.signal_actions_known; ++i)
        if (w.signal_actions[i] == action) return i;
    if (w.signal_actions_known + 1 == World::signal_action_limit)
        unsupported("sigaction", "the program has more than 255 different actions for signals");
    w.signal_actions[++w.signal_actions_known] = action;
    return w.signal_actions_known;
}

// Signals that are ignored if nothing else is said.
constexpr std::uint64_t ignored_by_default =
    signal_bit(SIGCHLD) | signal_bit(SIGCONT) | signal_bit(SIGURG) | signal_bit(SIGWINCH);

// Returns the action before.
SignalAction set_action(int number, const SignalAction& action, std::uintptr_t site) {
    World& w = world();
    const SyncWord wanted = number_of(action);
    if (has_handler(action)) w.expected_signals |= signal_bit(number);
    if (!enter()) {
        const SignalAction before = w.signal_actions[w.early_signal_action[number]];
        w.early_signal_action[number] = w.signal_action[number] = wanted;
        return before;
    }
    w.has_signals = true;
    SignalAction before;
    {
        WordEvent event(w.signal_action[number], {Operation::signal_setting}, site);
        before = w.signal_actions[w.signal_action[number]];
        event.leave(wanted);
    }
    const bool is_default = !ignores(action) && !has_handler(action);
    if (ignores(action) || (is_default && (ignored_by_default & signal_bit(number)) != 0))
        drop_pending(number, site);
    return before;
}

sighandler_t set_handler(int number, sighandler_t handler, int flags, std::uint64_t mask,
                         std::uintptr_t site) {
    if (!can_be_set(number) || handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    const SignalAction action{reinterpret_cast<std::uintptr_t>(handler), mask, flags};
    return reinterpret_cast<sighandler_t>(set_action(number, action, site).handler);
}

// glibc's: the signal is blocked while its handler runs, and system calls go on afterwards.
sighandler_t set_reliably(int number, sighandler_t handler, std::uintptr_t site) {
    const std::uint64_t mask = is_signal(number) ? signal_bit(number) : 0;
    return set_handler(number, handler, SA_RESTART, mask, site);
}
sighandler_t set_once(int number, sighandler_t handler, std::uintptr_t site) {
    return set_handler(number, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER), 0, site);
}

int fail_with(int code) {
    errno = code;
    return -1;
}

}  // namespace

bool is_signal(int number) { return number > 0 && number < static_cast<int>(signal_limit); }

const char* name_of_signal(int number) {
    static char text[24];
    const char* const known = sigabbrev_np(number);
    if (known != nullptr)
        std::snprintf(text, sizeof text, "SIG%s", known);
    else
        std::snprintf(text, sizeof text, "signal %d", number);
    return text;
}

bool ignores(const SignalAction& action) {
    return action.handler == reinterpret_cast<std::uintptr_t>(SIG_IGN);
}
bool has_handler(const SignalAction& action) {
    return action.handler != reinterpret_cast<std::uintptr_t>(SIG_DFL) && !ignores(action);
}

SignalAction action_of(int number, std::uintptr_t site) {
    enter();
    SyncWord& word = world().signal_action[number];
    const WordEvent event(word, {Operation::signal_setting}, site);
    return world().signal_actions[word];
}

SignalAction take_action(int number, std::uintptr_t site) {
    enter();
    World& w = world();
    SyncWord& word = w.signal_action[number];
    WordEvent event(word, {Operation::signal_setting}, site);
    const SignalAction action = w.signal_actions[word];
    if (has_handler(action) && (static_cast<unsigned>(action.flags) & SA_RESETHAND) != 0) {
        SignalAction left = action;
        left.handler = reinterpret_cast<std::uintptr_t>(SIG_DFL);
        event.leave(number_of(left));
    }
    return action;
}

SignalAction action_at_fault(int number) {
    const World& w = world();
    return w.signal_actions[w.signal_action[number]];
}

void note_expected(std::uint64_t signals) { world().expected_signals |= signals; }

void forget_signals() {
    World& w = world();
    if (!w.has_signals) return;
    std::memcpy(w.signal_action, w.early_signal_action, sizeof w.signal_action);
    w.process_signals = 0;
}

extern "C" {

// Weak, all of them: a program may have a function of its own by that name.
[[gnu::weak]] sighandler_t norn_signal(int number, sighandler_t handler) {
    return set_reliably(number, handler, SITE);
}
[[gnu::weak]] sighandler_t norn_bsd_signal(int number, sighandler_t handler) {
    return set_reliably(number, handler, SITE);
}
[[gnu::weak]] sighandler_t norn_ssignal(int number, sighandler_t handler) {
    return set_reliably(number, handler, SITE);
}
[[gnu::weak]] sighandler_t norn_sysv_signal(int number, sighandler_t handler) {
    return set_once(number, handler, SITE);
}
[[gnu::weak]] sighandler_t norn__sysv_signal(int number, sighandler_t handler) {
    return set_once(number, handler, SITE);
}
[[gnu::weak]] int norn_sigignore(int number) {
    return set_handler(number, SIG_IGN, 0, 0, SITE) == SIG_ERR ? -1 : 0;
}

// Also unblocks the signal, or blocks it (SIG_HOLD).
[[gnu::weak]] sighandler_t norn_sigset(int number, sighandler_t handler) {
    if (!can_be_set(number)) return set_handler(number, SIG_ERR, 0, 0, SITE);
    const bool was_blocked = (own_mask() & signal_bit(number)) != 0;
    sighandler_t before = SIG_DFL;
    if (handler == SIG_HOLD) {
        before = reinterpret_cast<sighandler_t>(action_of(number, SITE).handler);
        change_mask(own_mask() | signal_bit(number), MaskChange::by_program, SITE);
    } else {
        before = set_handler(number, handler, 0, 0, SITE);
        change_mask(own_mask() & ~signal_bit(number), MaskChange::by_program, SITE);
    }
    return was_blocked ? SIG_HOLD : before;
}

[[gnu::weak]] int norn_sigaction(int number, const struct sigaction* wanted, struct sigaction* old) {
    if (!can_be_set(number) && (wanted != nullptr || !is_signal(number))) return fail_with(EINVAL);
    SignalAction before;
    if (wanted != nullptr) {
        range_access(wanted, sizeof *wanted, Operation::load, SITE);
        const SignalAction action{reinterpret_cast<std::uintptr_t>(wanted->sa_handler),
                                  set_in(wanted->sa_mask), wanted->sa_flags};
        before = set_action(number, action, SITE);
    } else {
        before = action_of(number, SITE);
    }
    if (old != nullptr) {
        range_access(old, sizeof *old, Operation::store, SITE);
        *old = {};
        old->sa_handler = reinterpret_cast<sighandler_t>(before.handler);
        old->sa_flags = before.flags;
        old->sa_mask = set_of(before.mask);
    }
    return 0;
}

[[gnu::weak]] int norn_siginterrupt(int number, int interrupts) {
    if (!can_be_set(number)) return fail_with(EINVAL);
    SignalAction action = action_of(number, SITE);
    action.flags = interrupts != 0 ? action.flags & ~SA_RESTART : action.flags | SA_RESTART;
    set_action(number, action, SITE);
    return 0;
}
}

}  // namespace norn::native
