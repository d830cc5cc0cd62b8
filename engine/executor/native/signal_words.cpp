// The words of signals. Each thread has one: which standard signals it blocks, and which it was sent and has
// not taken yet. Only the thread itself changes what it blocks; others add what they send. The process has
// one more, for signals that were sent to all of it while every thread blocked them: whoever unblocks or
// awaits such a signal first takes it. A signal that is pending already is not sent twice, as on Linux.
// Every change is a read-modify-write. As long as no thread sends another one a signal, each word is private
// and there are no events.
//
// A thread may get a signal from either word, but an event waits on one word only. So a thread that is to
// wait looks at the word of the process first and then waits on its own; who puts a signal into the word of
// the process marks the words of all threads afterwards (`look_bit`), and a marked thread looks again. No
// signal is missed: it was put there before the look, or its mark comes after.
//
// A thread that changes its mask takes what it finds for the old or the new one. (Under the old one it would
// have been delivered before. So one that starts a thread with fewer signals blocked than it has itself
// before and after leaves no gap in which a signal could be there for nobody: signal_delivery.cpp.) Around a
// handler only the new mask counts, as on Linux: what the handler's mask blocks waits until it has returned.
//
// Real-time signals are queued, which is not modelled: to send one is refused, so that those are only
// blocked.
#include "executor/native/signal_words.h"

#include "executor/native/signal_delivery.h"
#include "executor/native/sync_word.h"

namespace norn::native {

namespace {

using SignalEvent = BasicWordEvent<std::uint64_t>;

// Faults and those that the hardware makes come first, then the lowest number, as on Linux.
int first_of(std::uint64_t set) {
    constexpr std::uint64_t synchronous = signal_bit(SIGSEGV) | signal_bit(SIGBUS) | signal_bit(SIGILL) |
                                          signal_bit(SIGTRAP) | signal_bit(SIGFPE) | signal_bit(SIGSYS);
    if ((set & synchronous) != 0) set &= synchronous;
    return set == 0 ? 0 : __builtin_ctzll(set) + 1;
}

std::uint64_t pending_in(std::uint64_t word) { return word >> pending_shift & standard_signals; }
std::uint64_t as_pending(std::uint64_t set) { return (set & standard_signals) << pending_shift; }

// Takes one of the set from a word, in an event that has found it. 0: there is none.
int take_from(SignalEvent& event, std::uint64_t& word, std::uint64_t set) {
    const int number = first_of(pending_in(word) & set);
    if (number != 0) event.leave(word & ~as_pending(signal_bit(number)));
    return number;
}

int take_of_process(std::uint64_t set, std::uintptr_t site) {
    enter();
    std::uint64_t& word = world().process_signals;
    SignalEvent event(word, {Operation::signal_take, Condition::intersects, as_pending(set)}, site);
    return event.holds() ? take_from(event, word, set) : 0;
}

}  // namespace

bool takes_part(const Thread& thread) {
    return thread.state == State::fresh || thread.state == State::alive || thread.state == State::looping;
}

std::uint64_t own_mask() {
    const World& w = world();
    return blocked_by(w.running ? *w.current : w.thread[0]);
}

int exchange_mask(std::uint64_t mask, MaskChange change, std::uintptr_t site) {
    constexpr std::uint64_t never_blocked = signal_bit(SIGKILL) | signal_bit(SIGSTOP) | signal_bit(32) |
                                            signal_bit(33);  // libc's own are the last
    World& w = world();
    const std::uint64_t wanted = mask & ~never_blocked;
    const std::uint64_t blocked = wanted & standard_signals;
    if (!enter()) {
        w.early_mask = wanted;
        w.thread[0].signals = blocked;
        w.thread[0].realtime_mask = wanted & ~standard_signals;
        return 0;
    }
    Thread& me = *w.current;
    const std::uint64_t kept = change == MaskChange::around_handler ? blocked : me.signals & blocked;
    const std::uint64_t open = ~kept & standard_signals;
    if (wanted != own_mask()) me.changed_mask = true;
    me.realtime_mask = wanted & ~standard_signals;
    const std::uint64_t low = blocked | (change == MaskChange::to_suspend ? suspended_bit : 0);
    int number = 0;
    {
        SignalEvent event(me.signals, {Operation::signal_mask}, site);
        number = first_of(pending_in(me.signals) & open);
        const std::uint64_t left = me.signals & ~as_pending(number != 0 ? signal_bit(number) : 0);
        event.leave((left & ~(standard_signals | suspended_bit)) | low);
    }
    return number != 0 ? number : take_of_process(open, site);
}

void change_mask(std::uint64_t mask, MaskChange change, std::uintptr_t site) {
    while (const int number = exchange_mask(mask, change, site)) deliver(number, site);
}

void drop_pending(int number, std::uintptr_t site) {
    World& w = world();
    const std::uint64_t bit = as_pending(signal_bit(number));
    for (std::size_t i = 0; i < w.threads; ++i) {
        if (!takes_part(w.thread[i])) continue;
        enter();
        std::uint64_t& word = w.thread[i].signals;
        SignalEvent event(word, {Operation::signal_take, Condition::intersects, bit}, site);
        if (event.holds()) event.leave(word & ~bit);
    }
    take_of_process(signal_bit(number), site);
}

std::uint64_t pending_for_process(std::uint64_t set, std::uintptr_t site) {
    enter();
    std::uint64_t& word = world().process_signals;
    const SignalEvent event(word, {Operation::signal_mask}, site);
    return pending_in(word) & set;
}

std::uint64_t pending_for_self(std::uintptr_t site) {
    enter();
    Thread& me = *world().current;
    std::uint64_t set = 0;
    {
        const SignalEvent event(me.signals, {Operation::signal_mask}, site);
        set = pending_in(me.signals);
    }
    return set | pending_for_process(standard_signals, site);
}

int take_pending(std::uint64_t set, std::uintptr_t site) {
    enter();
    Thread& me = *world().current;
    {
        SignalEvent event(me.signals, {Operation::signal_take, Condition::intersects, as_pending(set)}, site);
        const int number = event.holds() ? take_from(event, me.signals, set) : 0;
        if (number != 0) return number;
    }
    return take_of_process(set, site);
}

int await_pending(std::uint64_t set, std::uintptr_t site) {
    Thread& me = *world().current;
    for (;;) {
        if (const int number = take_of_process(set, site)) return number;
        enter();
        SignalEvent event(me.signals,
                          {Operation::signal_wait, Condition::intersects, as_pending(set) | look_bit, true},
                          site);
        if (const int number = take_from(event, me.signals, set)) return number;
        event.leave(me.signals & ~look_bit);
    }
}

}  // namespace norn::native
