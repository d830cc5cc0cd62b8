// Realization: is there an execution in which every read has its source? Decided in polynomial time, but only
// for threads that communicate without cycles.
//
// From K. Chatterjee, A. Pavlogiannis, N. Sinha, K. Vaidya: "Data-centric Dynamic Partial Order Reduction",
// POPL 2018, sections 4.2 and 6: Algorithm 1 (Realize). The events of a graph are the *basis* of the positive
// annotation that its sources are. What is left open is the order of events of different threads, one
// variable for each such pair; everything that an execution must respect is a clause of two literals:
//
//   antisymmetry   there is one variable for "a before b" and "b before a"
//   facts          what the saturated order says (consistency/saturate.h): E*, and what follows from it
//                  and the annotation clauses by themselves. It has no cycle, and no write that must come
//                  between a read and its source: the first change for cyclic topologies is done before.
//   transitivity   a before b, and b before c by a fact: a before c. And likewise for what comes before a.
//                  The nearest c of each thread will do, and the next one of the same thread.
//   annotation     for a read r with source w, another write x of that cell: x before r implies x before w
//   locks          are read-modify-writes here, with a source: the facts order them
//
// Only what is left to choose has variables: a write x, a read r and its source w as above, where x comes
// neither before w nor after r by a fact, are *rivals*, and the order of their threads' events that are
// rivals of anything is open. (Facts are transitive: a cycle through other events is one through these.) The
// threads of rivals are joined by edges of the communication graph (explore/topology.h), and not by removed
// ones: between the threads of a removed edge all is ordered by sources. That is the second change for cyclic
// topologies.
//
// No: there is none. Yes: the order has been extended to an execution. On a topology without cycles, or with
// an all-but-two cycle set removed, these are all answers (theorems 2 and 4). On others the variables may
// have values that make a cycle: then it is open.
#pragma once

#include <cstdint>
#include <vector>

#include "consistency/saturate.h"
#include "consistency/two_sat.h"
#include "graph/source_graph.h"

namespace norn {

class Realization {
public:
    enum class Answer : std::uint8_t { no, yes, open };

    // The order must have taken in the whole graph without a cycle. A read without a source may find
    // anything.
    Answer find(const SourceGraph& graph, const Saturation& order);

    // The execution that was found.
    [[nodiscard]] const std::vector<EventIndex>& events() const { return events_; }

private:
    // A write that may come before the source of a read, or after the read.
    struct Rival {
        EventIndex write;
        EventIndex source;
        EventIndex read;
    };
    // Whether one event comes before another: known, or the value of a literal, or neither.
    struct Order {
        enum class Kind : std::uint8_t { never, always, variable, free } kind;
        TwoSat::Literal literal = 0;
    };
    static constexpr std::uint32_t none = UINT32_MAX;

    void find_rivals();
    void note_rival(const Rival& rival);
    void join_threads(EventIndex a, EventIndex b);
    void number_variables();
    [[nodiscard]] Order order_of(EventIndex early, EventIndex late) const;
    [[nodiscard]] std::uint32_t first_variable(ThreadId a, ThreadId b) const {
        return first_variable_[a * graph_->threads() + b];
    }
    bool imply(EventIndex a, EventIndex b, EventIndex c, EventIndex d);
    bool add_transitivity(ThreadId a, ThreadId b);
    [[nodiscard]] EventIndex first_after(EventIndex event, ThreadId thread) const;
    [[nodiscard]] EventIndex last_before(EventIndex event, ThreadId thread) const;
    // The first relevant event of a thread after so many of its events, by its number among these.
    [[nodiscard]] std::size_t first_relevant(ThreadId thread, Tick after) const;
    bool linearize();
    [[nodiscard]] bool is_ready(EventIndex event) const;

    const SourceGraph* graph_ = nullptr;
    const Saturation* order_ = nullptr;
    TwoSat formula_;
    std::vector<Rival> rivals_;
    std::vector<std::vector<EventIndex>> relevant_;  // by thread: events of rivals, in program order
    std::vector<std::uint32_t> rank_;                // by event: its number among these; or none
    std::vector<std::uint32_t> first_variable_;  // by two threads, the smaller one first; none: no variables
    std::uint32_t variables_ = 0;
    std::vector<Tick> done_;  // by thread, while an execution is made
    std::vector<EventIndex> events_;
};

}  // namespace norn
