#include "consistency/cells.h"

#include <algorithm>

namespace norn {

bool CellTable::learn(const Event& event) {
    if (event.location >= by_location_.size()) by_location_.resize(event.location + 1);
    std::vector<CellId>& cells = by_location_[event.location];
    const std::uint64_t begin = event.address;
    const std::uint64_t end = event.address + event.size;
    if (cells.size() == 1 && begin_of(cells[0]) == begin && end_of(cells[0]) == end) return true;
    const bool begin_was_inside = split_at(cells, begin);
    const bool end_was_inside = split_at(cells, end);
    fill_gaps(cells, begin, end);
    return !begin_was_inside && !end_was_inside;
}

void CellTable::append_cells_of(const Event& event, std::vector<CellId>& cells) const {
    const std::vector<CellId>& all = by_location_[event.location];
    if (all.size() == 1) {
        cells.push_back(all[0]);
        return;
    }
    auto cell = std::partition_point(all.begin(), all.end(),
                                     [&](CellId each) { return end_of(each) <= event.address; });
    for (; cell != all.end() && begin_of(*cell) < event.address + event.size; ++cell) cells.push_back(*cell);
}

std::uint32_t CellTable::count_of(const Event& event) const {
    std::uint32_t count = 0;
    for (const CellId cell : by_location_[event.location])
        if (begin_of(cell) < event.address + event.size && event.address < end_of(cell)) ++count;
    return count;
}

CellId CellTable::add(std::uint64_t begin, std::uint64_t end) {
    spans_.push_back({begin, end});
    return static_cast<CellId>(spans_.size() - 1);
}

// Makes the address the boundary of two cells if it is inside of one.
bool CellTable::split_at(std::vector<CellId>& cells, std::uint64_t address) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Span span = spans_[cells[i]];
        if (span.begin >= address || address >= span.end) continue;
        spans_[cells[i]].end = address;
        cells.insert(cells.begin() + static_cast<std::ptrdiff_t>(i) + 1, add(address, span.end));
        return true;
    }
    return false;
}

void CellTable::fill_gaps(std::vector<CellId>& cells, std::uint64_t begin, std::uint64_t end) {
    for (std::size_t i = 0; begin < end; ++i) {
        const std::uint64_t next = i < cells.size() ? begin_of(cells[i]) : end;
        if (begin < next) {
            const CellId gap = add(begin, std::min(next, end));
            cells.insert(cells.begin() + static_cast<std::ptrdiff_t>(i), gap);
        }
        begin = std::max(begin, end_of(cells[i]));
    }
}

}  // namespace norn
