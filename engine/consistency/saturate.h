// Saturation: the order that every execution with given sources must respect, as far as two simple rules find
// it. The first of the three steps that decide whether a choice of sources is consistent (see
// consistency/witness_finder.h).
//
// From P. A. Abdulla, M. F. Atig, B. Jonsson, M. Lång, T. P. Ngo, K. Sagonas: "Optimal Stateless Model
// Checking for Reads-From Equivalence under Sequential Consistency", OOPSLA 2019, section 5.1. The order
// begins as happens before (graph/source_graph.h). For a read r of some cell, its source w, and another
// write w' of that cell:
//
//   R1: if w' comes before r, it comes before w.       (else r would find what w' wrote)
//   R2: if w' comes after w, it comes after r.         (likewise)
//
// A cycle means that the sources are not consistent. No cycle does not mean that they are.
//
// For a read r of which only the good writes are known (graph/source_graph.h) the rules are those of the
// *closure*, see consistency/saturate_open.cpp.
//
// The order is kept as one vector clock per event, and follows the graph: events are taken in one by one, and
// given up again from the end. Each changes the clocks only of what comes after something new, by a queue of
// the events whose clocks have grown; what a clock was before is kept, so that giving up is exact. So the
// order of a prefix is never computed twice as long as the prefix stays.
//
// An event that is taken in as a reader of an old write is a case of its own: by R2 it comes before old
// writes whose clocks have not grown, so that the queue does not lead to them ("reverse saturation").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/source_graph.h"
#include "graph/vector_clock.h"

namespace norn {

class Saturation {
public:
    explicit Saturation(const SourceGraph& graph) : graph_(graph) {}

    // How many events of the graph have been taken in.
    [[nodiscard]] std::size_t size() const { return size_; }
    // Takes in events until there are `size`. False: there is a cycle; then `retract` must follow.
    bool advance(std::size_t size);
    // Gives up events until there are at most `size`.
    void retract(std::size_t size);

    // Adds an edge, and all that follows. False: there is a cycle; then `forget_edges` must follow.
    bool add_edge(EventIndex early, EventIndex late);
    // Gives up what was added by `add_edge` since the last event was taken in.
    void forget_edges();

    [[nodiscard]] const Tick* clock(EventIndex i) const { return clocks_.row(i); }
    [[nodiscard]] const ClockTable& clocks() const { return clocks_; }
    // The events whose clocks have grown since there were `size`, some of them more than once.
    [[nodiscard]] std::span<const EventIndex> grown_since(std::size_t size) const {
        return size >= size_ ? std::span<const EventIndex>{}
                             : std::span<const EventIndex>{saved_}.subspan(marks_[size].saved);
    }
    [[nodiscard]] bool before(EventIndex early, EventIndex late) const {
        const SourceGraph::Node& node = graph_.node(early);
        return clocks_.row(late)[node.thread] >= node.tick;
    }

private:
    struct Edge {
        EventIndex from;
        EventIndex to;
        std::uint32_t next;  // edge with the same `from`, or none
    };
    struct Mark {
        std::uint32_t edges;
        std::uint32_t saved;
    };
    static constexpr std::uint32_t none = UINT32_MAX;

    bool take_in(EventIndex event);
    bool settle(bool acyclic);
    bool apply_rules(EventIndex event, std::uint64_t threads);
    bool order_new_read(EventIndex event, const SourceGraph::Access& read);
    bool order_read(EventIndex event, const SourceGraph::Access& read, std::uint64_t threads);
    bool order_write(EventIndex event, const SourceGraph::Access& write, std::uint64_t threads);
    bool order_readers(AccessIndex write, CellId cell, EventIndex event);
    bool order_open_reads();
    bool order_open_read(EventIndex event, const SourceGraph::Access& read);
    void find_visible(EventIndex event, const SourceGraph::Access& read);
    [[nodiscard]] bool is_visible(AccessIndex write) const;
    [[nodiscard]] bool is_missed(AccessIndex write) const;
    void note_open_reads(EventIndex event) {
        if (graph_.has_goods()) note_open_reads_of_cells(event);
    }
    void note_open_reads_of_cells(EventIndex event);
    bool gain(EventIndex event, const Tick* more);
    bool order(EventIndex early, EventIndex late);
    bool grow(EventIndex event, EventIndex before);
    void save(EventIndex event);
    void restore(const Mark& mark);
    [[nodiscard]] AccessIndex last_write_before(const SourceGraph::Column& column, const Tick* clock) const;

    const SourceGraph& graph_;
    std::size_t size_ = 0;
    ClockTable clocks_;
    std::vector<std::uint32_t> first_edge_;  // by event
    std::vector<Edge> edges_;
    std::vector<Mark> marks_;        // by event: before it was taken in
    Mark after_last_{0, 0};          // after the last event was taken in: where `add_edge` began
    std::vector<EventIndex> saved_;  // events whose clocks grew
    ClockTable saved_clocks_;        // as they were before
    // Between two states that can be returned to, a clock is saved once. The number of such an interval is
    // never used again.
    std::uint64_t interval_ = 1;
    std::vector<std::uint64_t> saved_in_;  // by event: the interval in which it was saved last
    std::vector<EventIndex> queue_;
    // By event: the threads of which its clock has got more since it was last looked at, as bits. It is in
    // the queue iff there are any.
    std::vector<std::uint64_t> grown_;
    std::vector<CellId> unsettled_;         // cells whose open reads must be looked at again
    std::vector<char> is_unsettled_;        // by cell
    std::vector<AccessIndex> last_before_;  // by thread that writes the cell: its last write before a read
    std::vector<AccessIndex> last_reads_;   // ... its last read before it
    std::vector<AccessIndex> visible_;      // good writes that are not overwritten before a read
    std::vector<Tick> common_;              // what these have in common
};

}  // namespace norn
