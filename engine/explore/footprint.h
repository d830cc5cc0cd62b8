// Footprint: what must be known of an event before it is performed: whose it is, and what it conflicts with.
#pragma once

#include <cstdint>

#include "graph/event.h"

namespace norn {

struct Footprint {
    std::uint64_t address;
    std::uint32_t size;
    LocationId location;
    ThreadId thread;
    std::uint16_t choice;
    Access access;

    bool operator==(const Footprint&) const = default;
};

[[nodiscard]] inline Footprint footprint_of(const Event& event) {
    return {event.address, event.size, event.location, event.thread, event.choice, event.access};
}

[[nodiscard]] inline bool conflicting(const Footprint& a, const Footprint& b) {
    return a.location == b.location && (a.access >= Access::write || b.access >= Access::write) &&
           a.access != Access::none && b.access != Access::none && a.address < b.address + b.size &&
           b.address < a.address + a.size;
}

}  // namespace norn
