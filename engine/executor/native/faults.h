// Faults: everything that makes a finding, and everything that ends the check.
#pragma once

#include "executor/native/world.h"

namespace norn::native {

// The running thread has failed: notes the finding (the first of an execution counts) and never returns.
[[noreturn]] void fail(const char* kind, const char* message, std::uint64_t address = 0);
[[noreturn]] void fail_at(const char* kind, const char* message, const char* file, unsigned line);

// Whether a failure of that kind is a finding of what is checked. One that is not ends the execution like
// exit().
bool is_counted(const char* kind);

// The running thread calls something norn does not model: ends the check with a message.
[[noreturn]] void unsupported(const char* function, const char* message);

void note_divergence(const char* message);  // says why the schedule cannot be followed
void stop_diverged(const char* message);    // ... and makes the execution end so

void note_deadlock();            // the finding of an execution in which threads wait for ever
void install_signal_handlers();  // segfaults and the like become findings

}  // namespace norn::native
