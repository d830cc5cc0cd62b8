#include "explore/wakeup_tree.h"

namespace norn {

// One pass is enough. The events of p's thread in the sequence come in its program order, so the first of them is
// the one p could be; if nothing before it conflicts with p it also does what p does. A thread that takes another
// alternative of the same choice does something else.
WeakInitial weak_initial(const Footprint& p, const std::vector<Footprint>& sequence) {
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        const Footprint& other = sequence[i];
        if (other.thread == p.thread) return {other.choice == p.choice, i};
        if (conflicting(p, other)) return {false, WeakInitial::absent};
    }
    return {true, WeakInitial::absent};
}

void WakeupTrees::insert(Tree& tree, std::vector<Footprint>& sequence) {
    Tree parent = none;  // the branch whose `following` we look at, none for the tree itself
    for (;;) {
        Tree last = none;
        Tree branch = parent == none ? tree : pool_[parent].following;
        WeakInitial initial{false, WeakInitial::absent};
        for (; branch != none; last = branch, branch = pool_[branch].next) {
            initial = weak_initial(pool_[branch].event, sequence);
            if (initial.holds) break;
        }
        if (branch == none) {
            // No branch leads there: what is left of the sequence becomes the rightmost one.
            for (std::size_t i = 0; i < sequence.size(); ++i) {
                const Tree added = new_branch(sequence[i]);
                if (i == 0 && last != none) {
                    pool_[last].next = added;
                } else if (parent == none) {
                    tree = added;
                } else {
                    pool_[parent].following = added;
                }
                parent = added;
            }
            return;
        }
        if (initial.position != WeakInitial::absent)
            sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(initial.position));
        // The end of a branch leaves everything open that may follow it.
        if (pool_[branch].following == none) return;
        parent = branch;
    }
}

Footprint WakeupTrees::take_first(Tree& tree, Tree& following) {
    const Tree first = tree;
    Branch& branch = pool_[first];
    tree = branch.next;
    following = branch.following;
    branch.next = unused_;
    unused_ = first;
    return branch.event;
}

WakeupTrees::Tree WakeupTrees::new_branch(const Footprint& event) {
    if (unused_ == none) {
        pool_.push_back({event, none, none});
        return static_cast<Tree>(pool_.size() - 1);
    }
    const Tree branch = unused_;
    unused_ = pool_[branch].next;
    pool_[branch] = {event, none, none};
    return branch;
}

}  // namespace norn
