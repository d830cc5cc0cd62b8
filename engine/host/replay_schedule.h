// The schedule of a replay, as Python hands it over: in a file without a name, of which the engine inherits
// the descriptor (docs/protocol.md). It is as long as the execution, and so fits neither the environment nor
// the arguments of a process.
#pragma once

#include <cstdint>
#include <vector>

#include "executor/native/world.h"

namespace norn {

struct ReplaySchedule {
    std::vector<native::Run> runs;
    std::vector<std::uint16_t> choices;
    std::vector<ThreadId> parents;  // of the threads, from the second on
};

// Reads all of the file and closes it, so that the program does not inherit it. Ends the process with a
// message if it is damaged.
ReplaySchedule read_replay_schedule(int descriptor);

}  // namespace norn
