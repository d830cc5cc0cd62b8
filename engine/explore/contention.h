// Contention: which locations threads compete for, as far as the executions so far have shown it.
//
// Two conflicting events of different threads compete unless one of them had ended before the other one's
// thread was started, or the like: unless they are ordered by the order that every interleaving has, that of
// each thread, of a spawn before what it starts and of the end of a thread before what follows its join.
// A location is *contended* if two events on it compete in some execution, those included that wait for their
// guard in the end. What the main thread prepares before it starts others, or collects after it has joined
// them, is not contended.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/execution.h"
#include "graph/vector_clock.h"

namespace norn {

class Contention {
public:
    // Learns from an execution. The locations that are contended for the first time are in `news`.
    void learn(const Execution& execution);

    [[nodiscard]] bool is_contended(LocationId location) const {
        return location < contended_.size() && contended_[location] != 0;
    }
    [[nodiscard]] const std::vector<LocationId>& news() const { return news_; }

private:
    // The last accesses of one thread to one location, as its ticks; 0: none.
    struct Access {
        ThreadId thread;
        Tick read;
        Tick write;
    };
    struct Location {
        std::vector<Access> accesses;
        ThreadId ended = no_thread;  // whose end was written there
    };
    struct Spawn {
        EventIndex event;
        std::uint32_t row;  // the clock of the thread at that time
    };
    static constexpr ThreadId no_thread = UINT16_MAX;

    void begin(const Execution& execution);
    void take(const Event& event, EventIndex index);
    void look_at(const Event& event, const Tick* clock);

    std::vector<char> contended_;  // by location
    std::vector<LocationId> news_;
    // Of the current execution:
    std::vector<Location> locations_;
    std::vector<LocationId> touched_;
    ClockTable clocks_;  // of each thread, then of each spawn
    std::size_t rows_ = 0;
    std::vector<Spawn> spawns_;
};

}  // namespace norn
