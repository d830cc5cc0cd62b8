#include "explore/topology.h"

#include <algorithm>

namespace norn {

namespace {

constexpr std::uint32_t no_edge = UINT32_MAX;

// Puts what is not there yet where it belongs. False: it was there.
template <typename T>
bool insert_sorted(std::vector<T>& sorted, T item) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), item);
    if (place != sorted.end() && *place == item) return false;
    sorted.insert(place, item);
    return true;
}

}  // namespace

void Topology::fit(const SourceGraph& graph) {
    threads_ = std::max(threads_, graph.threads());
    if (width_ < threads_) {
        width_ = threads_;
        edge_of_.assign(width_ * width_, no_edge);
        for (std::uint32_t i = 0; i < edges_.size(); ++i) edge_of_[edges_[i].a * width_ + edges_[i].b] = i;
    }
    past_.fit_threads(graph.threads());
    past_.fit_rows(graph.size());
    if (passing_.size() < graph.size()) passing_.resize(graph.size());
    if (uses_.size() < graph.cells()) uses_.resize(graph.cells());
}

void Topology::take_in(const SourceGraph& graph, EventIndex index, const Event& event) {
    const SourceGraph::Node& node = graph.node(index);
    Tick* const past = past_.row(index);
    passing_[index].joined = no_thread;
    if (node.tick == 1) {
        past_.clear(past);
    } else {
        past_.copy(past, past_.row(graph.of_thread(node.thread)[node.tick - 2]));
    }
    if (node.cause != no_event) past_.join(past, past_.row(node.cause));
    if (event.operation == Operation::join)
        for (const SourceGraph::Access& access : graph.accesses_of(index))
            if (access.source < undecided) {
                const EventIndex end = graph.access(access.source).event;
                past_.join(past, past_.row(end));
                passing_[index].joined = graph.node(end).thread;
            }
    past[node.thread] = node.tick;
    if (event.operation != Operation::join && event.operation != Operation::end &&
        event.operation != Operation::free)
        find_partners(graph, index);
}

// Finds the threads that the event communicates with, among those before it.
void Topology::find_partners(const SourceGraph& graph, EventIndex index) {
    const ThreadId own = graph.node(index).thread;
    for (const SourceGraph::Access& access : graph.accesses_of(index))
        for (const SourceGraph::Column& column : graph.cell(access.cell).columns)
            if (column.thread != own && meets(graph, index, access, column))
                add(own, column.thread, access.cell);
}

// Whether a thread has an access that conflicts with that of the event and could come after it as well. If
// both write, and not both read as well, the cell is open.
bool Topology::meets(const SourceGraph& graph, EventIndex index, const SourceGraph::Access& access,
                     const SourceGraph::Column& column) {
    const Tick past = past_.row(index)[column.thread];
    const auto end_of_earlier = [&](const std::vector<AccessIndex>& accesses) {
        return std::partition_point(accesses.begin(), accesses.end(),
                                    [&](AccessIndex each) { return graph.access(each).event < index; });
    };
    const auto has_concurrent = [&](const std::vector<AccessIndex>& accesses) {
        const auto end = end_of_earlier(accesses);
        return end != accesses.begin() && graph.tick_of(*(end - 1)) > past;
    };
    const SourceGraph::Node& node = graph.node(index);
    const bool meets_write = has_concurrent(column.writes);
    Use& use = uses_[access.cell];
    if (node.writes && meets_write && !use.open) {
        bool is_open = !node.reads;
        for (auto write = end_of_earlier(column.writes); !is_open && write != column.writes.begin();) {
            --write;
            if (graph.tick_of(*write) <= past) break;
            is_open = !graph.node(graph.access(*write).event).reads;
        }
        use.open = is_open;
        has_grown_ = has_grown_ || is_open;
    }
    return meets_write || (node.writes && has_concurrent(column.reads));
}

bool Topology::communicates(const SourceGraph& graph, EventIndex index) const {
    const ThreadId own = graph.node(index).thread;
    for (const SourceGraph::Access& access : graph.accesses_of(index)) {
        const std::vector<ThreadId>& threads = uses_[access.cell].threads;
        if (std::binary_search(threads.begin(), threads.end(), own)) return true;
    }
    return false;
}

// Whether the start or the end of a child passes something on: then it is an edge.
void Topology::note_passing(const SourceGraph& graph, EventIndex index, const Event& event) {
    const SourceGraph::Node& node = graph.node(index);
    Passing& passing = passing_[index];
    passing.has_heard = passing.has_joined = false;
    if (node.tick > 1) {
        const Passing& before = passing_[graph.of_thread(node.thread)[node.tick - 2]];
        passing.has_heard = before.has_heard;
        passing.has_joined = before.has_joined;
    } else if (node.cause != no_event && passing_[node.cause].has_heard) {
        edge(graph.node(node.cause).thread, node.thread);
        passing.has_heard = true;
    }
    const bool talks = communicates(graph, index);
    if (passing.has_joined && (talks || event.operation == Operation::spawn))
        for (const EventIndex earlier : graph.of_thread(node.thread)) {
            if (earlier >= index) break;
            if (passing_[earlier].joined != no_thread) edge(node.thread, passing_[earlier].joined);
        }
    const bool joins = passing.joined != no_thread;
    passing.has_heard = passing.has_heard || talks || joins;
    passing.has_joined = passing.has_joined || joins;
}

Topology::Edge& Topology::edge(ThreadId a, ThreadId b) {
    const ThreadId low = std::min(a, b);
    const ThreadId high = std::max(a, b);
    std::uint32_t& number = edge_of_[low * width_ + high];
    if (number == no_edge) {
        number = static_cast<std::uint32_t>(edges_.size());
        edges_.push_back({low, high, {}, false});
        has_grown_ = true;
    }
    return edges_[number];
}

void Topology::add(ThreadId a, ThreadId b, CellId cell) {
    if (!insert_sorted(edge(a, b).cells, cell)) return;
    insert_sorted(uses_[cell].threads, a);
    insert_sorted(uses_[cell].threads, b);
    has_grown_ = true;
}

// Chooses the edges to remove. True: other cells are ordered now.
bool Topology::order_anew() {
    has_grown_ = false;
    edges_of_.assign(threads_, {});
    for (std::uint32_t i = 0; i < edges_.size(); ++i) {
        edges_[i].removed = false;
        edges_of_[edges_[i].a].push_back(i);
        edges_of_[edges_[i].b].push_back(i);
    }
    number_.assign(threads_, 0);
    lowest_.assign(threads_, 0);
    visited_ = 0;
    for (std::size_t t = 0; t < threads_; ++t)
        if (number_[t] == 0) visit(static_cast<ThreadId>(t), no_edge);

    bool has_changed = false;
    std::vector<char> is_ordered(uses_.size(), 0);
    for (const Edge& each : edges_)
        if (each.removed)
            for (const CellId cell : each.cells) is_ordered[cell] = uses_[cell].open ? 1 : 0;
    for (std::size_t cell = 0; cell < uses_.size(); ++cell) {
        has_changed = has_changed || uses_[cell].ordered != (is_ordered[cell] != 0);
        uses_[cell].ordered = is_ordered[cell] != 0;
    }
    return has_changed;
}

// Depth first. A component is complete where nothing below an edge leads back above it.
void Topology::visit(ThreadId thread, std::uint32_t by) {
    number_[thread] = lowest_[thread] = ++visited_;
    for (const std::uint32_t index : edges_of_[thread]) {
        if (index == by) continue;
        const ThreadId other = edges_[index].a == thread ? edges_[index].b : edges_[index].a;
        if (number_[other] != 0) {
            if (number_[other] < number_[thread]) {
                unassigned_.push_back(index);
                lowest_[thread] = std::min(lowest_[thread], number_[other]);
            }
            continue;
        }
        const std::size_t begin = unassigned_.size();
        unassigned_.push_back(index);
        visit(other, index);
        lowest_[thread] = std::min(lowest_[thread], lowest_[other]);
        if (lowest_[other] < number_[thread]) continue;
        remove_edges(std::span<const std::uint32_t>(unassigned_).subspan(begin));
        unassigned_.resize(begin);
    }
}

// Of a component one thread keeps its edges.
void Topology::remove_edges(std::span<const std::uint32_t> component) {
    if (component.size() < 3) return;  // no cycle
    ThreadId kept = no_thread;
    std::size_t lowest = SIZE_MAX;
    for (const std::uint32_t index : component)
        for (const ThreadId thread : {edges_[index].a, edges_[index].b}) {
            const std::size_t cost = cost_of_keeping(thread, component);
            if (cost > lowest || (cost == lowest && thread >= kept)) continue;
            lowest = cost;
            kept = thread;
        }
    for (const std::uint32_t index : component)
        edges_[index].removed = edges_[index].a != kept && edges_[index].b != kept;
}

// How many cells must be ordered if the thread keeps its edges.
std::size_t Topology::cost_of_keeping(ThreadId thread, std::span<const std::uint32_t> component) {
    counted_.clear();
    for (const std::uint32_t index : component) {
        if (edges_[index].a == thread || edges_[index].b == thread) continue;
        for (const CellId cell : edges_[index].cells)
            if (uses_[cell].open) insert_sorted(counted_, cell);
    }
    return counted_.size();
}

}  // namespace norn
