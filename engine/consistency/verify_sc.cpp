#include "consistency/verify_sc.h"

#include <algorithm>

namespace norn {

VerifySc::Answer VerifySc::find(const SourceGraph& graph, Saturation& order, std::size_t known,
                                std::vector<EventIndex>& execution, Demand demand) {
    begin(graph, known, execution);
    order_ = nullptr;
    if (!search_only_ && demand == Demand::good_writes) {
        answered_by_ = Step::descent;
        follow_beginning(known, execution);
        if (descend(known)) {
            accept(known, performed_, execution);
            return Answer::yes;
        }
        answered_by_ = Step::closure;
        if (!order.advance(graph.size())) return Answer::no;
    }
    if (!search_only_ || demand == Demand::order) {
        answered_by_ = Step::ordered_descent;
        order_ = &order;
        restart();
        if (descend(known)) {
            accept(known, performed_, execution);
            return Answer::yes;
        }
    }
    answered_by_ = Step::search;
    const Answer answer = search_.find(graph, order_, guide_, limit_);
    if (answer == Answer::yes) accept(known, search_.events(), execution);
    return answer;
}

void VerifySc::begin(const SourceGraph& graph, std::size_t known, const std::vector<EventIndex>& guide) {
    graph_ = &graph;
    guide_.clear();
    if (search_only_) {
        for (std::size_t t = 0; t < graph.threads(); ++t)
            for (const EventIndex event : graph.of_thread(static_cast<ThreadId>(t))) guide_.push_back(event);
    } else {
        for (const EventIndex event : guide)
            if (event < known) guide_.push_back(event);
        for (auto event = static_cast<EventIndex>(known); event < graph.size(); ++event)
            guide_.push_back(event);
    }
    restart();
}

void VerifySc::restart() {
    performed_.clear();
    done_.assign(graph_->clocks().stride(), 0);
    contents_.assign(graph_->cells(), no_access);
}

// Performs what is at the beginning of the guide, up to where the newest event demands something else.
void VerifySc::follow_beginning(std::size_t known, const std::vector<EventIndex>& guide) {
    const auto newest = static_cast<EventIndex>(known);
    if (known + 1 != graph_->size() || !graph_->node(newest).reads) return;
    const std::span<const SourceGraph::Access> reads = graph_->accesses_of(newest);
    for (const EventIndex event : guide) {
        if (event >= known) return;
        if (graph_->node(event).writes)
            for (const SourceGraph::Access& write : graph_->accesses_of(event))
                for (const SourceGraph::Access& read : reads)
                    if (read.cell == write.cell && holds(read)) return;
        perform(event);
    }
}

// Performs everything, in the order of the guide where that is possible. False: that ends too early.
bool VerifySc::descend(std::size_t known) {
    std::size_t first = performed_.size();  // all of the guide before it is done
    const std::size_t size = guide_.size();
    while (performed_.size() < size) {
        while (is_done(guide_[first])) ++first;
        EventIndex next = no_event;
        // The new events are at the end of the guide, but nothing keeps them from coming earlier.
        for (std::size_t i = known; i < size && next == no_event; ++i)
            if (is_next(guide_[i]) && can_be_performed(guide_[i])) next = guide_[i];
        for (std::size_t i = first; i < size && next == no_event; ++i)
            if (is_next(guide_[i]) && can_be_performed(guide_[i])) next = guide_[i];
        if (next == no_event) return false;
        perform(next);
    }
    return true;
}

void VerifySc::accept(std::size_t known, const std::vector<EventIndex>& witness,
                      std::vector<EventIndex>& execution) {
    kept_ = 0;
    while (kept_ < execution.size() && kept_ < witness.size() && execution[kept_] < known &&
           execution[kept_] == witness[kept_])
        ++kept_;
    execution = witness;
}

// Whether the event, which is the next one of its thread, can be performed now.
bool VerifySc::can_be_performed(EventIndex event) const {
    const SourceGraph::Node& node = graph_->node(event);
    if (node.cause != no_event && !is_done(node.cause)) return false;
    if (order_ != nullptr) {
        const Tick* const clock = order_->clock(event);
        for (std::size_t t = 0; t < graph_->threads(); ++t)
            if (clock[t] > done_[t] && t != node.thread) return false;
    }
    return !(node.reads && !finds_good_writes(event)) && !(node.writes && overwrites_what_is_held(event));
}

bool VerifySc::finds_good_writes(EventIndex event) const {
    for (const SourceGraph::Access& read : graph_->accesses_of(event))
        if (!graph_->is_good(read, contents_[read.cell])) return false;
    return true;
}

// (What has been overwritten already nobody holds: so of the reads with a known source only those of what is
// there now can.)
bool VerifySc::overwrites_what_is_held(EventIndex event) const {
    const auto waits = [&](const SourceGraph::Access& read) {
        return read.event != event && !is_done(read.event);
    };
    for (const SourceGraph::Access& write : graph_->accesses_of(event)) {
        for (AccessIndex reader = graph_->first_reader(contents_[write.cell], write.cell);
             reader != no_access; reader = graph_->access(reader).next_reader)
            if (waits(graph_->access(reader))) return true;
        for (const AccessIndex open : graph_->cell(write.cell).open_reads)
            if (waits(graph_->access(open)) && holds(graph_->access(open))) return true;
    }
    return false;
}

// Whether all good writes of a read have been performed.
bool VerifySc::holds(const SourceGraph::Access& read) const {
    const auto is_performed = [&](AccessIndex write) {
        return write == no_access || is_done(graph_->access(write).event);
    };
    if (read.source != undecided) return is_performed(read.source);
    for (const AccessIndex good : graph_->goods_of(read))
        if (!is_performed(good)) return false;
    return read.goods > 0;
}

void VerifySc::perform(EventIndex event) {
    const SourceGraph::Node& node = graph_->node(event);
    if (node.writes)
        for (AccessIndex access = node.first; access < node.first + node.count; ++access) {
            contents_[graph_->access(access).cell] = access;
        }
    ++done_[node.thread];
    performed_.push_back(event);
}

}  // namespace norn
