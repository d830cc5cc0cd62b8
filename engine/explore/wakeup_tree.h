// Wakeup trees: the sequences of events that an exploration still has to begin with, from some state on.
//
// A tree is an ordered list of branches; a branch is an event and the tree of what follows it. The explorer keeps
// one tree for each state of its current execution and consumes it from left to right. All trees of a search live in
// one pool, so that in the steady state none allocates.
//
// The theory (Abdulla, Aronsson, Jonsson, Sagonas: Source sets, J. ACM 64(4), 2017) asks one question of an event p
// and a sequence w that are both possible from the same state: is p a *weak initial* of w, that is, can some
// continuation of w be reordered to begin with p, without changing the order of conflicting events? It can if p is
// in w and nothing before it in w conflicts with it, or if it is not in w and conflicts with nothing in w.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/event.h"

namespace norn {

// What must be known of an event before it is performed: whose it is, and what it conflicts with.
struct Footprint {
    std::uint64_t address;
    std::uint32_t size;
    LocationId location;
    ThreadId thread;
    std::uint16_t choice;
    Access access;
};

[[nodiscard]] inline Footprint footprint_of(const Event& event) {
    return {event.address, event.size, event.location, event.thread, event.choice, event.access};
}

[[nodiscard]] inline bool conflicting(const Footprint& a, const Footprint& b) {
    return a.location == b.location && (a.access >= Access::write || b.access >= Access::write) &&
           a.access != Access::none && b.access != Access::none && a.address < b.address + b.size &&
           b.address < a.address + a.size;
}

// Whether p is a weak initial of a sequence, and where in the sequence it is.
struct WeakInitial {
    static constexpr std::size_t absent = SIZE_MAX;  // not in the sequence, and independent of all of it
    bool holds;
    std::size_t position;
};

[[nodiscard]] WeakInitial weak_initial(const Footprint& p, const std::vector<Footprint>& sequence);

class WakeupTrees {
public:
    // A tree: its leftmost branch. The empty tree is `none`.
    using Tree = std::uint32_t;
    static constexpr Tree none = UINT32_MAX;

    // Makes sure that the tree leads to some execution that begins with the sequence, up to reordering; uses the
    // sequence up. Adds nothing if a branch already ends in a prefix of it.
    void insert(Tree& tree, std::vector<Footprint>& sequence);

    // Removes the leftmost branch from the tree; returns its event and the tree that follows it.
    Footprint take_first(Tree& tree, Tree& following);

private:
    struct Branch {
        Footprint event;
        Tree following;  // what comes after the event; none: anything may
        Tree next;       // the branches to the right of this one
    };

    Tree new_branch(const Footprint& event);

    std::vector<Branch> pool_;
    Tree unused_ = none;  // linked by `next`
};

}  // namespace norn
