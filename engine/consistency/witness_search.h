// WitnessSearch: the complete answer to the question of VerifySc (consistency/verify_sc.h), Algorithm 1 of
// the paper named there, as a search in depth.
//
// It remembers the states it has been in. A state is the set of events performed and, for each cell, the
// reads to come that may read what is there. (In the paper it is the last write of the cell; but writes that
// are good for the same reads are as good as each other.) What does not close any way is performed without
// trying anything else instead: events that do not write, and writes that nobody will read onto what nobody
// will read.
//
// What decides whether an event can be performed is counted as events are performed and taken back: for each
// write which reads to come may read from it, for each read how many of its good writes are still to come,
// and for each cell how many reads hold it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "consistency/identity.h"
#include "consistency/identity_set.h"
#include "consistency/saturate.h"
#include "graph/source_graph.h"

namespace norn {

class WitnessSearch {
public:
    enum class Answer : std::uint8_t { yes, no, too_hard };

    // `guide` has all events of the graph; of several ways to go on, the one that comes first there is tried
    // first. `order`: if not null, only what respects it is tried. `limit`: states to visit before giving up.
    Answer find(const SourceGraph& graph, const Saturation* order, std::span<const EventIndex> guide,
                std::size_t limit);

    // The witness found last.
    [[nodiscard]] const std::vector<EventIndex>& events() const { return performed_; }
    // How many states the last search has visited.
    [[nodiscard]] std::size_t states() const { return visited_.size(); }

private:
    // Where it can go on in another way.
    struct Fork {
        std::size_t performed;  // events before it
        std::size_t first;      // its alternatives begin here in `alternatives_`
        std::size_t next;       // the first that was not tried
    };

    void begin(std::span<const EventIndex> guide);
    void count_reads();
    bool perform_forced();
    bool fork();
    bool step_back();
    void perform(EventIndex event);
    void take_back();

    [[nodiscard]] EventIndex next_of(std::size_t thread) const;
    [[nodiscard]] bool can_be_performed(EventIndex event) const;
    [[nodiscard]] bool is_forced(EventIndex event) const;
    [[nodiscard]] bool is_done(EventIndex event) const {
        const SourceGraph::Node& node = graph_->node(event);
        return node.tick <= done_[node.thread];
    }
    // The reads to come that may read from a write.
    struct Awaiting {
        std::uint32_t count = 0;
        std::uint64_t who = 0;  // tells sets apart: a number for each, all exclusive-ored

        void add(AccessIndex read) {
            ++count;
            who ^= number_of(read);
        }
        void remove(AccessIndex read) {
            --count;
            who ^= number_of(read);
        }
        static std::uint64_t number_of(AccessIndex read);
    };
    // (no_access: from the initial value of the cell)
    [[nodiscard]] const Awaiting& awaiting(AccessIndex write, CellId cell) const {
        return write == no_access ? awaiting_initial_[cell] : awaiting_[write];
    }
    Awaiting& awaiting(AccessIndex write, CellId cell) {
        return write == no_access ? awaiting_initial_[cell] : awaiting_[write];
    }
    // The good writes of a read; none if anything may be its source.
    [[nodiscard]] std::span<const AccessIndex> goods_of(const SourceGraph::Access& read) const {
        return read.source == undecided ? graph_->goods_of(read)
                                        : std::span<const AccessIndex>{&read.source, 1};
    }
    // The reads that a write is good for.
    [[nodiscard]] std::span<const AccessIndex> readers_of(AccessIndex write) const {
        return {readers_.data() + first_reader_[write], first_reader_[write + 1] - first_reader_[write]};
    }
    [[nodiscard]] Identity state() const;

    const SourceGraph* graph_ = nullptr;
    const Saturation* order_ = nullptr;
    std::vector<std::uint32_t> position_;  // by event: in the guide
    std::vector<EventIndex> performed_;
    std::vector<Tick> done_;                   // by thread: events that were performed
    std::vector<AccessIndex> contents_;        // by cell: its last write
    std::vector<AccessIndex> overwritten_;     // by write performed: what was there
    std::vector<std::uint32_t> holders_;       // by cell: reads that hold it
    std::vector<Awaiting> awaiting_;           // by write
    std::vector<Awaiting> awaiting_initial_;   // by cell
    std::vector<std::uint32_t> missing_;       // by read: good writes to come
    std::vector<std::uint32_t> first_reader_;  // by write: where its readers begin
    std::vector<AccessIndex> readers_;
    std::vector<CellId> read_cells_;  // cells that are read at all
    std::vector<Fork> forks_;
    std::vector<EventIndex> alternatives_;
    IdentitySet visited_;
};

}  // namespace norn
