// Signals that the program sends itself. See signal_delivery.cpp.
#pragma once

#include <cstdint>

namespace norn::native {

// The running thread, which does not block the signal, gets it. True: a handler has run, and left it with the
// mask `afterwards`, or else with the one that it had.
bool deliver(int number, std::uint64_t afterwards, std::uintptr_t site);
bool deliver(int number, std::uintptr_t site);

// abort() was called: runs the program's handler for it, if there is one.
void run_abort_handler(std::uintptr_t site);

}  // namespace norn::native
