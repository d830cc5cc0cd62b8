// What is to be done about each signal. See signal_actions.cpp.
#pragma once

#include <cstdint>

#include "executor/native/world.h"

namespace norn::native {

// Before each execution: as it was when main began.
void forget_signals();

// Whether the number is that of a signal, 0 excepted.
bool is_signal(int number);
// "SIGINT", for messages.
const char* name_of_signal(int number);

[[nodiscard]] bool ignores(const SignalAction& action);
[[nodiscard]] bool has_handler(const SignalAction& action);

// The action as it is now: an event. The second form is for a signal that is delivered: a handler that is to
// be called once only is gone afterwards.
SignalAction action_of(int number, std::uintptr_t site);
SignalAction take_action(int number, std::uintptr_t site);
// The same without an event, for the thread that faults and will not go on.
SignalAction action_at_fault(int number);

// The program waits for these signals, which may also come from outside.
void note_expected(std::uint64_t signals);

}  // namespace norn::native
