#include "explore/footprint_table.h"

namespace norn {

std::uint32_t FootprintTable::number_of(const Footprint& footprint) {
    if (footprints_.size() * 2 >= slots_.size()) grow();
    const std::size_t slot = slot_of(footprint);
    if (slots_[slot] == free_slot) {
        slots_[slot] = static_cast<std::uint32_t>(footprints_.size());
        footprints_.push_back(footprint);
    }
    return slots_[slot];
}

void FootprintTable::grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, free_slot);
    for (std::uint32_t number = 0; number < footprints_.size(); ++number)
        slots_[slot_of(footprints_[number])] = number;
}

// Where the footprint is, or would be put.
std::size_t FootprintTable::slot_of(const Footprint& footprint) const {
    const std::uint64_t who = (std::uint64_t{footprint.thread} << 32) |
                              (std::uint64_t{footprint.choice} << 16) |
                              static_cast<std::uint64_t>(footprint.access);
    std::uint64_t hash = (footprint.address ^ (std::uint64_t{footprint.size} << 48)) * 0x9E37'79B9'7F4A'7C15U;
    hash = (hash ^ (hash >> 29) ^ who) * 0xBF58'476D'1CE4'E5B9U;
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = (hash ^ (hash >> 32)) & mask;
    while (slots_[slot] != free_slot && footprints_[slots_[slot]] != footprint) slot = (slot + 1) & mask;
    return slot;
}

}  // namespace norn
