// Part of `reads-value-from` (reads_value_from.cpp): how an execution is taken over into the current trace,
// and which calls it makes on the way.
#include <algorithm>

#include "explore/reads_value_from_search.h"

namespace norn {

// Takes over what the execution did beyond its schedule.
ReadsValueFromSearch::Extension ReadsValueFromSearch::extend(const Execution& execution) {
    graph_.fit_threads(execution.threads);
    limits_.fit_threads(execution.threads);
    past_.resize(graph_.clocks().stride());
    possible_past_.resize(graph_.clocks().stride());
    if (deferral_of_.size() < execution.threads) deferral_of_.resize(execution.threads, none);
    const std::size_t size = execution.events.size();
    values_known_ = true;
    learn_forecast(execution);
    if (!values_known_) return Extension::learned;
    // A failure may end the program before it has come to the end of the schedule.
    if (size < witnessed_) return Extension::cut_short;
    if (!learn_cells(execution)) return Extension::learned;
    contents_.begin(cells_.size());
    graph_.fit_cells(cells_.size());
    if (!confirm_planned(execution))
        return execution.failed ? Extension::cut_short : Extension::not_as_planned;
    if (!values_known_) return Extension::learned;
    if (!complete_planned()) return Extension::redundant;

    look_ahead(execution);
    Extension extension = Extension::done;
    for (std::size_t i = witnessed_; i < size && extension == Extension::done; ++i) {
        const Event& event = execution.events[i];
        const EventIndex cause = event.cause == no_event ? no_event : execution_[event.cause];
        if (!depends_on_value(event) || is_constant(event, cause)) {
            take_other(execution, i);
        } else {
            extension = take_read(execution, i);
        }
    }
    if (extension == Extension::done) take_waiting(execution);
    const bool initial_has_changed = values_.initial_has_changed();
    if (!values_known_ || initial_has_changed || begins_too_early()) return Extension::learned;
    if (missed_constant_ != no_location) {
        // Either the executor did not know what this execution has shown, and now it does; or it had to let
        // another thread go on: then the location is not taken for constant any more.
        if (!forecast_has_changed_)
            forecast_.locations[missed_constant_].writes = Forecast::Writes::different;
        return Extension::learned;
    }
    return cannot_tell_ ? Extension::not_as_planned : extension;
}

// Whether the first execution had to choose between reads while nothing was known of the program. What it
// chose stays at the root of the whole search, so it is better chosen once more.
bool ReadsValueFromSearch::begins_too_early() {
    if (has_forecast_) return false;
    has_forecast_ = true;
    return std::any_of(nodes_.begin(), nodes_.end(),
                       [](const Node& node) { return node.reads > 1 && node.signals != 0; });
}

// False: events of the trace would have to be described anew.
bool ReadsValueFromSearch::learn_cells(const Execution& execution) {
    bool same = true;
    for (const Event& event : execution.events.subspan(witnessed_))
        if (event.access != norn::Access::none) same = cells_.learn(event) && same;
    for (const Event& event : execution.pending)
        if (event.access != norn::Access::none) same = cells_.learn(event) && same;
    return same || graph_.size() == 0;
}

// Whether the events of the schedule have found and left what they should. What the planned one did is not
// known before.
bool ReadsValueFromSearch::confirm_planned(const Execution& execution) {
    for (std::size_t i = 0; i < witnessed_; ++i) {
        const EventIndex event = execution_[i];
        const Event& performed = execution.events[i];
        Event& known = events_[event];
        const SourceGraph::Node& node = graph_.node(event);
        const bool is_planned = event >= planned_begin_;
        if (node.writes && !is_planned && performed.after != known.after &&
            performed.operation != Operation::free) {
            // It has written something else than before: its values tell nothing.
            for (const Access& access : graph_.accesses_of(event))
                values_known_ = values_.disbelieve(cells_, access.cell) && values_known_;
            known.after = performed.after;
        }
        if (i >= kept_) {
            if (performed.operation != known.operation || performed.address != known.address ||
                performed.size != known.size)
                return false;
            if (performed.writes() != node.writes && !(is_planned && node.writes)) return false;
            if (node.reads)
                for (const Access& access : graph_.accesses_of(event))
                    values_known_ = values_.found(cells_, access.cell, contents_[access.cell], performed) &&
                                    values_known_;
            if (is_planned) known = performed;
        }
        contents_.note(graph_, event);
    }
    return true;
}

// What was left open of the planned event: the values of further cells, and alternatives. False: it finds
// what it must not; then its call has no such child yet.
bool ReadsValueFromSearch::complete_planned() {
    if (planned_ == none) return true;
    const auto event = static_cast<EventIndex>(planned_begin_);
    const Event performed = events_[event];
    const std::uint32_t call = nodes_[planned_].call;
    if (nodes_[planned_].kind == Kind::value) {
        const std::uint32_t part = nodes_[planned_].part;
        const bool is_open =
            part + 1 < parts_of(performed) || performed.writes() != graph_.node(event).writes;
        const EventIndex cause = graph_.node(event).cause;
        if (is_open) {
            contents_on_the_way_.begin(graph_.cells());
            for (std::size_t i = 0; execution_[i] != event; ++i)
                contents_on_the_way_.note(graph_, execution_[i]);
            truncate(event);
            if (!is_allowed(performed, contents_on_the_way_)) {
                signal_pending_of(nodes_[call]);
                add_part(call, part + 1);
                return false;
            }
        }
        add_parts(call, part + 1, performed.alternatives, contents_on_the_way_);
        if (is_open) {
            plan_accesses(static_cast<std::uint32_t>(nodes_.size() - 1));
            push(performed, cause, true, performed.writes());
            contents_.begin(graph_.cells());
            for (const EventIndex each : execution_) contents_.note(graph_, each);
        }
    }
    call_of_[event] = call;
    note_values(event);
    signal(event);
    return true;
}

// Whether the event, which is the next one of its thread, may read from what is there.
bool ReadsValueFromSearch::is_allowed(const Event& event, const CellContents& contents) {
    const auto tick = static_cast<Tick>(graph_.of_thread(event.thread).size() + 1);
    const Tick* const limits = limits_of(event, tick);
    if (limits == nullptr) return true;
    cells_of_event_.clear();
    cells_.append_cells_of(event, cells_of_event_);
    for (const CellId cell : cells_of_event_)
        if (!is_forbidden(limits, contents[cell])) return true;
    return false;
}

// Makes the nodes of a call for the values of its cells from `part` on, as they are in `contents`, and for
// the alternatives of its read.
void ReadsValueFromSearch::add_parts(std::uint32_t call, std::uint32_t part, std::uint16_t alternatives,
                                     const CellContents& contents) {
    const EventIndex base = nodes_[call].base;
    const std::uint32_t pending = reads_[nodes_[call].marks.reads + nodes_[call].current];
    pending_[pending].event.alternatives = alternatives;
    const std::uint32_t parts = parts_of(pending_[pending].event);
    for (; part < parts; ++part) {
        add_part(call, part);
        Node& node = nodes_.back();
        node.group = node.done_group = group_with(node, contents[cells_of_event_[part]]);
        cannot_tell_ = cannot_tell_ || node.group == none;
    }
    if (alternatives > 1) make_node(Kind::choice, base, 0, call);
}

void ReadsValueFromSearch::add_part(std::uint32_t call, std::uint32_t part) {
    make_node(Kind::value, nodes_[call].base, part, call);
    find_groups(nodes_.back(), read_of(nodes_[call]));
}

// Where the next event of each thread is.
void ReadsValueFromSearch::look_ahead(const Execution& execution) {
    const std::size_t size = execution.events.size();
    upcoming_.assign(execution.threads, none);
    logged_.assign(execution.threads, none);
    for (std::size_t i = 0; i < execution.pending.size(); ++i)
        upcoming_[execution.pending[i].thread] = static_cast<std::uint32_t>(size + i);
    next_in_thread_.resize(size);
    for (std::size_t i = size; i-- > witnessed_;) {
        std::uint32_t& next = upcoming_[execution.events[i].thread];
        next_in_thread_[i] = next;
        next = static_cast<std::uint32_t>(i);
    }
}

// A read makes a call. If it finds what it must not, the call has no child yet, and the rest of the execution
// does not count.
ReadsValueFromSearch::Extension ReadsValueFromSearch::take_read(const Execution& execution,
                                                                std::size_t position) {
    const Event& event = execution.events[position];
    const auto call = static_cast<std::uint32_t>(nodes_.size());
    make_node(Kind::value, static_cast<EventIndex>(graph_.size()), 0, call);
    collect_reads(execution, position, event.thread);
    begin_read(nodes_[call]);
    if (!is_allowed(event, contents_)) {
        signal_pending_of(nodes_[call]);
        return Extension::redundant;
    }
    cells_of_event_.clear();
    cells_.append_cells_of(event, cells_of_event_);
    Node& node = nodes_[call];
    node.group = node.done_group = group_with(node, contents_[cells_of_event_[0]]);
    node.has_child = node.group != none;
    if (node.group == none) {
        if (limits_of(event, tick_of(read_of(node))) != nullptr) {
            signal_pending_of(node);
            return Extension::redundant;
        }
        // (What has no group because it is a failure, such as to take a mutex that was freed, ends here.)
        cannot_tell_ = !execution.failed;
        return Extension::cut_short;
    }
    const EventIndex cause = read_of(node).cause;
    add_parts(call, 1, event.alternatives, contents_);
    if (cannot_tell_) return Extension::not_as_planned;
    plan_accesses(static_cast<std::uint32_t>(nodes_.size() - 1));
    append(event, cause, true, event.writes());
    call_of_.back() = call;
    signal(execution_.back());
    upcoming_[event.thread] = next_in_thread_[position];
    logged_[event.thread] = none;
    return Extension::done;
}

// An event that depends on no value, or on one that is always the same.
void ReadsValueFromSearch::take_other(const Execution& execution, std::size_t position) {
    const Event& event = execution.events[position];
    const EventIndex cause = event.cause == no_event ? no_event : execution_[event.cause];
    std::uint32_t call = none;
    if (event.alternatives > 1) {
        call = static_cast<std::uint32_t>(nodes_.size());
        make_node(Kind::choice, static_cast<EventIndex>(graph_.size()), 0, call).reads = 1;
        pending_.push_back({event, cause});
        reads_.push_back(static_cast<std::uint32_t>(pending_.size() - 1));
    }
    const bool is_join = event.operation == Operation::join;
    const bool reads = is_join || depends_on_value(event);
    accesses_.clear();
    if (event.access != norn::Access::none) {
        cells_of_event_.clear();
        cells_.append_cells_of(event, cells_of_event_);
        for (const CellId cell : cells_of_event_) {
            const AccessIndex content = contents_[cell];
            if (!reads) values_known_ = values_.found(cells_, cell, content, event) && values_known_;
            accesses_.push_back({cell, is_join ? event_of_access(content) : undecided_event, {}});
        }
    }
    append(event, cause, reads, event.writes());
    call_of_.back() = call;
    signal(execution_.back());
    upcoming_[event.thread] = next_in_thread_[position];
    logged_[event.thread] = none;
    has_release_ = has_release_ || event.operation == Operation::free;
}

// The end of the execution is a call if threads wait there for what might let them in.
void ReadsValueFromSearch::take_waiting(const Execution& execution) {
    std::uint32_t call = none;
    // What they have found may be nowhere else: a semaphore that nobody has posted.
    for (const Event& event : execution.pending) {
        if (!event.guarded || event.access == norn::Access::none) continue;
        cells_of_event_.clear();
        cells_.append_cells_of(event, cells_of_event_);
        for (const CellId cell : cells_of_event_)
            values_known_ = values_.found(cells_, cell, contents_[cell], event) && values_known_;
    }
    for (const Event& event : execution.pending) {
        if (!depends_on_value(event)) continue;
        if (call == none) {
            call = static_cast<std::uint32_t>(nodes_.size());
            make_node(Kind::value, static_cast<EventIndex>(graph_.size()), 0, call);
            collect_reads(execution, execution.events.size(), event.thread);
            begin_read(nodes_[call]);
        }
        signal_pending({event, event.cause == no_event ? no_event : execution_[event.cause]});
    }
}

// The reads that could come next, the one of `first` first, those that the causal map knows last.
void ReadsValueFromSearch::collect_reads(const Execution& execution, std::size_t position, ThreadId first) {
    const std::uint32_t begin = nodes_.back().marks.reads;
    add_read(execution, first);
    for (const bool is_deferred : {false, true}) {
        if (is_deferred && deferrals_.empty()) break;
        for (std::size_t t = upcoming_.size(); t-- > 0;) {
            const auto thread = static_cast<ThreadId>(t);
            const std::uint32_t next = upcoming_[t];
            if (thread == first || next == none) continue;
            const std::size_t size = execution.events.size();
            const Event& event = next < size ? execution.events[next] : execution.pending[next - size];
            const bool is_to_come = event.cause != no_event && event.cause >= position;
            if (is_to_come) continue;
            const EventIndex cause = event.cause == no_event ? no_event : execution_[event.cause];
            if (!depends_on_value(event)) {
                cannot_tell_ = cannot_tell_ || !event.guarded;  // it should have been performed
                continue;
            }
            if (is_constant(event, cause)) {
                missed_constant_ = event.location;
                continue;
            }
            const auto tick = static_cast<Tick>(graph_.of_thread(thread).size() + 1);
            if ((limits_of(event, tick) != nullptr) == is_deferred) add_read(execution, thread);
        }
    }
    nodes_.back().reads = static_cast<std::uint32_t>(reads_.size()) - begin;
}

void ReadsValueFromSearch::add_read(const Execution& execution, ThreadId thread) {
    if (logged_[thread] == none) {
        const std::uint32_t next = upcoming_[thread];
        const std::size_t size = execution.events.size();
        const Event& event = next < size ? execution.events[next] : execution.pending[next - size];
        logged_[thread] = static_cast<std::uint32_t>(pending_.size());
        pending_.push_back({event, event.cause == no_event ? no_event : execution_[event.cause]});
    }
    reads_.push_back(logged_[thread]);
}

// Adds a performed event with the accesses in `accesses_` to trace and execution.
void ReadsValueFromSearch::append(const Event& event, EventIndex cause, bool reads, bool writes) {
    const EventIndex pushed = push(event, cause, reads, writes);
    execution_.push_back(pushed);
    schedule_.steps.push_back({event.thread, event.choice});
    if (reads)
        for (const Access& access : graph_.accesses_of(pushed))
            values_known_ =
                values_.found(cells_, access.cell, contents_[access.cell], event) && values_known_;
    contents_.note(graph_, pushed);
    note_values(pushed);
}

EventIndex ReadsValueFromSearch::push(const Event& event, EventIndex cause, bool reads, bool writes) {
    const EventIndex pushed = graph_.push({event.thread, event.choice, cause, reads, writes}, accesses_);
    events_.push_back(event);
    call_of_.push_back(none);
    return pushed;
}

void ReadsValueFromSearch::note_values(EventIndex event) {
    const SourceGraph::Node& node = graph_.node(event);
    if (!node.writes) return;
    for (AccessIndex access = node.first; access < node.first + node.count; ++access)
        values_.wrote(cells_, graph_.access(access).cell, access, events_[event]);
}

// Tells the calls of reads above that the event may be a new source for them.
void ReadsValueFromSearch::signal(EventIndex event) {
    const SourceGraph::Node& node = graph_.node(event);
    const Event& performed = events_[event];
    const bool is_conditional = performed.condition != Condition::always;
    if (!node.writes && !is_conditional) return;
    cells_of_event_.clear();
    for (const Access& access : graph_.accesses_of(event)) cells_of_event_.push_back(access.cell);
    const EventIndex previous = node.tick == 1 ? no_event : graph_.of_thread(node.thread)[node.tick - 2];
    past_of(previous, node.cause);
    // What finds several values may find some of them elsewhere, and so write or not.
    const bool is_certain = !is_conditional || node.count == 1;
    signal_readers(performed, cells_of_event_, is_certain ? graph_.clock(event) : past_.data(),
                   node.writes || !is_certain);
}

// The same for an event that the execution, as far as it counts, has not performed.
void ReadsValueFromSearch::signal_pending(const Pending& pending) {
    if (pending.event.access == norn::Access::read && pending.event.condition == Condition::always) return;
    cells_of_event_.clear();
    cells_.append_cells_of(pending.event, cells_of_event_);
    past_of(graph_.last_of(pending.event.thread), pending.cause);
    signal_readers(pending.event, cells_of_event_, past_.data(), cells_of_event_.size() > 1);
}

void ReadsValueFromSearch::signal_pending_of(const Node& call) {
    for (std::uint32_t i = 0; i < call.reads; ++i) signal_pending(pending_[reads_[call.marks.reads + i]]);
}

void ReadsValueFromSearch::signal_all() {
    for (Node& node : nodes_) node.signals = all_threads;
}

// `past_` is what happens before the event whatever it finds; `clock`, what does given what it has found. If
// it does not write where it is, that matters only to reads that write.
//   The first event that writes to the cell of a read outside of the trace of its call reads that cell, if it
// does at all, from inside. So what it depends on there is what may come before it in its thread. If it reads
// other cells too, it may depend on anything.
void ReadsValueFromSearch::signal_readers(const Event& event, std::span<const CellId> cells,
                                          const Tick* clock, bool writes) {
    for (const CellId cell : cells)
        for (const SourceGraph::Column& column : graph_.cell(cell).columns) {
            if (column.thread == event.thread) continue;
            for (const AccessIndex each : column.reads) {
                const Access& read = graph_.access(each);
                const std::uint32_t call = call_of_[read.event];
                if (call == none || !nodes_[call].may_stop) continue;
                const bool reader_writes = graph_.node(read.event).writes;
                if (!reader_writes && !writes) continue;
                const Tick* const before = reader_writes ? past_.data() : clock;
                if (before[column.thread] < read.tick)
                    nodes_[call].signals |= cells.size() > 1
                                                ? all_threads
                                                : set_of(event.thread) | threads_beyond(nodes_[call].base);
            }
        }
}

// The threads of which more is in `possible_past_` than the trace of a call had.
ReadsValueFromSearch::ThreadSet ReadsValueFromSearch::threads_beyond(EventIndex base) const {
    ThreadSet threads = 0;
    for (std::size_t t = 0; t < graph_.threads(); ++t)
        if (possible_past_[t] > 0 &&
            graph_.of_thread(static_cast<ThreadId>(t))[possible_past_[t] - 1] >= base)
            threads |= set_of(t);
    return threads;
}

// Whether no execution explored so far was of the same class as the current one: the values that the events
// of each thread found, and for each read the reads before it.
bool ReadsValueFromSearch::is_new_class() {
    const std::size_t threads = graph_.threads();
    const std::size_t stride = graph_.clocks().stride();
    // By event: how many reads of each thread it comes after, with the sources of this execution.
    std::vector<Tick> reads_before(graph_.size() * stride, 0);
    std::vector<Identity> by_thread(threads);
    contents_on_the_way_.begin(graph_.cells());
    for (const EventIndex event : execution_) {
        const SourceGraph::Node& node = graph_.node(event);
        Tick* const before = reads_before.data() + event * stride;
        const auto join = [&](EventIndex earlier) {
            if (earlier != no_event) graph_.clocks().join(before, reads_before.data() + earlier * stride);
        };
        if (node.tick > 1) join(graph_.of_thread(node.thread)[node.tick - 2]);
        join(node.cause);
        Identity& identity = by_thread[node.thread];
        identity.mix(node.choice);
        if (node.reads) {
            for (const Access& access : graph_.accesses_of(event))
                join(event_of_access(contents_on_the_way_[access.cell]));
            if (depends_on_value(events_[event])) ++before[node.thread];
            identity.mix(events_[event].before);
            for (std::size_t t = 0; t < threads; ++t) identity.mix(before[t]);
        }
        contents_on_the_way_.note(graph_, event);
    }
    Identity whole;
    for (std::size_t t = 0; t < threads; ++t) {
        whole.mix(graph_.of_thread(static_cast<ThreadId>(t)).size());
        whole.mix(by_thread[t]);
    }
    return classes_.insert(whole);
}

void ReadsValueFromSearch::truncate(std::size_t size) {
    order_.retract(size);
    graph_.truncate(size);
    events_.resize(size);
    call_of_.resize(size);
    values_.truncate(graph_.accesses());
}

void ReadsValueFromSearch::begin_again() {
    // Constants are there to save time.
    if (++beginnings_ > most_beginnings) without_.constants = true;
    while (!nodes_.empty()) pop_node();
    truncate(0);
    graph_.clear();
    values_.clear();
    classes_.clear();
    execution_.clear();
    schedule_.steps.clear();
    schedule_.deferred.clear();
    planned_begin_ = kept_ = witnessed_ = 0;
    planned_ = none;
    cannot_tell_ = false;
    missed_constant_ = no_location;
    std::fill(relied_on_.begin(), relied_on_.end(), 0);
}

}  // namespace norn
