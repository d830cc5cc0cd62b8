#include "executor/native/heap.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/leaks.h"
#include "executor/native/scheduler.h"
#include "executor/native/ticks.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

constexpr std::uint32_t in_use = 0x6E6F726E;
constexpr std::uint32_t released = 0x64616564;
constexpr std::size_t red_zone = 16;

// In front of every block; poisoned, so that it is the red zone on the left.
struct Header {
    std::uint64_t size;
    std::uintptr_t previous;  // header of the block before it in the arena, or 0
    std::uint32_t state;
    ThreadId released_by;
    std::uint16_t unused;
    std::uint64_t padding;
};
static_assert(sizeof(Header) == 32);

// What constructors of globals had allocated when main began: part of every execution's start.
unsigned char* kept_bytes = nullptr;
Cell* kept_cells = nullptr;
std::size_t kept_size = 0;
std::uintptr_t kept_last_block = 0;

Header& header_of(std::uintptr_t block) { return *reinterpret_cast<Header*>(block - sizeof(Header)); }

std::size_t round_up(std::size_t value, std::size_t alignment) {
    return (value + alignment - 1) & ~(alignment - 1);
}

// The blocks of one arena in the execution of that number, as far as somebody has asked for them. An arena
// only grows, so that they are in order.
struct KnownBlocks {
    std::uint64_t execution;
    std::vector<std::uintptr_t> blocks;
};

// Where there are many: notes those that are new, and then knows where to look.
std::uintptr_t nearest_of_many(const Thread& owner, std::uintptr_t address) {
    static std::vector<KnownBlocks> of_threads(max_threads);
    KnownBlocks& known = of_threads[owner.id];
    if (known.execution != world().executions) known.blocks.clear();
    known.execution = world().executions;
    const std::size_t before = known.blocks.size();
    const std::uintptr_t last = before > 0 ? known.blocks.back() : 0;
    for (std::uintptr_t block = owner.last_block; block > last; block = header_of(block).previous)
        known.blocks.push_back(block);
    std::reverse(known.blocks.begin() + static_cast<std::ptrdiff_t>(before), known.blocks.end());
    const auto behind = std::upper_bound(known.blocks.begin(), known.blocks.end(), address + sizeof(Header));
    return behind == known.blocks.begin() ? 0 : *std::prev(behind);
}

// The block that an address belongs to or lies behind; 0 if there is none.
std::uintptr_t nearest_block(std::uintptr_t address) {
    constexpr int few = 16;
    const Thread& owner = world().thread[(address - arena_base) / slot_size];
    std::uintptr_t block = owner.last_block;
    for (int i = 0; i < few; ++i) {
        if (block == 0 || block - sizeof(Header) <= address) return block;
        block = header_of(block).previous;
    }
    return nearest_of_many(owner, address);
}

void describe_block(char* text, std::size_t size, const char* what, std::uintptr_t address,
                    std::uintptr_t block) {
    const Header& header = header_of(block);
    const auto owner = static_cast<unsigned>((block - arena_base) / slot_size);
    if (header.state == released)
        std::snprintf(text, size, "%s at byte %ld of a block of %lu bytes allocated by T%u and freed by T%u",
                      what, static_cast<long>(address - block), static_cast<unsigned long>(header.size),
                      owner, unsigned{header.released_by});
    else if (address < block)
        std::snprintf(text, size, "%s %lu bytes before a block of %lu bytes allocated by T%u", what,
                      static_cast<unsigned long>(block - address), static_cast<unsigned long>(header.size),
                      owner);
    else if (address <= block + header.size)
        std::snprintf(text, size, "%s just past the end of a block of %lu bytes allocated by T%u", what,
                      static_cast<unsigned long>(header.size), owner);
    else
        std::snprintf(text, size, "%s %lu bytes past the end of a block of %lu bytes allocated by T%u", what,
                      static_cast<unsigned long>(address - block - header.size),
                      static_cast<unsigned long>(header.size), owner);
}

// A block is used, or released once more, after its release. That ends the thread, so what follows depends on
// the order of all that is written there. A store has no source that would tell: if the exploration goes on
// after failures, it starts over with these taken for read-modify-writes, as with what loops wait for
// (idle_rounds.h). Where nothing is misused, uses come before the release in every execution, and nothing
// more is told apart.
void order_misuses(std::uintptr_t block, std::size_t size) {
    World& w = world();
    if (w.mode != Mode::explore || (!w.keep_going && w.counted == nullptr)) return;
    const LocationId location = locate(*w.current, block, size == 0 ? 1 : size);
    if (location == no_location) return;
    w.events[w.count - 1].misused = true;  // what has just been performed is the misuse
    if (access_of_store(location) == Access::rmw) return;
    w.awaits = true;
    if (location < Forecast::tracked)
        w.awaited[location / 64] |= std::uint64_t{1} << location % 64;
    else
        w.awaits_others = true;
    start_learning();
}

Thread& heap_owner() { return world().running ? *world().current : world().thread[0]; }

}  // namespace

bool is_heap(const void* pointer) { return in_arenas(reinterpret_cast<std::uintptr_t>(pointer)); }

std::size_t block_size(const void* pointer) {
    return header_of(reinterpret_cast<std::uintptr_t>(pointer)).size;
}

void* allocate(std::size_t size, std::size_t alignment) {
    Thread& me = heap_owner();
    const std::size_t wanted = size == 0 ? 1 : size;
    const std::uintptr_t end_of_arena = arena_of(me.id) + slot_size;
    const std::uintptr_t block = round_up(me.arena_top + sizeof(Header), alignment < 16 ? 16 : alignment);
    if (wanted > slot_size || block + round_up(wanted, 16) + red_zone > end_of_arena) {
        errno = ENOMEM;
        return nullptr;
    }
    header_of(block) = {size, me.last_block, in_use, 0, 0, 0};
    const std::uintptr_t end = block + round_up(wanted, 16) + red_zone;
    poison(me.arena_top, block - me.arena_top);
    poison(block + round_up(wanted, 4), end - (block + round_up(wanted, 4)));
    Thread* const current = world().current;
    if (!world().running) world().current = &me;
    unpoison(block, wanted);
    world().current = current;
    me.last_block = block;
    me.arena_top = end;
    if (end > me.arena_dirty) me.arena_dirty = end;
    return reinterpret_cast<void*>(block);
}

Scratch::Scratch(std::size_t size) : top_(heap_owner().arena_top), last_block_(heap_owner().last_block) {
    bytes_ = static_cast<char*>(allocate(size));
    if (bytes_ == nullptr) unsupported("memory", "the heap of the thread is full (1 GiB)");
}

Scratch::~Scratch() {
    Thread& me = heap_owner();
    poison(top_, me.arena_top - top_);
    me.arena_top = top_;
    me.last_block = last_block_;
}

void release(void* pointer, std::uintptr_t site) {
    if (pointer == nullptr) return;
    if (!is_heap(pointer)) {
        std::free(pointer);  // libc gave it (getline, asprintf)
        return;
    }
    if (!enter()) return;
    World& w = world();
    Thread& me = *w.current;
    const auto block = reinterpret_cast<std::uintptr_t>(pointer);
    const std::uintptr_t nearest = nearest_block(block);
    if (nearest != block)
        fail("invalid-free", "free() of a pointer that is not the start of a heap block", block);
    Header& header = header_of(block);
    const std::size_t size = header.size == 0 ? 1 : header.size;
    const LocationId location = locate(me, block, size);
    if (location != no_location || counting()) {
        announce(Operation::free, access_of_store(location), block, size, location, site);
        w.has_plain = true;
        perform();
    }
    if (header.state != in_use) {
        char text[200];
        note_step_in_vain();
        order_misuses(block, size);
        std::snprintf(text, sizeof text, "free() of a block of %lu bytes that T%u has freed already",
                      static_cast<unsigned long>(header.size), unsigned{header.released_by});
        fail_about("double-free", text, block, history_of(block));
    }
    spoil_round(me);
    header.state = released;
    header.released_by = me.id;
    poison(block, size);
    note_freed(block);
}

namespace {

// A block that is the program's own, not the engine's.
void* allocate_for_program(std::size_t size, std::size_t alignment = 16) {
    void* const block = allocate(size, alignment);
    note_block(block);
    return block;
}

// The same, where its content is left open: zeros, unless something else is asked for.
void* allocate_unwritten(std::size_t size, std::size_t alignment = 16) {
    void* const block = allocate_for_program(size, alignment);
    if (world().fill != 0 && block != nullptr) std::memset(block, world().fill, size);
    return block;
}

// Copies what was just read. Other threads may run before the write, so that it must not be read again.
void fill_new_block(void* block, const void* from, std::size_t size, std::uintptr_t site) {
    const Scratch copy(size);
    std::memcpy(copy.bytes(), from, size);
    range_access(block, size, Operation::store, site);
    std::memcpy(block, copy.bytes(), size);
}

}  // namespace

void* reallocate(void* pointer, std::size_t size, std::uintptr_t site) {
    if (pointer == nullptr) return allocate_unwritten(size);
    if (!is_heap(pointer)) return std::realloc(pointer, size);
    const auto block = reinterpret_cast<std::uintptr_t>(pointer);
    if (nearest_block(block) != block)
        fail("invalid-free", "realloc() of a pointer that is not the start of a heap block", block);
    if (size == 0) {
        release(pointer, site);
        return nullptr;
    }
    const std::size_t old_size = block_size(pointer);
    void* const fresh = allocate_unwritten(size);
    if (fresh == nullptr) return nullptr;
    const std::size_t common = old_size < size ? old_size : size;
    range_access(pointer, common, Operation::load, site);
    fill_new_block(fresh, pointer, common, site);
    release(pointer, site);
    return fresh;
}

void check_block(std::uintptr_t address, std::size_t size, Operation operation) {
    const char* const what = operation == Operation::load    ? "read"
                             : operation == Operation::store ? "write"
                                                             : "access";
    const std::uintptr_t block = nearest_block(address);
    char text[256];
    if (block == 0) {
        note_step_in_vain();
        std::snprintf(text, sizeof text, "%s of heap memory that was never allocated (address %#lx)", what,
                      address);
        fail("heap-overflow", text, address);
    }
    const Header& header = header_of(block);
    if (header.state == in_use && address >= block && address + size <= block + header.size) return;
    note_step_in_vain();
    // A range that begins inside the block: the first bad byte is what to tell of.
    const bool runs_over = header.state == in_use && address >= block && address < block + header.size;
    const bool beyond = block_around(address).start == 0;
    if (beyond) {
        std::snprintf(text, sizeof text, "%s of heap memory that was never allocated (address %#lx)", what,
                      address);
        fail("heap-overflow", text, address);
    }
    if (header.state == released) order_misuses(block, header.size);
    describe_block(text, sizeof text, what, runs_over ? block + header.size : address, block);
    fail_about(header.state == released ? "use-after-free" : "heap-overflow", text, address,
               history_of(block));
}

void collect_blocks(std::vector<Block>& blocks) {
    const World& w = world();
    for (std::size_t i = 0; i < w.threads; ++i) {
        std::uintptr_t block = w.thread[i].state == State::unused ? 0 : w.thread[i].last_block;
        for (; block != 0; block = header_of(block).previous)
            if (header_of(block).state == in_use) blocks.push_back({block, header_of(block).size});
    }
}

Block block_around(std::uintptr_t address) {
    const std::uintptr_t block = nearest_block(address);
    if (block == 0) return {};
    const std::size_t size = header_of(block).size;
    return address < block + size + red_zone + 16 ? Block{block, size} : Block{};
}

void keep_heap() {
    World& w = world();
    const Thread& first = w.thread[0];
    kept_size = first.arena_top == 0 ? 0 : first.arena_top - arena_of(0);
    kept_last_block = first.last_block;
    if (kept_size == 0) return;
    kept_bytes = static_cast<unsigned char*>(std::malloc(kept_size));
    kept_cells = static_cast<Cell*>(std::malloc(kept_size));
    std::memcpy(kept_bytes, reinterpret_cast<void*>(arena_of(0)), kept_size);
    std::memcpy(kept_cells, cell_of(arena_of(0)), kept_size);
}

void reset_heap() {
    World& w = world();
    for (std::size_t i = 0; i < w.known_threads || i == 0; ++i) {
        Thread& thread = w.thread[i];
        const std::uintptr_t start = arena_of(i);
        if (thread.arena_dirty > start) {
            std::memset(reinterpret_cast<void*>(start), 0, thread.arena_dirty - start);
            Cell* const cells = cell_of(start);
            const std::size_t count = (thread.arena_dirty - start) / 4;
            for (std::size_t k = 0; k < count; ++k) cells[k] = (cells[k] | poison_bit) & ~partial_bit;
            thread.arena_dirty = 0;
        }
    }
    Thread& first = w.thread[0];
    first.arena_top = arena_of(0) + kept_size;
    first.last_block = kept_last_block;
    if (kept_size == 0) return;
    std::memcpy(reinterpret_cast<void*>(arena_of(0)), kept_bytes, kept_size);
    Cell* const cells = cell_of(arena_of(0));
    for (std::size_t k = 0; k < kept_size / 4; ++k) {
        const Cell learned = cells[k] & ~heap_bits;
        cells[k] = (learned != 0 ? learned : kept_cells[k] & ~heap_bits) | (kept_cells[k] & heap_bits);
    }
    first.arena_dirty = first.arena_top;
}

extern "C" {

void* norn_malloc(std::size_t size) { return allocate_unwritten(size); }
void norn_free(void* pointer) { release(pointer, SITE); }
void* norn_calloc(std::size_t count, std::size_t size) {
    std::size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return nullptr;
    }
    return allocate_for_program(total);  // fresh blocks are zero
}
void* norn_realloc(void* pointer, std::size_t size) { return reallocate(pointer, size, SITE); }
void* norn_reallocarray(void* pointer, std::size_t count, std::size_t size) {
    std::size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return nullptr;
    }
    return reallocate(pointer, total, SITE);
}
void* norn_aligned_alloc(std::size_t alignment, std::size_t size) {
    return allocate_unwritten(size, alignment);
}
void* norn_memalign(std::size_t alignment, std::size_t size) { return allocate_unwritten(size, alignment); }
void* norn_valloc(std::size_t size) { return allocate_unwritten(size, 4096); }
int norn_posix_memalign(void** result, std::size_t alignment, std::size_t size) {
    if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void* const block = allocate_unwritten(size, alignment);
    if (block == nullptr) return ENOMEM;
    range_access(result, sizeof *result, Operation::store, SITE);
    *result = block;
    return 0;
}
std::size_t norn_malloc_usable_size(void* pointer) { return pointer == nullptr ? 0 : block_size(pointer); }
char* norn_strdup(const char* text) {
    const std::size_t size = read_string(text, SIZE_MAX, SITE) + 1;
    auto* const copy = static_cast<char*>(allocate_for_program(size));
    if (copy != nullptr) fill_new_block(copy, text, size, SITE);
    return copy;
}
char* norn_strndup(const char* text, std::size_t limit) {
    const std::size_t length = read_string(text, limit, SITE);
    auto* const copy = static_cast<char*>(allocate_for_program(length + 1));
    if (copy != nullptr) fill_new_block(copy, text, length, SITE);
    return copy;
}
}

}  // namespace norn::native
