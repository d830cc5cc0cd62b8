#include "explore/candidates.h"

namespace norn {

bool Candidates::has(const List& list, const Identity& identity) const {
    if (list.first == none) return false;
    for (std::size_t slot = home_of(list.number, identity); table_[slot] != none;
         slot = (slot + 1) & (table_.size() - 1)) {
        const Entry& entry = entries_[table_[slot]];
        if (entry.list == list.number && entry.identity == identity) return true;
    }
    return false;
}

void Candidates::enter(std::uint32_t entry) {
    if (2 * (used_ + 1) > table_.size()) {
        std::vector<std::uint32_t> old(2 * table_.size(), none);
        old.swap(table_);
        used_ = 0;
        for (const std::uint32_t each : old)
            if (each != none) enter(each);
    }
    std::size_t slot = home_of(entries_[entry].list, entries_[entry].identity);
    while (table_[slot] != none) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = entry;
    ++used_;
}

// Closes the gap by moving back what is behind it and may stand there.
void Candidates::remove(std::uint32_t entry) {
    const std::size_t mask = table_.size() - 1;
    std::size_t gap = home_of(entries_[entry].list, entries_[entry].identity);
    while (table_[gap] != entry) gap = (gap + 1) & mask;
    for (std::size_t slot = (gap + 1) & mask; table_[slot] != none; slot = (slot + 1) & mask) {
        const Entry& moved = entries_[table_[slot]];
        if (((slot - home_of(moved.list, moved.identity)) & mask) < ((slot - gap) & mask)) continue;
        table_[gap] = table_[slot];
        gap = slot;
    }
    table_[gap] = none;
    --used_;
}

void Candidates::add(List& list, const Identity& identity, const Candidate& candidate, const Plan& plan) {
    plan.encode(words_);
    const WordPool::List kept = words_.empty() ? WordPool::none : plans_.keep(words_);
    if (list.first == none) list.number = ++lists_;
    const Entry entry{identity, list.number, candidate, kept, none};
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
    enter(index);
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

std::size_t Candidates::count_left(const List& list) const {
    std::size_t count = 0;
    for (std::uint32_t i = list.next; i != none; i = entries_[i].next) ++count;
    return count;
}

void Candidates::drop(List& list) {
    if (list.first == none) return;
    for (std::uint32_t i = list.first; i != none; i = entries_[i].next) {
        if (entries_[i].plan != WordPool::none) plans_.drop(entries_[i].plan);
        remove(i);
    }
    entries_[list.last].next = unused_;
    unused_ = list.first;
    list = {};
}

}  // namespace norn
