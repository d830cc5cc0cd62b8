// Faults: everything that makes a finding, and everything that ends the check.
//
// A thread that fails goes no further. With --keep-going the others do, and may fail, too. None of them needs
// the failure of the first for that: a failure writes nothing, so that a thread could as well have been
// stopped just before it. So each of these failures is a finding of its own, and there is an execution that
// has it alone. In the modes record and replay, which lead to one of them, the others are passed over: a
// thread stops there, and nothing is said of it. A schedule of ticks leads to the failure that comes when it
// is used up; where several might, its last run is one of the thread that fails, without ticks.
#pragma once

#include <span>

#include "executor/native/world.h"

namespace norn::native {

// The running thread has failed: notes the finding (the first of an execution counts) and never returns.
[[noreturn]] void fail(const char* kind, const char* message, std::uint64_t address = 0);
struct Witnessed;
[[noreturn]] void fail_about(const char* kind, const char* message, std::uint64_t address,
                             std::span<const Witnessed> places);
[[noreturn]] void fail_at(const char* kind, const char* message, const char* file, unsigned line);

// Whether a failure of that kind is a finding of what is checked. One that is not ends the execution like
// exit().
bool is_counted(const char* kind);

// The running thread calls something norn does not model: ends the check with a message.
[[noreturn]] void unsupported(const char* function, const char* message);

void note_divergence(const char* message);  // says why the schedule cannot be followed
void stop_diverged(const char* message);    // ... and makes the execution end so

// A stack that has to do with a finding: which thread was there, and what it did.
struct Witnessed {
    ThreadId thread;
    const char* detail;
    std::span<const std::uintptr_t> stack;
};
// The finding of an execution that ended well but left something behind (leaks.cpp); at least one place.
void note_left_behind(const char* kind, const char* message, std::uint64_t address,
                      std::span<const Witnessed> places);

void note_deadlock();  // the finding of an execution in which threads wait for ever
void note_livelock();  // ... and some of them go round in loops meanwhile
// Segfaults and the like become findings; before main they end the check.
void install_signal_handlers(bool before_main);

}  // namespace norn::native
