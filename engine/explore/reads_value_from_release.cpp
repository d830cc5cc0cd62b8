// Part of `reads-value-from` (reads_value_from.cpp): heap blocks that are released while others still use
// them.
//
// To release a block is to write all of it. A read that comes after that reads from it, so that a use after
// free is in a class of its own. But a write does not depend on any value, and a lock only on who has the
// mutex: whether they come before or after the release is the same class, and only one order is a failure. So
// where neither must come first, it is asked for an execution of the class in which the release does.
#include "explore/reads_value_from_search.h"

namespace norn {

// Runs what the current trace shows to be possible. False: the search ends.
bool ReadsValueFromSearch::use_after_release(Exploration& exploration) {
    for (EventIndex release = 0; release < graph_.size(); ++release) {
        if (events_[release].operation != Operation::free) continue;
        for (const Access& access : graph_.accesses_of(release))
            for (const SourceGraph::Column& column : graph_.cell(access.cell).columns)
                for (const AccessIndex write : column.writes) {
                    const EventIndex use = graph_.access(write).event;
                    if (release < planned_begin_ && use < planned_begin_) continue;
                    const Event& event = events_[use];
                    if (event.operation == Operation::free || (depends_on_value(event) && !event.guarded))
                        continue;
                    const SourceGraph::Node& releasing = graph_.node(release);
                    const SourceGraph::Node& using_it = graph_.node(use);
                    if (graph_.clock(use)[releasing.thread] >= releasing.tick ||
                        graph_.clock(release)[using_it.thread] >= using_it.tick)
                        continue;
                    if (!try_use_after_release(use, release, exploration)) return false;
                }
    }
    return true;
}

bool ReadsValueFromSearch::try_use_after_release(EventIndex use, EventIndex release,
                                                 Exploration& exploration) {
    std::vector<EventIndex> witness = execution_;
    VerifySc::Answer answer = VerifySc::Answer::no;
    bool needed_search = false;
    if (order_.advance(graph_.size()) && order_.add_edge(release, use)) {
        answer = verify_.find(graph_, order_, graph_.size(), witness, VerifySc::Demand::order);
        needed_search = verify_.answered_by() == VerifySc::Step::search;
    }
    exploration.count_check(needed_search);
    order_.forget_edges();
    if (answer == VerifySc::Answer::too_hard) {
        exploration.give_up(Monitor::Reason::too_hard);
        return false;
    }
    if (answer == VerifySc::Answer::no) return true;
    Schedule schedule;
    for (const EventIndex event : witness) {
        const SourceGraph::Node& node = graph_.node(event);
        schedule.steps.push_back({node.thread, node.choice});
        if (event == use) break;
    }
    const Execution* const execution = exploration.run(schedule);
    if (execution != nullptr && !execution->failed) exploration.last_was_redundant();
    return execution != nullptr;
}

}  // namespace norn
