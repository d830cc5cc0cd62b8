#include "consistency/witness_finder.h"

#include <algorithm>

namespace norn {

bool WitnessFinder::find(const SourceGraph& graph, Saturation& order, std::size_t known,
                         std::vector<EventIndex>& execution) {
    if (!realizes_only_) {
        answered_by_ = Step::witness;
        bool found = witness_.find(graph, order, known, execution);
        kept_ = witness_.kept();
        if (found) return true;
        answered_by_ = Step::ordered_witness;
        found = order_writes(graph, order, known, execution) && witness_.find(graph, order, known, execution);
        order.forget_edges();
        kept_ = witness_.kept();
        if (found) return true;
    }
    answered_by_ = Step::realization;
    const Realization::Answer answer = realization_.find(graph, order);
    if (answer == Realization::Answer::yes) accept(graph, realization_.events(), execution);
    if (answer != Realization::Answer::open) return answer == Realization::Answer::yes;
    answered_by_ = Step::decision;
    if (!decision_.find(graph, order)) return false;
    accept(graph, decision_.events(), execution);
    return true;
}

// Takes over a witness that has nothing to do with the guide.
void WitnessFinder::accept(const SourceGraph& graph, const std::vector<EventIndex>& witness,
                           std::vector<EventIndex>& execution) {
    execution = witness;
    kept_ = 0;
    contents().begin(graph.cells());
    for (const EventIndex event : execution) contents().note(graph, event);
}

// Orders the writes of each cell totally, in the order of the guide where they are not ordered yet. False:
// that leads to a cycle.
bool WitnessFinder::order_writes(const SourceGraph& graph, Saturation& order, std::size_t known,
                                 const std::vector<EventIndex>& guide) {
    position_.assign(graph.size(), UINT32_MAX);
    for (std::size_t i = 0; i < guide.size(); ++i)
        if (guide[i] < known) position_[guide[i]] = static_cast<std::uint32_t>(i);
    const auto earlier = [&](EventIndex a, EventIndex b) {
        return position_[a] != position_[b] ? position_[a] < position_[b] : a < b;
    };
    for (CellId cell = 0; cell < graph.cells(); ++cell) {
        writers_.clear();
        for (const SourceGraph::Column& column : graph.cell(cell).columns)
            for (const AccessIndex write : column.writes) writers_.push_back(graph.access(write).event);
        std::sort(writers_.begin(), writers_.end(), earlier);
        for (std::size_t i = 0; i < writers_.size(); ++i)
            for (std::size_t k = i + 1; k < writers_.size(); ++k)
                if (!order.before(writers_[k], writers_[i]) && !order.before(writers_[i], writers_[k]) &&
                    !order.add_edge(writers_[i], writers_[k]))
                    return false;
    }
    return true;
}

}  // namespace norn
