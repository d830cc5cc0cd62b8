// Witness: tries to put the events of a graph into an order that is an execution with their sources, along a
// given earlier execution. The second of the three steps that decide whether a choice of sources is
// consistent (see consistency/witness_finder.h).
//
// The events are taken in the order of the guide. Before an event comes whatever must: what the saturated
// order puts before it and, for a write, the reads of the value that it overwrites. This orders the writes of
// each cell as the guide does where nothing speaks against it. It fails if an event would have to come before
// itself, which need not mean that there is no witness.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "consistency/saturate.h"
#include "graph/source_graph.h"

namespace norn {

class Witness {
public:
    // `guide` lists events, in an order that need not be consistent; events that it does not list come last.
    bool find(const SourceGraph& graph, const Saturation& order, std::span<const EventIndex> guide);

    [[nodiscard]] const std::vector<EventIndex>& events() const { return events_; }

private:
    struct Visit {
        EventIndex event;
        std::uint32_t thread;  // what comes before it in the threads below this one is done
    };
    struct Content {
        std::uint64_t run;  // the entry is valid if it is of this run
        AccessIndex write;
    };

    bool take(EventIndex event);
    [[nodiscard]] EventIndex missing(Visit& visit) const;
    [[nodiscard]] bool is_done(EventIndex event) const {
        const SourceGraph::Node& node = graph_->node(event);
        return node.tick <= done_[node.thread];
    }
    [[nodiscard]] AccessIndex content(CellId cell) const {
        return contents_[cell].run == run_ ? contents_[cell].write : no_access;
    }
    [[nodiscard]] bool try_now(EventIndex event);
    void perform(EventIndex event);

    const SourceGraph* graph_ = nullptr;
    const Saturation* order_ = nullptr;
    std::uint64_t run_ = 0;
    std::vector<EventIndex> events_;
    std::vector<Tick> done_;              // events of each thread that are in `events_`
    std::vector<Content> contents_;       // by cell: its last write
    std::vector<Visit> visits_;           // what is being taken, each because of the one below it
    std::vector<std::uint64_t> visited_;  // by event: the run in which it was visited
};

}  // namespace norn
