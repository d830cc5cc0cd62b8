// What an execution leaves behind: memory that is lost, locks that are held, threads that nobody joined.
//
// Looked for on request only (option `leaks`), at the end of an execution in which nothing failed and every
// thread ended or the program called exit(). For that the origin of each block, lock and thread is kept while
// the execution runs.
//
// Memory: a block is lost if it was not freed and no word of memory that is still in use points into it:
// global variables (of libraries, too), what was allocated before main, stacks, registers and thread-local
// variables of threads that have not ended and of main, and blocks that are not lost themselves. A local
// variable of main does not count once main has returned. Locks: held by a thread that has ended. Threads:
// ended, but neither joined nor detached.
#pragma once

#include <cstdint>
#include <span>

#include "executor/native/faults.h"
#include "executor/native/world.h"

namespace norn::native {

// What to look for: bits of World::leaks.
inline constexpr std::uint8_t leaks_of_memory = 1;
inline constexpr std::uint8_t leaks_of_threads = 2;
inline constexpr std::uint8_t leaks_of_locks = 4;

void remember_block(std::uintptr_t block);
void remember_freed(std::uintptr_t block);
void remember_thread(ThreadId id);
void remember_lock(std::uintptr_t lock);
void forget_lock(std::uintptr_t lock);

// Called where something comes into being, and where a lock is given back. Cost nothing to speak of if nobody
// wants to know.
inline void note_block(void* block) {
    if (((world().leaks & leaks_of_memory) != 0 || world().mode != Mode::explore) && world().running &&
        block != nullptr) [[unlikely]]
        remember_block(reinterpret_cast<std::uintptr_t>(block));
}
inline void note_freed(std::uintptr_t block) {
    if (world().mode != Mode::explore) [[unlikely]]
        remember_freed(block);
}
inline void note_thread(ThreadId id) {
    if ((world().leaks & leaks_of_threads) != 0) [[unlikely]]
        remember_thread(id);
}
inline void note_locked(const void* lock) {
    if ((world().leaks & leaks_of_locks) != 0) [[unlikely]]
        remember_lock(reinterpret_cast<std::uintptr_t>(lock));
}
inline void note_unlocked(const void* lock) {
    if ((world().leaks & leaks_of_locks) != 0) [[unlikely]]
        forget_lock(reinterpret_cast<std::uintptr_t>(lock));
}

// Where a block was allocated, and where it was freed if it was, as far as that is known: when an execution
// is run once more, to be told. Valid until the next call.
std::span<const Witnessed> history_of(std::uintptr_t block);

void forget_origins();  // before an execution
void look_for_leaks();  // after one that ended well: makes a finding if something is left

}  // namespace norn::native
