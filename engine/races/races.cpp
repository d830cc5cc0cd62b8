#include "races/races.h"

#include <algorithm>

namespace norn {

[[gnu::always_inline]] inline void RaceFinder::compare(Accesses& accesses, const Seen& access,
                                                       const Tick* clock) {
    const std::uint32_t count = accesses.round == round_ ? accesses.count : 0;
    accesses.round = round_;
    Seen* const seen = accesses.seen.data();
    if (access.kind == (plain | writes) && count > 0) {
        bool comes_last = true;
        for (std::uint32_t i = 0; i < count; ++i) comes_last &= seen[i].number <= clock[seen[i].thread];
        if (comes_last) {
            seen[0] = access;
            accesses.count = 1;
            return;
        }
    }
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Seen earlier = seen[i];
        if (earlier.number <= clock[earlier.thread]) {
            if ((earlier.kind & ~access.kind) == 0) continue;
        } else if ((earlier.kind | access.kind) == (writes | plain)) {
            races_.push_back({earlier.event, access.event});
        }
        if (kept != i) seen[kept] = earlier;
        ++kept;
    }
    accesses.count = kept + 1;
    if (kept < accesses.seen.size())
        seen[kept] = access;
    else
        accesses.seen.push_back(access);
}

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
    accesses_.clear();
    messages_.clear();
    known_.fill({});
}

bool RaceFinder::pass(std::span<const Event> events) {
    bool is_final = true;
    for (EventIndex index = 0; index < events.size(); ++index) {
        index = pass_plain(events, index);
        if (index == events.size()) break;
        const Event& event = events[index];
        const Tick number = before_.advance(event);
        const Synchronisation how = synchronisation_of(event, is_strong_);
        if (event.access != Access::none && event.location != no_location)
            is_final = look_at(event, index, number, how) && is_final;
        if (how.can_cause) before_.keep_as_cause(event, index);
    }
    return is_final && !before_.met_first_fence();
}

// Most events of most programs come this way.
EventIndex RaceFinder::pass_plain(std::span<const Event> events, EventIndex index) {
    const std::span<const LocationState> locations = locations_;
    Accesses* const accesses = accesses_.data();
    ThreadId thread = 0;
    Tick* clock = nullptr;
    for (; index < events.size(); ++index) {
        const Event& event = events[index];
        if (event.operation > Operation::store || event.order != Order::natural || event.cause != no_event ||
            event.fences != 0 || event.location >= locations.size())
            break;
        const LocationState& location = locations[event.location];
        const bool is_write = event.writes();
        if (!location.has_plain || (is_write && location.has_messages)) break;
        const CellId* const cell = only_cell_of(event, location);
        if (cell == nullptr) break;
        if (clock == nullptr || event.thread != thread) {
            thread = event.thread;
            clock = before_.clock_to_count_on(thread);
        }
        const auto kind = static_cast<std::uint8_t>(is_write ? plain | writes : plain);
        compare(accesses[*cell], {index, ++clock[thread], thread, kind}, clock);
    }
    return index;
}

bool RaceFinder::look_at(const Event& event, EventIndex index, Tick number, const Synchronisation& how) {
    bool is_right = true;
    std::span<const CellId> cells;
    const CellId* const only =
        event.location < locations_.size() ? only_cell_of(event, locations_[event.location]) : nullptr;
    if (only != nullptr) {
        cells = {only, 1};
    } else {
        Event read = event;
        read.size = bytes_read(event);
        is_right = learn_cells(read);
        cells = cells_;
    }
    LocationState& location = locations_[event.location];
    if (how.puts > Synchronisation::Puts::clears) location.has_messages = true;
    synchronise(event.thread, cells, how);
    if (!location.has_plain) {
        if (!how.is_plain) {
            location.passed_over = round_;
            return is_right;
        }
        location.has_plain = true;
        is_right = is_right && location.passed_over != round_;
    }
    const auto kind = static_cast<std::uint8_t>((event.writes() ? writes : 0) | (how.is_plain ? plain : 0));
    const Tick* const clock = before_.clock_of(event.thread);
    for (const CellId cell : cells) compare(accesses_[cell], {index, number, event.thread, kind}, clock);
    return is_right;
}

bool RaceFinder::learn_cells(const Event& event) {
    cells_.clear();
    if (event.location < locations_.size()) {
        cell_table_.append_cells_of(event, cells_);
        if (are_cells_of(event)) {
            if (cells_.size() == 1) known_like(event) = {event.address, event.size, cells_[0]};
            return true;
        }
        cells_.clear();
    }
    if (event.location >= locations_.size()) locations_.resize(event.location + 1);
    const bool is_right = cell_table_.learn(event);
    if (!is_right) known_.fill({});
    accesses_.resize(cell_table_.size());
    messages_.resize(cell_table_.size());
    cell_table_.append_cells_of(event, cells_);
    LocationState& location = locations_[event.location];
    location.size = 0;
    if (cell_table_.cells_of(event.location) == 1) {
        location.address = event.address;
        location.size = event.size;
        location.cell = cells_[0];
    }
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

void RaceFinder::synchronise(ThreadId thread, std::span<const CellId> cells, const Synchronisation& how) {
    for (const CellId cell : cells) {
        const Messages& messages = messages_[cell];
        if (how.takes) before_.take(thread, messages.ordinary);
        if (how.takes_at_fence) before_.take_at_fence(thread, messages.ordinary);
        if (how.takes_of_readers) before_.take(thread, messages.of_readers);
    }
    if (how.puts == Synchronisation::Puts::nothing) return;
    for (const CellId cell : cells) put(thread, messages_[cell], how.puts);
}

void RaceFinder::put(ThreadId thread, Messages& messages, Synchronisation::Puts what) {
    using Puts = Synchronisation::Puts;
    switch (what) {
        case Puts::nothing: break;
        case Puts::clears:
            HappensBefore::clear(messages.ordinary);
            HappensBefore::clear(messages.of_readers);
            break;
        case Puts::adds: before_.put(thread, messages.ordinary, false); break;
        case Puts::replaces: before_.put(thread, messages.ordinary, true); break;
        case Puts::adds_of_fence: before_.put_of_fence(thread, messages.ordinary, false); break;
        case Puts::replaces_by_fence: before_.put_of_fence(thread, messages.ordinary, true); break;
        case Puts::adds_of_reader: before_.put(thread, messages.of_readers, false); break;
    }
}

}  // namespace norn
