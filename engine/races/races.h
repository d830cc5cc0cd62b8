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

#include <array>
#include <cstddef>
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

    // From now on every atomic operation counts as sequentially consistent: what is left are accesses that
    // can come side by side in some interleaving, the races of those who do not know memory orders.
    void take_atomics_for_strong() { is_strong_ = true; }

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
    // What was done with a cell.
    struct Accesses {
        std::uint64_t round = 0;  // the pass that the rest is of
        std::uint32_t count = 0;
        std::vector<Seen> seen;  // the first `count`
    };
    struct Messages {
        Message ordinary;
        Message of_readers;
    };
    struct LocationState {
        // The access that all are like, and its cell; no bytes if they differ.
        std::uint64_t address = 0;
        std::uint32_t size = 0;
        CellId cell = 0;
        bool has_plain = false;         // else nothing can race there, and accesses are not kept
        bool has_messages = false;      // else a plain write has none to clear
        std::uint64_t passed_over = 0;  // the pass in which an access was not kept

        [[nodiscard]] bool is_alike(const Event& event) const {
            return event.address == address && event.size == size;
        }
    };

    // Cells of accesses to locations where they are not all alike: the last one of each slot.
    struct Known {
        std::uint64_t address = 0;
        std::uint32_t size = 0;
        CellId cell = 0;
    };
    static constexpr std::size_t known_slots = 256;

    // False: something was learned that makes another pass necessary.
    bool pass(std::span<const Event> events);
    // Goes over plain accesses to memory of which enough is known, from `index` on. Returns the first event
    // that is something else.
    EventIndex pass_plain(std::span<const Event> events, EventIndex index);
    bool look_at(const Event& event, EventIndex index, Tick number, const Synchronisation& how);
    // Leaves the cells of the event in `cells_`. False: some cell was split, so that what is known of it is
    // wrong.
    [[nodiscard]] bool learn_cells(const Event& event);
    [[nodiscard]] bool are_cells_of(const Event& event) const;
    [[nodiscard]] Known& known_like(const Event& event) {
        return known_[(event.address * 0x9E37'79B9'7F4A'7C15U) >> 56];
    }
    // The only cell of the event, or null if that is not known, or if it has several.
    [[nodiscard]] const CellId* only_cell_of(const Event& event, const LocationState& location) {
        if (location.is_alike(event)) return &location.cell;
        const Known& known = known_like(event);
        return known.address == event.address && known.size == event.size ? &known.cell : nullptr;
    }
    void synchronise(ThreadId thread, std::span<const CellId> cells, const Synchronisation& how);
    void put(ThreadId thread, Messages& messages, Synchronisation::Puts what);
    void compare(Accesses& accesses, const Seen& access, const Tick* clock);

    HappensBefore before_;
    CellTable cell_table_;
    std::vector<LocationState> locations_;
    std::vector<Accesses> accesses_;  // by cell
    std::vector<Messages> messages_;  // likewise
    std::vector<CellId> cells_;       // of the event looked at
    std::array<Known, known_slots> known_{};
    std::vector<Race> races_;
    std::uint64_t round_ = 0;  // counts passes
    bool is_strong_ = false;
};

}  // namespace norn
