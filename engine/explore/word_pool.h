// WordPool: many short lists of numbers, kept for a while and then given back. Lists live in blocks of one
// cache line from a common pool, so that in the steady state nothing is allocated.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace norn {

class WordPool {
public:
    using List = std::uint32_t;
    static constexpr List none = UINT32_MAX;

    [[nodiscard]] List keep(std::span<const std::uint32_t> words);
    // Copies a list out and gives its blocks back.
    void take(List list, std::vector<std::uint32_t>& words);
    void drop(List list);

private:
    struct Block {
        std::uint32_t next;
        std::array<std::uint32_t, 15> words;  // in the first block of a list the first word is its length
    };
    std::uint32_t new_block();

    std::vector<Block> blocks_;
    std::uint32_t unused_ = none;  // given back, linked by `next`
};

}  // namespace norn
