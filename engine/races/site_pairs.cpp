#include "races/site_pairs.h"

namespace norn {

namespace {

constexpr std::size_t fewest_slots = 64;

std::uint64_t mix(std::uint64_t hash, std::uint64_t part) {
    hash = (hash ^ part) * 0x9E37'79B9'7F4A'7C15U;
    return hash ^ hash >> 29;
}

// A place is where the program called the hook. Code of libraries has none: there the memory stands for it.
std::uint64_t place_of(const Event& event) {
    const std::uint64_t place = mix(event.site, static_cast<std::uint64_t>(event.operation));
    return event.site != 0 ? place : mix(place, event.address);
}

std::uint64_t key_of(const Event& a, const Event& b) {
    const std::uint64_t first = place_of(a);
    const std::uint64_t second = place_of(b);
    const std::uint64_t key = first < second ? mix(first, second) : mix(second, first);
    return key != 0 ? key : 1;
}

}  // namespace

bool SitePairs::has(const Event& a, const Event& b) const {
    return !slots_.empty() && slots_[slot_of(key_of(a, b))] != 0;
}

bool SitePairs::add(const Event& a, const Event& b) {
    if (2 * (used_ + 1) > slots_.size()) {
        std::vector<std::uint64_t> old(slots_.empty() ? fewest_slots : 2 * slots_.size());
        old.swap(slots_);
        for (const std::uint64_t key : old)
            if (key != 0) slots_[slot_of(key)] = key;
    }
    const std::uint64_t key = key_of(a, b);
    std::uint64_t& slot = slots_[slot_of(key)];
    if (slot != 0) return false;
    slot = key;
    ++used_;
    return true;
}

// Where the key is, or would be.
std::size_t SitePairs::slot_of(std::uint64_t key) const {
    std::size_t slot = key & (slots_.size() - 1);
    while (slots_[slot] != 0 && slots_[slot] != key) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
}

}  // namespace norn
