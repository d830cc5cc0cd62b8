// Plan: events that are to be put at the end of a trace, each with its sources. What an explorer keeps of a
// trace that it has seen until it comes back to where it can be used.
//
// Events are named by thread and number, since their places in the trace are not known yet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/event.h"
#include "graph/source_graph.h"

namespace norn {

struct EventName {
    std::uint32_t thread = 0;
    Tick tick = 0;  // 0: no event

    bool operator==(const EventName&) const = default;
};

inline constexpr EventName no_name{0, 0};
inline constexpr EventName undecided_name{1, 0};

[[nodiscard]] inline EventName name_of(const SourceGraph& graph, EventIndex event) {
    if (event == no_event) return no_name;
    if (event == undecided_event) return undecided_name;
    return {graph.node(event).thread, graph.node(event).tick};
}

[[nodiscard]] inline EventIndex event_of(const SourceGraph& graph, EventName name) {
    if (name.tick == 0) return name == no_name ? no_event : undecided_event;
    return graph.of_thread(static_cast<ThreadId>(name.thread))[name.tick - 1];
}

struct PlannedAccess {
    CellId cell;
    EventName source;
};

struct PlannedEvent {
    ThreadId thread;
    std::uint16_t choice;
    EventName cause;
    bool reads;
    bool writes;
    bool fresh;           // no trace had it yet, with these sources
    bool uncertain;       // it may turn out not to write
    std::uint32_t first;  // its accesses are `count` from here in the plan
    std::uint32_t count;
};

class Plan {
public:
    void clear();
    // The accesses are added after their event.
    void add(const PlannedEvent& event);
    void add(const PlannedAccess& access);
    // An event of a graph, as it is there.
    void add_copy(const SourceGraph& graph, EventIndex event);

    [[nodiscard]] std::span<const PlannedEvent> events() const { return events_; }
    [[nodiscard]] std::span<PlannedEvent> events() { return events_; }
    [[nodiscard]] std::span<const PlannedAccess> accesses_of(const PlannedEvent& event) const {
        return {accesses_.data() + event.first, event.count};
    }

    void encode(std::vector<std::uint32_t>& words) const;
    void decode(std::span<const std::uint32_t> words);

private:
    std::vector<PlannedEvent> events_;
    std::vector<PlannedAccess> accesses_;
};

}  // namespace norn
