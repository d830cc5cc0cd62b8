// ReadsFromSearch: the state of the exploration `reads-from`. Internal to its parts:
//
//   reads_from.cpp          the algorithm
//   reads_from_offers.cpp   what new events make possible for those before them
//   reads_from_order.cpp    locations on which the order of writes matters
//   reads_from_wide.cpp     read-modify-writes that share some of their bytes with other accesses
//   reads_from_release.cpp  uses of heap blocks that race with their release
//   reads_from_trace.cpp    the current trace and its values
//   reads_from_left.cpp     how much is known to be left
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "consistency/cells.h"
#include "consistency/saturate.h"
#include "consistency/witness_finder.h"
#include "explore/candidates.h"
#include "explore/explorer.h"
#include "explore/plan.h"
#include "explore/values.h"
#include "graph/source_graph.h"

namespace norn {

class ReadsFromSearch : public Explorer {
public:
    void explore(Exploration& exploration) override;

protected:
    // Asked after each execution, for searches that tell more apart. False: from now on they do, on cells
    // that `order_writes` has been called for, and everything must begin again.
    virtual bool refine() { return true; }
    // Whether the order of the writes of a cell is part of the class, though no guarded event asks for it.
    void order_writes(CellId cell, bool is_part);
    void use_realization_only() { finder_.use_realization_only(); }

    struct Detail {
        Event event;
        Identity identity;
    };
    [[nodiscard]] const SourceGraph& graph() const { return graph_; }
    [[nodiscard]] const CellTable& cells() const { return cells_; }
    [[nodiscard]] const std::vector<Detail>& details() const { return details_; }  // by event of the trace
    // The trace is as it was before the last execution up to here.
    [[nodiscard]] std::size_t first_new() const { return planned_begin_; }

private:
    using Node = SourceGraph::Node;
    using NewAccess = SourceGraph::NewAccess;
    static constexpr std::uint32_t no_branch = UINT32_MAX;

    static constexpr EventIndex moved_event = UINT32_MAX - 2;  // as a source: the event that is being moved

    // What a branch tells apart: the source of one access of its event, whose turn it is at the source of its
    // event, the alternative of its event, or all the sources of its event.
    enum class Kind : std::uint8_t { source, turn, choice, joint };

    // Where traces part.
    struct Branch {
        Event event;              // as it was when it was first performed here
        EventName cause;          // of the event
        Tick tick;                // its number in its thread
        EventName first_source;   // the source that it was first performed with
        Identity first_identity;  // Kind::joint: as it was first performed
        Kind kind;
        EventIndex base;     // size of the trace before it: τ"
        std::uint32_t part;  // which of its accesses it is about
        std::uint32_t
            first_link;  // its accesses are in `links_` from here; sources only of those before `part`
        std::uint32_t links;
        std::uint32_t column = 0;  // where the walk over old writes is
        std::uint32_t position = UINT32_MAX;
        bool initial_done = false;
        std::uint16_t next_choice = 1;
        Candidates::List candidates{};
    };
    enum class Writing : std::uint8_t { no, yes, unknown };
    // An event that is moved to where it reads something else.
    struct Moved {
        Writing writing;  // whether it does there
        EventIndex self;  // it in the current trace; no_event: it still waits
        const Event* event;
        EventIndex previous;  // of its thread
        EventIndex cause;
        std::vector<NewAccess> accesses;
    };
    enum class Extension : std::uint8_t { done, cut_short, not_as_planned, learned };

    // All ways to choose a source for each of some accesses of an event.
    class Choices {
    public:
        // `past`: what comes before the event in any case. `reader`: who must not come before the sources.
        // `moved`: the event that is moved meanwhile, or no_event. `by_moved`: its accesses if it may be a
        // source too; as such it is called moved_event.
        void begin(const ReadsFromSearch& search, std::span<const NewAccess> accesses, const Tick* past,
                   EventIndex reader, EventIndex moved, std::span<const NewAccess> by_moved);
        // Sets the sources to the next way; false if there is none left.
        bool next(std::span<NewAccess> accesses);

    private:
        [[nodiscard]] bool fits(std::span<const NewAccess> accesses, std::size_t last) const;
        [[nodiscard]] bool exclude(const NewAccess& one, const NewAccess& other) const;
        [[nodiscard]] bool writes_cell(EventIndex event, CellId cell) const;

        const ReadsFromSearch* search_ = nullptr;
        EventIndex moved_ = no_event;
        std::span<const NewAccess> by_moved_;
        std::vector<EventIndex> options_;    // of all accesses, one after the other
        std::vector<std::size_t> first_;     // where those of each access begin, and where the last ones end
        std::vector<std::size_t> position_;  // by access: the one that it has
        bool has_begun_ = false;
    };

    Extension extend(const Execution& execution);
    bool learn_cells(const Execution& execution, std::size_t first);
    bool refresh_planned(const Execution& execution);
    void finish_branch_event();
    void set_branches(std::uint32_t branch);
    void find_news_in_plan();
    EventIndex push_performed(const Event& performed);
    [[nodiscard]] Event as_ordered(const Event& event);
    bool learn_order(EventIndex event);
    bool learn_order_of_pending(const Event& event);
    void add_branches(EventIndex event, std::uint32_t first_part);
    void add_branch(EventIndex event, Kind kind, std::uint32_t part);
    void look_at(EventIndex event);
    void look_at_pending(const Event& event);
    void offer_choices(EventIndex event, std::uint32_t branch);
    void offer_to_readers(EventIndex writer);
    void offer_source(std::uint32_t branch, EventIndex writer, std::uint16_t choice);
    void offer_reversal(EventIndex event);
    void offer_turn(const Moved& waiting, AccessIndex let_in_by);
    void offer_moved(Moved& moved, AccessIndex target, std::uint16_t choice);
    void collect(EventIndex base, const Tick* past);

    void plan_moved(std::uint16_t choice);

    static bool is_wide(const Event& event, std::size_t cells);
    void offer_wide();
    void offer_variants(std::uint32_t branch, EventIndex other);
    void offer_variant(std::uint32_t branch, EventIndex other);
    void offer_joint(std::uint32_t branch, bool with_moved);
    void gather_past_of_moved();
    void past_of(EventIndex previous, EventIndex cause);
    [[nodiscard]] bool touches(std::uint32_t branch, EventIndex event) const;
    [[nodiscard]] bool has_news(std::uint32_t branch) const;
    [[nodiscard]] bool is_on_wide_cell(EventIndex event) const;
    [[nodiscard]] bool comes_after(EventIndex event, EventIndex earlier) const;

    bool use_after_release(Exploration& exploration);
    [[nodiscard]] bool is_unnoticed_use(EventIndex event) const;
    bool try_use_after_release(EventIndex use, EventIndex release, Exploration& exploration);

    bool next_trace(Exploration& exploration);
    void count_what_is_left();
    std::size_t count_old_sources(const Branch& branch);
    bool next_candidate(std::uint32_t branch);
    bool old_source(Branch& branch, EventName& source);
    void find_overwriting(const Branch& branch, const ClockTable& clocks);
    [[nodiscard]] bool is_overwritten(EventIndex writer, const ClockTable& clocks) const;
    void plan_event(const Branch& branch, const Candidates::Candidate& candidate);
    bool try_plan(std::uint32_t branch, Exploration& exploration);
    bool find_witness(std::uint32_t branch, Writing guess, Exploration& exploration);
    bool turns_out_as_planned(Exploration& exploration);
    void truncate(std::size_t size);
    void begin_again();

    EventIndex push(const SourceGraph::NewNode& node, std::span<const NewAccess> accesses,
                    const Event& event);
    [[nodiscard]] Identity identity_of(ThreadId thread, EventIndex previous, EventIndex cause,
                                       std::uint16_t choice, bool reads,
                                       std::span<const NewAccess> accesses) const;
    [[nodiscard]] Writing will_write(const Event& event, std::size_t base) const;
    [[nodiscard]] Writing writes_with(const Event& event, std::span<const NewAccess> accesses) const;
    [[nodiscard]] Writing moved_writes(EventIndex other) const;
    bool note_values(EventIndex event);
    [[nodiscard]] EventIndex event_of_access(AccessIndex access) const {
        return access == no_access ? no_event : graph_.access(access).event;
    }

    // What is known of a cell, over all traces.
    struct Use {
        bool guarded = false;  // some event waits for a condition on it
        bool stored = false;   // some event writes it that is no read-modify-write
        bool ordered = false;  // every event that writes it is taken for a read-modify-write
        bool refined = false;  // every store likewise, for another reason
    };

    Coverage* coverage_ = nullptr;
    CellTable cells_;
    std::vector<Use> uses_;  // by cell
    Values values_;
    SourceGraph graph_;  // the current trace
    Saturation order_{graph_};
    WitnessFinder finder_;
    CellContents& contents_ = finder_.contents();  // after the execution so far
    CellContents contents_on_the_way_;             // at some point of it
    std::vector<Detail> details_;                  // by event of the trace
    std::vector<std::uint32_t> branch_of_;         // by access of the trace; no_branch: marked, or no read
    std::vector<Branch> branches_;                 // of the current trace, in its order
    std::vector<PlannedAccess> links_;             // of the branches
    Candidates candidates_;
    Schedule schedule_;
    std::vector<EventIndex> execution_;         // the events of the last execution, in its order
    std::size_t planned_begin_ = 0;             // the trace is new from here on
    std::size_t kept_ = 0;                      // events of the execution that are as in the one before
    std::size_t witnessed_ = 0;                 // events of the execution that were in the schedule
    std::uint32_t planned_branch_ = no_branch;  // for which the current execution was begun
    bool is_guess_ = false;                     // whether its event writes was guessed, and that matters
    std::vector<EventIndex> uncertain_;         // planned events of which it must be seen whether they write
    bool values_known_ = true;                  // the current execution has found what it should
    bool cannot_tell_ = false;                  // whether some event could be performed elsewhere
    bool has_wide_ = false;                     // the program has wide events
    bool has_ordered_ = false;                  // it has ordered cells
    bool has_release_ = false;                  // it releases shared heap blocks

    // Kept only to be used again without allocation:
    Plan plan_;
    std::vector<EventIndex> fresh_;
    std::vector<CellId> cells_of_event_;
    std::vector<NewAccess> accesses_;
    std::vector<EventIndex> collected_;
    std::vector<EventIndex> overwriting_;
    std::vector<Tick> past_;
    Moved moved_{};
    Identity moved_identity_;
};

}  // namespace norn
