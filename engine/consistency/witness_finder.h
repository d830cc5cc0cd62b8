// WitnessFinder: is there an execution in which every read has its source? And if so, which?
//
//   1. saturate (consistency/saturate.h): what must come before what. A cycle: no.
//   2. witness (consistency/witness.h): one attempt along an earlier execution; if it fails, another one,
//      after the writes of each cell have been ordered as they are in that execution, with all that follows.
//   3. realize (consistency/realize.h): in polynomial time, where threads communicate without cycles; if
//   asked
//      for.
//   4. decide (consistency/decide.h): the complete search. Hardly ever reached.
#pragma once

#include <cstdint>
#include <vector>

#include "consistency/contents.h"
#include "consistency/decide.h"
#include "consistency/realize.h"
#include "consistency/saturate.h"
#include "consistency/witness.h"
#include "graph/source_graph.h"

namespace norn {

class WitnessFinder {
public:
    enum class Step : std::uint8_t { saturation, witness, ordered_witness, realization, decision };

    // Leaves out step 2, to compare.
    void use_realization_only() { realizes_only_ = true; }

    // Whether there is one. The order must have taken in the whole graph without a cycle; it is unchanged in
    // the end. `execution` is an execution of the first `known` events of the graph, and of others, which do
    // not count; it becomes the witness, or stays as it is.
    bool find(const SourceGraph& graph, Saturation& order, std::size_t known,
              std::vector<EventIndex>& execution);

    // Which step has given the last answer.
    [[nodiscard]] Step answered_by() const { return answered_by_; }
    // How many events at the beginning of the witness are as they were.
    [[nodiscard]] std::size_t kept() const { return kept_; }
    // What the cells contain after the witness.
    [[nodiscard]] CellContents& contents() { return witness_.contents(); }

private:
    void accept(const SourceGraph& graph, const std::vector<EventIndex>& witness,
                std::vector<EventIndex>& execution);
    bool order_writes(const SourceGraph& graph, Saturation& order, std::size_t known,
                      const std::vector<EventIndex>& guide);

    bool realizes_only_ = false;
    Witness witness_;
    Realization realization_;
    Decision decision_;
    Step answered_by_ = Step::witness;
    std::size_t kept_ = 0;
    std::vector<std::uint32_t> position_;  // of each event in the guide
    std::vector<EventIndex> writers_;
};

}  // namespace norn
