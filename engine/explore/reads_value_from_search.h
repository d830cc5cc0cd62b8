// ReadsValueFromSearch: the state of the exploration `reads-value-from`. Internal to its parts:
//
//   reads_value_from.cpp          the algorithm
//   reads_value_from_trace.cpp    the current trace: how executions are taken over into it
//   reads_value_from_values.cpp   what a read could find, and which writes are as good as each other
//   reads_value_from_forecast.cpp reads that find the same whenever they come
//   reads_value_from_release.cpp  uses of heap blocks that race with their release
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "consistency/cells.h"
#include "consistency/contents.h"
#include "consistency/identity_set.h"
#include "consistency/saturate.h"
#include "consistency/verify_sc.h"
#include "explore/explorer.h"
#include "explore/values.h"
#include "graph/source_graph.h"

namespace norn {

class ReadsValueFromSearch final : public Explorer {
public:
    explicit ReadsValueFromSearch(const Ablation& without);
    void explore(Exploration& exploration) override;

private:
    using Access = SourceGraph::Access;
    using NewAccess = SourceGraph::NewAccess;
    static constexpr std::uint32_t none = UINT32_MAX;
    // How often a search, and all searches of a check together, may begin again before constants are given
    // up.
    static constexpr std::uint32_t most_beginnings = 16;
    static constexpr std::uint64_t most_restarts = 64;

    // Of the first 63 threads; the others share the last bit.
    using ThreadSet = std::uint64_t;
    static constexpr ThreadSet all_threads = ~ThreadSet{0};
    static ThreadSet set_of(std::size_t thread) { return ThreadSet{1} << (thread < 63 ? thread : 63); }

    // A read that a thread would perform next, as some execution has shown it.
    struct Pending {
        Event event;
        EventIndex cause;  // in the graph
    };
    // Writes of one cell that leave the same value there.
    struct Group {
        std::uint32_t first;  // in `goods_`
        std::uint32_t count;
        FoundValue value;
        bool is_open;   // for all writes that leave this value
        bool is_apart;  // or only for those that are forbidden
    };
    struct Source {
        AccessIndex write;
        std::uint32_t group;  // in `groups_`
    };
    enum class Writing : std::uint8_t { no, yes, unknown };
    // Where the source of a cell may be, if some must not be forbidden: anywhere, because another one is not;
    // or it must not be forbidden itself; or that is to be told apart.
    enum class Side : std::uint8_t { any, outside, either };
    // How much of everything there was when a node was made.
    struct Marks {
        std::uint32_t pending;
        std::uint32_t reads;
        std::uint32_t groups;
        std::uint32_t goods;
        std::uint32_t deferrals;
    };
    enum class Kind : std::uint8_t { value, choice };
    // A call of the paper's RVF-SMC; or, above it, one more thing in which the same read can differ: the
    // value of another of its cells, or its alternative.
    struct Node {
        Kind kind;
        std::uint32_t part;  // which cell of the read
        std::uint32_t call;  // the node of the call itself
        EventIndex base;     // size of the trace
        Marks marks;
        // Of a call:
        std::uint32_t reads;    // how many may come next; in `reads_` from marks.reads
        std::uint32_t current;  // which of them does
        bool may_stop;          // if no signal comes, the others need not
        bool has_child;
        ThreadSet signals;  // the paper's backtrack signal: threads whose reads may lead to new sources
        ThreadSet wanted;   // reads of other threads need not come first
        // Of the cell:
        std::uint32_t first_group;
        std::uint32_t groups;
        std::uint32_t next_group;
        std::uint32_t group;       // the one that the current trace has
        std::uint32_t done_group;  // the one that an execution had when the node was made
        // Of a choice:
        std::uint16_t next_choice;
    };
    // Entry of the causal map: the read of a thread must not read from these.
    struct Deferral {
        ThreadId thread;
        Tick tick;               // of the read
        std::uint32_t previous;  // entry of the thread
    };
    enum class Extension : std::uint8_t { done, redundant, cut_short, not_as_planned, learned };

    Extension extend(const Execution& execution);
    bool begins_too_early();
    bool learn_cells(const Execution& execution);
    bool confirm_planned(const Execution& execution);
    bool complete_planned();
    void look_ahead(const Execution& execution);
    Extension take_read(const Execution& execution, std::size_t position);
    void take_other(const Execution& execution, std::size_t position);
    void take_waiting(const Execution& execution);
    void collect_reads(const Execution& execution, std::size_t position, ThreadId first);
    void add_read(const Execution& execution, ThreadId thread);
    void learn_forecast(const Execution& execution);
    [[nodiscard]] bool is_constant(const Event& event, EventIndex cause);
    [[nodiscard]] bool has_written(ThreadId thread, EventIndex cause, CellId cell) const;
    void append(const Event& event, EventIndex cause, bool reads, bool writes);
    EventIndex push(const Event& event, EventIndex cause, bool reads, bool writes);
    void note_values(EventIndex event);
    void signal(EventIndex event);
    void signal_pending(const Pending& pending);
    void signal_pending_of(const Node& call);
    void signal_all();
    void signal_readers(const Event& event, std::span<const CellId> cells, const Tick* clock, bool writes);
    [[nodiscard]] ThreadSet threads_beyond(EventIndex base) const;
    bool is_new_class();
    void truncate(std::size_t size);
    void begin_again();

    Node& make_node(Kind kind, EventIndex base, std::uint32_t part, std::uint32_t call);
    void add_part(std::uint32_t call, std::uint32_t part);
    void add_parts(std::uint32_t call, std::uint32_t part, std::uint16_t alternatives,
                   const CellContents& contents);
    bool next_execution(Exploration& exploration);
    void count_what_is_left();
    [[nodiscard]] bool is_undecided(const Node& node) const;
    void begin_read(Node& node);
    bool next_read(Node& node);
    bool try_group(std::uint32_t index, std::uint16_t choice, Exploration& exploration);
    bool does_not_write(EventIndex event, Exploration& exploration);
    void plan_accesses(std::uint32_t index);
    void pop_node();

    void find_groups(Node& node, const Pending& pending);
    void find_visible(const Pending& pending, CellId cell);
    Side side_of(const Node& node, const Pending& pending, const Tick* limits);
    void add_source(const Node& node, const Pending& pending, CellId cell, AccessIndex write, bool is_apart);
    [[nodiscard]] bool is_overwritten_at_once(CellId cell, AccessIndex write) const;
    [[nodiscard]] bool is_forbidden(const Tick* limits, AccessIndex write) const;
    bool is_covered(const Pending& pending, CellId cell, AccessIndex write, const Tick* limits);
    [[nodiscard]] FoundValue value_left(CellId cell, AccessIndex write) const;
    [[nodiscard]] bool can_move_to(EventIndex write) const;
    [[nodiscard]] bool is_allowed(const Event& event, const CellContents& contents);
    bool may_read_last(const Node& node, const Pending& pending);
    bool is_taken(const Pending& pending, CellId cell);
    bool is_settled(const Pending& pending);
    [[nodiscard]] Writing will_write(std::uint32_t index) const;
    void past_of(EventIndex previous, EventIndex cause);
    void past_of(const Pending& pending);
    [[nodiscard]] std::uint32_t group_with(const Node& node, AccessIndex write) const;
    [[nodiscard]] const Tick* limits_of(const Event& event, Tick tick) const;
    [[nodiscard]] Tick tick_of(const Pending& pending) const {
        return static_cast<Tick>(graph_.of_thread(pending.event.thread).size() + 1);
    }
    [[nodiscard]] std::uint32_t parts_of(const Event& event) const {
        return event.access == norn::Access::none ? 0 : cells_.count_of(event);
    }
    [[nodiscard]] const Pending& read_of(const Node& call) const {
        return pending_[reads_[call.marks.reads + call.current]];
    }
    [[nodiscard]] EventIndex event_of_access(AccessIndex access) const {
        return access == no_access ? no_event : graph_.access(access).event;
    }

    bool use_after_release(Exploration& exploration);
    bool try_use_after_release(EventIndex use, EventIndex release, Exploration& exploration);

    Ablation without_;
    Coverage* coverage_ = nullptr;
    CellTable cells_;
    Values values_;
    SourceGraph graph_;  // the current trace
    Saturation order_{graph_};
    VerifySc verify_;
    std::vector<Event> events_;           // by event of the trace, as they were performed
    std::vector<std::uint32_t> call_of_;  // by event of the trace: its node, or none
    std::vector<Node> nodes_;
    std::vector<Pending> pending_;
    std::vector<std::uint32_t> reads_;  // of the calls: in `pending_`
    std::vector<Group> groups_;
    std::vector<AccessIndex> goods_;
    std::vector<Deferral> deferrals_;
    ClockTable limits_;                       // by deferral: the paper's causal map
    std::vector<std::uint32_t> deferral_of_;  // by thread: the entry in force, or none
    Schedule schedule_;
    Forecast forecast_;
    bool has_forecast_ = false;
    std::uint32_t beginnings_ = 0;              // how often everything began again
    LocationId missed_constant_ = no_location;  // a read of it was not performed though it is constant
    bool forecast_has_changed_ = false;         // by the current execution
    std::vector<char> relied_on_;               // by location: some read was taken for constant
    std::vector<std::uint64_t> touched_in_;     // by location: the last execution that touched it
    std::uint64_t run_ = 0;                     // the number of the current one
    std::vector<EventIndex> execution_;         // the events of the last execution, in its order
    bool is_performed_ = true;                  // ... or it was planned and then not performed
    CellContents contents_;                     // after as much of it as was taken over
    CellContents contents_on_the_way_;          // at some point of it
    std::size_t planned_begin_ = 0;             // the trace is new from here on
    std::size_t kept_ = 0;                      // events of the execution that are as in the one before
    std::size_t witnessed_ = 0;                 // events of the execution that were in the schedule
    std::uint32_t planned_ = none;              // node for which the current execution was begun
    bool values_known_ = true;                  // the current execution has found what it should
    bool cannot_tell_ = false;                  // the search has met what it has no answer for
    bool has_release_ = false;                  // the program releases shared heap blocks
    bool may_meet_again_ = false;               // a class may be met more than once
    IdentitySet classes_;                       // if so, all that were explored

    // Of the execution that is being taken over:
    std::vector<std::uint32_t> next_in_thread_;  // by position
    std::vector<std::uint32_t> upcoming_;        // by thread: position of its next event
    std::vector<std::uint32_t> logged_;          // by thread: that event in `pending_`, if it is there

    // Kept only to be used again without allocation:
    std::vector<CellId> cells_of_event_;
    std::vector<NewAccess> accesses_;
    std::vector<Tick> past_;
    std::vector<Tick> possible_past_;
    std::vector<AccessIndex> last_before_;
    std::vector<AccessIndex> last_reads_;
    std::vector<AccessIndex> visible_;
    std::vector<Source> sources_;
    std::vector<std::uint32_t> ticks_;
};

}  // namespace norn
