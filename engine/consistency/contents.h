// CellContents: the last write of every cell at some point of an execution. Beginning anew costs nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/source_graph.h"

namespace norn {

class CellContents {
public:
    // Nothing has been written yet.
    void begin(std::size_t cells) {
        ++run_;
        fit(cells);
    }
    void fit(std::size_t cells) {
        if (entries_.size() < cells) entries_.resize(cells, {0, no_access});
    }
    void note(const SourceGraph& graph, EventIndex event) {
        const SourceGraph::Node& node = graph.node(event);
        if (!node.writes) return;
        for (AccessIndex access = node.first; access < node.first + node.count; ++access) set(graph, access);
    }
    void set(const SourceGraph& graph, AccessIndex write) {
        entries_[graph.access(write).cell] = {run_, write};
    }
    [[nodiscard]] AccessIndex operator[](CellId cell) const {
        return entries_[cell].run == run_ ? entries_[cell].write : no_access;
    }

private:
    struct Entry {
        std::uint64_t run;  // the entry is valid if it is of this run
        AccessIndex write;
    };
    std::uint64_t run_ = 0;
    std::vector<Entry> entries_;  // by cell
};

}  // namespace norn
