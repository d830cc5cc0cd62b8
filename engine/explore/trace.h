// Trace: the events of the current execution with what an explorer asks of them: which happened before which,
// and which pairs of them race. Grows and shrinks at its end, so that an explorer that backtracks pays only
// for the events that are new.
//
// *Happens before* is the smallest order that contains program order, the order of conflicting events, and
// the edge from each event's cause to it. Two executions are equal for `mazurkiewicz` iff this order is the
// same.
//
// A *race* is a pair of events whose order can be reversed: the earlier one happened before the later one
// only because they conflict. For an event without guard these are the conflicting pairs with nothing between
// them in the order. A guarded event can only be moved to where its guard holds: a lock never moves before
// the unlock that let it in, but it may move before the whole critical section. So its race is with the last
// event before which its guard held.
#pragma once

#include <span>
#include <vector>

#include "explore/footprint.h"
#include "graph/event.h"
#include "graph/vector_clock.h"

namespace norn {

struct Race {
    EventIndex early;
    EventIndex late;  // no_event for an event that is still pending
};

class Trace {
public:
    void fit_threads(std::size_t threads);
    void push(const Event& event);
    void truncate(std::size_t size);

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] std::size_t threads() const { return last_of_thread_.size(); }
    [[nodiscard]] const Event& event(std::size_t i) const { return entries_[i].event; }
    [[nodiscard]] const Footprint& footprint(std::size_t i) const { return footprints_[i]; }
    [[nodiscard]] const Tick* clock(std::size_t i) const { return clocks_.row(i); }
    [[nodiscard]] Tick tick(std::size_t i) const { return entries_[i].tick; }
    [[nodiscard]] EventIndex last_of(ThreadId thread) const { return last_of_thread_[thread]; }

    [[nodiscard]] bool happens_before(std::size_t early, std::size_t late) const {
        return clocks_.row(late)[footprints_[early].thread] >= entries_[early].tick;
    }

    // All races between events of the trace, ordered by their later event.
    [[nodiscard]] std::span<const Race> races() const { return races_; }
    // The races of an event that waits for its guard at the end of the trace.
    [[nodiscard]] std::span<const Race> races_of_pending(const Event& pending);
    // The clock of the event that `races_of_pending` was last asked about, as if it came next.
    [[nodiscard]] const Tick* pending_clock() const { return past_.data(); }

    // The access that `event` makes if it is performed just before event number i, which races with it.
    [[nodiscard]] Access access_before(std::size_t i, const Event& event) const;

private:
    struct Entry {
        Event event;
        Tick tick;                      // its number in its thread, from 1
        EventIndex previous_of_thread;  // these three: as the heads below were before it
        EventIndex previous_access;
        EventIndex previous_write;
        std::uint32_t races_before;  // races of the events before it
    };
    struct Heads {
        EventIndex access = no_event;  // last event on the location
        EventIndex write = no_event;   // last one that wrote
    };
    struct Value {
        bool known;
        std::uint64_t value;
    };

    void begin_past(const Event& event, Tick* past) const;
    void find_races(const Event& event, EventIndex index, Tick* past, std::vector<Race>& races);
    [[nodiscard]] Value value_before(EventIndex i, const Event& event) const;
    [[nodiscard]] bool could_run_before(EventIndex i, const Event& event) const;

    std::vector<Entry> entries_;
    std::vector<Footprint> footprints_;  // of the same events, close together for the scans
    ClockTable clocks_;
    std::vector<Race> races_;
    std::vector<EventIndex> last_of_thread_;
    std::vector<Heads> heads_;  // by location
    std::vector<Race> pending_races_;
    std::vector<Tick> settled_;  // scratch of find_races
    std::vector<Tick> past_;     // scratch of races_of_pending
};

}  // namespace norn
