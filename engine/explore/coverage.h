// Coverage: how much of a depth-first search is done, and a guess at what is left of it (docs/estimate.md).
//
// An explorer tells it of its stack: nodes that are entered and left, and children that are begun. A node is
// where executions part; a leaf is one execution. What a node will have had under it in the end is guessed
// from the nodes that were left already: how many times the leaves of its first child it had, given how many
// further children were known while that one was explored. These *multipliers*, taken along the stack from
// its end to its beginning, give the size of the whole tree.
//
// The cost: a few additions for each node. Children that are known but not begun are counted only when
// `executed` asks for it, which becomes rarer as the search goes on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/event.h"

namespace norn {

class Coverage {
public:
    // Executions that are left, as multiples of those that are done.
    struct Left {
        bool is_known = false;
        double low = 0;
        double likely = 0;
        double high = 0;
    };
    // Before so many executions nothing is said.
    static constexpr std::uint64_t fewest = 100;

    // What nodes at the same place of the program have in common.
    [[nodiscard]] static std::uint64_t kind_of(const Event& event) {
        return std::uint64_t{event.location} << 32U | event.site;
    }
    // A node is put on the stack; its first child begins. Nodes of one kind are thought to be alike.
    void enter(std::uint64_t kind) { nodes_.push_back({leaves_, leaves_, 0, 0, 0, not_looked, kind}); }
    // The current child of the last node is done, and the next one begins.
    void next_child() { end_child(nodes_.back()); }
    // What was known as a child of the last node turned out to be none.
    void reject() {
        ++rejected_;
        if (nodes_.back().left > 0) --nodes_.back().left;
    }
    // The last node is done.
    void leave();
    // An execution was run. True: it is time to `look` at all nodes.
    bool executed() {
        ++leaves_;
        if (leaves_ < next_look_) return false;
        next_look_ = leaves_ + 1 + leaves_ / looks;
        return true;
    }
    // Children of a node, by its place on the stack, that are known and not begun.
    void look(std::size_t node, std::size_t left);
    // Everything begins again.
    void clear() { *this = Coverage{}; }

    [[nodiscard]] Left left() const;

private:
    static constexpr std::uint64_t looks = 64;
    static constexpr std::uint32_t not_looked = UINT32_MAX;

    struct Node {
        std::uint64_t begin;        // leaves before it
        std::uint64_t child_begin;  // leaves before its current child
        std::uint64_t first;        // leaves of its first child, once that is done
        std::uint32_t done;         // children that had leaves
        std::uint32_t left;         // known and not begun, when last looked at
        std::uint32_t seen;         // the same while its first child was explored, or not_looked
        std::uint64_t kind;
    };
    // Of logarithms, weighted.
    struct Mean {
        double weight = 0;
        double sum = 0;
    };

    void end_child(Node& node);
    [[nodiscard]] double leaves_of_tree() const;
    [[nodiscard]] double multiplier(const Node& node, std::uint32_t known) const;
    [[nodiscard]] static std::size_t slot_of(std::uint64_t kind) {
        return (kind * 0x9E37'79B9'7F4A'7C15U) >> 56U;
    }

    std::vector<Node> nodes_;
    std::uint64_t leaves_ = 0;
    std::uint64_t next_look_ = 1;
    std::uint64_t begun_ = 1;  // children that were known before they were begun
    std::uint64_t rejected_ = 0;
    // Multipliers of nodes of which no further child was known: by kind (those that share a slot are
    // averaged), and of all.
    std::array<Mean, 256> of_kind_{};
    Mean of_all_;
    // Of the others: a line through the logarithms of their number of known children (x) and of what exceeds
    // 1 in their multipliers (y).
    double weight_ = 0;
    double x_ = 0;
    double y_ = 0;
    double xx_ = 0;
    double xy_ = 0;
};

}  // namespace norn
