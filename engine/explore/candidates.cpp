#include "explore/candidates.h"

namespace norn {

bool Candidates::has(const List& list, const Identity& identity) const {
    for (std::uint32_t i = list.first; i != none; i = entries_[i].next)
        if (entries_[i].identity == identity) return true;
    return false;
}

void Candidates::add(List& list, const Identity& identity, const Candidate& candidate, const Plan& plan) {
    plan.encode(words_);
    const WordPool::List kept = words_.empty() ? WordPool::none : plans_.keep(words_);
    const Entry entry{identity, candidate, kept, none};
    std::uint32_t index = unused_;
    if (index == none) {
        index = static_cast<std::uint32_t>(entries_.size());
        entries_.push_back(entry);
    } else {
        unused_ = entries_[index].next;
        entries_[index] = entry;
    }
    if (list.first == none) {
        list.first = index;
    } else {
        entries_[list.last].next = index;
    }
    list.last = index;
    if (list.next == none) list.next = index;
}

bool Candidates::take(List& list, Candidate& candidate, Plan& plan) {
    if (list.next == none) return false;
    Entry& entry = entries_[list.next];
    candidate = entry.candidate;
    words_.clear();
    if (entry.plan != WordPool::none) plans_.take(entry.plan, words_);
    entry.plan = WordPool::none;
    plan.decode(words_);
    list.next = entry.next;
    return true;
}

void Candidates::drop(List& list) {
    if (list.first == none) return;
    for (std::uint32_t i = list.first; i != none; i = entries_[i].next)
        if (entries_[i].plan != WordPool::none) plans_.drop(entries_[i].plan);
    entries_[list.last].next = unused_;
    unused_ = list.first;
    list = {};
}

}  // namespace norn
