// Values: what the events of the current trace have left in the cells, so that one can tell what an event
// would find that reads from somewhere else. Needed for events that write only under a condition on that.
//
// A write says what it writes if it is small. What a large one has left in a part of its memory is known from
// the next event there; so is what memory contains at first. If an event finds something else than what is
// known to have been left for it, somebody has written there unseen (docs/limitations.md): then no value of
// that cell is taken for known any more.
#pragma once

#include <cstdint>
#include <vector>

#include "consistency/cells.h"
#include "graph/event.h"
#include "graph/source_graph.h"

namespace norn {

// The value of the bytes of an event, as far as it could be put together.
struct FoundValue {
    bool known = true;
    std::uint64_t value = 0;
};

class Values {
public:
    void truncate(std::size_t accesses) {
        if (of_access_.size() > accesses) of_access_.resize(accesses);
    }
    // Forgets the current trace, but not which cells are written unseen.
    void clear();

    // The event, as it was performed, has written a cell.
    void wrote(const CellTable& cells, CellId cell, AccessIndex access, const Event& event);
    // The event has found in a cell what `content` has left there (no_access: its initial value). False: it
    // has not, and that is new.
    bool found(const CellTable& cells, CellId cell, AccessIndex content, const Event& event);

    // The values of a cell are not what they seem. False: that is new.
    bool disbelieve(const CellTable& cells, CellId cell);

    // Adds what `source` has left in a cell to what the event finds. Called for each cell of the event.
    void add(const CellTable& cells, CellId cell, const Event& event, AccessIndex source,
             FoundValue& found) const;

    // Whether a cell may change without an event, or between executions.
    [[nodiscard]] bool is_written_unseen(CellId cell) const { return is_unseen(cell) || is_changing(cell); }
    // What a write has left in a cell (no_access: what was there at first).
    [[nodiscard]] FoundValue left(CellId cell, AccessIndex write) const;
    // Whether a cell was found to begin with something else than in an earlier execution; only the first call
    // after that says so. Its initial value is not known any more.
    bool initial_has_changed();

private:
    struct Value {
        bool known = false;
        std::uint64_t value = 0;
    };
    bool found_unknown(const CellTable& cells, CellId cell, AccessIndex content);
    [[nodiscard]] bool is_unseen(CellId cell) const { return cell < unseen_.size() && unseen_[cell] != 0; }
    [[nodiscard]] bool is_changing(CellId cell) const {
        return cell < changing_.size() && changing_[cell] != 0;
    }

    std::vector<Value> of_access_;
    std::vector<Value> initial_;  // by cell
    std::vector<char> unseen_;    // by cell: it is written unseen
    std::vector<char> changing_;  // by cell: its initial value is not always the same
    bool initial_has_changed_ = false;
};

}  // namespace norn
