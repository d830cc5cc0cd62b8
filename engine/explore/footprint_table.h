// FootprintTable: footprints by number, each different one once, so that what refers to them can be small.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/footprint.h"

namespace norn {

class FootprintTable {
public:
    [[nodiscard]] std::uint32_t number_of(const Footprint& footprint);
    [[nodiscard]] const Footprint& operator[](std::uint32_t number) const { return footprints_[number]; }

private:
    static constexpr std::uint32_t free_slot = UINT32_MAX;

    void grow();
    [[nodiscard]] std::size_t slot_of(const Footprint& footprint) const;

    std::vector<Footprint> footprints_;
    std::vector<std::uint32_t> slots_;  // a hash table of numbers; its size is a power of two
};

}  // namespace norn
