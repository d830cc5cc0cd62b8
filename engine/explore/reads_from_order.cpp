// Part of `reads-from` (reads_from.cpp): which cells are *ordered*. What is said there of guarded events
// takes for granted that whatever writes what they wait for is a read-modify-write, or comes before or after
// them in any case. Where a program does otherwise, all that writes such a cell is taken for a
// read-modify-write, so that the order of its writes is part of the class.
#include "explore/reads_from_search.h"

namespace norn {

// The event as it is taken if some of its cells are ordered.
Event ReadsFromSearch::as_ordered(const Event& event) {
    if (!has_ordered_ || event.access == Access::none || event.operation == Operation::free) return event;
    Event ordered = event;
    const bool stores = event.access == Access::write;
    if (stores || event.guarded) {
        cells_of_event_.clear();
        cells_.append_cells_of(event, cells_of_event_);
        for (const CellId cell : cells_of_event_)
            if (uses_[cell].ordered || (stores && uses_[cell].refined)) ordered.access = Access::rmw;
    }
    return ordered;
}

void ReadsFromSearch::order_writes(CellId cell, bool is_part) {
    uses_[cell].refined = is_part;
    has_ordered_ = has_ordered_ || is_part;
}

// Whether all that writes what a guarded event waits for is either a read-modify-write or comes before or
// after it in any case. If not, this is known from now on, and the search must begin again.
bool ReadsFromSearch::learn_order(EventIndex event) {
    const Event& performed = details_[event].event;
    const bool stores = performed.access == Access::write && performed.operation != Operation::free;
    if (!stores && !performed.guarded) return true;
    const Node& node = graph_.node(event);
    const EventIndex previous = node.tick == 1 ? no_event : graph_.of_thread(node.thread)[node.tick - 2];
    bool same = true;
    for (const SourceGraph::Access& access : graph_.accesses_of(event)) {
        Use& use = uses_[access.cell];
        (stores ? use.stored : use.guarded) = true;
        if (!use.stored || !use.guarded) continue;
        std::size_t writes = 0;
        bool is_ordered = true;
        for (const SourceGraph::Column& column : graph_.cell(access.cell).columns) {
            writes += column.writes.size();
            for (const AccessIndex other : stores ? column.reads : column.writes) {
                const EventIndex earlier = graph_.access(other).event;
                const Event& conflicting = details_[earlier].event;
                if (earlier == event || conflicting.operation == Operation::free) continue;
                if (stores ? !conflicting.guarded : conflicting.access != Access::write) continue;
                const bool must_come_first =
                    stores ? comes_after(event, earlier)
                           : comes_after(previous, earlier) || comes_after(node.cause, earlier);
                is_ordered = is_ordered && must_come_first;
            }
        }
        // What only waits for a single write has no other source.
        if (is_ordered || (writes == 1 && (stores || performed.access == Access::read))) continue;
        use.ordered = has_ordered_ = true;
        same = false;
    }
    return same;
}

// The same for an event that still waits.
bool ReadsFromSearch::learn_order_of_pending(const Event& event) {
    if (!event.guarded || event.access != Access::rmw) return true;
    cells_of_event_.clear();
    cells_.append_cells_of(event, cells_of_event_);
    const EventIndex previous = graph_.last_of(event.thread);
    bool same = true;
    for (const CellId cell : cells_of_event_) {
        uses_[cell].guarded = true;
        if (!uses_[cell].stored || uses_[cell].ordered) continue;
        for (const SourceGraph::Column& column : graph_.cell(cell).columns)
            for (const AccessIndex write : column.writes) {
                const EventIndex earlier = graph_.access(write).event;
                const Event& store = details_[earlier].event;
                if (store.access != Access::write || store.operation == Operation::free) continue;
                if (comes_after(previous, earlier)) continue;
                uses_[cell].ordered = has_ordered_ = true;
                same = false;
            }
    }
    return same;
}

}  // namespace norn
