// Wakeup trees: the sequences of events that an exploration still has to begin with, from some state on.
//
// A tree is an ordered list of branches; a branch is an event and the tree of what follows it. The explorer
// keeps one tree for each state of its current execution and consumes it from left to right. Pending
// sequences are what an optimal search has to remember, so they are kept small: each different event is
// stored once and known by a number, and a stretch of a branch without forks is one node, a *run*. All trees
// of a search live in one pool, so that in the steady state none allocates.
//
// The question that decides where a sequence belongs: given an event p and a sequence v that are possible
// from the same state, is p a *weak initial* of v? It is if some continuation of v can be reordered to begin
// with p without changing the order of conflicting events: p is in v and nothing before it in v conflicts
// with it, or p is not in v and conflicts with nothing in v.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "explore/footprint.h"
#include "explore/footprint_table.h"

namespace norn {

// An event of a sequence that is about to be inserted.
struct Planned {
    Footprint event;
    bool needed = false;  // because of it something explored earlier is no weak initial of the sequence

    // What takes its place then conflicts with nothing and belongs to nobody.
    void take_out() { *this = {{0, 0, no_location, nobody, 0, Access::none}, false}; }
    [[nodiscard]] bool is_taken_out() const { return event.thread == nobody; }

    static constexpr ThreadId nobody = UINT16_MAX;
};

class WakeupTrees {
public:
    // A tree: its leftmost branch. The empty tree is `none`.
    using Tree = std::uint32_t;
    static constexpr Tree none = UINT32_MAX;

    // Inserting a sequence makes sure that some way through the tree can be continued to something equal to a
    // continuation of the sequence. `find_place` goes down where an event of the tree is a weak initial of
    // what is left of the sequence, the leftmost first, and takes it out of the sequence; where it passes a
    // branch it marks the event that keeps it from going down there. It ends where no branch leads further,
    // and `add` puts the needed events of what is left there; or at the end of a branch, which leaves open
    // what follows: then it returns null, for there is nothing to add.
    [[nodiscard]] Tree* find_place(Tree& tree, std::vector<Planned>& sequence);
    void add(Tree& place, const std::vector<Planned>& sequence);

    // Removes the leftmost branch from the tree; returns its event and sets `following` to the tree after it.
    Footprint take_first(Tree& tree, Tree& following);
    // At its root.
    [[nodiscard]] std::size_t count_branches(Tree tree);

private:
    // Events that follow each other without a fork: a branch, or what continues one.
    struct Run {
        std::array<std::uint32_t, 13> events;  // as numbers; those from `begin` to `end` are still to come
        std::uint16_t begin;
        std::uint16_t end;
        Tree following;  // what comes after the last event; none: anything may
        Tree next;       // the branch to the right of this one
    };
    static constexpr std::size_t chunk = 256;  // runs

    [[nodiscard]] Run& run(Tree tree) { return (*chunks_[tree / chunk])[tree % chunk]; }
    Tree new_run();
    void split(Run& at, std::uint16_t position);

    FootprintTable footprints_;
    std::vector<std::unique_ptr<std::array<Run, chunk>>> chunks_;  // the pool; runs never move
    std::uint32_t runs_ = 0;                                       // taken from the pool so far
    Tree unused_ = none;                                           // given back, linked by `next`
};

}  // namespace norn
