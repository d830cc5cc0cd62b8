// Witness: tries to put the events of a graph into an order that is an execution with their sources, along a
// given earlier execution. The second of the three steps that decide whether a choice of sources is
// consistent (see consistency/witness_finder.h).
//
// The earlier execution, the *guide*, has performed the first events of the graph, the *known* ones, and then
// perhaps others that are not there any more. Its order is kept where nothing speaks against it. Before an
// event comes whatever must: what the saturated order puts before it and, for a write, the reads of the value
// that it overwrites. It fails if an event would have to come before itself, which need not mean that there
// is no witness.
//
// Mostly the new execution begins like the guide: up to the first event that is not known, or that has to
// wait for a new one, there is nothing to be done.
#pragma once

#include <cstdint>
#include <vector>

#include "consistency/contents.h"
#include "consistency/saturate.h"
#include "graph/source_graph.h"

namespace norn {

class Witness {
public:
    // Turns the guide into the witness. If there is none, the guide stays as it is.
    bool find(const SourceGraph& graph, const Saturation& order, std::size_t known,
              std::vector<EventIndex>& execution);

    // How many events at the beginning of the witness found last are those of the guide.
    [[nodiscard]] std::size_t kept() const { return kept_; }
    // What the cells contain after it.
    [[nodiscard]] CellContents& contents() { return contents_; }

private:
    struct Visit {
        EventIndex event;
        std::uint32_t thread;  // what comes before it in the threads below this one is done
    };

    void keep_beginning(std::size_t known);
    [[nodiscard]] bool overwrites_what_is_new(EventIndex event, std::size_t known) const;
    bool take(EventIndex event);
    [[nodiscard]] EventIndex missing(Visit& visit) const;
    [[nodiscard]] bool is_done(EventIndex event) const {
        const SourceGraph::Node& node = graph_->node(event);
        return node.tick <= done_[node.thread];
    }
    [[nodiscard]] bool try_now(EventIndex event, bool is_settled);
    [[nodiscard]] bool overwrites_what_is_needed(EventIndex event) const;
    void perform(EventIndex event);

    const SourceGraph* graph_ = nullptr;
    const Saturation* order_ = nullptr;
    std::vector<EventIndex>* events_ = nullptr;
    std::uint64_t run_ = 0;
    std::size_t kept_ = 0;
    std::vector<EventIndex> rest_;  // of the guide, beyond what is kept
    std::vector<Tick> done_;        // events of each thread that are in `events_`
    CellContents contents_;
    std::vector<std::uint64_t>
        grown_;                  // by event: the run in which more had to come before it than in the guide
    std::vector<Visit> visits_;  // what is being taken, each because of the one below it
    std::vector<std::uint64_t> visited_;  // by event: the run in which it was visited
};

}  // namespace norn
