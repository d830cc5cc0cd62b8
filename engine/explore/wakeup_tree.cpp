#include "explore/wakeup_tree.h"

#include <cassert>

namespace norn {

namespace {

// Stands in a sequence for an event that was taken out of it: conflicts with nothing, belongs to nobody.
constexpr Footprint taken_out{.address = 0,
                              .size = 0,
                              .location = no_location,
                              .thread = UINT16_MAX,
                              .choice = 0,
                              .access = Access::none};

// Whether p is a weak initial of the sequence; if so it is taken out of it. One pass is enough: the events of
// p's thread come in program order, so the first of them is the one p could be, and if nothing before it
// conflicts with p it does what p does. With another alternative of a choice it would be another event.
bool take_weak_initial(const Footprint& p, std::vector<Footprint>& sequence) {
    for (Footprint& other : sequence) {
        if (other.thread == p.thread) {
            if (other.choice != p.choice) return false;
            other = taken_out;
            return true;
        }
        if (conflicting(p, other)) return false;
    }
    return true;
}

}  // namespace

void WakeupTrees::insert(Tree& tree, std::vector<Footprint>& sequence) {
    Tree* branch = &tree;
    for (;;) {
        while (*branch != none &&
               !take_weak_initial(footprints_[run(*branch).events[run(*branch).begin]], sequence))
            branch = &run(*branch).next;
        if (*branch == none) {
            *branch = new_branch(sequence);
            return;
        }
        Run& along = run(*branch);
        for (std::uint16_t i = along.begin + 1; i < along.end; ++i) {
            if (take_weak_initial(footprints_[along.events[i]], sequence)) continue;
            split(along, i);
            run(along.following).next = new_branch(sequence);
            return;
        }
        if (along.following == none) return;
        branch = &along.following;
    }
}

Footprint WakeupTrees::take_first(Tree& tree, Tree& following) {
    assert(tree != none);
    const Tree first = tree;
    Run& taken = run(first);
    const Footprint event = footprints_[taken.events[taken.begin++]];
    tree = taken.next;
    if (taken.begin < taken.end) {
        taken.next = none;
        following = first;
    } else {
        following = taken.following;
        taken.next = unused_;
        unused_ = first;
    }
    return event;
}

// Lets a run end before `position`; the rest of it becomes what follows.
void WakeupTrees::split(Run& at, std::uint16_t position) {
    const Tree rest = new_run();
    Run& after = run(rest);
    for (std::uint16_t i = position; i < at.end; ++i) after.events[after.end++] = at.events[i];
    after.following = at.following;
    at.end = position;
    at.following = rest;
}

WakeupTrees::Tree WakeupTrees::new_branch(const std::vector<Footprint>& sequence) {
    Tree first = none;
    Tree last = none;
    for (const Footprint& event : sequence) {
        if (event.thread == taken_out.thread) continue;
        if (last == none || run(last).end == run(last).events.size()) {
            const Tree added = new_run();
            (last == none ? first : run(last).following) = added;
            last = added;
        }
        Run& into = run(last);
        into.events[into.end++] = footprints_.number_of(event);
    }
    return first;
}

WakeupTrees::Tree WakeupTrees::new_run() {
    Tree fresh = unused_;
    if (fresh != none) {
        unused_ = run(fresh).next;
    } else {
        if (runs_ % chunk == 0) chunks_.push_back(std::make_unique_for_overwrite<Run[]>(chunk));
        fresh = runs_++;
    }
    Run& made = run(fresh);
    made.begin = made.end = 0;
    made.following = made.next = none;
    return fresh;
}

}  // namespace norn
