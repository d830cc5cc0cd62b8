#include "races/races.h"

#include <algorithm>

namespace norn {

std::span<const Race> RaceFinder::find(std::span<const Event> events, std::size_t threads) {
    do {
        ++round_;
        races_.clear();
        before_.begin(threads);
    } while (!pass(events));
    return races_;
}

void RaceFinder::forget_locations() {
    cell_table_ = CellTable{};
    locations_.clear();
    states_.clear();
}

bool RaceFinder::pass(std::span<const Event> events) {
    bool is_final = true;
    for (EventIndex index = 0; index < events.size(); ++index) {
        const Event& event = events[index];
        const Tick number = before_.advance(event);
        const Synchronisation how = synchronisation_of(event);
        if (event.access != Access::none && event.location != no_location) {
            is_final = learn_cells(event) && is_final;
            synchronise(event, how);
            is_final = note_access(event, index, number, how.is_plain) && is_final;
        }
        if (how.can_cause) before_.keep_as_cause(event, index);
        is_final = is_final && !before_.met_first_fence();
    }
    return is_final;
}

// Leaves the cells of the event in `cells_`. False: some cell was split, so that what is known of it is
// wrong.
bool RaceFinder::learn_cells(const Event& event) {
    cells_.clear();
    if (event.location < locations_.size()) {
        cell_table_.append_cells_of(event, cells_);
        if (are_cells_of(event)) return true;
        cells_.clear();
    } else {
        locations_.resize(event.location + 1);
    }
    const bool is_right = cell_table_.learn(event);
    states_.resize(cell_table_.size());
    cell_table_.append_cells_of(event, cells_);
    return is_right;
}

// Whether they are all of its bytes, and no others.
bool RaceFinder::are_cells_of(const Event& event) const {
    std::uint64_t at = event.address;
    for (const CellId cell : cells_) {
        if (cell_table_.begin_of(cell) != at) return false;
        at = cell_table_.end_of(cell);
    }
    return at == event.address + event.size;
}

void RaceFinder::synchronise(const Event& event, const Synchronisation& how) {
    const ThreadId thread = event.thread;
    for (const CellId id : cells_) {
        const CellState& cell = states_[id];
        if (how.takes) before_.take(thread, cell.message);
        if (how.takes_at_fence) before_.take_at_fence(thread, cell.message);
        if (how.takes_of_readers) before_.take(thread, cell.of_readers);
    }
    if (how.puts == Synchronisation::Puts::nothing) return;
    for (const CellId id : cells_) put(thread, states_[id], how.puts);
}

void RaceFinder::put(ThreadId thread, CellState& cell, Synchronisation::Puts what) {
    using Puts = Synchronisation::Puts;
    switch (what) {
        case Puts::nothing: break;
        case Puts::clears:
            HappensBefore::clear(cell.message);
            HappensBefore::clear(cell.of_readers);
            break;
        case Puts::adds: before_.put(thread, cell.message, false); break;
        case Puts::replaces: before_.put(thread, cell.message, true); break;
        case Puts::adds_of_fence: before_.put_of_fence(thread, cell.message, false); break;
        case Puts::replaces_by_fence: before_.put_of_fence(thread, cell.message, true); break;
        case Puts::adds_of_reader: before_.put(thread, cell.of_readers, false); break;
    }
}

bool RaceFinder::note_access(const Event& event, EventIndex index, Tick number, bool is_plain) {
    LocationState& location = locations_[event.location];
    if (!location.has_plain) {
        if (!is_plain) {
            location.passed_over = round_;
            return true;
        }
        location.has_plain = true;
        if (location.passed_over == round_) return false;
    }
    const auto kind = static_cast<std::uint8_t>((event.writes() ? writes : 0) | (is_plain ? plain : 0));
    for (const CellId id : cells_) compare(states_[id], {index, number, event.thread, kind});
    return true;
}

void RaceFinder::compare(CellState& cell, const Seen& access) {
    if (cell.round != round_) {
        cell.round = round_;
        cell.seen.clear();
    }
    std::size_t kept = 0;
    for (const Seen& earlier : cell.seen) {
        if (before_.is_before(earlier.thread, earlier.number, access.thread)) {
            if ((earlier.kind & ~access.kind) == 0) continue;
        } else if (const int both = earlier.kind | access.kind; both == (writes | plain)) {
            races_.push_back({earlier.event, access.event});
        }
        cell.seen[kept++] = earlier;
    }
    cell.seen.resize(kept + 1);
    cell.seen[kept] = access;
}

}  // namespace norn
