// Part of `reads-from` (reads_from.cpp): how many ways are known that are still to be tried, for an estimate
// of what is left (coverage.h). Done so rarely that it may take its time.
#include <algorithm>

#include "explore/reads_from_search.h"

namespace norn {

void ReadsFromSearch::count_what_is_left() {
    for (std::size_t i = 0; i < branches_.size(); ++i) {
        const Branch& branch = branches_[i];
        coverage_->look(i,
                        branch.kind == Kind::choice
                            ? static_cast<std::size_t>(branch.event.alternatives - branch.next_choice)
                            : candidates_.count_left(branch.candidates) + count_old_sources(branch),
                        Coverage::kind_of(branch.event));
    }
}

// Those that old_source has not come to yet, as far as they are not ruled out by what happens before what.
std::size_t ReadsFromSearch::count_old_sources(const Branch& branch) {
    if (branch.kind != Kind::source || branch.initial_done) return 0;
    // What comes before the event whatever its source, in the trace as it was before the branch.
    const ClockTable& clocks = graph_.clocks();
    clocks.clear(past_.data());
    const auto depend_on = [&](EventIndex on) {
        if (on < branch.base) clocks.join(past_.data(), clocks.row(on));
    };
    if (branch.tick > 1) depend_on(graph_.of_thread(branch.event.thread)[branch.tick - 2]);
    depend_on(event_of(graph_, branch.cause));
    for (std::uint32_t i = 0; i < branch.part; ++i)
        depend_on(event_of(graph_, links_[branch.first_link + i].source));

    const std::vector<SourceGraph::Column>& columns =
        graph_.cell(links_[branch.first_link + branch.part].cell).columns;
    overwriting_.clear();
    for (const SourceGraph::Column& column : columns) {
        std::size_t i = column.writes.size();
        while (i > 0 && graph_.tick_of(column.writes[i - 1]) > past_[column.thread]) --i;
        if (i > 0) overwriting_.push_back(graph_.access(column.writes[i - 1]).event);
    }
    std::size_t count = branch.first_source != no_name && !is_overwritten(no_event, clocks) ? 1 : 0;
    for (std::size_t at = branch.column; at < columns.size(); ++at) {
        const SourceGraph::Column& column = columns[at];
        std::size_t position = column.writes.size();
        if (at == branch.column) position = std::min<std::size_t>(position, branch.position);
        while (position > 0) {
            const AccessIndex write = column.writes[--position];
            const EventIndex writer = graph_.access(write).event;
            if (writer >= branch.base) continue;
            if (name_of(graph_, writer) != branch.first_source && !is_overwritten(writer, clocks)) ++count;
            if (graph_.tick_of(write) <= past_[column.thread]) break;
        }
    }
    return count;
}

}  // namespace norn
