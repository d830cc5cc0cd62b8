// Part of `reads-value-from` (reads_value_from.cpp): what a read could find, and which writes are as good as
// each other for it.
//
// Two writes are, if they leave the same value. Not so
//   - if the value is not known: of a part of a large access, or of memory that is written unseen (of what is
//     always accessed as a whole it is, however large: then it is a number that stands for it);
//   - releases of memory, what was misused after that (it has written nothing), and what creates or destroys
//   a mutex or condition variable: to come after these is
//     something else than to find the same bytes;
//   - for what changes the queue of a condition variable or barrier: its word is the number of those that
//     wait, but who is woken depends on who they are; so it is with the list of exit handlers;
//   - for what takes a mutex: that would be sound, but as the order of those who take it is explored anyway,
//     it is of no use, and to know it makes everything else simpler.
// A trylock that fails does not tell who has the mutex.
#include <algorithm>

#include "explore/reads_value_from_search.h"

namespace norn {

namespace {

bool takes_mutex(Operation operation) {
    return operation == Operation::lock || operation == Operation::trylock ||
           operation == Operation::wake_lock;
}

bool creates_or_destroys(Operation operation) {
    switch (operation) {
        case Operation::free:
        case Operation::mutex_init:
        case Operation::mutex_destroy:
        case Operation::cond_init:
        case Operation::cond_destroy:
        case Operation::object_init:
        case Operation::object_destroy: return true;
        default: return false;
    }
}

bool leaves_no_value(const Event& event) { return event.operation == Operation::free || event.misused; }

bool changes_queue(const Event& event, FoundValue value) {
    switch (event.operation) {
        case Operation::wait:
        case Operation::wait_end:
        case Operation::barrier_wait:
        case Operation::exit_handler:
        case Operation::cond_init:
        case Operation::cond_destroy: return true;
        case Operation::signal:
        case Operation::broadcast: return !value.known || value.value != 0;
        default: return false;
    }
}

}  // namespace

// What happens before the next event of a thread whatever it finds, into `past_`; and what may, into
// `possible_past_`.
void ReadsValueFromSearch::past_of(EventIndex previous, EventIndex cause) {
    const ClockTable& clocks = graph_.clocks();
    if (previous == no_event) {
        clocks.clear(past_.data());
        clocks.clear(possible_past_.data());
    } else {
        clocks.copy(past_.data(), graph_.clock(previous));
        clocks.copy(possible_past_.data(), graph_.possible_past(previous));
    }
    if (cause != no_event) {
        clocks.join(past_.data(), graph_.clock(cause));
        clocks.join(possible_past_.data(), graph_.possible_past(cause));
    }
}

void ReadsValueFromSearch::past_of(const Pending& pending) {
    past_of(graph_.last_of(pending.event.thread), pending.cause);
}

// The groups of writes that the read may read one of its cells from, in the node of that cell.
void ReadsValueFromSearch::find_groups(Node& node, const Pending& pending) {
    node.first_group = static_cast<std::uint32_t>(groups_.size());
    node.groups = node.next_group = 0;
    node.group = node.done_group = none;
    cells_of_event_.clear();
    cells_.append_cells_of(pending.event, cells_of_event_);
    const CellId cell = cells_of_event_[node.part];
    may_meet_again_ = may_meet_again_ || cells_of_event_.size() > 1;
    if (is_taken(pending, cell)) return;
    const Tick* const limits = limits_of(pending.event, tick_of(pending));
    const Side side = limits == nullptr ? Side::any : side_of(node, pending, limits);
    find_visible(pending, cell);
    for (const AccessIndex write : visible_) {
        const bool is_inside = limits != nullptr && is_forbidden(limits, write);
        if (side == Side::outside && (is_inside || is_covered(pending, cell, write, limits))) continue;
        add_source(node, pending, cell, write, side == Side::either && is_inside);
    }

    // The groups were lists so far; now each is a piece of `goods_`.
    for (std::uint32_t i = node.first_group; i < groups_.size(); ++i) {
        groups_[i].first = static_cast<std::uint32_t>(goods_.size());
        for (const Source& source : sources_)
            if (source.group == i) goods_.push_back(source.write);
        groups_[i].count = static_cast<std::uint32_t>(goods_.size()) - groups_[i].first;
    }
    node.groups = static_cast<std::uint32_t>(groups_.size()) - node.first_group;
    sources_.clear();
}

// The writes of a cell that a read may read from, given what must happen before what, into `visible_`.
void ReadsValueFromSearch::find_visible(const Pending& pending, CellId cell) {
    past_of(pending);
    visible_.clear();
    last_before_.clear();
    last_reads_.clear();
    for (const SourceGraph::Column& column : graph_.cell(cell).columns) {
        const auto is_past = [&](AccessIndex access) {
            return graph_.tick_of(access) <= past_[column.thread];
        };
        const auto write = std::partition_point(column.writes.begin(), column.writes.end(), is_past);
        if (write != column.writes.begin()) last_before_.push_back(*(write - 1));
        visible_.insert(visible_.end(), write, column.writes.end());
        const auto read = std::partition_point(column.reads.begin(), column.reads.end(), is_past);
        if (read != column.reads.begin()) last_reads_.push_back(*(read - 1));
    }
    const auto is_before = [&](AccessIndex early, AccessIndex late) {
        const SourceGraph::Node& node = graph_.node(graph_.access(early).event);
        return graph_.clock(graph_.access(late).event)[node.thread] >= node.tick;
    };
    // What a read in between must not have found is not there any more.
    const auto is_missed = [&](AccessIndex write) {
        return std::any_of(last_reads_.begin(), last_reads_.end(), [&](AccessIndex read) {
            return read != write && (write == no_access || is_before(write, read)) &&
                   !graph_.is_good(graph_.access(read), write);
        });
    };
    if (last_before_.empty() && !is_missed(no_access)) visible_.push_back(no_access);
    for (const AccessIndex write : last_before_)
        if (std::none_of(last_before_.begin(), last_before_.end(),
                         [&](AccessIndex other) { return other != write && is_before(write, other); }) &&
            !is_missed(write))
            visible_.push_back(write);
}

// The causal map forbids that a read has all its sources inside the trace that it had once. So the first of
// its cells whose source is outside tells its executions apart.
ReadsValueFromSearch::Side ReadsValueFromSearch::side_of(const Node& node, const Pending& pending,
                                                         const Tick* limits) {
    for (std::uint32_t i = 0; i < node.part; ++i) {
        const Node& earlier = nodes_[node.call + i];
        if (!is_forbidden(limits, goods_[groups_[earlier.first_group + earlier.group].first]))
            return Side::any;
    }
    for (std::uint32_t i = node.part + 1; i < cells_of_event_.size(); ++i) {
        find_visible(pending, cells_of_event_[i]);
        for (const AccessIndex write : visible_)
            if (!is_forbidden(limits, write)) return Side::either;
    }
    return Side::outside;
}

// What a write has left in a cell, if that can be compared.
FoundValue ReadsValueFromSearch::value_left(CellId cell, AccessIndex write) const {
    if (write != no_access && leaves_no_value(events_[graph_.access(write).event])) return {false, 0};
    return values_.left(cell, write);
}

void ReadsValueFromSearch::add_source(const Node& node, const Pending& pending, CellId cell,
                                      AccessIndex write, bool is_apart) {
    const Event& event = pending.event;
    const Operation by = write == no_access ? Operation::store : events_[event_of_access(write)].operation;
    FoundValue value = value_left(cell, write);
    bool is_alone = !value.known || creates_or_destroys(by);
    if (event.operation != Operation::load) {
        // (A lock after the release of its memory is left to use_after_release.)
        if (event.guarded &&
            (by == Operation::free || (value.known && !event.condition_holds_on(value.value))))
            return;
        if (event.operation == Operation::trylock && value.known && value.value != event.expected)
            value.value = ~event.expected;
        const bool writes =
            event.condition == Condition::always || event.guarded
                ? event.writes()
                : value.known && cells_of_event_.size() == 1 && event.condition_holds_on(value.value);
        if (writes && is_overwritten_at_once(cell, write)) return;
        const bool takes_it = takes_mutex(event.operation) && event.condition_holds_on(value.value);
        is_alone = is_alone || takes_it || changes_queue(event, value);
    }
    auto group = static_cast<std::uint32_t>(groups_.size());
    if (!is_alone)
        for (std::uint32_t i = node.first_group; i < groups_.size(); ++i)
            if (groups_[i].is_open && groups_[i].is_apart == is_apart &&
                groups_[i].value.value == value.value)
                group = i;
    if (group == groups_.size()) groups_.push_back({0, 0, value, !is_alone, is_apart});
    sources_.push_back({write, group});
}

// Whether a read-modify-write reads from the write in any case: no other one can.
bool ReadsValueFromSearch::is_overwritten_at_once(CellId cell, AccessIndex write) const {
    for (AccessIndex reader = graph_.first_reader(write, cell); reader != no_access;
         reader = graph_.access(reader).next_reader)
        if (graph_.node(graph_.access(reader).event).writes) return true;
    return false;
}

bool ReadsValueFromSearch::is_forbidden(const Tick* limits, AccessIndex write) const {
    if (write == no_access) return true;
    const SourceGraph::Node& node = graph_.node(graph_.access(write).event);
    return node.tick <= limits[node.thread];
}

// Whether a load that reads from `write`, which is not forbidden, could as well come earlier, in whatever
// execution that is, and find the same value left by a write that is forbidden: then that execution is in a
// class that was explored when the load came first. It could, if that other write comes before `write`, and
// if what must come before the load either comes before the other write too, or can be performed right after
// it.
bool ReadsValueFromSearch::is_covered(const Pending& pending, CellId cell, AccessIndex write,
                                      const Tick* limits) {
    const FoundValue value = value_left(cell, write);
    if (pending.event.operation != Operation::load || cells_of_event_.size() > 1 || !value.known ||
        creates_or_destroys(events_[graph_.access(write).event].operation))
        return false;
    past_of(pending);
    const FoundValue initial = value_left(cell, no_access);
    if (initial.known && initial.value == value.value && can_move_to(no_event)) return true;
    const Tick* const clock = graph_.clock(graph_.access(write).event);
    for (const SourceGraph::Column& column : graph_.cell(cell).columns)
        for (const AccessIndex other : column.writes) {
            const EventIndex writer = graph_.access(other).event;
            const Tick tick = graph_.tick_of(other);
            if (tick > limits[column.thread] || tick > clock[column.thread]) break;
            const FoundValue there = value_left(cell, other);
            if (there.known && there.value == value.value &&
                !creates_or_destroys(events_[writer].operation) && can_move_to(writer))
                return true;
        }
    return false;
}

// Whether all that is in `past_` can be performed before or right after a write (no_event: before everything)
// without a change, if it is performed after it: what does not happen before it must not write, and must read
// from what does.
bool ReadsValueFromSearch::can_move_to(EventIndex write) const {
    const Tick* const clock = write == no_event ? nullptr : graph_.clock(write);
    const auto is_before = [&](AccessIndex access) {
        if (access == no_access) return true;
        const Access& source = graph_.access(access);
        return clock != nullptr && source.tick <= clock[graph_.node(source.event).thread];
    };
    for (std::size_t t = 0; t < graph_.threads(); ++t) {
        const std::vector<EventIndex>& events = graph_.of_thread(static_cast<ThreadId>(t));
        for (Tick done = clock == nullptr ? 0 : clock[t]; done < past_[t]; ++done) {
            const SourceGraph::Node& node = graph_.node(events[done]);
            if (node.writes) return false;
            if (!node.reads) continue;
            for (const Access& access : graph_.accesses_of(events[done])) {
                if (access.source != undecided && !is_before(access.source)) return false;
                for (const AccessIndex good : graph_.goods_of(access))
                    if (!is_before(good)) return false;
            }
        }
    }
    return true;
}

// Whether the read may read from whichever write of its cell is the last one of the trace, in any order of
// it.
bool ReadsValueFromSearch::may_read_last(const Node& node, const Pending& pending) {
    cells_of_event_.clear();
    cells_.append_cells_of(pending.event, cells_of_event_);
    if (cells_of_event_.size() > 1) return false;
    const std::vector<SourceGraph::Column>& columns = graph_.cell(cells_of_event_[0]).columns;
    bool is_written = false;
    for (const SourceGraph::Column& column : columns) {
        if (column.writes.empty()) continue;
        is_written = true;
        const AccessIndex last = column.writes.back();
        const bool comes_earlier =
            std::any_of(columns.begin(), columns.end(), [&](const SourceGraph::Column& other) {
                return other.thread != column.thread && !other.writes.empty() &&
                       graph_.clock(graph_.access(other.writes.back()).event)[column.thread] >=
                           graph_.tick_of(last);
            });
        if (!comes_earlier && group_with(node, last) == none) return false;
    }
    return is_written || group_with(node, no_access) != none;
}

// The mutex is taken, in whatever order the events of the trace are performed.
bool ReadsValueFromSearch::is_taken(const Pending& pending, CellId cell) {
    if (!takes_mutex(pending.event.operation) || !pending.event.guarded || !is_settled(pending)) return false;
    int holders = 0;
    for (const SourceGraph::Column& column : graph_.cell(cell).columns)
        for (const AccessIndex write : column.writes) {
            const Operation operation = events_[graph_.access(write).event].operation;
            if (!takes_mutex(operation) && operation != Operation::unlock) return false;
            holders += takes_mutex(operation) ? 1 : -1;
        }
    return holders > 0;
}

// Whether all that was done to a mutex is to take and to release it, but for what happened before the read.
bool ReadsValueFromSearch::is_settled(const Pending& pending) {
    cells_of_event_.clear();
    cells_.append_cells_of(pending.event, cells_of_event_);
    if (cells_of_event_.size() != 1) return false;
    past_of(pending);
    for (const SourceGraph::Column& column : graph_.cell(cells_of_event_[0]).columns)
        for (std::size_t i = column.writes.size(); i-- > 0;) {
            const Access& write = graph_.access(column.writes[i]);
            if (write.tick <= past_[column.thread]) break;
            const Operation operation = events_[write.event].operation;
            if (!takes_mutex(operation) && operation != Operation::unlock) return false;
        }
    return true;
}

// The group of a node that a write is in, or none.
std::uint32_t ReadsValueFromSearch::group_with(const Node& node, AccessIndex write) const {
    for (std::uint32_t i = 0; i < node.groups; ++i) {
        const Group& group = groups_[node.first_group + i];
        for (std::uint32_t k = 0; k < group.count; ++k)
            if (goods_[group.first + k] == write) return i;
    }
    return none;
}

// Fills `accesses_` with those of the read of a node, as far as their good writes are chosen.
void ReadsValueFromSearch::plan_accesses(std::uint32_t index) {
    const Node& node = nodes_[index];
    accesses_.clear();
    const Event& event = read_of(nodes_[node.call]).event;
    if (event.access == norn::Access::none) return;
    cells_of_event_.clear();
    cells_.append_cells_of(event, cells_of_event_);
    for (std::uint32_t part = 0; part < cells_of_event_.size(); ++part) {
        NewAccess access{cells_of_event_[part], undecided_event, {}};
        if (node.call + part <= index && nodes_[node.call + part].kind == Kind::value) {
            const Node& chosen = nodes_[node.call + part];
            const Group& group = groups_[chosen.first_group + chosen.group];
            if (group.count == 1) {
                access.source = event_of_access(goods_[group.first]);
            } else {
                access.goods = {goods_.data() + group.first, group.count};
            }
        }
        accesses_.push_back(access);
    }
}

// Whether the read of a node writes, if it finds what was chosen.
ReadsValueFromSearch::Writing ReadsValueFromSearch::will_write(std::uint32_t index) const {
    const Node& node = nodes_[index];
    const Event& event = read_of(nodes_[node.call]).event;
    if (event.condition == Condition::always || event.guarded)
        return event.writes() ? Writing::yes : Writing::no;
    std::uint64_t value = 0;
    for (std::uint32_t part = 0; part < accesses_.size(); ++part) {
        if (node.call + part > index || (event.size > largest_value && accesses_.size() > 1))
            return Writing::unknown;
        const Node& chosen = nodes_[node.call + part];
        const Group& group = groups_[chosen.first_group + chosen.group];
        if (!group.value.known) return Writing::unknown;
        value |= group.value.value << (8 * (cells_.begin_of(accesses_[part].cell) - event.address));
    }
    return event.condition_holds_on(value) ? Writing::yes : Writing::no;
}

}  // namespace norn
