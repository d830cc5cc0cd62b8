// IdentitySet: which identities were seen. An identity is taken for the thing itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "consistency/identity.h"

namespace norn {

class IdentitySet {
public:
    void clear() {
        if (size_ == 0) return;
        std::fill(slots_.begin(), slots_.end(), empty);
        size_ = 0;
    }

    // False: it was there already.
    bool insert(const Identity& identity) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        std::size_t slot = identity.a & (slots_.size() - 1);
        while (!(slots_[slot] == empty)) {
            if (slots_[slot] == identity) return false;
            slot = (slot + 1) & (slots_.size() - 1);
        }
        slots_[slot] = identity;
        ++size_;
        return true;
    }

    [[nodiscard]] bool contains(const Identity& identity) const {
        if (slots_.empty()) return false;
        std::size_t slot = identity.a & (slots_.size() - 1);
        while (!(slots_[slot] == empty)) {
            if (slots_[slot] == identity) return true;
            slot = (slot + 1) & (slots_.size() - 1);
        }
        return false;
    }

    [[nodiscard]] std::size_t size() const { return size_; }

private:
    static constexpr Identity empty{0, 0};
    static constexpr std::size_t smallest = 64;

    void grow() {
        const std::vector<Identity> old =
            std::exchange(slots_, std::vector<Identity>(std::max(smallest, 2 * slots_.size()), empty));
        size_ = 0;
        for (const Identity& each : old)
            if (!(each == empty)) insert(each);
    }

    std::vector<Identity> slots_;  // a power of two
    std::size_t size_ = 0;
};

}  // namespace norn
