// Execution: what one run of the program did, as the explorers see it. Plain data, owned by the executor and
// valid until its next run.
#pragma once

#include <span>

#include "graph/event.h"

namespace norn {

enum class Ending : std::uint8_t {
    complete,     // every thread ended (or the process exited)
    blocked,      // a failed assume or a bound stopped some thread; the others ran as far as they could
    deadlock,     // some thread waits for ever
    visibility,   // a location thought private was shared: start over, it is visible now
    diverged,     // the program did not follow the schedule: it is not deterministic
    too_long,     // the bound on the number of events was met
    interrupted,  // the host asked the executor to stop (unsupported call, time limit, Ctrl-C)
};

struct Execution {
    std::span<const Event> events;   // in the order in which they happened
    std::span<const Event> pending;  // the next event of each thread that waits for its guard at the end
    std::uint16_t threads = 0;       // ids are below this
    Ending ending = Ending::complete;
    bool has_plain = true;  // some event may be an access to memory that is not atomic
    bool failed = false;    // the executor has at least one finding for this execution
    bool was_cut = false;   // some thread was stopped because it met the bound on its events
    // Under the policy `stay`: for each event after the steps of the schedule, how many threads could have
    // performed theirs instead (itself included), and which.
    std::span<const ThreadId> able;
};

}  // namespace norn
