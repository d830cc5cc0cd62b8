// What other threads have written to the stack of a thread and the thread has not looked at yet.
//
// The state of a thread includes its stack (thread_state.h), and it must follow from what the thread itself
// did and found. But others may write to a variable on that stack, of which a pointer was passed around.
// Until the thread looks at the variable it does not know: so where others have written, its state has the
// value as the thread knows it, its *view*. Such words are marked in the shadow (`unseen_bit`), and their
// views are kept at a fixed distance from the stacks.
//
// A mark ends when the thread accesses the word, which is an event, and when a new stack frame takes the
// place of the variable: frames begin as zeros (src/norn/build/fresh_frames.py), and code of the thread uses
// them without hooks. While the variable lives, all accesses to it have hooks, since its address is known to
// others. Marks are made only once a loop that waits is known: without one, nobody looks at states.
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/native/shadow.h"

namespace norn::native {

inline constexpr std::uintptr_t view_offset = 0x0800'0000'0000;

// Maps the views of a thread's stack.
void map_views(ThreadId owner);

// The running thread accesses memory in the slot of some thread, perhaps its own. Called when the event has
// taken place, and before anything is written.
void note_stack_access(std::uintptr_t address, std::size_t size, bool only_reads);

// Ends all marks: an execution begins.
void forget_unseen_writes();

// The aligned eight bytes of a stack as its thread knows them.
inline std::uint64_t known_word(std::uintptr_t address) {
    constexpr std::uint64_t either = std::uint64_t{unseen_bit} << 32 | unseen_bit;
    const std::uint64_t word = *reinterpret_cast<const std::uint64_t*>(address);
    const std::uint64_t cells = *reinterpret_cast<const std::uint64_t*>(cell_of(address));
    if ((cells & either) == 0) return word;
    const std::uint64_t view = *reinterpret_cast<const std::uint64_t*>(address + view_offset);
    std::uint64_t viewed = 0;  // which half
    if ((cells & unseen_bit) != 0) viewed |= UINT32_MAX;
    if ((cells >> 32 & unseen_bit) != 0) viewed |= std::uint64_t{UINT32_MAX} << 32;
    return (word & ~viewed) | (view & viewed);
}

}  // namespace norn::native
