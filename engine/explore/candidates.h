// Candidates: for each branch of a search the ways that are still to be tried from there, and which ones
// were.
//
// A candidate is known by its identity: two with the same identity are equal. Each branch gets every
// candidate once, however often it is offered.
#pragma once

#include <cstdint>
#include <vector>

#include "consistency/identity.h"
#include "explore/plan.h"
#include "explore/word_pool.h"

namespace norn {

class Candidates {
public:
    // The candidates of one branch.
    struct List {
        std::uint32_t first = none;
        std::uint32_t last = none;
        std::uint32_t next = none;  // the first that was not taken
        std::uint64_t number = 0;   // no two lists that are in use share it
    };
    // What is to be tried: the events of `plan`, then the event of the branch with this source and choice.
    struct Candidate {
        EventName source;
        std::uint16_t choice;
    };

    [[nodiscard]] bool has(const List& list, const Identity& identity) const;
    void add(List& list, const Identity& identity, const Candidate& candidate, const Plan& plan);
    // The next one, if any.
    bool take(List& list, Candidate& candidate, Plan& plan);
    void drop(List& list);
    [[nodiscard]] std::size_t count_left(const List& list) const;

private:
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Entry {
        Identity identity;
        std::uint64_t list;  // its number
        Candidate candidate;
        WordPool::List plan;
        std::uint32_t next;
    };

    [[nodiscard]] std::size_t home_of(std::uint64_t list, const Identity& identity) const {
        return (identity.a ^ list * 0x9E37'79B9'7F4A'7C15U) & (table_.size() - 1);
    }
    void enter(std::uint32_t entry);
    void remove(std::uint32_t entry);

    std::vector<Entry> entries_;
    std::uint32_t unused_ = none;  // given back, linked by `next`
    std::uint64_t lists_ = 0;      // how many there have been
    // The entries by hash, each at its home or behind it with no gap between; none: empty. At most half full.
    std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(64, none);
    std::size_t used_ = 0;  // of the table
    WordPool plans_;
    std::vector<std::uint32_t> words_;
};

}  // namespace norn
