#include "graph/source_graph.h"

#include <cassert>

namespace norn {

namespace {

constexpr std::size_t usual_size = 64;  // of a trace: room for it is made at once

}  // namespace

SourceGraph::SourceGraph() {
    nodes_.reserve(usual_size);
    accesses_.reserve(usual_size);
    cells_.reserve(usual_size);
    goods_.reserve(usual_size);
}

void SourceGraph::fit_threads(std::size_t threads) {
    clocks_.fit_threads(threads);
    possible_.fit_threads(threads);
    common_.resize(clocks_.stride());
    if (by_thread_.size() < threads) by_thread_.resize(threads);
}

EventIndex SourceGraph::push(const NewNode& node, std::span<const NewAccess> accesses) {
    const auto index = static_cast<EventIndex>(nodes_.size());
    std::vector<EventIndex>& thread = by_thread_[node.thread];
    clocks_.fit_rows(nodes_.size() + 1);
    Tick* const clock = clocks_.row(index);
    if (thread.empty()) {
        clocks_.clear(clock);
    } else {
        clocks_.copy(clock, clocks_.row(thread.back()));
    }
    const auto tick = static_cast<Tick>(thread.size() + 1);
    nodes_.push_back({tick, node.thread, node.choice, node.cause, static_cast<AccessIndex>(accesses_.size()),
                      static_cast<std::uint32_t>(accesses.size()), no_event, no_event, node.reads,
                      node.writes});
    thread.push_back(index);
    if (node.cause != no_event) {
        assert(node.cause < index);
        clocks_.join(clock, clocks_.row(node.cause));
        nodes_.back().next_caused = nodes_[node.cause].first_caused;
        nodes_[node.cause].first_caused = index;
    }
    for (const NewAccess& each : accesses) {
        const auto number = static_cast<AccessIndex>(accesses_.size());
        Access access{each.cell, index, no_access, no_access, no_access, tick, 0, 0};
        Column& here = column(each.cell, node.thread);
        if (node.reads) {
            if (each.source == undecided_event) {
                access.source = undecided;
                if (!each.goods.empty()) add_goods(access, number, each, clock);
            } else {
                if (each.source != no_event) {
                    assert(each.source < index);
                    access.source = access_to(each.source, each.cell);
                    clocks_.join(clock, clocks_.row(each.source));
                }
                AccessIndex& head = reader_head(access);
                access.next_reader = head;
                head = number;
            }
            here.reads.push_back(number);
        }
        if (node.writes) here.writes.push_back(number);
        accesses_.push_back(access);
    }
    clock[node.thread] = tick;
    if (keeps_possible_past_) note_possible_past(index);
    return index;
}

void SourceGraph::note_possible_past(EventIndex event) {
    possible_.fit_rows(event + std::size_t{1});
    const Node& node = nodes_[event];
    Tick* const past = possible_.row(event);
    if (node.tick == 1) {
        possible_.clear(past);
    } else {
        possible_.copy(past, possible_.row(by_thread_[node.thread][node.tick - 2]));
    }
    if (node.cause != no_event) possible_.join(past, possible_.row(node.cause));
    if (node.reads)
        for (const Access& access : accesses_of(event)) {
            if (access.source < undecided)
                possible_.join(past, possible_.row(accesses_[access.source].event));
            for (const AccessIndex good : goods_of(access))
                if (good != no_access) possible_.join(past, possible_.row(accesses_[good].event));
        }
    past[node.thread] = node.tick;
}

void SourceGraph::add_goods(Access& read, AccessIndex number, const NewAccess& added, Tick* clock) {
    read.first_good = static_cast<std::uint32_t>(goods_.size());
    read.goods = static_cast<std::uint32_t>(added.goods.size());
    goods_.insert(goods_.end(), added.goods.begin(), added.goods.end());
    cells_[added.cell].open_reads.push_back(number);
    const AccessIndex first = added.goods.front();
    if (first == no_access) return;
    clocks_.copy(common_.data(), clocks_.row(accesses_[first].event));
    for (const AccessIndex good : added.goods.subspan(1)) {
        if (good == no_access) return;
        clocks_.meet(common_.data(), clocks_.row(accesses_[good].event));
    }
    clocks_.join(clock, common_.data());
}

void SourceGraph::truncate(std::size_t size) {
    while (nodes_.size() > size) {
        const Node& node = nodes_.back();
        for (std::uint32_t i = node.count; i-- > 0;) {
            const Access& access = accesses_.back();
            Column& here = column(access.cell, node.thread);
            if (node.writes) here.writes.pop_back();
            if (node.reads) {
                here.reads.pop_back();
                if (access.source != undecided) {
                    reader_head(access) = access.next_reader;
                } else if (access.goods > 0) {
                    cells_[access.cell].open_reads.pop_back();
                    goods_.resize(access.first_good);
                }
            }
            accesses_.pop_back();
        }
        if (node.cause != no_event) nodes_[node.cause].first_caused = node.next_caused;
        by_thread_[node.thread].pop_back();
        nodes_.pop_back();
    }
}

void SourceGraph::clear() {
    truncate(0);
    cells_.clear();
}

AccessIndex SourceGraph::access_to(EventIndex event, CellId cell) const {
    AccessIndex i = nodes_[event].first;
    while (accesses_[i].cell != cell) ++i;
    assert(i < nodes_[event].first + nodes_[event].count);
    return i;
}

SourceGraph::Column& SourceGraph::column(CellId cell, ThreadId thread) {
    std::vector<Column>& columns = cells_[cell].columns;
    for (Column& each : columns)
        if (each.thread == thread) return each;
    return columns.emplace_back(Column{thread, {}, {}});
}

}  // namespace norn
