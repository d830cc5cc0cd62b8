// Cells: the bytes of shared memory in groups that no access tells apart, so that accesses of different size
// can be compared. Every access touches one or more whole cells, and a read has one source for each of them.
//
// What the groups are is learned from the accesses as they come. An access that touches only a part of a cell
// splits it; events that were described by the old cell are then described wrongly, so whoever has any must
// begin again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/event.h"
#include "graph/source_graph.h"

namespace norn {

class CellTable {
public:
    // Makes sure that the event touches whole cells. False: that took a split.
    bool learn(const Event& event);

    // Appends the cells of an event that was learned, in the order of their addresses.
    void append_cells_of(const Event& event, std::vector<CellId>& cells) const;

    [[nodiscard]] std::uint32_t count_of(const Event& event) const;

    [[nodiscard]] std::size_t cells_of(LocationId location) const { return by_location_[location].size(); }
    [[nodiscard]] std::uint64_t begin_of(CellId cell) const { return spans_[cell].begin; }
    [[nodiscard]] std::uint64_t end_of(CellId cell) const { return spans_[cell].end; }
    [[nodiscard]] std::size_t size() const { return spans_.size(); }

private:
    struct Span {
        std::uint64_t begin;
        std::uint64_t end;
    };
    CellId add(std::uint64_t begin, std::uint64_t end);
    bool split_at(std::vector<CellId>& cells, std::uint64_t address);
    void fill_gaps(std::vector<CellId>& cells, std::uint64_t begin, std::uint64_t end);

    std::vector<Span> spans_;                       // by cell
    std::vector<std::vector<CellId>> by_location_;  // in the order of their addresses
};

}  // namespace norn
