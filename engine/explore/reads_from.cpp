// `reads-from`: optimal exploration of reads-from classes.
//
// From P. A. Abdulla, M. F. Atig, B. Jonsson, M. Lång, T. P. Ngo, K. Sagonas: "Optimal Stateless Model
// Checking for Reads-From Equivalence under Sequential Consistency", OOPSLA 2019, sections 4 and 7. Names in
// quotes are the paper's. It explores exactly one execution of each class, and none for nothing:
//
//   ReadsFrom-SMC(τ, E)
//     extend E to a complete execution E.Ê; τ' := τ.Ê                            (the executor), extend
//     for each unmarked read r and write w of τ' with the same location, at least one of them new,
//         w not the source of r, and w not after r                               offer_to_readers, old_source
//       let τ" = "pre"(τ', r), π = what w depends on and comes after r in τ'      collect
//       if τ".r[source := w].mark(π) is consistent, with witness E"               try_plan
//         put it into "schedules"(τ")
//     for each read r of Ê, the last first                                       next_trace
//       for each sequence and witness in schedules(pre(τ', r))
//         ReadsFrom-SMC(pre(τ', r).sequence, witness)
//
// The recursion is a stack of branches, one for each unmarked read of the current trace. The trace is a graph
// (graph/source_graph.h) that grows and shrinks at its end, and so does its saturated order.
//
// Where we depart from the paper:
//
// - A *candidate*, the sequence r[source := w].π, is checked when the search is back at its branch, not when
//   it is found: then the graph and its saturated order are those of τ" already, and if it is consistent
//   they are those of the new trace. Nothing is copied, and no witness is stored. As guide serves the last
//   execution, of which τ" is a part.
// - Old writes, those in τ", are found by a walk over the graph at the branch, not stored (old_source).
// - π is marked by having no branches. In the graph it stands before r; that makes no difference.
//
// Read-modify-writes and conditional operations (section 7): if x reads from u, and both read and write, then
// u could read from x only if x read what u reads now. So x is offered to u with the source of u
// (offer_reversal), if it would write then, which compare-exchanges, signals and trylocks do or do not. The
// changed x, and r itself with its new source if it writes, are new: other reads have not been offered them
// yet.
//
// Guarded events (lock, and all that waits for a condition on one location). Whether and from where a guarded
// event g gets to read depends on what others do to its location, so its source is no basis to tell the
// traces apart that extend τ". But each of these has one event that follows directly on the source s of g: if
// nothing did, g could be performed. So the branch of g (Kind::turn) distinguishes whose turn it is at s. A
// candidate is an event x[source := s] and what it depends on, without g. Such an x is found where it follows
// on g later on; if x is guarded itself, above the place where it was let in, at the nearest event before
// which its guard held too; and if it still waits in the end, likewise from the end.
//   That all are found: let x follow on s in a trace that extends τ", and let π be what x depends on. Since
// π does not touch s, τ".g.π is consistent. From there perform x as soon as it is possible: it follows on g,
// or is let in by a later event of the chain that begins with g, or waits for ever; between g and there its
// guard does not hold.
//   This takes for granted that all that writes such a location is a read-modify-write. So are the operations
// on mutexes and the like; if a program writes there by other means, at the same time as others wait, the
// search begins again with these taken for read-modify-writes too (learn_order).
//
// Choices: the alternatives of an event are different events. An event that no trace had before takes
// alternative 0; when it is seen to have others, these become candidates of the same branch.
//
// Accesses of different size: an event reads each of its cells (consistency/cells.h) from a source of its
// own, and has a branch for each. In the candidates of a branch the sources of the cells before it are as
// they are, and those of the cells after it are left to the execution.
#include "explore/reads_from.h"

#include <algorithm>

#include "explore/reads_from_search.h"

namespace norn {

void ReadsFromSearch::explore(Exploration& exploration) {
    coverage_ = &exploration.coverage();
    while (const Execution* execution = exploration.run(schedule_)) {
        exploration.count_annotation();
        switch (extend(*execution)) {
            case Extension::done:
                if (has_release_ && !use_after_release(exploration)) return;
                break;
            case Extension::cut_short: break;
            case Extension::not_as_planned: exploration.give_up(); return;
            case Extension::learned:
                exploration.begin_again();
                begin_again();
                continue;
        }
        if (coverage_->executed(branches_.size())) count_what_is_left();
        if (!next_trace(exploration)) return;
    }
}

// Takes over what the execution did beyond its schedule, and finds what could have been otherwise.
ReadsFromSearch::Extension ReadsFromSearch::extend(const Execution& execution) {
    graph_.fit_threads(execution.threads);
    past_.resize(graph_.clocks().stride());
    const std::size_t size = execution.events.size();
    // A failure may end the program before it has come to the end of the schedule.
    if (size < witnessed_) return Extension::cut_short;
    if (!learn_cells(execution, witnessed_)) return Extension::learned;
    values_known_ = true;
    if (!refresh_planned(execution))
        return execution.failed ? Extension::cut_short : Extension::not_as_planned;

    contents_.fit(cells_.size());
    graph_.fit_cells(cells_.size());
    uses_.resize(cells_.size());
    finish_branch_event();
    find_news_in_plan();
    for (std::size_t i = witnessed_; i < size; ++i) {
        const EventIndex event = push_performed(execution.events[i]);
        if (!learn_order(event)) return Extension::learned;
        add_branches(event, 0);
        look_at(event);
    }
    for (const Event& pending : execution.pending) {
        if (!learn_order_of_pending(pending)) return Extension::learned;
        look_at_pending(pending);
    }
    if (!values_known_) return Extension::learned;
    if (cannot_tell_) return Extension::not_as_planned;
    if (!refine()) return Extension::learned;
    if (has_wide_) offer_wide();
    return Extension::done;
}

// False: events of the trace would have to be described anew.
bool ReadsFromSearch::learn_cells(const Execution& execution, std::size_t first) {
    bool same = true;
    for (const Event& event : execution.events.subspan(first))
        if (event.access != Access::none) same = cells_.learn(event) && same;
    for (const Event& event : execution.pending)
        if (event.access != Access::none) same = cells_.learn(event) && same;
    return same || graph_.size() == 0;
}

// The planned events have been performed: takes over what they found and did.
bool ReadsFromSearch::refresh_planned(const Execution& execution) {
    for (std::size_t i = kept_; i < witnessed_; ++i) {
        const EventIndex event = execution_[i];
        if (event < planned_begin_) continue;
        const Node& node = graph_.node(event);
        const Event performed = as_ordered(execution.events[i]);
        const bool may_write = event + 1 == graph_.size() && performed.condition != Condition::always;
        if (performed.reads() != node.reads || (performed.writes() != node.writes && !may_write))
            return false;
        details_[event].event = performed;
        values_known_ = note_values(event) && values_known_;
    }
    return true;
}

// The event of the branch as it turned out, if something of it was left open: sources, or whether it writes.
void ReadsFromSearch::finish_branch_event() {
    if (planned_branch_ == no_branch) return;
    const Kind kind = branches_[planned_branch_].kind;
    if (kind != Kind::source && kind != Kind::joint) return;
    const auto event = static_cast<EventIndex>(graph_.size() - 1);
    const Node node = graph_.node(event);
    const std::span<const SourceGraph::Access> planned = graph_.accesses_of(event);
    const Event performed = details_[event].event;
    if (planned.back().source != undecided && node.writes == performed.writes()) return;
    contents_on_the_way_.begin(graph_.cells());
    for (std::size_t i = 0; execution_[i] != event; ++i) contents_on_the_way_.note(graph_, execution_[i]);
    accesses_.clear();
    for (const SourceGraph::Access& access : planned) {
        const AccessIndex source =
            access.source == undecided ? contents_on_the_way_[access.cell] : access.source;
        accesses_.push_back({access.cell, event_of_access(source)});
    }
    truncate(event);
    push({node.thread, node.choice, node.cause, node.reads, performed.writes()}, accesses_, performed);
    note_values(event);
    contents_.begin(graph_.cells());
    for (const EventIndex each : execution_) contents_.note(graph_, each);
    set_branches(planned_branch_);
    if (kind == Kind::source) add_branches(event, branches_[planned_branch_].part + 1);
}

// The last event of the trace is that of the branch: its accesses up to this part have branches.
void ReadsFromSearch::set_branches(std::uint32_t branch) {
    const std::uint32_t part = branches_[branch].part;
    const Node& node = graph_.node(graph_.size() - 1);
    if (branches_[branch].kind == Kind::joint) {
        for (std::uint32_t i = 0; i < node.count; ++i) branch_of_[node.first + i] = branch;
    } else {
        for (std::uint32_t i = 0; i <= part; ++i) branch_of_[node.first + i] = branch - (part - i);
    }
}

void ReadsFromSearch::find_news_in_plan() {
    for (const EventIndex event : fresh_) {
        look_at(event);
        if (details_[event].event.alternatives > 1 && details_[event].event.choice == 0)
            offer_choices(event, planned_branch_);
    }
    fresh_.clear();
}

EventIndex ReadsFromSearch::push_performed(const Event& performed) {
    const Event event = as_ordered(performed);
    cells_of_event_.clear();
    accesses_.clear();
    if (event.access != Access::none) {
        cells_.append_cells_of(event, cells_of_event_);
        for (const CellId cell : cells_of_event_) {
            const AccessIndex source = contents_[cell];
            if (!event.reads()) values_known_ = values_.found(cells_, cell, source, event) && values_known_;
            accesses_.push_back({cell, event_of_access(source)});
        }
    }
    const EventIndex cause = event.cause == no_event ? no_event : execution_[event.cause];
    const EventIndex pushed =
        push({event.thread, event.choice, cause, event.reads(), event.writes()}, accesses_, event);
    execution_.push_back(pushed);
    contents_.note(graph_, pushed);
    values_known_ = note_values(pushed) && values_known_;
    schedule_.steps.push_back({event.thread, event.choice});
    has_release_ = has_release_ || event.operation == Operation::free;
    return pushed;
}

void ReadsFromSearch::add_branches(EventIndex event, std::uint32_t first_part) {
    const Event& performed = details_[event].event;
    if (performed.access == Access::none) {
        if (performed.alternatives > 1) add_branch(event, Kind::choice, 0);
    } else if (performed.guarded) {
        if (performed.writes()) add_branch(event, Kind::turn, 0);
    } else if (is_wide(performed, graph_.node(event).count)) {
        has_wide_ = true;
        add_branch(event, Kind::joint, 0);
    } else if (performed.reads()) {
        for (std::uint32_t part = first_part; part < graph_.node(event).count; ++part)
            add_branch(event, Kind::source, part);
        if (performed.alternatives > 1 && first_part == 0)
            offer_choices(event, branch_of_[graph_.node(event).first]);
    }
}

void ReadsFromSearch::add_branch(EventIndex event, Kind kind, std::uint32_t part) {
    const Node& node = graph_.node(event);
    Branch branch{};
    branch.event = details_[event].event;
    branch.cause = name_of(graph_, node.cause);
    branch.tick = node.tick;
    branch.first_identity = details_[event].identity;
    branch.kind = kind;
    branch.base = event;
    branch.part = part;
    branch.first_link = static_cast<std::uint32_t>(links_.size());
    branch.links = node.count;
    for (const SourceGraph::Access& access : graph_.accesses_of(event))
        links_.push_back({access.cell, name_of(graph_, event_of_access(access.source))});
    if (node.count > 0) {
        branch.first_source = links_[branch.first_link + part].source;
        branch_of_[node.first + part] = static_cast<std::uint32_t>(branches_.size());
    }
    branches_.push_back(branch);
    if (kind == Kind::joint) {
        for (std::uint32_t i = 0; i < node.count; ++i)
            branch_of_[node.first + i] = static_cast<std::uint32_t>(branches_.size() - 1);
    }
}

// Goes back to the last branch from which there is something left to explore. False: there is none.
bool ReadsFromSearch::next_trace(Exploration& exploration) {
    while (!branches_.empty()) {
        const auto last = static_cast<std::uint32_t>(branches_.size() - 1);
        truncate(branches_[last].base);
        while (next_candidate(last)) {
            if (try_plan(last, exploration)) {
                coverage_->next_child(last);
                return true;
            }
            coverage_->reject();
        }
        candidates_.drop(branches_[last].candidates);
        links_.resize(branches_[last].first_link);
        branches_.pop_back();
    }
    return false;
}

// Puts the next thing to try into `plan_`.
bool ReadsFromSearch::next_candidate(std::uint32_t branch) {
    Branch& at = branches_[branch];
    Candidates::Candidate candidate{};
    switch (at.kind) {
        case Kind::choice:
            if (at.next_choice >= at.event.alternatives) return false;
            plan_.clear();
            plan_event(at, {no_name, at.next_choice++});
            return true;
        case Kind::turn:
        case Kind::joint: return candidates_.take(at.candidates, candidate, plan_);
        case Kind::source:
            if (old_source(at, candidate.source)) {
                plan_.clear();
            } else if (!candidates_.take(at.candidates, candidate, plan_)) {
                return false;
            }
            plan_event(at, candidate);
            return true;
    }
    return false;
}

// The next write of the trace before the branch that the event might read from instead. Most are ruled out by
// what happens before what; the saturated order is asked, and computed, only for what is left.
bool ReadsFromSearch::old_source(Branch& branch, EventName& source) {
    if (branch.initial_done) return false;
    const std::vector<SourceGraph::Column>& columns =
        graph_.cell(links_[branch.first_link + branch.part].cell).columns;
    find_overwriting(branch, graph_.clocks());
    bool is_saturated = false;
    const auto is_possible = [&](EventIndex writer) {
        if (is_overwritten(writer, graph_.clocks())) return false;
        if (!is_saturated) {
            order_.advance(graph_.size());
            find_overwriting(branch, order_.clocks());
            is_saturated = true;
        }
        return !is_overwritten(writer, order_.clocks());
    };
    for (; branch.column < columns.size(); ++branch.column, branch.position = UINT32_MAX) {
        const SourceGraph::Column& column = columns[branch.column];
        if (branch.position == UINT32_MAX) branch.position = static_cast<std::uint32_t>(column.writes.size());
        while (branch.position > 0) {
            const AccessIndex write = column.writes[--branch.position];
            const EventIndex writer = graph_.access(write).event;
            // Those of the thread before one that comes before the event are overwritten.
            if (graph_.tick_of(write) <= past_[column.thread]) branch.position = 0;
            source = name_of(graph_, writer);
            if (source != branch.first_source && is_possible(writer)) return true;
        }
    }
    branch.initial_done = true;
    source = no_name;
    return branch.first_source != no_name && is_possible(no_event);
}

// What comes before the event of a branch whatever its source, into `past_`; and, into `overwriting_`, the
// last of these writes of each thread to what it reads.
void ReadsFromSearch::find_overwriting(const Branch& branch, const ClockTable& clocks) {
    clocks.clear(past_.data());
    const auto depend_on = [&](EventIndex on) {
        if (on < undecided_event) clocks.join(past_.data(), clocks.row(on));
    };
    depend_on(graph_.last_of(branch.event.thread));
    depend_on(event_of(graph_, branch.cause));
    for (std::uint32_t i = 0; i < branch.part; ++i)
        depend_on(event_of(graph_, links_[branch.first_link + i].source));
    overwriting_.clear();
    for (const SourceGraph::Column& column :
         graph_.cell(links_[branch.first_link + branch.part].cell).columns) {
        std::size_t i = column.writes.size();
        while (i > 0 && graph_.tick_of(column.writes[i - 1]) > past_[column.thread]) --i;
        if (i > 0) overwriting_.push_back(graph_.access(column.writes[i - 1]).event);
    }
}

// Whether something comes after the write (no_event: the initial value) and before the event of the branch.
bool ReadsFromSearch::is_overwritten(EventIndex writer, const ClockTable& clocks) const {
    if (writer == no_event) return !overwriting_.empty();
    const Node& node = graph_.node(writer);
    for (const EventIndex other : overwriting_)
        if (other != writer && clocks.row(other)[node.thread] >= node.tick) return true;
    return false;
}

// Plans the event of the branch with the source of the candidate.
void ReadsFromSearch::plan_event(const Branch& branch, const Candidates::Candidate& candidate) {
    const Event& event = branch.event;
    const bool reads = branch.kind == Kind::source;
    plan_.add({event.thread, candidate.choice, branch.cause, reads, event.writes(), true, false, 0, 0});
    for (std::uint32_t i = 0; i < branch.links; ++i) {
        const PlannedAccess& link = links_[branch.first_link + i];
        const EventName source = i < branch.part    ? link.source
                                 : i == branch.part ? candidate.source
                                                    : undecided_name;
        plan_.add(PlannedAccess{link.cell, source});
    }
}

// Whether the plan can be carried out. If so, the schedule leads there.
bool ReadsFromSearch::try_plan(std::uint32_t branch, Exploration& exploration) {
    const std::size_t base = graph_.size();
    order_.advance(base);
    // Where it is not known whether the event of the branch writes: what is consistent if it does is also
    // consistent if it does not. What is consistent only if it does not is tried out.
    bool found = find_witness(branch, Writing::yes, exploration);
    if (!found && is_guess_) found = find_witness(branch, Writing::no, exploration);
    if (!found) return false;
    planned_begin_ = base;
    planned_branch_ = branch;
    kept_ = finder_.kept();
    witnessed_ = execution_.size();
    schedule_.steps.resize(kept_);
    for (std::size_t i = kept_; i < witnessed_; ++i) {
        const Node& node = graph_.node(execution_[i]);
        schedule_.steps.push_back({node.thread, node.choice});
    }
    if (branches_[branch].kind == Kind::source || branches_[branch].kind == Kind::joint) set_branches(branch);
    if (!uncertain_.empty() && !turns_out_as_planned(exploration)) {
        truncate(base);
        return false;
    }
    return true;
}

// Tries the schedule out as far as it is certain, to see whether the uncertain events write as they should.
bool ReadsFromSearch::turns_out_as_planned(Exploration& exploration) {
    std::size_t last = 0;
    for (std::size_t i = 0; i < witnessed_; ++i)
        if (std::find(uncertain_.begin(), uncertain_.end(), execution_[i]) != uncertain_.end()) last = i;
    Schedule beginning;
    beginning.steps.assign(schedule_.steps.begin(),
                           schedule_.steps.begin() + static_cast<std::ptrdiff_t>(last + 1));
    const Execution* const execution = exploration.try_out(beginning);
    if (execution == nullptr) return true;  // the search ends with the next run
    for (std::size_t i = 0; i <= last && i < execution->events.size(); ++i)
        if (std::find(uncertain_.begin(), uncertain_.end(), execution_[i]) != uncertain_.end() &&
            execution->events[i].writes() != graph_.node(execution_[i]).writes)
            return false;
    return true;
}

// Puts the planned events into the trace. If that is not consistent they do not stay.
bool ReadsFromSearch::find_witness(std::uint32_t branch, Writing guess, Exploration& exploration) {
    const std::size_t base = graph_.size();
    const Kind kind = branches_[branch].kind;
    const Event& event = branches_[branch].event;
    fresh_.clear();
    uncertain_.clear();
    is_guess_ = false;
    for (const PlannedEvent& planned : plan_.events()) {
        accesses_.clear();
        for (const PlannedAccess& access : plan_.accesses_of(planned))
            accesses_.push_back({access.cell, event_of(graph_, access.source)});
        bool writes = planned.writes;
        if (&planned == &plan_.events().back() && (kind == Kind::source || kind == Kind::joint)) {
            Writing writing = will_write(event, base);
            if (writing == Writing::unknown) {
                is_guess_ = true;
                writing = guess;
            }
            writes = writing == Writing::yes;
        }
        const EventIndex pushed =
            push({planned.thread, planned.choice, event_of(graph_, planned.cause), planned.reads, writes},
                 accesses_, event);
        if (planned.fresh) fresh_.push_back(pushed);
        if (planned.uncertain || (is_guess_ && guess == Writing::no)) uncertain_.push_back(pushed);
    }
    bool found = false;
    bool decided = false;
    if (order_.advance(graph_.size())) {
        found = finder_.find(graph_, order_, base, execution_);
        decided = finder_.answered_by() == WitnessFinder::Step::decision;
    }
    exploration.count_check(decided);
    if (!found) truncate(base);
    return found;
}

std::unique_ptr<Explorer> make_reads_from() { return std::make_unique<ReadsFromSearch>(); }

}  // namespace norn
