#include "explore/trace.h"

#include <cassert>

namespace norn {

namespace {

bool same_bytes(const Event& a, const Event& b) { return a.address == b.address && a.size == b.size; }

bool covers(const Event& outer, const Event& inner) {
    return outer.address <= inner.address && inner.address + inner.size <= outer.address + outer.size;
}

}  // namespace

void Trace::fit_threads(std::size_t threads) {
    clocks_.fit_threads(threads);
    if (last_of_thread_.size() < threads) last_of_thread_.resize(threads, no_event);
    settled_.resize(clocks_.stride());
    past_.resize(clocks_.stride());
}

void Trace::push(const Event& event) {
    const auto index = static_cast<EventIndex>(entries_.size());
    assert(event.thread < last_of_thread_.size());
    clocks_.fit_rows(entries_.size() + 1);
    Tick* past = clocks_.row(index);
    begin_past(event, past);

    Entry entry{event,
                past[event.thread] + 1,
                last_of_thread_[event.thread],
                no_event,
                no_event,
                static_cast<std::uint32_t>(races_.size())};
    if (event.access != Access::none) {
        if (event.location >= heads_.size()) heads_.resize(event.location + 1);
        find_races(event, index, past, races_);
        Heads& heads = heads_[event.location];
        entry.previous_access = heads.access;
        entry.previous_write = heads.write;
        heads.access = index;
        if (event.writes()) heads.write = index;
    }
    past[event.thread] = entry.tick;
    last_of_thread_[event.thread] = index;
    entries_.push_back(entry);
    footprints_.push_back(footprint_of(event));
}

void Trace::truncate(std::size_t size) {
    if (size >= entries_.size()) return;
    for (std::size_t i = entries_.size(); i-- > size;) {
        const Entry& entry = entries_[i];
        last_of_thread_[entry.event.thread] = entry.previous_of_thread;
        if (entry.event.access != Access::none)
            heads_[entry.event.location] = {entry.previous_access, entry.previous_write};
    }
    races_.resize(entries_[size].races_before);
    entries_.resize(size);
    footprints_.resize(size);
}

std::span<const Race> Trace::races_of_pending(const Event& pending) {
    pending_races_.clear();
    if (pending.location < heads_.size()) {
        begin_past(pending, past_.data());
        find_races(pending, no_event, past_.data(), pending_races_);
    }
    return pending_races_;
}

// What the event cannot be moved before: its predecessor in its thread, and its cause.
void Trace::begin_past(const Event& event, Tick* past) const {
    const EventIndex predecessor = last_of_thread_[event.thread];
    if (predecessor == no_event) {
        clocks_.clear(past);
    } else {
        clocks_.copy(past, clocks_.row(predecessor));
    }
    if (event.cause != no_event) clocks_.join(past, clocks_.row(event.cause));
}

// Walks back over the events that conflict with the new one. `past` becomes all that happens before the
// event; `settled` is the part of it that is no matter of a race with this event: what it cannot be moved
// before, and what happens before an event that we already found it to race with.
void Trace::find_races(const Event& event, EventIndex index, Tick* past, std::vector<Race>& races) {
    Tick* settled = past;
    if (event.guarded) {
        settled = settled_.data();
        clocks_.copy(settled, past);
    }
    const Heads& heads = heads_[event.location];
    const bool writes = event.writes();
    EventIndex i = writes ? heads.access : heads.write;
    while (i != no_event) {
        const Entry& other = entries_[i];
        if (overlapping(other.event, event)) {
            bool is_settled = settled[other.event.thread] >= other.tick;
            if (!is_settled) {
                const Tick* clock = clocks_.row(i);
                if (could_run_before(i, event)) {
                    races.push_back({i, index});
                    clocks_.join(settled, clock);
                    is_settled = true;
                }
                if (event.guarded) clocks_.join(past, clock);
            }
            // Whatever conflicts with the event and is older happened before this write.
            if (is_settled && other.event.writes() && covers(other.event, event)) return;
        }
        i = writes ? other.previous_access : other.previous_write;
    }
}

bool Trace::could_run_before(EventIndex i, const Event& event) const {
    if (!event.guarded) return true;
    const Value found = value_before(i, event);
    return event.condition_holds_on(found.known ? found.value : 0);  // synchronization objects begin as 0
}

// The value that `event` finds if it is performed just before event number i.
Trace::Value Trace::value_before(EventIndex i, const Event& event) const {
    if (same_bytes(entries_[i].event, event)) return {true, entries_[i].event.before};
    for (EventIndex k = entries_[i].previous_access; k != no_event; k = entries_[k].previous_access) {
        const Event& other = entries_[k].event;
        if (same_bytes(other, event)) return {true, other.after};
        // Data of which only a part was written; the release of a heap block does not change an object in it.
        if (!event.guarded && other.writes() && overlapping(other, event)) break;
    }
    return {false, 0};
}

// Between the two nothing writes what both of them touch, or they would not race; so the event finds what
// number i found there, and elsewhere what it finds now. Where that cannot be known (large accesses of
// different sizes) the stronger access is assumed: that can cost a redundant execution, never a class.
Access Trace::access_before(std::size_t i, const Event& event) const {
    if (event.condition == Condition::always || event.guarded) return event.access;
    const Event& early = entries_[i].event;
    if (same_bytes(early, event)) return access_on(event, early.before);
    if (early.size > largest_value || event.size > largest_value) return Access::rmw;
    std::uint64_t found = event.before;
    for (std::uint64_t byte = event.address; byte < event.address + event.size; ++byte) {
        if (byte < early.address || byte >= early.address + early.size) continue;
        const auto to = 8 * (byte - event.address);
        const std::uint64_t value = early.before >> (8 * (byte - early.address)) & 0xFF;
        found = (found & ~(std::uint64_t{0xFF} << to)) | value << to;
    }
    return access_on(event, found);
}

}  // namespace norn
