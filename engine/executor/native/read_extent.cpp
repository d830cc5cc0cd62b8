#include "executor/native/read_extent.h"

#include <algorithm>
#include <cstring>
#include <cwchar>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/mapping.h"
#include "executor/native/scheduler.h"

// Set by the linker: code and constants lie between.
extern "C" const char __executable_start[], __data_start[];

namespace norn::native {

namespace {

// How far what begins at an address has ever reached, over all executions: a hash table.
struct Longest {
    std::uintptr_t start;
    std::size_t size;
};
constexpr std::size_t slots = std::size_t{1} << 16;
struct Table {
    Longest longest[slots];
    std::size_t used;
};
Table* table = nullptr;

std::size_t& longest_at(std::uintptr_t start) {
    std::size_t slot = (start * 0x9E37'79B9'7F4A'7C15U) >> 48;
    while (table->longest[slot].start != 0 && table->longest[slot].start != start) slot = (slot + 1) % slots;
    Longest& entry = table->longest[slot];
    if (entry.start == 0) {
        if (++table->used > slots / 2)
            unsupported("string functions", "threads share more than 32,768 strings");
        entry.start = start;
    }
    return entry.size;
}

void learn(std::size_t& longest, std::size_t size) {
    if (size <= longest || world().mode == Mode::replay) return;
    longest = size;
    start_learning();
}

// As far as it ever reached, but not beyond its block: at the same address there may have been a larger one.
std::size_t reach(std::uintptr_t start, std::size_t longest) {
    if (!in_arenas(start)) return longest;
    const Block block = block_around(start);
    return block.size == 0 ? 0 : std::min(longest, block.start + block.size - start);
}

}  // namespace

std::size_t Extent::size_now() const {
    if (character == sizeof(wchar_t)) {
        const std::size_t length = wcsnlen(reinterpret_cast<const wchar_t*>(start), limit);
        return (length < limit ? length + 1 : limit) * character;
    }
    std::size_t size = limit;
    if (until_zero) {
        const std::size_t length = strnlen(start, limit);
        if (length < limit) size = length + 1;
    }
    if (until < 0) return size;
    const void* const found = std::memchr(start, until, size);
    return found == nullptr ? size : static_cast<std::size_t>(static_cast<const char*>(found) - start) + 1;
}

std::size_t read_extent(const Extent& extent, std::uintptr_t site) {
    if (extent.limit == 0) return 0;
    if (!enter()) return extent.size_now();
    World& w = world();
    Thread& me = *w.current;
    const auto start = reinterpret_cast<std::uintptr_t>(extent.start);
    std::size_t size = extent.size_now();
    const bool constant = is_constant(extent.start);
    if (constant && !counting()) return size;
    LocationId location = constant ? no_location : locate(me, start, size);
    if (location == no_location && !constant && spins(me, start, site)) location = share(start, size);
    if (location == no_location && !counting()) {
        check_heap(start, size, Operation::load);
        return size;
    }
    if (location != no_location) {
        std::size_t& longest = longest_at(start);
        learn(longest, size);
        if (w.mode != Mode::replay && reach(start, longest) > size) {
            size = reach(start, longest);
            location = locate(me, start, size);
        }
    }
    announce(Operation::load, Access::read, start, size, location, site);
    w.has_plain = true;
    Event& event = perform();
    const std::size_t read = extent.size_now();
    if (location != no_location) learn(longest_at(start), read);
    event.expected = read;
    if (w.mode == Mode::replay) {  // the step is told as what it was
        event.size = static_cast<std::uint32_t>(read);
        event.before = event.after = value_at(start, read);
    }
    check_shared(start, read, Operation::load);
    return read;
}

std::size_t read_string(const char* text, std::size_t limit, std::uintptr_t site) {
    const std::size_t size = read_extent({.start = text, .limit = limit}, site);
    return strnlen(text, size);
}

KeptString::KeptString(const char* text, std::size_t limit, std::uintptr_t site)
    : length_(read_string(text, limit, site)), kept_(length_ + 1) {
    std::memcpy(kept_.bytes(), text, length_);
    kept_.bytes()[length_] = '\0';
}

bool is_constant(const void* memory) {
    return memory >= static_cast<const void*>(__executable_start) &&
           memory < static_cast<const void*>(__data_start);
}

void map_extents(bool shared) { table = static_cast<Table*>(map_anywhere(sizeof(Table), shared)); }

}  // namespace norn::native
