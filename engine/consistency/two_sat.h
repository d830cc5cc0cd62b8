// TwoSat: formulas of clauses of two literals, satisfied in time linear in their size.
//
// A clause is an implication in both directions (a implies b, not b implies not a). A formula can be
// satisfied iff no variable is in one strongly connected component of these implications with its negation;
// and then each variable gets the value whose component comes later in their order (B. Aspvall, M. F. Plass,
// R. E. Tarjan: "A linear-time algorithm for testing the truth of certain quantified boolean formulas",
// 1979).
#pragma once

#include <cstdint>
#include <vector>

namespace norn {

class TwoSat {
public:
    using Literal = std::uint32_t;
    static Literal positive(std::uint32_t variable) { return variable * 2; }
    static Literal negation(Literal literal) { return literal ^ 1U; }

    void begin(std::uint32_t variables);
    void imply(Literal premise, Literal conclusion);
    void demand(Literal literal) { imply(negation(literal), literal); }

    // Whether all that was demanded can be satisfied; `holds` then says how.
    bool solve();
    [[nodiscard]] bool holds(Literal literal) const {
        return component_[literal] < component_[negation(literal)];
    }

private:
    struct Implication {
        Literal premise;
        Literal conclusion;
    };
    void sort_by_premise();
    void visit(Literal root);

    std::uint32_t literals_ = 0;
    std::vector<Implication> implications_;
    std::vector<std::uint32_t> first_;      // by literal: where its conclusions begin
    std::vector<Literal> conclusions_;      // of all literals, one after the other
    std::vector<std::uint32_t> component_;  // by literal: numbered from the last one on
    std::uint32_t components_ = 0;
    // Of the depth-first search:
    std::vector<std::uint32_t> number_;  // by literal: when it was visited, from 1; 0: not yet
    std::vector<std::uint32_t> lowest_;  // by literal: the earliest visited one that it leads to
    std::vector<std::uint32_t> next_;    // by literal: the conclusion to follow next
    std::vector<Literal> path_;
    std::vector<Literal> unassigned_;  // visited, but of no component yet
    std::uint32_t visited_ = 0;
};

}  // namespace norn
