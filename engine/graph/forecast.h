// Forecast: what the executions so far have shown of each location. An explorer learns it and an executor is
// guided by it where it runs freely (graph/schedule.h). Plain data.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/event.h"

namespace norn {

struct Forecast {
    // What is written there: nothing, always the same value, or different ones (or what cannot be told).
    enum class Writes : std::uint8_t { none, same, different };

    struct Location {
        Writes writes = Writes::none;
        bool was_seen = false;
        std::uint64_t initial = 0;  // what it begins with
        std::uint64_t value = 0;    // that is always written
        std::uint64_t address = 0;  // of all accesses; where these differ it counts as different values
        std::uint32_t size = 0;
        // By thread: the number of its last event, counted from 1, that has written there or might have.
        std::vector<std::uint32_t> last_write;
    };

    // Whether a thread finds the same there at any time. `has_written`: it has written there before, or its
    // parent had when it started the thread.
    [[nodiscard]] bool is_constant(LocationId location, bool has_written) const {
        if (location >= tracked) return false;
        if (location >= locations.size()) return true;
        const Location& known = locations[location];
        return known.writes == Writes::none ||
               (known.writes == Writes::same && (known.initial == known.value || has_written));
    }

    // Executors keep track of who has written where only for so many locations.
    static constexpr LocationId tracked = 1024;

    std::vector<Location> locations;
};

}  // namespace norn
