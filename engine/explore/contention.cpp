#include "explore/contention.h"

namespace norn {

void Contention::learn(const Execution& execution) {
    begin(execution);
    for (std::size_t i = 0; i < execution.events.size(); ++i)
        take(execution.events[i], static_cast<EventIndex>(i));
    for (const Event& pending : execution.pending)
        if (pending.location < locations_.size()) look_at(pending, clocks_.row(pending.thread));
}

void Contention::begin(const Execution& execution) {
    for (const LocationId location : touched_) locations_[location] = {};
    touched_.clear();
    news_.clear();
    spawns_.clear();
    clocks_.fit_threads(execution.threads);
    clocks_.fit_rows(execution.threads);
    rows_ = execution.threads;
    for (std::size_t t = 0; t < rows_; ++t) clocks_.clear(clocks_.row(t));
}

void Contention::take(const Event& event, EventIndex index) {
    for (const Spawn& spawn : spawns_)
        if (spawn.event == event.cause) clocks_.join(clocks_.row(event.thread), clocks_.row(spawn.row));
    const Tick tick = ++clocks_.row(event.thread)[event.thread];
    if (event.operation == Operation::spawn) {
        clocks_.fit_rows(rows_ + 1);
        clocks_.copy(clocks_.row(rows_), clocks_.row(event.thread));
        spawns_.push_back({index, static_cast<std::uint32_t>(rows_++)});
    }
    if (event.access == norn::Access::none) return;
    if (event.location >= locations_.size()) locations_.resize(event.location + 1U);
    Location& location = locations_[event.location];
    if (event.operation == Operation::end) location.ended = event.thread;
    if (event.operation == Operation::join && location.ended != no_thread)
        clocks_.join(clocks_.row(event.thread), clocks_.row(location.ended));
    look_at(event, clocks_.row(event.thread));
    if (is_contended(event.location)) return;
    if (location.accesses.empty()) touched_.push_back(event.location);
    Access* own = nullptr;
    for (Access& access : location.accesses)
        if (access.thread == event.thread) own = &access;
    if (own == nullptr) {
        location.accesses.push_back({event.thread, 0, 0});
        own = &location.accesses.back();
    }
    (event.writes() ? own->write : own->read) = tick;
}

void Contention::look_at(const Event& event, const Tick* clock) {
    if (is_contended(event.location)) return;
    for (const Access& access : locations_[event.location].accesses) {
        if (access.thread == event.thread) continue;
        const Tick conflicting = event.writes() && access.read > access.write ? access.read : access.write;
        if (conflicting <= clock[access.thread]) continue;
        if (event.location >= contended_.size()) contended_.resize(event.location + 1U);
        contended_[event.location] = 1;
        news_.push_back(event.location);
        return;
    }
}

}  // namespace norn
