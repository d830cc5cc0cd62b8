// Schedule: what an explorer asks an executor to do. Plain data.
//
// The steps are followed to the letter, one event each. When they are used up the executor goes on by itself:
// the thread that ran last continues until it blocks, ends or starts another one, then the enabled thread
// with the highest id runs, and every choice takes alternative 0.
#pragma once

#include <vector>

#include "graph/event.h"

namespace norn {

struct Step {
    ThreadId thread;
    std::uint16_t choice;  // alternative to take if the event turns out to be a choice
};

struct Schedule {
    std::vector<Step> steps;
};

}  // namespace norn
