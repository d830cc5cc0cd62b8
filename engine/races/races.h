// RaceFinder: the data races of an execution.
//
// Two accesses to the same bytes by different threads race if at least one writes, at least one is not
// atomic, and neither happened before the other. One pass over the events: for each cell (bytes that no
// access tells apart) it keeps the accesses that a later one may race with. One that happened before a later
// one of its kind need not be kept: whatever races with it races with the later one, too. So a cell in good
// order has one or two.
//
// An access is reported with each that was kept and races with it: of several of another thread with the last
// ones only. What is found for a pair of accesses does not depend on the order of the sequence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "consistency/cells.h"
#include "graph/event.h"
#include "races/happens_before.h"
#include "races/synchronisation.h"

namespace norn {

struct Race {
    EventIndex first;
    EventIndex second;

    bool operator==(const Race&) const = default;
};

class RaceFinder {
public:
    // All races of the events, which are of threads below `threads`. Valid until the next call.
    std::span<const Race> find(std::span<const Event> events, std::size_t threads);

    // Location ids have changed their meaning.
    void forget_locations();

private:
    // What matters of an access: the greater set is in conflict with more.
    enum Kind : std::uint8_t { writes = 1, plain = 2 };
    struct Seen {
        EventIndex event;
        Tick number;
        ThreadId thread;
        std::uint8_t kind;
    };
    struct CellState {
        Message message;
        Message of_readers;
        std::uint64_t round = 0;
        std::vector<Seen> seen;
    };
    struct LocationState {
        bool has_plain = false;         // else nothing can race there, and accesses are not kept
        std::uint64_t passed_over = 0;  // the round in which an access was not kept
    };

    // False: something was learned that makes another pass necessary.
    bool pass(std::span<const Event> events);
    [[nodiscard]] bool learn_cells(const Event& event);
    [[nodiscard]] bool are_cells_of(const Event& event) const;
    void synchronise(const Event& event, const Synchronisation& how);
    void put(ThreadId thread, CellState& cell, Synchronisation::Puts what);
    bool note_access(const Event& event, EventIndex index, Tick number, bool is_plain);
    void compare(CellState& cell, const Seen& access);

    HappensBefore before_;
    CellTable cell_table_;
    std::vector<LocationState> locations_;
    std::vector<CellState> states_;  // by cell
    std::vector<CellId> cells_;      // of the event looked at
    std::vector<Race> races_;
    std::uint64_t round_ = 0;
};

}  // namespace norn
