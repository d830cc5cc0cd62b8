#include "consistency/witness.h"

namespace norn {

bool Witness::find(const SourceGraph& graph, const Saturation& order, std::size_t known,
                   std::vector<EventIndex>& execution) {
    graph_ = &graph;
    order_ = &order;
    events_ = &execution;
    ++run_;
    contents_.begin(graph.cells());
    done_.assign(graph.clocks().stride(), 0);
    if (visited_.size() < graph.size()) {
        visited_.resize(graph.size(), 0);
        grown_.resize(graph.size(), 0);
    }
    for (const EventIndex event : order.grown_since(known)) grown_[event] = run_;

    keep_beginning(known);
    rest_.assign(execution.begin() + static_cast<std::ptrdiff_t>(kept_), execution.end());
    execution.resize(kept_);
    bool found = true;
    // What comes before a known event comes before it in the guide too, unless its clock has grown since.
    for (const EventIndex event : rest_)
        if (event < known) found = found && (try_now(event, grown_[event] != run_) || take(event));
    for (auto event = static_cast<EventIndex>(known); event < graph.size(); ++event)
        found = found && (try_now(event, false) || take(event));
    if (!found) {
        execution.resize(kept_);
        execution.insert(execution.end(), rest_.begin(), rest_.end());
    }
    return found;
}

// Performs the events at the beginning of the guide for which nothing has changed.
void Witness::keep_beginning(std::size_t known) {
    kept_ = 0;
    for (const EventIndex event : *events_) {
        if (event >= known || grown_[event] == run_) return;
        const SourceGraph::Node& node = graph_->node(event);
        if (node.writes) {
            if (overwrites_what_is_new(event, known)) return;
            contents_.note(*graph_, event);
        }
        ++done_[node.thread];
        ++kept_;
    }
}

// Whether a new event reads what a known one overwrites. The reader that is listed first is the newest.
bool Witness::overwrites_what_is_new(EventIndex event, std::size_t known) const {
    for (const SourceGraph::Access& access : graph_->accesses_of(event)) {
        const AccessIndex reader = graph_->first_reader(contents_[access.cell], access.cell);
        if (reader != no_access && graph_->access(reader).event >= known) return true;
    }
    return false;
}

// The usual case: nothing is missing. True also if the event is done already. `is_settled`: all that comes
// before it is done.
bool Witness::try_now(EventIndex event, bool is_settled) {
    const SourceGraph::Node& node = graph_->node(event);
    if (node.tick <= done_[node.thread]) return true;
    if (node.tick != done_[node.thread] + 1) return false;
    // As if it were done, so that it needs no exception for itself.
    ++done_[node.thread];
    const bool ready = (is_settled || graph_->clocks().contains(done_.data(), order_->clock(event))) &&
                       !(node.writes && overwrites_what_is_needed(event));
    --done_[node.thread];
    if (ready) perform(event);
    return ready;
}

bool Witness::overwrites_what_is_needed(EventIndex event) const {
    for (const SourceGraph::Access& access : graph_->accesses_of(event))
        for (AccessIndex reader = graph_->first_reader(contents_[access.cell], access.cell);
             reader != no_access; reader = graph_->access(reader).next_reader)
            if (!is_done(graph_->access(reader).event)) return true;
    return false;
}

// Takes the event, after everything that must come before it.
bool Witness::take(EventIndex event) {
    visits_.clear();
    visits_.push_back({event, 0});
    visited_[event] = run_;
    while (!visits_.empty()) {
        const EventIndex needed = missing(visits_.back());
        if (needed == no_event) {
            perform(visits_.back().event);
            visits_.pop_back();
        } else {
            if (visited_[needed] == run_) return false;  // it waits for itself
            visited_[needed] = run_;
            visits_.push_back({needed, 0});
        }
    }
    return true;
}

// An event that must come before the one visited and is not done, or no_event.
EventIndex Witness::missing(Visit& visit) const {
    const SourceGraph::Node& node = graph_->node(visit.event);
    const Tick* const clock = order_->clock(visit.event);
    for (; visit.thread < graph_->threads(); ++visit.thread) {
        const Tick needed = visit.thread == node.thread ? node.tick - 1 : clock[visit.thread];
        if (done_[visit.thread] < needed)
            return graph_->of_thread(static_cast<ThreadId>(visit.thread))[done_[visit.thread]];
    }
    if (!node.writes) return no_event;
    for (const SourceGraph::Access& access : graph_->accesses_of(visit.event))
        for (AccessIndex reader = graph_->first_reader(contents_[access.cell], access.cell);
             reader != no_access; reader = graph_->access(reader).next_reader) {
            const EventIndex reading = graph_->access(reader).event;
            if (reading != visit.event && !is_done(reading)) return reading;
        }
    return no_event;
}

void Witness::perform(EventIndex event) {
    ++done_[graph_->node(event).thread];
    contents_.note(*graph_, event);
    events_->push_back(event);
}

}  // namespace norn
