// Part of `reads-from` (reads_from.cpp): wide events, read-modify-writes and conditional operations that
// touch several cells, because others touch some of their bytes only.
//
// What is special about them: a wide x may be the source of a read r for one cell, and of another cell it may
// have been overwritten before r, by a write that x itself does not know of. If x is taken out, there are
// executions with r where x comes later, but then x finds that write. So x never meets r with the sources
// that it must have to be the source of r, and is never offered to it.
//
// So here every event is offered with all sources that it might have, among the writes of the current trace.
// To see that this finds all there is to find for an event r at its branch, take an execution of what is to
// be found, and in it the last event x of those that are not before the branch. Without x it is one of a
// smaller kind, which is explored; there all the events are but x, and x too, if with other sources. Whatever
// is consistent with what comes before the branch may be tried there: nothing is explored twice.
//
// A wide event itself has one branch for all its cells (Kind::joint), since it depends on all of them whether
// and what it writes. Here a candidate is the event with all its sources.
//
// This costs more than the rest of the search, and is done only for programs that have wide events.
#include <algorithm>

#include "explore/reads_from_search.h"

namespace norn {

bool ReadsFromSearch::is_wide(const Event& event, std::size_t cells) {
    return cells > 1 && !event.guarded && event.reads() &&
           (event.writes() || event.condition != Condition::always);
}

// Offers all that the current execution makes possible.
void ReadsFromSearch::offer_wide() {
    for (std::uint32_t branch = 0; branch < branches_.size(); ++branch) {
        const Kind kind = branches_[branch].kind;
        if ((kind != Kind::joint && kind != Kind::source) || !has_news(branch)) continue;
        if (kind == Kind::joint) offer_joint(branch, false);
        for (EventIndex other = branches_[branch].base; other < graph_.size(); ++other)
            if (kind == Kind::joint || is_wide(details_[other].event, graph_.node(other).count))
                offer_variants(branch, other);
    }
}

// Offers an event, with all sources that it might have, to a branch.
void ReadsFromSearch::offer_variants(std::uint32_t branch, EventIndex other) {
    const Branch& at = branches_[branch];
    const Event& event = details_[other].event;
    const EventIndex reader = graph_.of_thread(at.event.thread)[at.tick - 1];
    if (other == reader || event.guarded || !touches(branch, other)) return;
    if (event.access == Access::none ||
        (event.access == Access::read && event.condition == Condition::always))
        return;
    const Node& node = graph_.node(other);
    moved_.event = &event;
    moved_.self = other;
    moved_.previous = node.tick == 1 ? no_event : graph_.of_thread(node.thread)[node.tick - 2];
    moved_.cause = node.cause;
    moved_.accesses.clear();
    for (const SourceGraph::Access& access : graph_.accesses_of(other))
        moved_.accesses.push_back({access.cell, no_event});
    if (comes_after(moved_.previous, reader) || comes_after(moved_.cause, reader)) return;
    if (!event.reads()) {
        moved_.writing = Writing::yes;
        offer_variant(branch, other);
        return;
    }
    past_of(moved_.previous, moved_.cause);
    Choices choices;
    choices.begin(*this, moved_.accesses, past_.data(), reader, other, {});
    while (choices.next(moved_.accesses))
        if (moved_.writing = writes_with(event, moved_.accesses); moved_.writing != Writing::no)
            offer_variant(branch, other);
}

// Offers the moved event, which stands for `other`, to a branch.
void ReadsFromSearch::offer_variant(std::uint32_t branch, EventIndex other) {
    Branch& at = branches_[branch];
    if (at.kind == Kind::joint) {
        offer_joint(branch, true);
        return;
    }
    const Event& event = *moved_.event;
    gather_past_of_moved();
    Identity identity =
        identity_of(event.thread, moved_.previous, moved_.cause, 0, event.reads(), moved_.accesses);
    identity.mix(0);
    if (identity == at.first_identity || candidates_.has(at.candidates, identity)) return;
    plan_.clear();
    collect(at.base, past_.data());
    plan_moved(0);
    candidates_.add(at.candidates, identity, {EventName{event.thread, graph_.node(other).tick}, 0}, plan_);
}

// Offers the event of a joint branch with all sources that it might have; among them the moved event, if
// asked for.
void ReadsFromSearch::offer_joint(std::uint32_t branch, bool with_moved) {
    Branch& at = branches_[branch];
    const EventIndex reader = graph_.of_thread(at.event.thread)[at.tick - 1];
    std::vector<NewAccess> sources;
    for (const SourceGraph::Access& access : graph_.accesses_of(reader))
        sources.push_back({access.cell, no_event});
    const Node& node = graph_.node(reader);
    const EventIndex previous = node.tick == 1 ? no_event : graph_.of_thread(node.thread)[node.tick - 2];
    Identity identity_of_moved;
    EventName name_of_moved;
    if (with_moved) {
        identity_of_moved = identity_of(moved_.event->thread, moved_.previous, moved_.cause, 0,
                                        moved_.event->reads(), moved_.accesses);
        name_of_moved = {moved_.event->thread,
                         moved_.previous == no_event ? 1 : graph_.node(moved_.previous).tick + 1};
    }
    past_of(previous, node.cause);
    Choices choices;
    choices.begin(*this, sources, past_.data(), reader, with_moved ? moved_.self : no_event,
                  with_moved ? std::span<const NewAccess>(moved_.accesses) : std::span<const NewAccess>());
    while (choices.next(sources)) {
        const bool uses_moved = std::any_of(sources.begin(), sources.end(), [&](const NewAccess& each) {
            return each.source == moved_event;
        });
        if (uses_moved != with_moved) continue;
        moved_identity_ = identity_of_moved;
        const Identity identity = identity_of(node.thread, previous, node.cause, 0, true, sources);
        if (identity == at.first_identity || candidates_.has(at.candidates, identity)) continue;

        if (with_moved) {
            gather_past_of_moved();
        } else {
            graph_.clocks().clear(past_.data());
        }
        for (const NewAccess& each : sources)
            if (each.source < moved_event) graph_.clocks().join(past_.data(), graph_.clock(each.source));
        plan_.clear();
        collect(at.base, past_.data());
        if (with_moved) plan_moved(0);
        plan_.add({node.thread, 0, name_of(graph_, node.cause), true, false, true, false, 0, 0});
        for (const NewAccess& each : sources)
            plan_.add(PlannedAccess{
                each.cell, each.source == moved_event ? name_of_moved : name_of(graph_, each.source)});
        candidates_.add(at.candidates, identity, {}, plan_);
    }
}

// What the moved event depends on goes to `past_`.
void ReadsFromSearch::gather_past_of_moved() {
    past_of(moved_.previous, moved_.cause);
    if (!moved_.event->reads()) return;
    for (const NewAccess& access : moved_.accesses)
        if (access.source != no_event) graph_.clocks().join(past_.data(), graph_.clock(access.source));
}

// What comes before an event whatever its sources, into `past_`.
void ReadsFromSearch::past_of(EventIndex previous, EventIndex cause) {
    graph_.clocks().clear(past_.data());
    if (previous != no_event) graph_.clocks().join(past_.data(), graph_.clock(previous));
    if (cause != no_event) graph_.clocks().join(past_.data(), graph_.clock(cause));
}

// Whether the trace before the current execution lacked something that touches what the branch is about, or
// what a wide event touches that does.
bool ReadsFromSearch::has_news(std::uint32_t branch) const {
    if (branches_[branch].base >= planned_begin_) return true;
    for (auto event = static_cast<EventIndex>(planned_begin_); event < graph_.size(); ++event)
        if (touches(branch, event) || is_on_wide_cell(event)) return true;
    return false;
}

// Whether the event touches a cell of a location that has several.
bool ReadsFromSearch::is_on_wide_cell(EventIndex event) const {
    const Event& performed = details_[event].event;
    return performed.access != Access::none && cells_.cells_of(performed.location) > 1;
}

bool ReadsFromSearch::touches(std::uint32_t branch, EventIndex event) const {
    const Branch& at = branches_[branch];
    const EventIndex reader = graph_.of_thread(at.event.thread)[at.tick - 1];
    const std::span<const SourceGraph::Access> all = graph_.accesses_of(reader);
    const auto cells = at.kind == Kind::joint ? all : all.subspan(at.part, 1);
    for (const SourceGraph::Access& access : graph_.accesses_of(event))
        for (const SourceGraph::Access& cell : cells)
            if (access.cell == cell.cell) return true;
    return false;
}

bool ReadsFromSearch::comes_after(EventIndex event, EventIndex earlier) const {
    if (event == no_event) return false;
    const Node& node = graph_.node(earlier);
    return graph_.clock(event)[node.thread] >= node.tick;
}

// Lists, for each access, the writes that may be its source: not those that come after the reader or after
// the event that is moved, and of those before the event only what has not been overwritten there.
void ReadsFromSearch::Choices::begin(const ReadsFromSearch& search, std::span<const NewAccess> accesses,
                                     const Tick* past, EventIndex reader, EventIndex moved,
                                     std::span<const NewAccess> by_moved) {
    search_ = &search;
    moved_ = moved;
    by_moved_ = by_moved;
    has_begun_ = false;
    options_.clear();
    first_.clear();
    for (const NewAccess& access : accesses) {
        first_.push_back(options_.size());
        bool is_written_before = false;
        for (const SourceGraph::Column& column : search.graph_.cell(access.cell).columns)
            for (std::size_t i = column.writes.size(); i-- > 0;) {
                const EventIndex writer = search.graph_.access(column.writes[i]).event;
                if (writer == reader || writer == moved || search.comes_after(writer, reader)) continue;
                if (moved == no_event || !search.comes_after(writer, moved)) options_.push_back(writer);
                if (search.graph_.node(writer).tick > past[column.thread]) continue;
                is_written_before = true;
                break;
            }
        if (!is_written_before) options_.push_back(no_event);
        for (const NewAccess& each : by_moved)
            if (each.cell == access.cell) options_.push_back(moved_event);
    }
    first_.push_back(options_.size());
    position_.assign(first_.begin(), first_.end() - 1);
}

bool ReadsFromSearch::Choices::next(std::span<NewAccess> accesses) {
    std::size_t i = 0;
    if (has_begun_) {
        i = accesses.size() - 1;
        ++position_[i];
    }
    has_begun_ = true;
    for (;;) {
        if (position_[i] == first_[i + 1]) {
            position_[i] = first_[i];
            if (i == 0) return false;
            ++position_[--i];
            continue;
        }
        accesses[i].source = options_[position_[i]];
        if (!fits(accesses, i)) {
            ++position_[i];
        } else if (++i == accesses.size()) {
            return true;
        }
    }
}

bool ReadsFromSearch::Choices::fits(std::span<const NewAccess> accesses, std::size_t last) const {
    for (std::size_t i = 0; i < last; ++i)
        if (accesses[i].source != accesses[last].source &&
            (exclude(accesses[i], accesses[last]) || exclude(accesses[last], accesses[i])))
            return false;
    return true;
}

// Whether an event that reads one cell from the first source cannot read the other one from the second: it
// has been overwritten before the first, or the two overwrite each other.
bool ReadsFromSearch::Choices::exclude(const NewAccess& one, const NewAccess& other) const {
    if (one.source == no_event) return false;
    if (writes_cell(one.source, other.cell) &&
        (other.source == no_event || writes_cell(other.source, one.cell)))
        return true;
    if (one.source == moved_event || other.source == moved_event) return false;
    const SourceGraph& graph = search_->graph_;
    const Tick* const before = graph.clock(one.source);
    for (const SourceGraph::Column& column : graph.cell(other.cell).columns)
        for (std::size_t i = column.writes.size(); i-- > 0;) {
            const EventIndex writer = graph.access(column.writes[i]).event;
            if (graph.node(writer).tick > before[column.thread] || writer == moved_) continue;
            if (writer != other.source &&
                (other.source == no_event || search_->comes_after(writer, other.source)))
                return true;
            break;
        }
    return false;
}

bool ReadsFromSearch::Choices::writes_cell(EventIndex event, CellId cell) const {
    if (event == no_event) return false;
    if (event == moved_event)
        return std::any_of(by_moved_.begin(), by_moved_.end(),
                           [&](const NewAccess& each) { return each.cell == cell; });
    for (const SourceGraph::Access& access : search_->graph_.accesses_of(event))
        if (access.cell == cell) return true;
    return false;
}

}  // namespace norn
