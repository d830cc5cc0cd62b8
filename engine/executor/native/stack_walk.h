// Call stacks by frame pointers. Frames of the engine itself are left out.
#pragma once

#include "executor/native/world.h"

namespace norn::native {

// Code addresses, innermost first. Return the number written.
std::size_t walk_own_stack(std::uintptr_t* addresses, std::size_t limit);
std::size_t walk_parked_stack(const Thread& thread, std::uintptr_t* addresses, std::size_t limit);
// From a fault: `site` is the faulting instruction.
std::size_t walk_fault_stack(const Thread& thread, std::uintptr_t* addresses, std::size_t limit);

// Where the program called the engine, if that was interrupted before it had a frame of its own, or after;
// else 0.
std::uintptr_t caller_without_frame(std::uintptr_t stack, std::uintptr_t frame);

// Goes through the frames of a live thread, innermost first, those of the engine and of libraries included:
// `visit(low, frame)` is told the memory of each, which lies between `low` and its frame pointer; true ends
// it.
template <typename Visit>
void for_each_frame(const Thread& thread, std::uintptr_t innermost, const Visit& visit) {
    const std::uintptr_t lowest = slot_of(thread.id) + guard_size;
    const std::uintptr_t high = stack_top_of(thread.id);
    constexpr std::size_t saved_by_call = 16;  // frame pointer and return address
    for (std::uintptr_t frame = innermost;
         frame >= lowest && frame + saved_by_call <= high && frame % sizeof frame == 0;) {
        const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame);
        if (words[0] <= frame || words[0] > high) return;
        if (visit(frame + saved_by_call, LiveFrame{words[1], words[0]})) return;
        frame = words[0];
    }
}

bool in_engine(std::uintptr_t code);
bool in_program(std::uintptr_t code);  // in the executable, engine included

}  // namespace norn::native
