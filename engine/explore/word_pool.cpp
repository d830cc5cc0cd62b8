#include "explore/word_pool.h"

#include <algorithm>

namespace norn {

WordPool::List WordPool::keep(std::span<const std::uint32_t> words) {
    const List first = new_block();
    blocks_[first].words[0] = static_cast<std::uint32_t>(words.size());
    std::uint32_t block = first;
    std::size_t used = 1;
    for (const std::uint32_t word : words) {
        if (used == blocks_[block].words.size()) {
            const std::uint32_t next = new_block();
            blocks_[block].next = next;
            block = next;
            used = 0;
        }
        blocks_[block].words[used++] = word;
    }
    return first;
}

void WordPool::take(List list, std::vector<std::uint32_t>& words) {
    std::size_t left = blocks_[list].words[0];
    std::size_t begin = 1;
    words.clear();
    for (std::uint32_t block = list; block != none; block = blocks_[block].next) {
        const std::size_t here = std::min(left, blocks_[block].words.size() - begin);
        words.insert(words.end(), blocks_[block].words.begin() + static_cast<std::ptrdiff_t>(begin),
                     blocks_[block].words.begin() + static_cast<std::ptrdiff_t>(begin + here));
        left -= here;
        begin = 0;
    }
    drop(list);
}

void WordPool::drop(List list) {
    std::uint32_t last = list;
    while (blocks_[last].next != none) last = blocks_[last].next;
    blocks_[last].next = unused_;
    unused_ = list;
}

std::uint32_t WordPool::new_block() {
    if (unused_ == none) {
        blocks_.push_back({none, {}});
        return static_cast<std::uint32_t>(blocks_.size() - 1);
    }
    const std::uint32_t block = unused_;
    unused_ = blocks_[block].next;
    blocks_[block].next = none;
    return block;
}

}  // namespace norn
