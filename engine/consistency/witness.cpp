#include "consistency/witness.h"

namespace norn {

bool Witness::find(const SourceGraph& graph, const Saturation& order, std::span<const EventIndex> guide) {
    graph_ = &graph;
    order_ = &order;
    ++run_;
    events_.clear();
    done_.assign(graph.clocks().stride(), 0);
    if (contents_.size() < graph.cells()) contents_.resize(graph.cells(), {0, no_access});
    if (visited_.size() < graph.size()) visited_.resize(graph.size(), 0);
    for (const EventIndex event : guide)
        if (event < graph.size() && !try_now(event) && !take(event)) return false;
    for (EventIndex event = 0; events_.size() < graph.size(); ++event)
        if (!try_now(event) && !take(event)) return false;
    return true;
}

// The usual case: nothing is missing. True also if the event is done already.
bool Witness::try_now(EventIndex event) {
    const SourceGraph::Node& node = graph_->node(event);
    if (node.tick != done_[node.thread] + 1) return node.tick <= done_[node.thread];
    // As if it were done, so that it needs no exception for itself.
    ++done_[node.thread];
    const Tick* const clock = order_->clock(event);
    bool ready = true;
    for (std::size_t t = 0; t < done_.size(); ++t) ready = ready && clock[t] <= done_[t];
    if (ready && node.writes)
        for (const SourceGraph::Access& access : graph_->accesses_of(event))
            for (AccessIndex reader = graph_->first_reader(content(access.cell), access.cell);
                 ready && reader != no_access; reader = graph_->access(reader).next_reader)
                ready = is_done(graph_->access(reader).event);
    --done_[node.thread];
    if (ready) perform(event);
    return ready;
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
        for (AccessIndex reader = graph_->first_reader(content(access.cell), access.cell);
             reader != no_access; reader = graph_->access(reader).next_reader) {
            const EventIndex reading = graph_->access(reader).event;
            if (reading != visit.event && !is_done(reading)) return reading;
        }
    return no_event;
}

void Witness::perform(EventIndex event) {
    const SourceGraph::Node& node = graph_->node(event);
    ++done_[node.thread];
    if (node.writes)
        for (std::uint32_t i = 0; i < node.count; ++i)
            contents_[graph_->access(node.first + i).cell] = {run_, node.first + i};
    events_.push_back(event);
}

}  // namespace norn
