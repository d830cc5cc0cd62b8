// The heap of the checked program: an arena per thread, so that addresses do not depend on the interleaving.
//
// Blocks are cut off the arena one after the other and never reused within an execution, which makes every
// use after free visible (the shadow of a freed block is poisoned) at the price of memory. Each block has a
// header in front and poisoned red zones on both sides. Contents are zero, as on a fresh machine, in every
// execution. Releasing a block is a write event to all of it; allocating is no event, since nobody else can
// know the address yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "executor/native/world.h"

namespace norn::native {

void* allocate(std::size_t size, std::size_t alignment = 16);
void release(void* pointer, std::uintptr_t site);
void* reallocate(void* pointer, std::size_t size, std::uintptr_t site);
bool is_heap(const void* pointer);
std::size_t block_size(const void* pointer);

// Fails the running thread if [address, address + size) is not inside one allocated block.
void check_block(std::uintptr_t address, std::size_t size, Operation operation);

// A block that the program has not freed.
struct Block {
    std::uintptr_t start;
    std::size_t size;
};
void collect_blocks(std::vector<Block>& blocks);
// The block that an address lies in or just beyond, freed or not; zeros if there is none.
Block block_around(std::uintptr_t address);

// Memory for the engine's own use during an operation of the running thread. It lies on the thread's heap, so
// that it goes with the execution if the operation never ends.
class Scratch {
public:
    explicit Scratch(std::size_t size);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    [[nodiscard]] char* bytes() const { return bytes_; }

private:
    std::uintptr_t top_;
    std::uintptr_t last_block_;
    char* bytes_;
};

// Before an execution: empties all arenas, but keeps what was allocated before main.
void reset_heap();
void keep_heap();

}  // namespace norn::native
