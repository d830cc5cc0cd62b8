// `reads-value-from`: executions that agree on the value of every read are explored once.
//
// From P. Agarwal, K. Chatterjee, S. Pathak, A. Pavlogiannis, V. Toman: "Stateless Model Checking under a
// Reads-Value-From Equivalence", CAV 2021, section 5 and appendix A. Names in quotes are the paper's.
//
//   RVF-SMC(X, "GoodW", σ, C)
//     extend σ to σ~ by events that depend on no value, while there are any       (the executor), extend
//     tell reads above for which one of these may be a new source                 signal
//     for each read r that could come next, those first that C does not know      next_execution
//       for each value v that r can find, C permitting                            find_groups
//         let the good writes of r be those that leave v
//         if X, the events of σ~ and r have a witness σ'                          try_group
//           RVF-SMC(..., σ', C)
//       stop if no signal came
//       C(r) := the events of σ~: r must not read from these                      next_read
//
// It finds every reachable local state of every thread, and explores at most one execution of each class:
// same events, same values, same causal order of reads.
//
// Where we depart from the paper:
//
// - An execution runs to its end, not to the next read. The read that it performs next is the first one that
//   its call tries, with the value that it happens to find: so an execution makes a whole chain of calls,
//   each the first child of the one before. The executor helps by performing reads last (graph/schedule.h).
//   Where all reads that could come next may read only from elsewhere (C), there is no first child; then what
//   the execution does from there on is of no use. If that is all it was for, it is counted as redundant.
// - A call is resumed when the search comes back to it: then the trace and its closure are those of the call,
//   and so is the last execution as far as it is part of the trace. Nothing is copied.
// - What must happen before what, because a read has but one good write or because all of them come after
//   something, is known (SourceGraph). No signal comes from an event that happens after the read in any case,
//   and a write that is overwritten before the read in any case is no source.
// - A signal says which threads lead to the new source: only their reads have to come first (next_read).
// - A load that may only read from outside, but could always come earlier and find the same value inside, is
//   not explored (is_covered). Loads that find the same value whenever they come are no reads at all
//   (reads_value_from_forecast.cpp).
//
// Signals. In the paper a write is what a read may read from. With compare-exchanges, locks and all that
// depends on a condition, an event that writes in one trace may not in another. Let r be a read of call n,
// and τ a trace below n in which r reads from an event that is not in σ~, or (guarded) does not come about.
// We need a trace below n in which r reads from σ~ and a signal comes. Let u be the first event of τ that is
// not in σ~ and writes what r reads; let τ = α u β, and let γ be what is in β of σ~. All reads in γ read from
// σ~, so α γ is a trace that contains σ~, and so is α u γ. If γ writes what r reads, α u γ r is one, and u
// writes in it. If not, and if r does not write, α γ r u is one, in which u finds what it finds in τ, and
// writes. If r writes, u is at least what its thread does next after α γ r: so then a signal comes also from
// an event that could have written, and from one that waits in the end. In all cases what u comes after in
// its thread is in α, which does not depend on r. If r is guarded it can be performed in these traces,
// provided that it can be performed in any order of σ~: that is so for a mutex, which is free iff as many
// have released as have taken it (is_settled). In all of them r reads the last write of σ~, in some order of
// it. So what C forbids r must not be among those that can be the last (may_read_last); in the paper, C must
// not know r at all. Where any of this is not certain, or if r has no child, nothing is stopped.
//
// A thread that waits for a mutex in the end may be let in if the trace is put into another order: so the end
// of an execution is a call too, if threads wait there.
//
// Accesses of different size: a read finds a value in each of its cells (consistency/cells.h). A call has a
// node for each: in the children of a node the values of the cells before it are as they are, and those after
// it are left to the execution. C forbids only that all sources are in σ~, which is not a question of single
// cells; so the same class may be met twice, and is recognised then (is_new_class).
//
// Choices: the alternatives of an event are different events. They are a node of their own above those of its
// values.
//
// Re-execution confirms what was planned: each event must find and leave what it did before. If it does not,
// the memory was written unseen (then everything begins again without that value), or the search is given up:
// it never says that all is explored on a false assumption.
#include "explore/reads_value_from.h"

#include <bit>

#include "explore/reads_value_from_search.h"

namespace norn {

ReadsValueFromSearch::ReadsValueFromSearch(const Ablation& without) : without_(without) {
    if (without.closure) verify_.use_search_only();
    if (without.states > 0) verify_.set_limit(without.states);
    schedule_.reads_last = true;
    schedule_.forecast = &forecast_;
    graph_.keep_possible_past();
    // Room for a trace of usual size, so that small programs are done in no time.
    constexpr std::size_t usual_size = 64;
    events_.reserve(usual_size);
    call_of_.reserve(usual_size);
    nodes_.reserve(usual_size);
    pending_.reserve(usual_size);
    reads_.reserve(usual_size);
    groups_.reserve(usual_size);
    goods_.reserve(usual_size);
    execution_.reserve(usual_size);
    schedule_.steps.reserve(usual_size);
}

void ReadsValueFromSearch::explore(Exploration& exploration) {
    coverage_ = &exploration.coverage();
    if (exploration.statistics().restarts > most_restarts) without_.constants = true;
    while (const Execution* execution = exploration.run(schedule_)) {
        switch (extend(*execution)) {
            case Extension::done:
                if (may_meet_again_ && !is_new_class()) exploration.last_was_redundant();
                if (has_release_ && !use_after_release(exploration)) return;
                break;
            case Extension::redundant: exploration.last_was_redundant(); break;
            case Extension::cut_short: signal_all(); break;
            case Extension::not_as_planned: exploration.give_up(); return;
            case Extension::learned:
                exploration.begin_again();
                begin_again();
                continue;
        }
        if (coverage_->executed(nodes_.size())) count_what_is_left();
        if (!next_execution(exploration)) return;
    }
}

// Goes back to the last node from which there is something left to explore. False: there is none.
bool ReadsValueFromSearch::next_execution(Exploration& exploration) {
    while (!nodes_.empty()) {
        const auto last = static_cast<std::uint32_t>(nodes_.size() - 1);
        Node& node = nodes_[last];
        truncate(node.base);
        if (node.kind == Kind::choice) {
            if (node.next_choice < read_of(nodes_[node.call]).event.alternatives) {
                if (try_group(last, node.next_choice++, exploration)) {
                    coverage_->next_child(last);
                    return true;
                }
                coverage_->reject();
            } else {
                pop_node();
            }
            continue;
        }
        if (node.next_group < node.groups) {
            node.group = node.next_group++;
            if (node.group == node.done_group) continue;
            if (is_undecided(node)) {
                add_part(node.call, node.part + 1);
            } else if (try_group(last, 0, exploration)) {
                nodes_[node.call].has_child = true;
                coverage_->next_child(last);
                return true;
            } else {
                coverage_->reject();
            }
            continue;
        }
        if (node.call != last || !next_read(node)) pop_node();
    }
    return false;
}

// Whether the values of further cells must be chosen before anything can be tried: they decide whether the
// event writes.
bool ReadsValueFromSearch::is_undecided(const Node& node) const {
    const Event& event = read_of(nodes_[node.call]).event;
    return event.condition != Condition::always && !event.guarded && node.part + 1 < parts_of(event);
}

// For an estimate of what is left (coverage.h).
void ReadsValueFromSearch::count_what_is_left() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        std::size_t left = node.groups - node.next_group;
        if (node.kind == Kind::choice)
            left = static_cast<std::size_t>(read_of(nodes_[node.call]).event.alternatives - node.next_choice);
        else if (left > 0 && node.done_group != none && node.done_group >= node.next_group)
            --left;
        coverage_->look(i, left, node.kind == Kind::choice ? 1 : 0);
    }
}

ReadsValueFromSearch::Node& ReadsValueFromSearch::make_node(Kind kind, EventIndex base, std::uint32_t part,
                                                            std::uint32_t call) {
    Node node{};
    node.kind = kind;
    node.part = part;
    node.call = call;
    node.base = base;
    node.marks = {static_cast<std::uint32_t>(pending_.size()), static_cast<std::uint32_t>(reads_.size()),
                  static_cast<std::uint32_t>(groups_.size()), static_cast<std::uint32_t>(goods_.size()),
                  static_cast<std::uint32_t>(deferrals_.size())};
    node.group = node.done_group = none;
    node.wanted = all_threads;
    node.next_choice = 1;
    nodes_.push_back(node);
    return nodes_.back();
}

void ReadsValueFromSearch::pop_node() {
    const Marks& marks = nodes_.back().marks;
    while (deferrals_.size() > marks.deferrals) {
        deferral_of_[deferrals_.back().thread] = deferrals_.back().previous;
        deferrals_.pop_back();
    }
    pending_.resize(marks.pending);
    reads_.resize(marks.reads);
    groups_.resize(marks.groups);
    goods_.resize(marks.goods);
    nodes_.pop_back();
}

// The read that is the current one of a call comes first now.
void ReadsValueFromSearch::begin_read(Node& node) {
    groups_.resize(node.marks.groups);
    goods_.resize(node.marks.goods);
    node.signals = 0;
    node.has_child = false;
    const Pending& pending = read_of(node);
    find_groups(node, pending);
    node.may_stop = !without_.signals &&
                    (limits_of(pending.event, tick_of(pending)) == nullptr || may_read_last(node, pending)) &&
                    (!pending.event.guarded || is_settled(pending));
}

// The read that came first was explored: from now on it may read only from what is not in the trace. False:
// there is no other read that would have to come first. (Of the threads that its signals came from one must
// come first in whatever was not explored yet. So it is enough to go through these, or through those of
// another read that came first: the fewest, but all of them.)
bool ReadsValueFromSearch::next_read(Node& node) {
    const Pending& pending = read_of(node);
    const ThreadId thread = pending.event.thread;
    if (node.may_stop && node.has_child && std::popcount(node.signals) < std::popcount(node.wanted))
        node.wanted = node.signals;
    if (node.wanted == 0) return false;
    limits_.fit_rows(deferrals_.size() + 1);
    Tick* const limits = limits_.row(deferrals_.size());
    limits_.clear(limits);
    for (std::size_t t = 0; t < graph_.threads(); ++t)
        limits[t] = static_cast<Tick>(graph_.of_thread(static_cast<ThreadId>(t)).size());
    deferrals_.push_back({thread, tick_of(pending), deferral_of_[thread]});
    deferral_of_[thread] = static_cast<std::uint32_t>(deferrals_.size() - 1);
    for (node.current = 0; node.current < node.reads; ++node.current) {
        const ThreadId other = read_of(node).event.thread;
        const bool was_first = deferral_of_[other] != none && deferral_of_[other] >= node.marks.deferrals;
        if (was_first || (node.wanted & set_of(other)) == 0) continue;
        begin_read(node);
        return true;
    }
    return false;
}

// The entry of the causal map for the read of a thread, or null.
const Tick* ReadsValueFromSearch::limits_of(const Event& event, Tick tick) const {
    const std::uint32_t deferral = deferral_of_[event.thread];
    return deferral != none && deferrals_[deferral].tick == tick ? limits_.row(deferral) : nullptr;
}

// Whether the read can find what the group of the node stands for. If so, the schedule leads there.
bool ReadsValueFromSearch::try_group(std::uint32_t index, std::uint16_t choice, Exploration& exploration) {
    const Node& call = nodes_[nodes_[index].call];
    const Pending& pending = read_of(call);
    const std::size_t base = graph_.size();
    plan_accesses(index);
    const Writing writing = will_write(index);
    Event event = pending.event;
    event.choice = choice;
    VerifySc::Answer answer = VerifySc::Answer::no;
    bool is_guess = false;
    // What has a witness if it writes has one if it does not. What has one only if it does not is tried out.
    for (const bool writes : {true, false}) {
        if (writing == (writes ? Writing::no : Writing::yes) || answer != VerifySc::Answer::no) continue;
        push(event, pending.cause, true, writes);
        answer = verify_.find(graph_, order_, base, execution_);
        exploration.count_check(verify_.answered_by() == VerifySc::Step::search);
        if (answer != VerifySc::Answer::yes) truncate(base);
        is_guess = !writes && writing == Writing::unknown;
    }
    if (answer == VerifySc::Answer::too_hard) exploration.give_up(Monitor::Reason::too_hard);
    if (answer != VerifySc::Answer::yes) return answer == VerifySc::Answer::too_hard;

    planned_ = index;
    planned_begin_ = base;
    kept_ = is_performed_ ? verify_.kept() : 0;
    witnessed_ = execution_.size();
    schedule_.steps.resize(kept_);
    for (std::size_t i = kept_; i < witnessed_; ++i) {
        const SourceGraph::Node& node = graph_.node(execution_[i]);
        schedule_.steps.push_back({node.thread, node.choice});
    }
    schedule_.deferred.clear();
    for (std::uint32_t i = 0; i < call.reads; ++i) {
        const Pending& other = pending_[reads_[call.marks.reads + i]];
        if (i != call.current && limits_of(other.event, tick_of(other)) != nullptr)
            schedule_.deferred.push_back(other.event.thread);
    }
    is_performed_ = !is_guess || does_not_write(static_cast<EventIndex>(base), exploration);
    if (!is_performed_) truncate(base);
    return is_performed_;
}

// Tries the schedule out up to an event, to see whether it writes.
bool ReadsValueFromSearch::does_not_write(EventIndex event, Exploration& exploration) {
    Schedule beginning;
    std::size_t position = 0;
    while (execution_[position] != event) ++position;
    beginning.steps.assign(schedule_.steps.begin(),
                           schedule_.steps.begin() + static_cast<std::ptrdiff_t>(position + 1));
    const Execution* const execution = exploration.try_out(beginning);
    if (execution == nullptr) return true;  // the search ends with the next run
    kept_ = 0;                              // it was another execution in between
    return execution->events.size() <= position || !execution->events[position].writes();
}

std::unique_ptr<Explorer> make_reads_value_from(const Ablation& without) {
    return std::make_unique<ReadsValueFromSearch>(without);
}

}  // namespace norn
