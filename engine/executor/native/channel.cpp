#include "executor/native/channel.h"

#include <cstring>

#include "executor/native/heap.h"
#include "executor/native/wide_values.h"
#include "graph/event.h"
#include "host/messages.h"

namespace norn::native {

namespace {

struct Header {
    std::uint32_t is_counter;
    std::uint32_t readers;
    std::uint32_t writers;
    std::uint32_t unused;
    std::uint64_t count;
};
static_assert(sizeof(Header) > largest_value);

}  // namespace

std::uint64_t word_of(const Channel& channel, std::span<const unsigned char> more) {
    const bool keeps = channel.readers > 0;  // what nobody can read is gone
    const std::size_t old_size = keeps ? channel.bytes.size() : 0;
    const std::size_t new_size = keeps ? more.size() : 0;
    const std::size_t size = old_size + new_size;
    const Scratch room(sizeof(Header) + size);
    const Header header{channel.is_counter ? 1U : 0U, channel.readers, channel.writers, 0, channel.count};
    std::memcpy(room.bytes(), &header, sizeof header);
    if (old_size > 0) std::memcpy(room.bytes() + sizeof header, channel.bytes.data(), old_size);
    if (new_size > 0) std::memcpy(room.bytes() + sizeof header + old_size, more.data(), new_size);
    const std::uint64_t number =
        wide_value(reinterpret_cast<std::uintptr_t>(room.bytes()), sizeof header + size);
    if (is_unknown(number, sizeof header + size))
        die("there is too much different data in the pipes of the program; give it less to do");
    std::uint64_t flags = 0;
    if (size > 0 || channel.count > 0) flags |= has_data;
    if (channel.writers == 0) flags |= is_ended;
    if (channel.readers == 0) flags |= is_broken;
    const bool is_full =
        channel.is_counter ? channel.count == largest_count : size > pipe_capacity - pipe_atomic;
    if (!is_full) flags |= has_room;
    return std::uint64_t{size} << 44 | number << 8 | flags;
}

Channel channel_of(std::uint64_t word) {
    const std::span<const unsigned char> all = bytes_of_wide_value(word >> 8 & 0xF'FFFF'FFFF);
    Header header{};
    std::memcpy(&header, all.data(), sizeof header);
    return {header.is_counter != 0, header.readers, header.writers, header.count, all.subspan(sizeof header)};
}

}  // namespace norn::native
