// Decide: the complete search for an execution with given sources. The last of the three steps that decide
// whether a choice of sources is consistent, for the rare case that the other two leave it open (see
// consistency/witness_finder.h).
//
// A *frontier* says how many events of each thread have been performed. What may come next depends on nothing
// else: a read if its sources have been performed, a write if no read of a value that it overwrites is still
// to come. So no frontier has to be searched twice, and the search takes time polynomial in the number of
// events and exponential only in the number of threads. Section 5.3 of the paper named in
// consistency/saturate.h.
#pragma once

#include <cstdint>
#include <vector>

#include "consistency/saturate.h"
#include "graph/source_graph.h"

namespace norn {

class Decision {
public:
    // The saturated order prunes the search: whatever it puts before an event must come before it.
    bool find(const SourceGraph& graph, const Saturation& order);

    [[nodiscard]] const std::vector<EventIndex>& events() const { return events_; }

private:
    static constexpr ThreadId no_thread = UINT16_MAX;

    [[nodiscard]] bool possible(EventIndex event) const;
    [[nodiscard]] ThreadId find_harmless() const;
    [[nodiscard]] bool is_unread(EventIndex event) const;
    [[nodiscard]] bool is_done(EventIndex event) const {
        const SourceGraph::Node& node = graph_->node(event);
        return node.tick <= done_[node.thread];
    }
    [[nodiscard]] bool overwrites_what_is_needed(EventIndex event, const SourceGraph::Access& write) const;
    bool visit();
    void grow_table();
    [[nodiscard]] std::uint64_t hash(const Tick* frontier) const;

    const SourceGraph* graph_ = nullptr;
    const Saturation* order_ = nullptr;
    std::vector<Tick> done_;  // the frontier
    std::vector<EventIndex> events_;
    std::vector<std::uint16_t> next_;   // by performed event: the thread to try after it
    std::vector<Tick> frontiers_;       // all that were visited, one after the other
    std::vector<std::uint32_t> table_;  // by hash: number of a frontier + 1, or 0
};

}  // namespace norn
