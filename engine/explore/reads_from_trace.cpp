// Part of `reads-from` (reads_from.cpp): the current trace, as it grows and shrinks, with what is kept of its
// events beside the graph: their identities and the values they found and left.
#include "explore/reads_from_search.h"

namespace norn {

EventIndex ReadsFromSearch::push(const SourceGraph::NewNode& node, std::span<const NewAccess> accesses,
                                 const Event& event) {
    const Identity identity =
        identity_of(node.thread, graph_.last_of(node.thread), node.cause, node.choice, node.reads, accesses);
    const EventIndex pushed = graph_.push(node, accesses);
    details_.push_back({event, identity});
    branch_of_.resize(graph_.accesses(), no_branch);
    return pushed;
}

// Names an event together with everything that it depends on.
Identity ReadsFromSearch::identity_of(ThreadId thread, EventIndex previous, EventIndex cause,
                                      std::uint16_t choice, bool reads,
                                      std::span<const NewAccess> accesses) const {
    Identity identity;
    if (previous == no_event) {
        identity.mix(thread);
    } else {
        identity = details_[previous].identity;
    }
    identity.mix(choice);
    if (cause != no_event) identity.mix(details_[cause].identity);
    if (reads)
        for (const NewAccess& access : accesses) {
            if (access.source == undecided_event) break;
            if (access.source == no_event) {
                identity.mix(access.cell);
            } else if (access.source == moved_event) {
                identity.mix(moved_identity_);
            } else {
                identity.mix(details_[access.source].identity);
            }
        }
    return identity;
}

void ReadsFromSearch::truncate(std::size_t size) {
    order_.retract(size);
    graph_.truncate(size);
    details_.resize(size);
    branch_of_.resize(graph_.accesses());
    values_.truncate(graph_.accesses());
}

void ReadsFromSearch::begin_again() {
    while (!branches_.empty()) {
        candidates_.drop(branches_.back().candidates);
        branches_.pop_back();
    }
    links_.clear();
    truncate(0);
    graph_.clear();
    values_.clear();
    execution_.clear();
    schedule_.steps.clear();
    planned_begin_ = kept_ = witnessed_ = 0;
    contents_.begin(0);
    planned_branch_ = no_branch;
    fresh_.clear();
}

// Takes over what a performed event has found and left. False: it was not what is known to have been there.
bool ReadsFromSearch::note_values(EventIndex event) {
    const Node& node = graph_.node(event);
    const Event& performed = details_[event].event;
    bool same = true;
    for (AccessIndex i = node.first; i < node.first + node.count; ++i) {
        const SourceGraph::Access& access = graph_.access(i);
        if (node.reads && access.source != undecided)
            same = values_.found(cells_, access.cell, access.source, performed) && same;
        if (performed.writes()) values_.wrote(cells_, access.cell, i, performed);
    }
    return same;
}

// Whether the event of a branch writes with the sources in `accesses_`. What planned events write is not
// known yet. For an event with one source that does not matter: nobody else reads from such a source, so that
// a witness in which the event only reads is one in which it writes too.
ReadsFromSearch::Writing ReadsFromSearch::will_write(const Event& event, std::size_t base) const {
    if (event.condition == Condition::always) return event.writes() ? Writing::yes : Writing::no;
    for (const NewAccess& access : accesses_)
        if (access.source != no_event && access.source >= base)
            return accesses_.size() == 1 ? Writing::no : Writing::unknown;
    return writes_with(event, accesses_);
}

// Whether the event writes if it has these sources.
ReadsFromSearch::Writing ReadsFromSearch::writes_with(const Event& event,
                                                      std::span<const NewAccess> accesses) const {
    if (event.condition == Condition::always || event.guarded)
        return event.writes() ? Writing::yes : Writing::no;
    FoundValue found;
    for (const NewAccess& access : accesses)
        values_.add(cells_, access.cell, event,
                    access.source == no_event ? no_access : graph_.access_to(access.source, access.cell),
                    found);
    if (!found.known) return Writing::unknown;
    return event.condition_holds_on(found.value) ? Writing::yes : Writing::no;
}

// Whether the moved event writes in the place of the other one, whose sources it has now.
ReadsFromSearch::Writing ReadsFromSearch::moved_writes(EventIndex other) const {
    const Event& event = *moved_.event;
    if (other != no_event && event.condition != Condition::always) {
        const Event& there = details_[other].event;
        if (there.address == event.address && there.size == event.size)
            return event.condition_holds_on(there.before) ? Writing::yes : Writing::no;
    }
    return writes_with(event, moved_.accesses);
}

}  // namespace norn
