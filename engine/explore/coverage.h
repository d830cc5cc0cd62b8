// Coverage: how much of a depth-first search is done, and a guess at what is left of it (docs/estimate.md).
//
// An explorer tells it how its stack grows and where the next child is begun. A node of the stack is where
// executions part; a leaf is one execution. What a node will have had under it in the end is guessed from the
// nodes that were left already: how many times the leaves of its first child it had, given how many further
// children were known while that one was explored. These *multipliers*, taken along the stack from its end to
// its beginning, give the size of the whole tree.
//
// It must cost next to nothing. So of new nodes no more is noted than when they began; the rest follows if
// one gets a second child, or if it is still there when `executed` asks to `look`, which becomes rarer as the
// search goes on.
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
    // An execution was run, and the stack has this many nodes now. True: it is time to `look` at all of them.
    bool executed(std::size_t nodes) {
        if (nodes > stack_) stretches_.push_back({stack_, leaves_});
        stack_ = nodes;
        ++leaves_;
        if (leaves_ < next_look_) return false;
        next_look_ = leaves_ + 1 + leaves_ / looks;
        return true;
    }
    // A node, by its place on the stack: what is above it is done, and its next child begins.
    void next_child(std::size_t node);
    // What was known as a child of some node turned out to be none.
    void reject() { ++rejected_; }
    // Children of a node that are known and not begun. Nodes of one kind are thought to be alike.
    void look(std::size_t node, std::size_t left, std::uint64_t kind);
    // Everything begins again.
    void clear() { *this = Coverage{}; }

    [[nodiscard]] Left left() const;

private:
    static constexpr std::uint64_t looks = 8;
    static constexpr std::uint64_t first_look = 100;
    static constexpr std::uint32_t not_looked = UINT32_MAX;

    struct Node {
        std::uint64_t begin = 0;          // leaves before it
        std::uint64_t child_begin = 0;    // leaves before its current child
        std::uint64_t first = 0;          // leaves of its first child, once that is done
        std::uint32_t done = 0;           // children that had leaves
        std::uint32_t left = 0;           // known and not begun, when last looked at
        std::uint32_t seen = not_looked;  // the same while its first child was explored
        std::uint64_t kind = 0;
    };
    // Of logarithms, weighted.
    struct Mean {
        double weight = 0;
        double sum = 0;
    };

    // What is noted of the node that began there.
    Node& node_at(std::size_t place, std::uint64_t begin) {
        if (nodes_.size() <= place) nodes_.resize(place + 1);
        Node& node = nodes_[place];
        if (node.begin != begin) node = {begin, begin};
        return node;
    }
    void learn_above(std::size_t node);
    [[nodiscard]] std::uint64_t begin_of(std::size_t place) const;
    [[nodiscard]] bool is_noted(std::size_t place) const {
        return place < nodes_.size() && nodes_[place].begin == begin_of(place);
    }
    void learn(const Node& node);
    [[nodiscard]] double leaves_of_tree() const;
    [[nodiscard]] double multiplier(const Node& node, std::uint32_t known) const;
    [[nodiscard]] static std::size_t slot_of(std::uint64_t kind) {
        return (kind * 0x9E37'79B9'7F4A'7C15U) >> 56U;
    }

    // Nodes that came with the same execution, one stretch after the other.
    struct Stretch {
        std::size_t first;    // place on the stack
        std::uint64_t begin;  // leaves before them
    };
    std::vector<Stretch> stretches_;
    std::size_t stack_ = 0;      // nodes on the stack
    std::vector<Node> nodes_;    // by place; left from a node that was there before, if its beginning differs
    std::size_t looked_at_ = 0;  // above, no node was
    std::uint64_t leaves_ = 0;
    std::uint64_t next_look_ = first_look;
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
