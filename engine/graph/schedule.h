// Schedule: what an explorer asks an executor to do. Plain data.
//
// The steps are followed to the letter, one event each. When they are used up the executor goes on by itself:
// the thread that ran last continues until it blocks, ends or starts another one, then the enabled thread
// with the highest id runs, and every choice takes alternative 0. If `reads_last` is set, no event is
// performed that depends on a value (`depends_on_value`) as long as there is another one that can be; of
// those that do, first come loads of what stays as it is, then those of what the fewest threads may still
// write, as far as the forecast knows; and from the threads in `deferred` their first such event only if no
// other thread can go on. If there is a `policy`, it decides instead of all that.
#pragma once

#include <vector>

#include "graph/event.h"
#include "graph/forecast.h"
#include "graph/policy.h"

namespace norn {

struct Step {
    ThreadId thread;
    std::uint16_t choice;  // alternative to take if the event turns out to be a choice
};

struct Schedule {
    std::vector<Step> steps;
    bool reads_last = false;
    std::vector<ThreadId> deferred;
    const Forecast* forecast = nullptr;
    const Policy* policy = nullptr;
};

}  // namespace norn
