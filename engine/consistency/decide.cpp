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
        const ThreadId tried = thread++;
        if (done_[tried] == graph.of_thread(tried).size()) continue;
        const EventIndex event = graph.of_thread(tried)[done_[tried]];
        if (!possible(event)) continue;
        ++done_[tried];
        if (visit()) {
            events_.push_back(event);
            next_.push_back(0);
            // An event that writes nothing takes nothing away from the others: no need to try them first.
            if (!graph.node(event).writes)
                next_[next_.size() - 2] = static_cast<std::uint16_t>(graph.threads());
        } else {
            --done_[tried];
        }
    }
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
