// Part of `reads-value-from` (reads_value_from.cpp): reads that find the same value whenever they come.
//
// If all that is ever written to a location is one value, and the thread itself has written there before (or
// its parent had, when it started the thread; or the location begins with that value), then the read depends
// on nothing: it needs no call, and no source. Whether it is so, only the whole exploration can tell. So it
// is assumed as long as nothing speaks against it, and if an execution writes something else there the
// exploration begins again without it. That is sound: let an execution of the program write something else,
// and cut it off there. All reads before that found what they were taken to find, so the explorer, to which
// this is an execution like any other, meets one with the same events, sees that write, and begins again.
//
// The executor prefers reads of such locations (graph/schedule.h), so that they are performed before any
// other read, as the events are that do not depend on a value at all.
#include <algorithm>
#include <utility>

#include "explore/reads_value_from_search.h"

namespace norn {

namespace {

bool may_write(const Event& event) {
    return event.writes() || (event.condition != Condition::always && event.operation != Operation::join);
}

// Whether the event leaves no value that would tell whether it has happened.
bool leaves_more_than_a_value(const Event& event) {
    switch (event.operation) {
        case Operation::store:
        case Operation::rmw:
        case Operation::compare_exchange: return event.size > largest_value;
        default: return true;
    }
}

}  // namespace

// Takes in what the execution did. If that proves wrong what a read was taken for, the values are not known.
void ReadsValueFromSearch::learn_forecast(const Execution& execution) {
    ticks_.assign(execution.threads, 0);
    ++run_;
    forecast_has_changed_ = false;
    for (std::size_t i = 0; i < execution.events.size(); ++i) {
        const Event& event = execution.events[i];
        const std::uint32_t tick = ++ticks_[event.thread];
        if (event.access == norn::Access::none) continue;
        if (forecast_.locations.size() <= event.location) {
            forecast_.locations.resize(event.location + 1);
            relied_on_.resize(event.location + 1, 0);
            touched_in_.resize(event.location + 1, 0);
        }
        Forecast::Location& known = forecast_.locations[event.location];
        const bool is_first = std::exchange(touched_in_[event.location], run_) != run_;
        if (i < kept_) continue;
        const Forecast::Writes before = known.writes;
        if (!known.was_seen) {
            forecast_has_changed_ = true;
            known.was_seen = true;
            known.address = event.address;
            known.size = event.size;
            known.initial = event.before;
        }
        if (known.address != event.address || known.size != event.size || event.size > largest_value ||
            (is_first && known.initial != event.before))
            known.writes = Forecast::Writes::different;
        if (may_write(event)) {
            if (known.last_write.size() <= event.thread) known.last_write.resize(event.thread + 1, 0);
            known.last_write[event.thread] = std::max(known.last_write[event.thread], tick);
        }
        if (event.writes()) {
            if (leaves_more_than_a_value(event)) {
                known.writes = Forecast::Writes::different;
            } else if (known.writes == Forecast::Writes::none) {
                known.writes = Forecast::Writes::same;
                known.value = event.after;
            } else if (known.value != event.after) {
                known.writes = Forecast::Writes::different;
            }
        }
        if (known.writes == before) continue;
        forecast_has_changed_ = true;
        if (relied_on_[event.location] != 0) values_known_ = false;
    }
}

// Whether the thread, whose next event has this cause, has written a cell before, or its parent had when it
// started the thread, or the parent of that one ...
bool ReadsValueFromSearch::has_written(ThreadId thread, EventIndex cause, CellId cell) const {
    Tick until = UINT32_MAX;
    for (;;) {
        for (const SourceGraph::Column& column : graph_.cell(cell).columns)
            if (column.thread == thread && !column.writes.empty() &&
                graph_.tick_of(column.writes.front()) <= until)
                return true;
        const std::vector<EventIndex>& events = graph_.of_thread(thread);
        const EventIndex started_by = events.empty() ? cause : graph_.node(events.front()).cause;
        if (started_by == no_event) return false;
        thread = graph_.node(started_by).thread;
        until = graph_.node(started_by).tick;
    }
}

// Whether the load, which is the next event of its thread, finds the same in any case.
bool ReadsValueFromSearch::is_constant(const Event& event, EventIndex cause) {
    if (event.operation != Operation::load || without_.constants) return false;
    if (event.location >= forecast_.locations.size()) return false;  // nothing has been performed there yet
    if (forecast_.locations[event.location].writes == Forecast::Writes::different) return false;
    // All accesses of the location are alike: it is one cell.
    cells_of_event_.clear();
    cells_.append_cells_of(event, cells_of_event_);
    if (values_.is_written_unseen(cells_of_event_[0])) {
        forecast_.locations[event.location].writes = Forecast::Writes::different;
        forecast_has_changed_ = true;
        return false;
    }
    if (!forecast_.is_constant(event.location, has_written(event.thread, cause, cells_of_event_[0])))
        return false;
    relied_on_[event.location] = 1;
    // Its source is not told apart, but counts where it makes reads come after each other.
    if (forecast_.locations[event.location].writes == Forecast::Writes::same) may_meet_again_ = true;
    return true;
}

}  // namespace norn
