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

bool in_engine(std::uintptr_t code);
bool in_program(std::uintptr_t code);  // in the executable, engine included

}  // namespace norn::native
