// Shadow: which memory is private to one thread, and which is shared and so visible.
//
// Every aligned 4-byte word of the program (a *granule*) has a 4-byte cell at address + 2^46:
//
//     0                      never touched
//     tag (thread id + 1)    touched by that thread only, over all executions so far
//     shared | location      touched by more than one thread: accesses are events on that location
//     poison                 (added bit) heap memory that is not allocated now, or beside a global variable
//     partial                (added bit) last granule of a heap block or global variable, of which not all
//                            bytes belong to it
//     unseen                 (added bit) on a stack: written by others, and not looked at since
//     (unseen_writes.h)
//
// What is shared is learned and never forgotten. An access that makes a granule shared after the fact means
// that earlier accesses to it were not recorded, so the execution ends as Ending::visibility and the
// exploration starts over. This is exact: in every execution that counts, a granule without events was
// touched by a single thread.
//
// Accesses that span several shared granules put them into one location, so that two events can only overlap
// if their locations are equal.
#pragma once

#include "executor/native/world.h"

namespace norn::native {

using Cell = std::uint32_t;

inline constexpr Cell poison_bit = 1U << 31;
inline constexpr Cell partial_bit = 1U << 30;
inline constexpr Cell shared_bit = 1U << 29;
inline constexpr Cell unseen_bit = 1U << 28;
inline constexpr Cell heap_bits = poison_bit | partial_bit;
inline constexpr Cell payload = unseen_bit - 1;
inline constexpr std::uint32_t no_tag = UINT32_MAX;

inline Cell* cell_of(std::uintptr_t address) {
    return reinterpret_cast<Cell*>((address & ~std::uintptr_t{3}) + shadow_offset);
}

// Memory that libc's own malloc gave out: its addresses differ from execution to execution and from run to
// run.
bool in_libc_heap(std::uintptr_t address);

// Maps the shadow of the image, and later of each thread's slots. `shared`: visible to forked children and
// back.
void map_shadow(bool shared);
void map_shadow_of_thread(std::size_t thread, bool shared);

// The location of [address, address + size) if accesses to it by `thread` are events, else no_location.
// Marks the granules as touched by `thread`, and may set World::learning.
LocationId locate(const Thread& thread, std::uintptr_t address, std::size_t size);

// Makes the range shared although only `thread` has touched it.
LocationId share(std::uintptr_t address, std::size_t size);

// Makes all words of stacks shared that a thread has touched and whose stack is not its own, although the
// owner has not. From then on (World::known_idle_sites) they are from the beginning: who looks at the state
// of a stack must know what others do there (unseen_writes.h).
void share_words_of_other_stacks();

// Whether any granule of the range is shared.
bool is_shared(std::uintptr_t address, std::size_t size);

// Whether some atomic section has touched the location, over all executions so far.
bool known_in_sections(LocationId location);
// One has now. True if that was not known.
bool note_in_sections(LocationId location);

// Whether any byte of the range is heap memory that is not allocated.
bool poisoned(std::uintptr_t address, std::size_t size);

void poison(std::uintptr_t address, std::size_t size);
// Makes [address, address + size) usable again.
void unpoison(std::uintptr_t address, std::size_t size);

}  // namespace norn::native
