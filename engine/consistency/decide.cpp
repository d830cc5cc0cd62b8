#include "consistency/decide.h"

#include <algorithm>

namespace norn {

bool Decision::find(const SourceGraph& graph, const Saturation& order) {
    graph_ = &graph;
    order_ = &order;
    done_.assign(graph.threads(), 0);
    events_.clear();
    frontiers_.clear();
    table_.assign(64, 0);
    next_.assign(1, 0);
    visit();
    // Depth first: next_.back() is the thread to try next from the current frontier.
    while (events_.size() < graph.size()) {
        std::uint16_t& thread = next_.back();
        if (thread == graph.threads()) {
            next_.pop_back();
            if (events_.empty()) return false;
            --done_[graph.node(events_.back()).thread];
            events_.pop_back();
            continue;
        }
        const ThreadId harmless = thread == 0 ? find_harmless() : no_thread;
        const ThreadId tried = harmless == no_thread ? thread : harmless;
        thread = harmless == no_thread ? static_cast<std::uint16_t>(thread + 1)
                                       : static_cast<std::uint16_t>(graph.threads());
        if (done_[tried] == graph.of_thread(tried).size()) continue;
        const EventIndex event = graph.of_thread(tried)[done_[tried]];
        if (harmless == no_thread && !possible(event)) continue;
        ++done_[tried];
        if (visit()) {
            events_.push_back(event);
            next_.push_back(0);
        } else {
            --done_[tried];
        }
    }
    return true;
}

// A thread whose next event can be performed at once and takes nothing away from the others: it writes
// nothing, or what nobody reads. (What it overwrites nobody needs, since it is possible.) Then no other need
// be tried.
ThreadId Decision::find_harmless() const {
    for (std::size_t t = 0; t < done_.size(); ++t) {
        const std::vector<EventIndex>& events = graph_->of_thread(static_cast<ThreadId>(t));
        if (done_[t] < events.size() && is_unread(events[done_[t]]) && possible(events[done_[t]]))
            return static_cast<ThreadId>(t);
    }
    return no_thread;
}

bool Decision::is_unread(EventIndex event) const {
    if (!graph_->node(event).writes) return true;
    for (const SourceGraph::Access& access : graph_->accesses_of(event))
        if (access.first_reader != no_access) return false;
    return true;
}

bool Decision::possible(EventIndex event) const {
    const SourceGraph::Node& node = graph_->node(event);
    const Tick* const clock = order_->clock(event);
    for (std::size_t t = 0; t < done_.size(); ++t)
        if (t != node.thread && clock[t] > done_[t]) return false;
    if (node.writes)
        for (const SourceGraph::Access& access : graph_->accesses_of(event))
            if (overwrites_what_is_needed(event, access)) return false;
    return true;
}

// Some read that is still to come has its source behind it already.
bool Decision::overwrites_what_is_needed(EventIndex event, const SourceGraph::Access& write) const {
    for (const SourceGraph::Column& column : graph_->cell(write.cell).columns)
        for (std::size_t i = column.reads.size(); i-- > 0;) {
            const SourceGraph::Access& read = graph_->access(column.reads[i]);
            if (is_done(read.event)) break;
            if (read.event == event || read.source == undecided) continue;
            if (read.source == no_access || is_done(graph_->access(read.source).event)) return true;
        }
    return false;
}

// False: this frontier was visited before.
bool Decision::visit() {
    const std::size_t width = done_.size();
    if (2 * (frontiers_.size() / width + 1) > table_.size()) grow_table();
    std::size_t slot = hash(done_.data()) & (table_.size() - 1);
    for (; table_[slot] != 0; slot = (slot + 1) & (table_.size() - 1))
        if (std::equal(done_.begin(), done_.end(),
                       frontiers_.begin() + static_cast<std::ptrdiff_t>((table_[slot] - 1) * width)))
            return false;
    frontiers_.insert(frontiers_.end(), done_.begin(), done_.end());
    table_[slot] = static_cast<std::uint32_t>(frontiers_.size() / width);
    return true;
}

void Decision::grow_table() {
    const std::size_t width = done_.size();
    table_.assign(table_.size() * 2, 0);
    for (std::size_t i = 0; i < frontiers_.size() / width; ++i) {
        std::size_t slot = hash(frontiers_.data() + i * width) & (table_.size() - 1);
        while (table_[slot] != 0) slot = (slot + 1) & (table_.size() - 1);
        table_[slot] = static_cast<std::uint32_t>(i + 1);
    }
}

std::uint64_t Decision::hash(const Tick* frontier) const {
    std::uint64_t hash = 0;
    for (std::size_t t = 0; t < done_.size(); ++t) hash = (hash ^ frontier[t]) * 0x9E37'79B9'7F4A'7C15U;
    return hash ^ (hash >> 29);
}

}  // namespace norn
