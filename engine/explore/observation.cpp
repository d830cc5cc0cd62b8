// `observation`: what every read observes, explored in polynomial time for each class.
//
// From K. Chatterjee, A. Pavlogiannis, N. Sinha, K. Vaidya: "Data-centric Dynamic Partial Order Reduction",
// POPL 2018. DC-DPOR takes an execution, and for each read r of it and each write w that r might observe
// instead the positive annotation that r observes w, and that the reads in the causal past of both observe
// what they do; realizes it (consistency/realize.h); extends that to a complete execution; and goes on from
// there. Negative annotations keep it from what others explore.
//
// It is the search of `reads-from` (reads_from.cpp), which has the same classes where the topology of the
// program has no cycles, and this is how the one is the other:
//
//   positive annotation      the sources of the trace before a branch, of what is planned there, and of the
//                            event of the branch itself
//   negative annotation      what a branch has tried already. It holds for all that is explored from there,
//                            since it is tried once, and the reads before it keep their sources
//   causal past cone         happens before: `collect` plans what is in the past of w and not in the trace
//   burst mutation           more than in the paper: not only the past of r and w is annotated, but all that
//                            stands before r in the trace. The paper's bursts leave reads open on which an
//                            execution may then observe what a negative annotation forbids: it explores some
//                            classes in several, not maximal, annotations (eratosthenes(5): 305 for 116
//                            classes). Here each annotation has an execution of its own, of another class
//   Realize                  saturation, which is its detection of cycles; an attempt along the last
//                            execution; and only if that fails, the formula
//
// What the paper does not have:
//
//   locks                    are read-modify-writes with a source, as in `reads-from`: the order of critical
//                            sections is part of the class. In the paper it is not; but whether threads come
//                            to a deadlock depends on it, and norn must find that. All locks are thus what
//                            the paper calls observable.
//   read-modify-writes       have a source and readers. They, compare-exchanges, guarded events and choices
//                            are those of `reads-from`
//   starts and ends          of threads are facts, not choices; where they pass on what a thread has heard
//                            they are edges of the topology (topology.h)
//
// Cyclic topologies: between the threads of a removed edge the order of the writes of open cells is part of
// the class. The paper surrounds these writes with observable locks; here such a store is taken for a
// read-modify-write, so that it observes the store before it, which is the same without the locks. A class is
// thus: the source of each read, and the order of the writes of each ordered cell, by whichever thread they
// are. (The paper defines it by the threads of a removed edge only, but its locks order all.)
//
// The topology is learned while exploring. When it turns out to have other cycles, such that other cells are
// to be ordered, everything begins again. It only grows, so this ends.
#include "explore/observation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "explore/reads_from_search.h"
#include "explore/topology.h"

namespace norn {

namespace {

class ObservationSearch final : public ReadsFromSearch {
public:
    explicit ObservationSearch(const Ablation& without) {
        if (without.closure) use_realization_only();
    }

    void explore(Exploration& exploration) override {
        ReadsFromSearch::explore(exploration);
        exploration.report(communication());
    }

private:
    bool refine() override {
        const bool has_changed = topology_.learn(
            graph(), first_new(), [&](std::size_t i) -> const Event& { return details()[i].event; });
        if (has_changed)
            for (CellId cell = 0; cell < cells().size(); ++cell)
                order_writes(cell, topology_.is_ordered(cell));
        return !has_changed;
    }

    // In an order that does not depend on the exploration.
    [[nodiscard]] Communication communication() const {
        Communication told;
        told.threads = topology_.threads();
        std::vector<CellId> shared;
        for (const Topology::Edge& edge : topology_.edges())
            shared.insert(shared.end(), edge.cells.begin(), edge.cells.end());
        std::sort(shared.begin(), shared.end(),
                  [&](CellId a, CellId b) { return cells().begin_of(a) < cells().begin_of(b); });
        shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
        std::vector<std::uint32_t> number(cells().size(), 0);
        for (const CellId cell : shared) {
            number[cell] = static_cast<std::uint32_t>(told.locations.size());
            told.locations.push_back(
                {cells().begin_of(cell), cells().end_of(cell), topology_.is_ordered(cell)});
        }
        for (const Topology::Edge& edge : topology_.edges()) {
            std::vector<std::uint32_t> locations;
            for (const CellId cell : edge.cells) locations.push_back(number[cell]);
            std::sort(locations.begin(), locations.end());
            told.edges.push_back({edge.a, edge.b, std::move(locations), edge.removed});
        }
        std::sort(told.edges.begin(), told.edges.end(),
                  [](const Communication::Edge& one, const Communication::Edge& other) {
                      return one.a != other.a ? one.a < other.a : one.b < other.b;
                  });
        return told;
    }

    Topology topology_;
};

}  // namespace

std::unique_ptr<Explorer> make_observation(const Ablation& without) {
    return std::make_unique<ObservationSearch>(without);
}

}  // namespace norn
