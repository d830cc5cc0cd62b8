#include "explore/values.h"

namespace norn {

namespace {

constexpr std::uint64_t largest = 8;  // bytes whose value an event carries; above that it is a digest

std::uint64_t mask_of(std::uint64_t bytes) {
    return bytes >= largest ? UINT64_MAX : (std::uint64_t{1} << (8 * bytes)) - 1;
}

// The bytes from `begin` to `end` of a value that lies at `address`.
std::uint64_t part(std::uint64_t value, std::uint64_t address, std::uint64_t begin, std::uint64_t end) {
    return (value >> (8 * (begin - address))) & mask_of(end - begin);
}

}  // namespace

void Values::learn_initial(const CellTable& cells, CellId cell, const Event& event) {
    if (initial_.size() <= cell) initial_.resize(cells.size());
    Initial& initial = initial_[cell];
    if (initial.known) return;
    const std::uint64_t begin = cells.begin_of(cell);
    const std::uint64_t end = cells.end_of(cell);
    if (event.address == begin && event.address + event.size == end) {
        initial = {true, event.before};
    } else if (event.size <= largest) {
        initial = {true, part(event.before, event.address, begin, end)};
    }
}

void Values::add(const CellTable& cells, CellId cell, const Event& event, const Event* source,
                 FoundValue& found) const {
    const std::uint64_t begin = cells.begin_of(cell);
    const std::uint64_t end = cells.end_of(cell);
    const bool is_all = event.address == begin && event.address + event.size == end;
    std::uint64_t bytes = 0;
    if (source == nullptr) {
        found.known = found.known && cell < initial_.size() && initial_[cell].known;
        bytes = found.known ? initial_[cell].value : 0;
    } else if (is_all && source->address == event.address && source->size == event.size) {
        bytes = source->after;
    } else if (source->size <= largest) {
        bytes = part(source->after, source->address, begin, end);
    } else {
        found.known = false;
    }
    if (is_all) {
        found.value = bytes;
    } else if (event.size <= largest) {
        found.value |= bytes << (8 * (begin - event.address));
    } else {
        found.known = false;
    }
}

}  // namespace norn
