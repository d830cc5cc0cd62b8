// VerifySc: is there an execution of the events of a graph in which every read reads from one of its good
// writes? And if so, which?
//
// From P. Agarwal, K. Chatterjee, S. Pathak, A. Pavlogiannis, V. Toman: "Stateless Model Checking under a
// Reads-Value-From Equivalence", CAV 2021, section 4 and appendix A. The question is NP-hard, so the paper's
// answer, a search over *witness states*, comes last:
//
//   1. descent: an earlier execution of all events but the newest, the *guide*, is followed as far as it can
//      be, and what cannot be performed yet is performed as soon as it can be. Without any look at
//      alternatives: linear, and nearly always enough.
//   2. closure (consistency/saturate_open.cpp): what must come before what. A cycle: no. It is kept, so that
//      only the newest event is taken in.
//   3. descent once more, in an order that respects the closure.
//   4. search (consistency/witness_search.h): Algorithm 1.
//
// What may be performed next is the same in all steps. A read of which all good writes have been performed
// *holds* its cell: nobody may overwrite the last of them before it is performed. So a read is performed when
// it finds a good write, and a write when nobody holds its cells. A read-modify-write does both at once,
// which takes care of compare-exchanges and locks as well; what a thread waits for by other means is a cause.
#pragma once

#include <cstdint>
#include <vector>

#include "consistency/saturate.h"
#include "consistency/witness_search.h"
#include "graph/source_graph.h"

namespace norn {

class VerifySc {
public:
    using Answer = WitnessSearch::Answer;
    // What the witness must respect: only the good writes, or also an order that has taken in all events (and
    // may have edges of its own).
    enum class Demand : std::uint8_t { good_writes, order };
    enum class Step : std::uint8_t { descent, closure, ordered_descent, search };

    // Only for comparison: nothing but the search, in the order of the threads.
    void use_search_only() { search_only_ = true; }
    // How many states a search may visit before it is given up.
    void set_limit(std::size_t states) { limit_ = states; }

    // `execution` is an execution of the first `known` events of the graph, and of others, which do not
    // count; it becomes the witness, or stays as it is. The order may have taken in any part of the graph; it
    // takes in all of it if that is needed, and if that leads to a cycle it must be retracted.
    Answer find(const SourceGraph& graph, Saturation& order, std::size_t known,
                std::vector<EventIndex>& execution, Demand demand = Demand::good_writes);

    // How many events at the beginning of the witness are as they were.
    [[nodiscard]] std::size_t kept() const { return kept_; }
    // Which step has given the last answer.
    [[nodiscard]] Step answered_by() const { return answered_by_; }
    // How many states the last search has visited, whenever that was.
    [[nodiscard]] std::size_t states() const { return search_.states(); }

private:
    void begin(const SourceGraph& graph, std::size_t known, const std::vector<EventIndex>& guide);
    void restart();
    void follow_beginning(std::size_t known, const std::vector<EventIndex>& guide);
    bool descend(std::size_t known);
    void accept(std::size_t known, const std::vector<EventIndex>& witness,
                std::vector<EventIndex>& execution);

    [[nodiscard]] bool is_done(EventIndex event) const {
        const SourceGraph::Node& node = graph_->node(event);
        return node.tick <= done_[node.thread];
    }
    [[nodiscard]] bool is_next(EventIndex event) const {
        const SourceGraph::Node& node = graph_->node(event);
        return node.tick == done_[node.thread] + 1;
    }
    [[nodiscard]] bool can_be_performed(EventIndex event) const;
    [[nodiscard]] bool finds_good_writes(EventIndex event) const;
    [[nodiscard]] bool overwrites_what_is_held(EventIndex event) const;
    [[nodiscard]] bool holds(const SourceGraph::Access& read) const;
    void perform(EventIndex event);

    const SourceGraph* graph_ = nullptr;
    const Saturation* order_ = nullptr;  // if it is to be respected
    bool search_only_ = false;
    std::size_t limit_ = std::size_t{1} << 20;
    std::size_t kept_ = 0;
    Step answered_by_ = Step::descent;
    WitnessSearch search_;
    std::vector<EventIndex> guide_;  // the known events in the order of the guide, then the new ones
    std::vector<EventIndex> performed_;
    std::vector<Tick> done_;             // events of each thread that were performed
    std::vector<AccessIndex> contents_;  // by cell: its last write
};

}  // namespace norn
