#include "host/race_watch.h"

#include <algorithm>
#include <vector>

#include "executor/native/ticks.h"
#include "host/messages.h"

namespace norn {

namespace {

// Nobody reads more warnings than these.
constexpr std::size_t most_warnings = 200;

// In a replay it is not known from the start what is shared: all memory is numbered afterwards, so that
// accesses that overlap, also by way of others, have the same location.
std::vector<Event> with_locations(std::span<const Event> events) {
    std::vector<Event> all(events.begin(), events.end());
    std::vector<Event*> accesses;
    for (Event& event : all)
        if (event.access != Access::none) accesses.push_back(&event);
    std::sort(accesses.begin(), accesses.end(),
              [](const Event* a, const Event* b) { return a->address < b->address; });
    LocationId location = 0;
    std::uint64_t end = 0;
    for (Event* const event : accesses) {
        if (event->address >= end) ++location;
        end = std::max(end, event->address + event->size);
        event->location = location;
    }
    return all;
}

}  // namespace

RaceWatch::RaceWatch(native::NativeExecutor& executor, const Options& options, Shrinking* shrinking)
    : executor_(executor),
      shrinking_(options.races == Options::Races::error ? shrinking : nullptr),
      is_on_(options.races != Options::Races::off),
      was_on_(is_on_),
      has_limit_(options.races == Options::Races::warn),
      places_(is_on_ ? options.benign : "") {
    if (options.strong_atomics) finder_.take_atomics_for_strong();
}

bool RaceWatch::look_at(const Execution& execution, std::uint64_t executions) {
    if (!is_on_ || !execution.has_plain) return false;
    bool found = false;
    for (const Race& race : finder_.find(execution.events, execution.threads)) {
        const Event& first = execution.events[race.first];
        const Event& second = execution.events[race.second];
        if (!is_new(first, second)) continue;
        found = true;
        native::World& w = native::world();
        w.watched[0].event = race.first;
        w.watched[1].event = race.second;
        executor_.record(up_to_race(execution, race.second));
        send_race(first, second, w.watched, executions);
        if (shrinking_ != nullptr) shrinking_->remember_race(first, second, execution);
        if (!has_limit_ || known_.size() < most_warnings) continue;
        is_on_ = false;
        break;
    }
    return found;
}

void RaceWatch::look_at_replay(const Execution& execution) {
    if (!is_on_) return;
    const std::vector<Event> events = with_locations(execution.events);
    for (const Race& race : finder_.find(events, execution.threads))
        if (is_new(events[race.first], events[race.second]))
            send_race_of_replay(events[race.first], events[race.second], native::step_of(race.first),
                                native::step_of(race.second));
}

bool RaceWatch::is_new(const Event& a, const Event& b) {
    if (known_.has(a, b)) return false;
    if (places_.covers(a, b)) {
        benign_.add(a, b);
        return false;
    }
    return known_.add(a, b);
}

}  // namespace norn
