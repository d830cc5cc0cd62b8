#include "explore/wakeup_tree.h"

#include <cassert>

namespace norn {

namespace {

// Whether p is a weak initial of the sequence; if so it is taken out of it, else the event that keeps it from
// being one is marked. One pass is enough: the events of p's thread come in program order, so the first of
// them is the one p could be, and if nothing before it conflicts with p it does what p does. With another
// alternative of a choice it would be another event.
bool take_weak_initial(const Footprint& p, std::vector<Planned>& sequence) {
    for (Planned& planned : sequence) {
        const bool same_thread = planned.event.thread == p.thread;
        if (same_thread && planned.event.choice == p.choice) {
            planned.take_out();
            return true;
        }
        if (same_thread || conflicting(p, planned.event)) {
            planned.needed = true;
            return false;
        }
    }
    return true;
}

}  // namespace

WakeupTrees::Tree* WakeupTrees::find_place(Tree& tree, std::vector<Planned>& sequence) {
    Tree* branch = &tree;
    for (;;) {
        while (*branch != none &&
               !take_weak_initial(footprints_[run(*branch).events[run(*branch).begin]], sequence))
            branch = &run(*branch).next;
        if (*branch == none) return branch;
        Run& along = run(*branch);
        for (std::uint16_t i = along.begin + 1; i < along.end; ++i) {
            if (take_weak_initial(footprints_[along.events[i]], sequence)) continue;
            split(along, i);
            return &run(along.following).next;
        }
        if (along.following == none) return nullptr;
        branch = &along.following;
    }
}

void WakeupTrees::add(Tree& place, const std::vector<Planned>& sequence) {
    assert(place == none);
    Tree last = none;
    for (const Planned& planned : sequence) {
        if (!planned.needed) continue;
        if (last == none || run(last).end == run(last).events.size()) {
            const Tree added = new_run();
            (last == none ? place : run(last).following) = added;
            last = added;
        }
        Run& into = run(last);
        into.events[into.end++] = footprints_.number_of(planned.event);
    }
    assert(place != none);
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

std::size_t WakeupTrees::count_branches(Tree tree) {
    std::size_t count = 0;
    for (; tree != none; tree = run(tree).next) ++count;
    return count;
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

WakeupTrees::Tree WakeupTrees::new_run() {
    Tree fresh = unused_;
    if (fresh != none) {
        unused_ = run(fresh).next;
    } else {
        if (runs_ % chunk == 0) chunks_.push_back(std::make_unique_for_overwrite<std::array<Run, chunk>>());
        fresh = runs_++;
    }
    Run& made = run(fresh);
    made.begin = made.end = 0;
    made.following = made.next = none;
    return fresh;
}

}  // namespace norn
