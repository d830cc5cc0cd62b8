// Channels: what is between the ends of a pipe, or in an eventfd.
//
// A channel is one word, and every operation on it is one event on that word. The word *is* the state: its
// number stands for the content and the open ends, byte by byte (wide_values.h), so that what an operation
// does follows from the value it finds. That is what explorers take for granted, reads-value-from above all:
// were the word only the number of bytes, two channels with different bytes would be taken for the same.
//
//     63      44 43            8 7      0
//    +----------+---------------+--------+
//    |   fill   |    number     | flags  |
//    +----------+---------------+--------+
//
// Fill, the bytes that are in a pipe, stands first, so that "there is room for n bytes" is a comparison of
// words, and flags are bits: a thread waits for room, or for something to read, as for any other guard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace norn::native {

enum ChannelFlag : std::uint64_t {
    has_data = 1,
    is_ended = 2,  // nobody can write any more
    has_room = 4,
    is_broken = 8,  // nobody can read any more
};

inline constexpr std::size_t pipe_capacity = 65536;
inline constexpr std::size_t pipe_atomic =
    4096;  // PIPE_BUF: writes of so many bytes are not mixed with others
inline constexpr std::uint64_t largest_count = UINT64_MAX - 1;  // of an eventfd

struct Channel {
    bool is_counter;
    std::uint32_t readers;
    std::uint32_t writers;
    std::uint64_t count;                   // of an eventfd
    std::span<const unsigned char> bytes;  // of a pipe; they stay where they are for good
};

// The word of a state: `bytes` and then `more` are what it contains.
std::uint64_t word_of(const Channel& channel, std::span<const unsigned char> more = {});
Channel channel_of(std::uint64_t word);

// What the word of a pipe is below, if there is room for so many bytes. (One that nobody reads has room: a
// writer finds out.)
constexpr std::uint64_t limit_with_room(std::size_t size) {
    return std::uint64_t{pipe_capacity - size + 1} << 44;
}

}  // namespace norn::native
