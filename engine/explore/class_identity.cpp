#include "explore/class_identity.h"

#include <algorithm>

namespace norn {

namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = (a + 0x9E37'79B9'7F4A'7C15U) ^ (b * 0xC2B2'AE3D'27D4'EB4FU);
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9U;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBU;
    return z ^ (z >> 31);
}

// Both parts of the identity depend on both numbers.
void mix(Identity& chain, std::uint64_t label, std::uint64_t others) {
    chain.mix(label + others, label - 3 * others);
}

// All but the values that it finds and leaves, which follow from the rest.
std::uint64_t label_of(const Event& event) {
    const std::uint64_t kind = std::uint64_t{event.size} << 32 | std::uint64_t{event.choice} << 16 |
                               static_cast<std::uint64_t>(event.operation) << 8 |
                               static_cast<std::uint64_t>(event.access);
    return mixed(event.address, kind);
}

bool overlap(const Event& event, std::uint64_t begin, std::uint64_t end) {
    return begin < event.address + event.size && event.address < end;
}

}  // namespace

void ClassIdentity::begin() {
    for (const LocationId location : touched_) {
        locations_[location].writes.clear();
        locations_[location].reads.clear();
    }
    touched_.clear();
    chains_.clear();
}

void ClassIdentity::push(const Event& event) {
    if (event.thread >= chains_.size()) chains_.resize(event.thread + 1U);
    Chain& chain = chains_[event.thread];
    const std::uint64_t name = mixed(event.thread, ++chain.events);
    const std::uint64_t label = label_of(event);
    std::uint64_t conflicts = 0;
    std::uint64_t sources = 0;
    if (event.access != norn::Access::none) {
        if (event.location >= locations_.size()) locations_.resize(event.location + 1U);
        Location& location = locations_[event.location];
        if (location.writes.empty() && location.reads.empty()) touched_.push_back(event.location);
        if (event.reads()) sources = sources_of(event, location);
        conflicts = conflicts_of(event, location);
        perform(event, name, location);
    }
    mix(chain.order, label, conflicts);
    mix(chain.sources, label, sources);
}

// Threads without events count for nothing, whether they are known or not.
Identity ClassIdentity::sum_of(Identity Chain::* part) const {
    Identity sum;
    for (std::size_t thread = 0; thread < chains_.size(); ++thread) {
        if (chains_[thread].events == 0) continue;
        const Identity& chain = chains_[thread].*part;
        sum.a += mixed(chain.a, thread);
        sum.b += mixed(chain.b, thread);
    }
    return sum;
}

// From the newest write back to the oldest, as long as bytes are missing.
std::uint64_t ClassIdentity::sources_of(const Event& event, const Location& location) {
    const std::uint64_t end = event.address + event.size;
    if (location.writes.empty()) return 0;
    if (const Access& last = location.writes.back(); last.begin <= event.address && end <= last.end)
        return mixed(last.name, mixed(event.address, end));
    std::uint64_t sources = 0;
    missing_.assign(1, {event.address, end, 0});
    for (std::size_t i = location.writes.size(); i-- > 0 && !missing_.empty();) {
        const Access& write = location.writes[i];
        for (std::size_t k = 0; k < missing_.size();) {
            const Access part = missing_[k];
            const std::uint64_t from = std::max(part.begin, write.begin);
            const std::uint64_t to = std::min(part.end, write.end);
            if (from >= to) {
                ++k;
                continue;
            }
            sources += mixed(write.name, mixed(from, to));
            missing_[k] = missing_.back();
            missing_.pop_back();
            if (part.begin < from) missing_.push_back({part.begin, from, 0});
            if (to < part.end) missing_.push_back({to, part.end, 0});
        }
    }
    return sources;
}

std::uint64_t ClassIdentity::conflicts_of(const Event& event, const Location& location) {
    std::uint64_t conflicts = 0;
    for (const Access& write : location.writes)
        if (overlap(event, write.begin, write.end)) conflicts += write.name;
    if (!event.writes()) return conflicts;
    for (const Access& read : location.reads)
        if (overlap(event, read.begin, read.end)) conflicts += read.name;
    return conflicts;
}

void ClassIdentity::perform(const Event& event, std::uint64_t name, Location& location) {
    const std::uint64_t end = event.address + event.size;
    if (!event.writes()) {
        for (Access& read : location.reads)
            if (read.begin == event.address && read.end == end) {
                read.name += name;
                return;
            }
        location.reads.push_back({event.address, end, name});
        return;
    }
    const auto is_covered = [&](const Access& other) {
        return event.address <= other.begin && other.end <= end;
    };
    std::erase_if(location.writes, is_covered);
    std::erase_if(location.reads, is_covered);
    location.writes.push_back({event.address, end, name});
}

}  // namespace norn
