#include "consistency/witness_search.h"

#include <algorithm>

namespace norn {

WitnessSearch::Answer WitnessSearch::find(const SourceGraph& graph, const Saturation* order,
                                          std::span<const EventIndex> guide, std::size_t limit) {
    graph_ = &graph;
    order_ = order;
    begin(guide);
    for (;;) {
        while (perform_forced()) {
        }
        if (performed_.size() == graph.size()) return Answer::yes;
        if (visited_.size() >= limit) return Answer::too_hard;
        if (!(visited_.insert(state()) && fork()) && !step_back()) return Answer::no;
    }
}

void WitnessSearch::begin(std::span<const EventIndex> guide) {
    position_.resize(graph_->size());
    for (std::size_t i = 0; i < guide.size(); ++i) position_[guide[i]] = static_cast<std::uint32_t>(i);
    performed_.clear();
    overwritten_.clear();
    forks_.clear();
    alternatives_.clear();
    visited_.clear();
    done_.assign(graph_->clocks().stride(), 0);
    contents_.assign(graph_->cells(), no_access);
    count_reads();
}

void WitnessSearch::count_reads() {
    const std::size_t accesses = graph_->accesses();
    awaiting_.assign(accesses, {});
    missing_.assign(accesses, 0);
    awaiting_initial_.assign(graph_->cells(), {});
    holders_.assign(graph_->cells(), 0);
    first_reader_.assign(accesses + 1, 0);
    read_cells_.clear();
    const auto for_each_good = [&](const auto& action) {
        for (AccessIndex i = 0; i < accesses; ++i) {
            const SourceGraph::Access& read = graph_->access(i);
            if (!graph_->node(read.event).reads) continue;
            for (const AccessIndex good : goods_of(read)) action(i, read, good);
        }
    };
    for_each_good([&](AccessIndex i, const SourceGraph::Access& read, AccessIndex good) {
        awaiting(good, read.cell).add(i);
        if (good == no_access) return;
        ++missing_[i];
        ++first_reader_[good + 1];
    });
    for (std::size_t i = 0; i < accesses; ++i) first_reader_[i + 1] += first_reader_[i];
    readers_.resize(first_reader_[accesses]);
    for_each_good([&](AccessIndex i, const SourceGraph::Access&, AccessIndex good) {
        if (good != no_access) readers_[first_reader_[good]++] = i;
    });
    for (std::size_t i = accesses; i > 0; --i) first_reader_[i] = first_reader_[i - 1];
    first_reader_[0] = 0;
    for (CellId cell = 0; cell < graph_->cells(); ++cell) {
        bool is_read = false;
        for (const SourceGraph::Column& column : graph_->cell(cell).columns)
            for (const AccessIndex read : column.reads) {
                is_read = true;
                if (missing_[read] == 0 && !goods_of(graph_->access(read)).empty()) ++holders_[cell];
            }
        if (is_read) read_cells_.push_back(cell);
    }
}

// Performs an event that can be performed without closing any way, if there is one.
bool WitnessSearch::perform_forced() {
    for (std::size_t t = 0; t < graph_->threads(); ++t) {
        const EventIndex event = next_of(t);
        if (event == no_event || !is_forced(event) || !can_be_performed(event)) continue;
        perform(event);
        return true;
    }
    return false;
}

// Takes the first of the ways that are open.
bool WitnessSearch::fork() {
    const std::size_t first = alternatives_.size();
    for (std::size_t t = 0; t < graph_->threads(); ++t) {
        const EventIndex event = next_of(t);
        if (event != no_event && can_be_performed(event)) alternatives_.push_back(event);
    }
    if (alternatives_.size() == first) return false;
    std::sort(alternatives_.begin() + static_cast<std::ptrdiff_t>(first), alternatives_.end(),
              [&](EventIndex a, EventIndex b) { return position_[a] < position_[b]; });
    forks_.push_back({performed_.size(), first, first + 1});
    perform(alternatives_[first]);
    return true;
}

// Back to the last fork with a way that was not tried, and into that.
bool WitnessSearch::step_back() {
    while (!forks_.empty()) {
        Fork& last = forks_.back();
        while (performed_.size() > last.performed) take_back();
        if (last.next < alternatives_.size()) {
            perform(alternatives_[last.next++]);
            return true;
        }
        alternatives_.resize(last.first);
        forks_.pop_back();
    }
    return false;
}

EventIndex WitnessSearch::next_of(std::size_t thread) const {
    const std::vector<EventIndex>& events = graph_->of_thread(static_cast<ThreadId>(thread));
    return done_[thread] < events.size() ? events[done_[thread]] : no_event;
}

// Whether the event, which is the next one of its thread, can be performed now.
bool WitnessSearch::can_be_performed(EventIndex event) const {
    const SourceGraph::Node& node = graph_->node(event);
    if (node.cause != no_event && !is_done(node.cause)) return false;
    if (order_ != nullptr) {
        const Tick* const clock = order_->clock(event);
        for (std::size_t t = 0; t < graph_->threads(); ++t)
            if (clock[t] > done_[t] && t != node.thread) return false;
    }
    for (AccessIndex i = node.first; i < node.first + node.count; ++i) {
        const SourceGraph::Access& access = graph_->access(i);
        const bool is_read = node.reads && !goods_of(access).empty();
        if (is_read && !graph_->is_good(access, contents_[access.cell])) return false;
        const std::uint32_t own = is_read && missing_[i] == 0 ? 1 : 0;
        if (node.writes && holders_[access.cell] > own) return false;
    }
    return true;
}

bool WitnessSearch::is_forced(EventIndex event) const {
    const SourceGraph::Node& node = graph_->node(event);
    if (!node.writes) return true;
    for (AccessIndex i = node.first; i < node.first + node.count; ++i) {
        const SourceGraph::Access& access = graph_->access(i);
        const AccessIndex content = contents_[access.cell];
        const bool awaits_content =
            node.reads && !goods_of(access).empty() && graph_->is_good(access, content);
        if (awaiting_[i].count > 0 || awaiting(content, access.cell).count > (awaits_content ? 1U : 0U))
            return false;
    }
    return true;
}

void WitnessSearch::perform(EventIndex event) {
    const SourceGraph::Node& node = graph_->node(event);
    ++done_[node.thread];
    performed_.push_back(event);
    if (node.reads)
        for (AccessIndex i = node.first; i < node.first + node.count; ++i) {
            const SourceGraph::Access& read = graph_->access(i);
            const std::span<const AccessIndex> goods = goods_of(read);
            for (const AccessIndex good : goods) awaiting(good, read.cell).remove(i);
            if (missing_[i] == 0 && !goods.empty()) --holders_[read.cell];
        }
    if (node.writes)
        for (AccessIndex i = node.first; i < node.first + node.count; ++i) {
            const CellId cell = graph_->access(i).cell;
            overwritten_.push_back(contents_[cell]);
            contents_[cell] = i;
            for (const AccessIndex reader : readers_of(i))
                if (--missing_[reader] == 0 && !is_done(graph_->access(reader).event)) ++holders_[cell];
        }
}

// Undoes `perform` for the event performed last.
void WitnessSearch::take_back() {
    const EventIndex event = performed_.back();
    const SourceGraph::Node& node = graph_->node(event);
    if (node.writes)
        for (AccessIndex i = node.first + node.count; i-- > node.first;) {
            const CellId cell = graph_->access(i).cell;
            for (const AccessIndex reader : readers_of(i))
                if (missing_[reader]++ == 0 && !is_done(graph_->access(reader).event)) --holders_[cell];
            contents_[cell] = overwritten_.back();
            overwritten_.pop_back();
        }
    if (node.reads)
        for (AccessIndex i = node.first; i < node.first + node.count; ++i) {
            const SourceGraph::Access& read = graph_->access(i);
            const std::span<const AccessIndex> goods = goods_of(read);
            for (const AccessIndex good : goods) awaiting(good, read.cell).add(i);
            if (missing_[i] == 0 && !goods.empty()) ++holders_[read.cell];
        }
    performed_.pop_back();
    --done_[node.thread];
}

std::uint64_t WitnessSearch::Awaiting::number_of(AccessIndex read) {
    std::uint64_t number = (read + std::uint64_t{1}) * 0x9E37'79B9'7F4A'7C15U;
    number = (number ^ (number >> 30)) * 0xBF58'476D'1CE4'E5B9U;
    return number ^ (number >> 31);
}

Identity WitnessSearch::state() const {
    Identity identity;
    for (std::size_t t = 0; t < graph_->threads(); ++t) identity.mix(done_[t]);
    for (const CellId cell : read_cells_) identity.mix(awaiting(contents_[cell], cell).who);
    return identity;
}

}  // namespace norn
