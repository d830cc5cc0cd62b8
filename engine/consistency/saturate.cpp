#include "consistency/saturate.h"

#include <algorithm>
#include <utility>

namespace norn {

namespace {

constexpr std::uint64_t all_threads = ~std::uint64_t{0};

// Whether a thread is among some.
bool has(std::uint64_t threads, ThreadId thread) { return thread >= 64 || (threads >> thread & 1) != 0; }

}  // namespace

bool Saturation::advance(std::size_t size) {
    clocks_.fit_threads(graph_.threads());
    saved_clocks_.fit_threads(graph_.threads());
    if (size_ >= size) return true;
    if (is_unsettled_.size() < graph_.cells()) is_unsettled_.resize(graph_.cells(), 0);
    clocks_.fit_rows(size);
    if (first_edge_.size() < size) {
        first_edge_.resize(size, none);
        saved_in_.resize(size, 0);
        marks_.resize(size);
        grown_.resize(size, 0);
    }
    while (size_ < size)
        if (!take_in(static_cast<EventIndex>(size_))) return false;
    return true;
}

void Saturation::retract(std::size_t size) {
    if (size_ <= size) return;
    restore(marks_[size]);
    size_ = size;
    after_last_ = marks_[size];
}

bool Saturation::add_edge(EventIndex early, EventIndex late) { return settle(order(early, late)); }

void Saturation::forget_edges() { restore(after_last_); }

bool Saturation::take_in(EventIndex event) {
    marks_[event] = {static_cast<std::uint32_t>(edges_.size()), static_cast<std::uint32_t>(saved_.size())};
    first_edge_[event] = none;
    saved_in_[event] = ++interval_;  // its clock will not be restored: it is given up with the event
    ++size_;

    const SourceGraph::Node& node = graph_.node(event);
    Tick* const clock = clocks_.row(event);
    if (node.tick == 1) {
        clocks_.clear(clock);
    } else {
        clocks_.copy(clock, clocks_.row(graph_.of_thread(node.thread)[node.tick - 2]));
    }
    if (node.cause != no_event) clocks_.join(clock, clocks_.row(node.cause));
    if (node.reads)
        for (const SourceGraph::Access& access : graph_.accesses_of(event))
            if (access.source < undecided)
                clocks_.join(clock, clocks_.row(graph_.access(access.source).event));
    clock[node.thread] = node.tick;

    bool acyclic = true;
    if (node.reads)
        for (const SourceGraph::Access& access : graph_.accesses_of(event))
            acyclic = acyclic && order_new_read(event, access);
    note_open_reads(event);
    acyclic = settle(acyclic && apply_rules(event, all_threads));
    after_last_ = {static_cast<std::uint32_t>(edges_.size()), static_cast<std::uint32_t>(saved_.size())};
    ++interval_;
    return acyclic;
}

// Until no clock grows any more.
bool Saturation::settle(bool acyclic) {
    for (std::size_t i = 0;; ++i) {
        if (i == queue_.size()) {
            acyclic = acyclic && order_open_reads();
            if (i == queue_.size()) break;
        }
        const EventIndex event = queue_[i];
        const std::uint64_t grown = std::exchange(grown_[event], 0);
        if (!acyclic) continue;
        note_open_reads(event);
        const SourceGraph::Node& node = graph_.node(event);
        const std::vector<EventIndex>& thread = graph_.of_thread(node.thread);
        if (node.tick < thread.size() && thread[node.tick] < size_) acyclic = grow(thread[node.tick], event);
        for (EventIndex next = node.first_caused; acyclic && next != no_event;
             next = graph_.node(next).next_caused)
            if (next < size_) acyclic = grow(next, event);
        if (node.writes)
            for (const SourceGraph::Access& access : graph_.accesses_of(event))
                for (AccessIndex reader = access.first_reader; acyclic && reader != no_access;
                     reader = graph_.access(reader).next_reader)
                    if (graph_.access(reader).event < size_)
                        acyclic = grow(graph_.access(reader).event, event);
        for (std::uint32_t edge = first_edge_[event]; acyclic && edge != none; edge = edges_[edge].next)
            acyclic = grow(edges_[edge].to, event);
        acyclic = acyclic && apply_rules(event, grown);
    }
    queue_.clear();
    for (const CellId cell : unsettled_) is_unsettled_[cell] = 0;
    unsettled_.clear();
    return acyclic;
}

// After the clock of the event has got more of some threads.
bool Saturation::apply_rules(EventIndex event, std::uint64_t threads) {
    const SourceGraph::Node& node = graph_.node(event);
    for (const SourceGraph::Access& access : graph_.accesses_of(event)) {
        if (node.reads && access.source != undecided && !order_read(event, access, threads)) return false;
        if (node.writes && !order_write(event, access, threads)) return false;
    }
    return true;
}

// R2 for a new reader: it comes before the writes that come after its source. The first of each thread will
// do.
bool Saturation::order_new_read(EventIndex event, const SourceGraph::Access& read) {
    if (read.source == undecided) return true;
    for (const SourceGraph::Column& column : graph_.cell(read.cell).columns) {
        auto first = column.writes.begin();
        if (read.source != no_access) {
            const SourceGraph::Node& source = graph_.node(graph_.access(read.source).event);
            if (column.thread == source.thread) {
                first = std::upper_bound(
                    first, column.writes.end(), source.tick,
                    [&](Tick tick, AccessIndex write) { return tick < graph_.tick_of(write); });
            } else {
                first = std::partition_point(first, column.writes.end(), [&](AccessIndex write) {
                    const EventIndex writer = graph_.access(write).event;
                    return writer < size_ && clocks_.row(writer)[source.thread] < source.tick;
                });
            }
        }
        if (first == column.writes.end()) continue;
        const EventIndex writer = graph_.access(*first).event;
        if (writer < size_ && writer != event && !order(event, writer)) return false;
    }
    return true;
}

// R1: of each thread the last write before the read will do.
bool Saturation::order_read(EventIndex event, const SourceGraph::Access& read, std::uint64_t threads) {
    const Tick* const clock = clocks_.row(event);
    for (const SourceGraph::Column& column : graph_.cell(read.cell).columns) {
        if (!has(threads, column.thread)) continue;
        AccessIndex write = last_write_before(column, clock);
        if (write == no_access) continue;
        EventIndex writer = graph_.access(write).event;
        if (writer == event) {
            // A read-modify-write: what counts is the write before it.
            if (column.writes.front() == write) continue;
            write = *(std::lower_bound(column.writes.begin(), column.writes.end(), write) - 1);
            writer = graph_.access(write).event;
        }
        if (write == read.source) continue;
        if (read.source == no_access) return false;  // it reads the initial value and comes after a write
        if (!order(writer, graph_.access(read.source).event)) return false;
    }
    return true;
}

// R2: of each thread the last write before this one will do.
bool Saturation::order_write(EventIndex event, const SourceGraph::Access& write, std::uint64_t threads) {
    const Tick* const clock = clocks_.row(event);
    // The readers of the initial value come before every write; once is enough.
    if (threads == all_threads && !order_readers(no_access, write.cell, event)) return false;
    for (const SourceGraph::Column& column : graph_.cell(write.cell).columns) {
        if (!has(threads, column.thread)) continue;
        AccessIndex earlier = last_write_before(column, clock);
        if (earlier == no_access) continue;
        if (graph_.access(earlier).event == event) {
            if (column.writes.front() == earlier) continue;
            earlier = *(std::lower_bound(column.writes.begin(), column.writes.end(), earlier) - 1);
        }
        if (!order_readers(earlier, write.cell, event)) return false;
    }
    return true;
}

// The readers of a write come before another write, which comes after that one.
bool Saturation::order_readers(AccessIndex write, CellId cell, EventIndex event) {
    for (AccessIndex reader = graph_.first_reader(write, cell); reader != no_access;
         reader = graph_.access(reader).next_reader) {
        const EventIndex reading = graph_.access(reader).event;
        if (reading != event && reading < size_ && !order(reading, event)) return false;
    }
    return true;
}

// Adds an edge unless it follows from the others.
bool Saturation::order(EventIndex early, EventIndex late) {
    if (before(early, late)) return true;
    if (before(late, early)) return false;
    edges_.push_back({early, late, first_edge_[early]});
    first_edge_[early] = static_cast<std::uint32_t>(edges_.size() - 1);
    return grow(late, early);
}

// What comes before an event comes before those after it.
bool Saturation::grow(EventIndex event, EventIndex before_it) { return gain(event, clocks_.row(before_it)); }

bool Saturation::gain(EventIndex event, const Tick* more) {
    const SourceGraph::Node& node = graph_.node(event);
    if (more[node.thread] >= node.tick) return false;
    Tick* const clock = clocks_.row(event);
    const std::uint64_t grown = clocks_.excess(more, clock);
    if (grown == 0) return true;
    save(event);
    clocks_.join(clock, more);
    if (grown_[event] == 0) queue_.push_back(event);
    grown_[event] |= grown;
    return true;
}

// Remembers the clock of the event as it is now, once for each state that can be returned to.
void Saturation::save(EventIndex event) {
    if (saved_in_[event] == interval_) return;
    saved_in_[event] = interval_;
    saved_clocks_.fit_rows(saved_.size() + 1);
    clocks_.copy(saved_clocks_.row(saved_.size()), clocks_.row(event));
    saved_.push_back(event);
}

void Saturation::restore(const Mark& mark) {
    while (saved_.size() > mark.saved) {
        const EventIndex event = saved_.back();
        saved_.pop_back();
        clocks_.copy(clocks_.row(event), saved_clocks_.row(saved_.size()));
    }
    while (edges_.size() > mark.edges) {
        first_edge_[edges_.back().from] = edges_.back().next;
        edges_.pop_back();
    }
    ++interval_;
}

AccessIndex Saturation::last_write_before(const SourceGraph::Column& column, const Tick* clock) const {
    const std::vector<AccessIndex>& writes = column.writes;
    if (writes.empty()) return no_access;
    const Tick known = clock[column.thread];
    if (graph_.tick_of(writes.back()) <= known) return writes.back();
    const auto after = std::partition_point(
        writes.begin(), writes.end(), [&](AccessIndex write) { return graph_.tick_of(write) <= known; });
    return after == writes.begin() ? no_access : *(after - 1);
}

}  // namespace norn
