// Part of `reads-from` (reads_from.cpp): what new events make possible for those before them. Each finding is
// a candidate, offered to the branch where the trace that it belongs to parts from the current one.
#include <algorithm>

#include "explore/reads_from_search.h"

namespace norn {

// What a new event makes possible for those before it.
void ReadsFromSearch::look_at(EventIndex event) {
    const Node& node = graph_.node(event);
    if (node.writes) offer_to_readers(event);
    if (node.reads) offer_reversal(event);
}

void ReadsFromSearch::look_at_pending(const Event& event) {
    if (event.access != Access::rmw) return;
    moved_.event = &event;
    moved_.self = no_event;
    moved_.previous = graph_.last_of(event.thread);
    moved_.cause = event.cause == no_event ? no_event : execution_[event.cause];
    moved_.accesses.clear();
    cells_of_event_.clear();
    cells_.append_cells_of(event, cells_of_event_);
    for (const CellId cell : cells_of_event_)
        moved_.accesses.push_back({cell, event_of_access(contents_[cell])});
    offer_turn(moved_, contents_[cells_of_event_[0]]);
}

// The other alternatives of an event that took the first one.
void ReadsFromSearch::offer_choices(EventIndex event, std::uint32_t branch) {
    const Node& node = graph_.node(event);
    const std::uint16_t alternatives = details_[event].event.alternatives;
    const std::uint32_t own = node.count > 0 ? branch_of_[node.first] : no_branch;
    for (std::uint16_t choice = 1; choice < alternatives; ++choice) {
        if (own == branch && branches_[branch].kind == Kind::source) {
            offer_source(branch, event_of_access(graph_.access(node.first).source), choice);
            continue;
        }
        // A planned event that was moved before the event of the branch, or took its turn.
        moved_.event = &details_[event].event;
        moved_.self = event;
        moved_.previous = node.tick == 1 ? no_event : graph_.of_thread(node.thread)[node.tick - 2];
        moved_.cause = node.cause;
        moved_.accesses.clear();
        for (const SourceGraph::Access& access : graph_.accesses_of(event))
            moved_.accesses.push_back({access.cell, event_of_access(access.source)});
        offer_moved(moved_, no_access, choice);
    }
}

// Offers a write to the reads that do not come before it.
void ReadsFromSearch::offer_to_readers(EventIndex writer) {
    const Node& node = graph_.node(writer);
    const Tick* const clock = graph_.clock(writer);
    for (std::uint32_t i = 0; i < node.count; ++i) {
        const CellId cell = graph_.access(node.first + i).cell;
        for (const SourceGraph::Column& column : graph_.cell(cell).columns) {
            if (column.thread == node.thread) continue;
            for (std::size_t k = column.reads.size(); k-- > 0;) {
                const AccessIndex read = column.reads[k];
                if (graph_.tick_of(read) <= clock[column.thread]) break;
                const std::uint32_t branch = branch_of_[read];
                if (branch == no_branch || branches_[branch].kind != Kind::source) continue;
                // (Writes before the branch are found by old_source.)
                if (writer >= branches_[branch].base && graph_.access(read).source != node.first + i)
                    offer_source(branch, writer, 0);
            }
        }
    }
}

void ReadsFromSearch::offer_source(std::uint32_t branch, EventIndex writer, std::uint16_t choice) {
    Branch& at = branches_[branch];
    Identity identity;
    if (writer != no_event) identity = details_[writer].identity;
    identity.mix(choice);
    if (candidates_.has(at.candidates, identity)) return;
    plan_.clear();
    if (writer != no_event) collect(at.base, graph_.clock(writer));
    candidates_.add(at.candidates, identity, {name_of(graph_, writer), choice}, plan_);
}

// If the event reads from a read-modify-write, the two could change places.
void ReadsFromSearch::offer_reversal(EventIndex event) {
    const Node& node = graph_.node(event);
    const Event& performed = details_[event].event;
    if (performed.access == Access::read && (performed.condition == Condition::always || performed.guarded))
        return;
    moved_.event = &performed;
    moved_.self = event;
    moved_.previous = node.tick == 1 ? no_event : graph_.of_thread(node.thread)[node.tick - 2];
    moved_.cause = node.cause;
    const auto accesses = graph_.accesses_of(event);
    if (performed.guarded) {
        moved_.accesses.clear();
        for (const SourceGraph::Access& access : accesses)
            moved_.accesses.push_back({access.cell, event_of_access(access.source)});
        offer_turn(moved_, accesses[0].source);
        return;
    }
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const AccessIndex target = accesses[i].source;
        if (target == no_access || !graph_.node(graph_.access(target).event).reads) continue;
        // (Where sources are told apart, wide events are offered by offer_wide.)
        if (is_wide(performed, node.count) &&
            (branch_of_[target] == no_branch || branches_[branch_of_[target]].kind != Kind::turn))
            continue;
        const EventIndex other = graph_.access(target).event;
        // The first of its accesses that the event reads from stands for all.
        bool is_first = true;
        moved_.accesses.clear();
        for (const SourceGraph::Access& access : accesses) {
            moved_.accesses.push_back({access.cell, event_of_access(access.source)});
            if (access.source != no_access && graph_.access(access.source).event == other &&
                access.source < target)
                is_first = false;
        }
        if (is_first) offer_moved(moved_, target, 0);
    }
}

// The nearest event above the one that let the guarded event in, or refuses it in the end, before which its
// guard holds too.
void ReadsFromSearch::offer_turn(const Moved& waiting, AccessIndex let_in_by) {
    for (AccessIndex above = let_in_by; above != no_access; above = graph_.access(above).source) {
        const EventIndex other = graph_.access(above).event;
        if (!graph_.node(other).reads) return;
        const Event& before = details_[other].event;
        FoundValue found{true, before.before};
        if (before.address != waiting.event->address || before.size != waiting.event->size) {
            found.value = 0;
            values_.add(cells_, graph_.access(above).cell, *waiting.event, graph_.access(above).source,
                        found);
            // What threads wait for begins as zero.
            if (!found.known && graph_.access(above).source == no_access) found = {true, 0};
        }
        if (!found.known) cannot_tell_ = true;
        if (!found.known || !waiting.event->condition_holds_on(found.value)) continue;
        moved_.accesses[0].source = other;
        offer_moved(moved_, above, 0);
        return;
    }
}

// Offers the event, with the sources that `target` has now where it reads from it, to the branch of the
// target. No target: as it is, to the branch that the current execution was begun for.
void ReadsFromSearch::offer_moved(Moved& moved, AccessIndex target, std::uint16_t choice) {
    const std::uint32_t branch = target == no_access ? planned_branch_ : branch_of_[target];
    if (branch == no_branch) return;
    Branch& at = branches_[branch];
    const Event& event = *moved.event;
    if (at.kind == Kind::joint && !event.guarded) return;  // offered by offer_wide
    const EventIndex other = event_of_access(target);

    graph_.clocks().clear(past_.data());
    const auto depend_on = [&](EventIndex on) {
        if (on != no_event) graph_.clocks().join(past_.data(), graph_.clock(on));
    };
    depend_on(moved.previous);
    depend_on(moved.cause);
    for (NewAccess& access : moved.accesses) {
        if (other != no_event && access.source == other)
            access.source = event_of_access(graph_.access(graph_.access_to(other, access.cell)).source);
        depend_on(access.source);
    }
    if (other != no_event && past_[graph_.node(other).thread] >= graph_.node(other).tick) return;
    moved.writing = event.guarded ? Writing::yes : moved_writes(other);
    if (moved.writing == Writing::no) return;
    if (at.kind == Kind::joint) {
        offer_joint(branch, true);
        return;
    }

    Identity identity = identity_of(event.thread, moved.previous, moved.cause, choice, true, moved.accesses);
    identity.mix(0);  // the alternative that the event of the branch takes
    if (candidates_.has(at.candidates, identity)) return;
    plan_.clear();
    collect(at.base, past_.data());
    const Tick tick = moved.previous == no_event ? 1 : graph_.node(moved.previous).tick + 1;
    plan_moved(choice);
    candidates_.add(at.candidates, identity, {EventName{event.thread, tick}, 0}, plan_);
}

// Plans the moved event.
void ReadsFromSearch::plan_moved(std::uint16_t choice) {
    plan_.add({moved_.event->thread, choice, name_of(graph_, moved_.cause), moved_.event->reads(), true, true,
               moved_.writing == Writing::unknown, 0, 0});
    for (const NewAccess& access : moved_.accesses)
        plan_.add(PlannedAccess{access.cell, name_of(graph_, access.source)});
}

// Plans the events of a past that are not in the trace before a branch.
void ReadsFromSearch::collect(EventIndex base, const Tick* past) {
    collected_.clear();
    for (std::size_t t = 0; t < graph_.threads(); ++t) {
        const std::vector<EventIndex>& thread = graph_.of_thread(static_cast<ThreadId>(t));
        for (Tick tick = past[t]; tick > 0 && thread[tick - 1] >= base; --tick)
            collected_.push_back(thread[tick - 1]);
    }
    std::sort(collected_.begin(), collected_.end());
    for (const EventIndex event : collected_) plan_.add_copy(graph_, event);
}

}  // namespace norn
