#include "consistency/two_sat.h"

#include <algorithm>

namespace norn {

namespace {

constexpr std::uint32_t no_component = UINT32_MAX;

}  // namespace

void TwoSat::begin(std::uint32_t variables) {
    literals_ = variables * 2;
    implications_.clear();
}

void TwoSat::imply(Literal premise, Literal conclusion) {
    implications_.push_back({premise, conclusion});
    if (premise != negation(conclusion)) implications_.push_back({negation(conclusion), negation(premise)});
}

bool TwoSat::solve() {
    sort_by_premise();
    component_.assign(literals_, no_component);
    number_.assign(literals_, 0);
    lowest_.assign(literals_, 0);
    next_.assign(first_.begin(), first_.end() - 1);
    components_ = visited_ = 0;
    for (Literal literal = 0; literal < literals_; ++literal)
        if (number_[literal] == 0) visit(literal);
    for (Literal literal = 0; literal < literals_; literal += 2)
        if (component_[literal] == component_[negation(literal)]) return false;
    return true;
}

void TwoSat::sort_by_premise() {
    first_.assign(literals_ + std::size_t{1}, 0);
    for (const Implication& each : implications_) ++first_[each.premise + 1];
    for (Literal literal = 0; literal < literals_; ++literal) first_[literal + 1] += first_[literal];
    conclusions_.resize(implications_.size());
    next_.assign(first_.begin(), first_.end());
    for (const Implication& each : implications_) conclusions_[next_[each.premise]++] = each.conclusion;
}

// Tarjan's search for strongly connected components, with a path instead of recursion: it may be as long as
// there are literals. A component is complete when all that it leads to is: so the last one comes first.
void TwoSat::visit(Literal root) {
    path_.assign(1, root);
    while (!path_.empty()) {
        const Literal here = path_.back();
        if (number_[here] == 0) {
            number_[here] = lowest_[here] = ++visited_;
            unassigned_.push_back(here);
        }
        bool is_done = true;
        while (next_[here] < first_[here + 1]) {
            const Literal there = conclusions_[next_[here]];
            if (number_[there] == 0) {
                path_.push_back(there);
                is_done = false;
                break;
            }
            if (component_[there] == no_component) lowest_[here] = std::min(lowest_[here], lowest_[there]);
            ++next_[here];
        }
        if (!is_done) continue;
        path_.pop_back();
        if (lowest_[here] != number_[here]) continue;
        for (Literal member = here + 1; member != here;) {
            member = unassigned_.back();
            unassigned_.pop_back();
            component_[member] = components_;
        }
        ++components_;
    }
}

}  // namespace norn
