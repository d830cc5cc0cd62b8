// SitePairs: which pairs of places in the code are known, whichever of the two comes first. A hash table that
// only grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/event.h"

namespace norn {

class SitePairs {
public:
    [[nodiscard]] bool has(const Event& a, const Event& b) const;
    // False: it was there already.
    bool add(const Event& a, const Event& b);
    [[nodiscard]] std::size_t size() const { return used_; }

private:
    [[nodiscard]] std::size_t slot_of(std::uint64_t key) const;

    std::vector<std::uint64_t> slots_;  // 0: free; their number is a power of two
    std::size_t used_ = 0;
};

}  // namespace norn
