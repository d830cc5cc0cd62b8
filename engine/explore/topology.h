// Topology: which threads of a program communicate, learned from its executions.
//
// The *communication graph* has the threads as nodes, and an edge between two that have accesses to the same
// cell, at least one of them a write, that neither the start nor the end of a thread puts in order. (What
// main does before it starts threads and after it has joined them is ordered with all they do.) The start or
// end of a child is an edge too where its parent passes on what it has heard: if others can come before the
// start, or others can come after the join.
//
// Where the graph has no cycle, whether given sources have an execution is decided in polynomial time
// (consistency/realize.h). Where it has cycles, an *all-but-two cycle set* X of edges is removed: every cycle
// has at most two edges that are not in X. On the cells of removed edges the order of all writes is made part
// of the class, so that there is nothing left to choose between these threads: these cells are *ordered*.
//
// X: cycles are within the biconnected components of the graph, and a cycle has at most two edges at any one
// thread. So in each component one thread keeps its edges, and all others are removed; the one for which the
// fewest cells have to be ordered. That costs nothing for cells whose writes are ordered anyway: those that
// only one thread writes at a time, and those that only read-modify-writes write, such as mutexes. All other
// cells are *open*.
//
// The graph only grows. Whoever explores by it begins again when other cells have become ordered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/event.h"
#include "graph/source_graph.h"
#include "graph/vector_clock.h"

namespace norn {

class Topology {
public:
    struct Edge {
        ThreadId a;  // the smaller one
        ThreadId b;
        std::vector<CellId> cells;  // sorted; none: only start and end
        bool removed;
    };

    // Learns from a trace, of which the events before `first` have been taken in before. `event_of` gives the
    // event of an index as it was performed. True: other cells are ordered than before.
    template <typename EventOf>
    bool learn(const SourceGraph& graph, std::size_t first, const EventOf& event_of) {
        fit(graph);
        for (std::size_t i = first; i < graph.size(); ++i)
            take_in(graph, static_cast<EventIndex>(i), event_of(i));
        // Who passes something on depends on who communicates.
        for (std::size_t i = has_grown_ ? 0 : first; i < graph.size(); ++i)
            note_passing(graph, static_cast<EventIndex>(i), event_of(i));
        return has_grown_ && order_anew();
    }

    [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
    [[nodiscard]] bool is_ordered(CellId cell) const { return cell < uses_.size() && uses_[cell].ordered; }
    [[nodiscard]] std::size_t threads() const { return threads_; }

private:
    static constexpr ThreadId no_thread = UINT16_MAX;
    struct Use {
        std::vector<ThreadId> threads;  // that communicate by it
        bool open = false;
        bool ordered = false;
    };
    // What a thread could pass on after an event of it.
    struct Passing {
        bool has_heard;   // others may come before it
        bool has_joined;  // it has seen the end of others
        ThreadId joined;  // by this event; or none
    };

    void fit(const SourceGraph& graph);
    void take_in(const SourceGraph& graph, EventIndex index, const Event& event);
    void find_partners(const SourceGraph& graph, EventIndex index);
    bool meets(const SourceGraph& graph, EventIndex index, const SourceGraph::Access& access,
               const SourceGraph::Column& column);
    void note_passing(const SourceGraph& graph, EventIndex index, const Event& event);
    [[nodiscard]] bool communicates(const SourceGraph& graph, EventIndex index) const;
    Edge& edge(ThreadId a, ThreadId b);
    void add(ThreadId a, ThreadId b, CellId cell);

    bool order_anew();
    void visit(ThreadId thread, std::uint32_t by);
    void remove_edges(std::span<const std::uint32_t> component);
    [[nodiscard]] std::size_t cost_of_keeping(ThreadId thread, std::span<const std::uint32_t> component);

    std::size_t threads_ = 0;
    std::vector<Edge> edges_;
    std::vector<std::uint32_t> edge_of_;  // by two threads, the smaller one first: in `edges_`, or none
    std::size_t width_ = 0;               // threads that it has room for
    std::vector<Use> uses_;               // by cell
    ClockTable past_;                     // by event of the trace: program order, starts and ends
    std::vector<Passing> passing_;        // by event of the trace
    bool has_grown_ = false;              // since cells were ordered

    // Of the search for biconnected components:
    std::vector<std::vector<std::uint32_t>> edges_of_;  // by thread
    std::vector<std::uint32_t> number_;                 // by thread: when it was visited, from 1; 0: not yet
    std::vector<std::uint32_t> lowest_;                 // by thread: the earliest that it leads back to
    std::vector<std::uint32_t> unassigned_;             // edges of no component yet
    std::uint32_t visited_ = 0;
    std::vector<CellId> counted_;
};

}  // namespace norn
