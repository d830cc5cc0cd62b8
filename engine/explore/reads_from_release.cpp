// Part of `reads-from` (reads_from.cpp): heap blocks that are released while others still use them.
//
// To release a block is to write all of it. A read that comes after that has it as a source, so the use after
// free is in a class of its own. But a write has no source, and what waits for a guard has no branch that
// would tell it: whether they come before or after the release is the same class, and only one order is a
// failure. So where neither must come first, the use is performed once right after the release. There is
// always an execution that does so: what the two depend on, as the last execution performed it, and then the
// use.
#include "explore/reads_from_search.h"

namespace norn {

// Runs what the current trace shows to be possible. False: the search ends.
bool ReadsFromSearch::use_after_release(Exploration& exploration) {
    for (EventIndex release = 0; release < graph_.size(); ++release) {
        if (details_[release].event.operation != Operation::free) continue;
        for (const SourceGraph::Access& access : graph_.accesses_of(release))
            for (const SourceGraph::Column& column : graph_.cell(access.cell).columns)
                for (const AccessIndex write : column.writes) {
                    const EventIndex use = graph_.access(write).event;
                    if (release < planned_begin_ && use < planned_begin_) continue;
                    if (!is_unnoticed_use(use) || comes_after(use, release) || comes_after(release, use))
                        continue;
                    if (!try_use_after_release(use, release, exploration)) return false;
                }
    }
    return true;
}

bool ReadsFromSearch::is_unnoticed_use(EventIndex event) const {
    const Event& performed = details_[event].event;
    return performed.operation != Operation::free && (performed.guarded || !performed.reads());
}

bool ReadsFromSearch::try_use_after_release(EventIndex use, EventIndex release, Exploration& exploration) {
    graph_.clocks().copy(past_.data(), graph_.clock(use));
    graph_.clocks().join(past_.data(), graph_.clock(release));
    Schedule schedule;
    FoundValue found;
    const CellId cell = graph_.access(graph_.node(use).first).cell;
    const Event& event = details_[use].event;
    AccessIndex last = no_access;
    for (const EventIndex each : execution_) {
        const Node& node = graph_.node(each);
        if (each == use || node.tick > past_[node.thread]) continue;
        schedule.steps.push_back({node.thread, node.choice});
        // A release changes nothing of what is in the block.
        if (!node.writes || details_[each].event.operation == Operation::free) continue;
        for (AccessIndex access = node.first; access < node.first + node.count; ++access)
            if (graph_.access(access).cell == cell) last = access;
    }
    values_.add(cells_, cell, event, last, found);
    if (event.guarded && found.known && !event.condition_holds_on(found.value)) return true;
    schedule.steps.push_back({event.thread, event.choice});
    const Execution* const execution = exploration.run(schedule);
    if (execution != nullptr && !execution->failed) exploration.last_was_redundant();
    return execution != nullptr;
}

}  // namespace norn
