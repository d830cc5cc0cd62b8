// Values: what an event finds if its accesses have given sources. Needed for events that write only under a
// condition on that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "consistency/cells.h"
#include "graph/event.h"

namespace norn {

struct FoundValue {
    bool known;
    std::uint64_t value;
};

class Values {
public:
    // The first event of an execution that touches a cell finds its initial value.
    void learn_initial(const CellTable& cells, CellId cell, const Event& event);

    // Puts the bytes of one cell into `found`, as `source` left them (null: nobody wrote it). Called for each
    // cell of the event.
    void add(const CellTable& cells, CellId cell, const Event& event, const Event* source,
             FoundValue& found) const;

private:
    struct Initial {
        bool known = false;
        std::uint64_t value = 0;
    };
    std::vector<Initial> initial_;  // by cell
};

}  // namespace norn
