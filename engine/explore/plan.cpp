#include "explore/plan.h"

namespace norn {

namespace {

constexpr std::uint32_t words_per_event = 4;
constexpr std::uint32_t words_per_access = 3;
constexpr std::uint32_t reads_bit = 1;
constexpr std::uint32_t writes_bit = 2;
constexpr std::uint32_t fresh_bit = 4;
constexpr std::uint32_t uncertain_bit = 8;
constexpr std::uint32_t flag_bits = 4;

}  // namespace

void Plan::clear() {
    events_.clear();
    accesses_.clear();
}

void Plan::add(const PlannedEvent& event) {
    events_.push_back(event);
    events_.back().first = static_cast<std::uint32_t>(accesses_.size());
    events_.back().count = 0;
}

void Plan::add(const PlannedAccess& access) {
    accesses_.push_back(access);
    ++events_.back().count;
}

void Plan::add_copy(const SourceGraph& graph, EventIndex event) {
    const SourceGraph::Node& node = graph.node(event);
    add({node.thread, node.choice, name_of(graph, node.cause), node.reads, node.writes, false, false, 0, 0});
    for (const SourceGraph::Access& access : graph.accesses_of(event))
        add({access.cell, node.reads && access.source != no_access
                              ? name_of(graph, graph.access(access.source).event)
                              : no_name});
}

void Plan::encode(std::vector<std::uint32_t>& words) const {
    words.clear();
    for (const PlannedEvent& event : events_) {
        const std::uint32_t flags = (event.reads ? reads_bit : 0) | (event.writes ? writes_bit : 0) |
                                    (event.fresh ? fresh_bit : 0) | (event.uncertain ? uncertain_bit : 0);
        words.push_back(event.thread | std::uint32_t{event.choice} << 16);
        words.push_back(flags | event.count << flag_bits);
        words.push_back(event.cause.thread);
        words.push_back(event.cause.tick);
        for (const PlannedAccess& access : accesses_of(event)) {
            words.push_back(access.cell);
            words.push_back(access.source.thread);
            words.push_back(access.source.tick);
        }
    }
}

void Plan::decode(std::span<const std::uint32_t> words) {
    clear();
    for (std::size_t i = 0; i < words.size();) {
        const std::uint32_t flags = words[i + 1];
        add({static_cast<ThreadId>(words[i]), static_cast<std::uint16_t>(words[i] >> 16),
             EventName{words[i + 2], words[i + 3]}, (flags & reads_bit) != 0, (flags & writes_bit) != 0,
             (flags & fresh_bit) != 0, (flags & uncertain_bit) != 0, 0, 0});
        i += words_per_event;
        for (std::uint32_t left = flags >> flag_bits; left > 0; --left, i += words_per_access)
            add({words[i], EventName{words[i + 1], words[i + 2]}});
    }
}

}  // namespace norn
