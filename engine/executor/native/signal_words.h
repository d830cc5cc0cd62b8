// The words of signals: what each thread blocks, and what is pending. See signal_words.cpp.
#pragma once

#include <signal.h>

#include <cstdint>
#include <cstring>

#include "executor/native/world.h"

namespace norn::native {

// Sets of signals have bit n - 1 for signal n, as the system has them.
constexpr std::uint64_t signal_bit(int number) { return std::uint64_t{1} << (number - 1); }
inline std::uint64_t set_in(const sigset_t& set) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &set, sizeof bits);
    return bits;
}
inline sigset_t set_of(std::uint64_t bits) {
    sigset_t set{};
    std::memcpy(&set, &bits, sizeof bits);
    return set;
}

// The word of a thread: the standard signals that it blocks, those that it was sent and has not taken, and...
inline constexpr std::uint64_t standard_signals = 0x7FFF'FFFF;
inline constexpr int pending_shift = 32;
inline constexpr std::uint64_t suspended_bit = std::uint64_t{1} << 31;  // it waits for any it does not block
inline constexpr std::uint64_t look_bit = std::uint64_t{1} << 63;       // it is to look at the process's word

// What a thread blocks.
inline std::uint64_t blocked_by(const Thread& thread) {
    return (thread.signals & standard_signals) | thread.realtime_mask;
}
// What the running thread blocks.
std::uint64_t own_mask();
// Sets it, and delivers what comes by that.
enum class MaskChange : std::uint8_t {
    by_program,
    around_handler,  // one is about to run, or has run
    to_suspend,      // the thread is about to wait for any signal that it does not block
};
void change_mask(std::uint64_t mask, MaskChange change, std::uintptr_t site);
// The same, but takes at most one signal and returns it, for the caller to deliver. 0: none.
int exchange_mask(std::uint64_t mask, MaskChange change, std::uintptr_t site);

// A signal that is ignored from now on is not pending any more.
void drop_pending(int number, std::uintptr_t site);
// Signals of the set that are pending for the running thread; and one of them is taken, if there is one.
std::uint64_t pending_for_self(std::uintptr_t site);
int take_pending(std::uint64_t set, std::uintptr_t site);
// Waits for one of the set, and takes it.
int await_pending(std::uint64_t set, std::uintptr_t site);
// Signals of the set that are pending for the whole process.
std::uint64_t pending_for_process(std::uint64_t set, std::uintptr_t site);

// Of the threads that have begun and not ended, for signals that are sent to them.
bool takes_part(const Thread& thread);

}  // namespace norn::native
