// Executions that end while threads wait for signals. See signal_waits.cpp.
#pragma once

#include <cstdint>

#include "executor/native/world.h"

namespace norn::native {

// No thread can go on. What can be said of those that are missed, given that a signal may come from outside?
enum class Outlook : std::uint8_t {
    hopeless,  // nobody waits for a signal, or somebody waits for ever whatever comes
    unknown,   // a signal may or may not help
    quiet,     // all wait for a signal, or for those that do
};
Outlook outlook_with_signals(bool (*is_missed)(const Thread&));

}  // namespace norn::native
