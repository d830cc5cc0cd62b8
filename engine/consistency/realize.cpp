#include "consistency/realize.h"

#include <algorithm>
#include <utility>

namespace norn {

Realization::Answer Realization::find(const SourceGraph& graph, const Saturation& order) {
    graph_ = &graph;
    order_ = &order;
    first_variable_.assign(graph.threads() * graph.threads(), none);
    relevant_.resize(graph.threads());
    for (std::vector<EventIndex>& events : relevant_) events.clear();
    rank_.assign(graph.size(), none);
    find_rivals();
    number_variables();
    formula_.begin(variables_);
    for (const Rival& rival : rivals_)
        if (!imply(rival.write, rival.read, rival.write, rival.source)) return Answer::no;
    for (std::size_t a = 0; a < graph.threads(); ++a)
        for (std::size_t b = 0; b < graph.threads(); ++b)
            if (first_variable(static_cast<ThreadId>(std::min(a, b)),
                               static_cast<ThreadId>(std::max(a, b))) != none &&
                a != b && !add_transitivity(static_cast<ThreadId>(a), static_cast<ThreadId>(b)))
                return Answer::no;
    if (!formula_.solve()) return Answer::no;
    return linearize() ? Answer::yes : Answer::open;
}

void Realization::find_rivals() {
    rivals_.clear();
    for (CellId cell = 0; cell < graph_->cells(); ++cell)
        for (const SourceGraph::Column& readers : graph_->cell(cell).columns)
            for (const AccessIndex reading : readers.reads) {
                const SourceGraph::Access& read = graph_->access(reading);
                // Either it comes before all writes, which is a fact, or it may find anything.
                if (read.source >= undecided) continue;
                const EventIndex source = graph_->access(read.source).event;
                for (const SourceGraph::Column& writers : graph_->cell(cell).columns)
                    for (const AccessIndex writing : writers.writes) {
                        const EventIndex write = graph_->access(writing).event;
                        if (write == source || write == read.event || order_->before(write, source) ||
                            order_->before(read.event, write))
                            continue;
                        note_rival({write, source, read.event});
                    }
            }
}

void Realization::note_rival(const Rival& rival) {
    rivals_.push_back(rival);
    join_threads(rival.write, rival.source);
    join_threads(rival.write, rival.read);
    for (const EventIndex event : {rival.write, rival.source, rival.read}) {
        if (rank_[event] != none) continue;
        rank_[event] = 0;
        relevant_[graph_->node(event).thread].push_back(event);
    }
}

// Makes sure that the threads of two events have variables.
void Realization::join_threads(EventIndex a, EventIndex b) {
    const auto [first, second] = std::minmax(graph_->node(a).thread, graph_->node(b).thread);
    if (first != second) first_variable_[first * graph_->threads() + second] = 0;
}

void Realization::number_variables() {
    // (Of a thread the earlier events have the smaller numbers.)
    for (std::vector<EventIndex>& events : relevant_) {
        std::sort(events.begin(), events.end());
        for (std::uint32_t i = 0; i < events.size(); ++i) rank_[events[i]] = i;
    }
    variables_ = 0;
    for (std::size_t a = 0; a < graph_->threads(); ++a)
        for (std::size_t b = a + 1; b < graph_->threads(); ++b) {
            std::uint32_t& first = first_variable_[a * graph_->threads() + b];
            if (first == none) continue;
            first = variables_;
            variables_ += static_cast<std::uint32_t>(relevant_[a].size() * relevant_[b].size());
        }
}

// Of two relevant events.
Realization::Order Realization::order_of(EventIndex early, EventIndex late) const {
    if (order_->before(early, late)) return {Order::Kind::always};
    if (order_->before(late, early)) return {Order::Kind::never};
    const SourceGraph::Node& a = graph_->node(early);
    const SourceGraph::Node& b = graph_->node(late);
    const bool in_order = a.thread < b.thread;
    const SourceGraph::Node& low = in_order ? a : b;
    const SourceGraph::Node& high = in_order ? b : a;
    const std::uint32_t first = first_variable(low.thread, high.thread);
    if (first == none) return {Order::Kind::free};
    const auto width = static_cast<std::uint32_t>(relevant_[high.thread].size());
    const std::uint32_t row = rank_[in_order ? early : late];
    const std::uint32_t column = rank_[in_order ? late : early];
    const TwoSat::Literal literal = TwoSat::positive(first + row * width + column);
    return {Order::Kind::variable, in_order ? literal : TwoSat::negation(literal)};
}

// If a comes before b, c comes before d. False: that cannot be.
bool Realization::imply(EventIndex a, EventIndex b, EventIndex c, EventIndex d) {
    using Kind = Order::Kind;
    const Order premise = order_of(a, b);
    const Order conclusion = order_of(c, d);
    if (premise.kind == Kind::never || conclusion.kind == Kind::always || premise.kind == Kind::free ||
        conclusion.kind == Kind::free)
        return true;
    if (premise.kind == Kind::always) {
        if (conclusion.kind == Kind::never) return false;
        formula_.demand(conclusion.literal);
    } else if (conclusion.kind == Kind::never) {
        formula_.demand(TwoSat::negation(premise.literal));
    } else {
        formula_.imply(premise.literal, conclusion.literal);
    }
    return true;
}

// What follows if an event of thread a comes before one of thread b.
bool Realization::add_transitivity(ThreadId a, ThreadId b) {
    for (const EventIndex early : relevant_[a])
        for (const EventIndex late : relevant_[b]) {
            if (order_of(early, late).kind != Order::Kind::variable) continue;
            for (std::size_t t = 0; t < graph_->threads(); ++t) {
                const auto thread = static_cast<ThreadId>(t);
                const EventIndex after = thread == a ? no_event : first_after(late, thread);
                if (after != no_event && !imply(early, late, early, after)) return false;
                const EventIndex before = thread == b ? no_event : last_before(early, thread);
                if (before != no_event && !imply(early, late, before, late)) return false;
            }
        }
    return true;
}

// The first relevant event of a thread, other than the event itself, that comes after it by a fact.
EventIndex Realization::first_after(EventIndex event, ThreadId thread) const {
    const std::vector<EventIndex>& events = relevant_[thread];
    if (thread == graph_->node(event).thread) {
        const std::size_t next = rank_[event] + std::size_t{1};
        return next < events.size() ? events[next] : no_event;
    }
    const auto first = std::partition_point(events.begin(), events.end(),
                                            [&](EventIndex each) { return !order_->before(event, each); });
    return first == events.end() ? no_event : *first;
}

// The last one that comes before it.
EventIndex Realization::last_before(EventIndex event, ThreadId thread) const {
    const Tick done = order_->clock(event)[thread] - (thread == graph_->node(event).thread ? 1U : 0U);
    const std::size_t end = first_relevant(thread, done);
    return end == 0 ? no_event : relevant_[thread][end - 1];
}

std::size_t Realization::first_relevant(ThreadId thread, Tick after) const {
    const std::vector<EventIndex>& events = relevant_[thread];
    return static_cast<std::size_t>(
        std::partition_point(events.begin(), events.end(),
                             [&](EventIndex each) { return graph_->node(each).tick <= after; }) -
        events.begin());
}

// An execution that respects the facts and the values of the variables. False: these have a cycle.
bool Realization::linearize() {
    done_.assign(graph_->threads(), 0);
    events_.clear();
    while (events_.size() < graph_->size()) {
        const std::size_t before = events_.size();
        for (std::size_t t = 0; t < graph_->threads(); ++t) {
            const std::vector<EventIndex>& events = graph_->of_thread(static_cast<ThreadId>(t));
            while (done_[t] < events.size() && is_ready(events[done_[t]]))
                events_.push_back(events[done_[t]++]);
        }
        if (events_.size() == before) return false;
    }
    return true;
}

bool Realization::is_ready(EventIndex event) const {
    const Tick* const clock = order_->clock(event);
    const ThreadId own = graph_->node(event).thread;
    for (std::size_t t = 0; t < graph_->threads(); ++t) {
        const auto thread = static_cast<ThreadId>(t);
        if (thread == own) continue;
        if (clock[t] > done_[t]) return false;
        if (rank_[event] == none) continue;
        // If the next one of the thread need not come first, none of those after it need.
        const std::size_t next = first_relevant(thread, done_[t]);
        if (next == relevant_[t].size()) continue;
        const Order order = order_of(relevant_[t][next], event);
        if (order.kind == Order::Kind::variable && formula_.holds(order.literal)) return false;
    }
    return true;
}

}  // namespace norn
