// Signal masks: sigprocmask, pthread_sigmask, sighold, sigrelse, sigpending, sigaltstack.
//
// A thread inherits the mask of the one that starts it. What becomes possible by unblocking a signal is
// delivered before the call returns. An alternate stack is remembered and not used: handlers run on the stack
// of their thread, which makes no difference to them.
#include <pthread.h>
#include <signal.h>

#include <cerrno>

#include "executor/native/access.h"
#include "executor/native/signal_actions.h"
#include "executor/native/signal_words.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

int fail_with(int code) {
    errno = code;
    return -1;
}

// Returns an error code.
int change_by(int how, const sigset_t* set, sigset_t* old, std::uintptr_t site) {
    const std::uint64_t before = own_mask();
    if (set != nullptr) {
        range_access(set, sizeof(std::uint64_t), Operation::load, site);
        const std::uint64_t wanted = set_in(*set);
        switch (how) {
            case SIG_BLOCK: change_mask(before | wanted, MaskChange::by_program, site); break;
            case SIG_UNBLOCK: change_mask(before & ~wanted, MaskChange::by_program, site); break;
            case SIG_SETMASK: change_mask(wanted, MaskChange::by_program, site); break;
            default: return EINVAL;
        }
    }
    if (old != nullptr) {
        range_access(old, sizeof *old, Operation::store, site);
        *old = set_of(before);
    }
    return 0;
}

}  // namespace

extern "C" {

[[gnu::weak]] int norn_pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
    return change_by(how, set, old, SITE);
}
[[gnu::weak]] int norn_sigprocmask(int how, const sigset_t* set, sigset_t* old) {
    const int code = change_by(how, set, old, SITE);
    return code == 0 ? 0 : fail_with(code);
}
[[gnu::weak]] int norn_sighold(int number) {
    if (!is_signal(number)) return fail_with(EINVAL);
    change_mask(own_mask() | signal_bit(number), MaskChange::by_program, SITE);
    return 0;
}
[[gnu::weak]] int norn_sigrelse(int number) {
    if (!is_signal(number)) return fail_with(EINVAL);
    change_mask(own_mask() & ~signal_bit(number), MaskChange::by_program, SITE);
    return 0;
}

[[gnu::weak]] int norn_sigpending(sigset_t* set) {
    const std::uint64_t pending = world().running ? pending_for_self(SITE) & own_mask() : 0;
    range_access(set, sizeof *set, Operation::store, SITE);
    *set = set_of(pending);
    return 0;
}

[[gnu::weak]] int norn_sigaltstack(const stack_t* wanted, stack_t* old) {
    World& w = world();
    SignalStack& mine = w.signal_stacks[w.running ? w.current->id : 0];
    const SignalStack before = mine;
    if (wanted != nullptr) {
        range_access(wanted, sizeof *wanted, Operation::load, SITE);
        if ((wanted->ss_flags & ~(SS_DISABLE | SS_ONSTACK)) != 0) return fail_with(EINVAL);
        const bool is_on = (wanted->ss_flags & SS_DISABLE) == 0;
        if (is_on && wanted->ss_size < static_cast<std::size_t>(MINSIGSTKSZ)) return fail_with(ENOMEM);
        w.has_signal_stacks = true;
        mine = is_on ? SignalStack{reinterpret_cast<std::uintptr_t>(wanted->ss_sp), wanted->ss_size}
                     : SignalStack{};
    }
    if (old != nullptr) {
        range_access(old, sizeof *old, Operation::store, SITE);
        *old = {};
        old->ss_sp = reinterpret_cast<void*>(before.address);
        old->ss_size = before.size;
        old->ss_flags = before.size == 0 ? SS_DISABLE : 0;
    }
    return 0;
}
}

}  // namespace norn::native
