// Switching between the stacks of the program's threads and of the host.
//
// A switch saves callee-saved registers only: it always happens inside a call. It leaves by a jump instead of
// a return, which the processor would predict to go back to the caller.
#pragma once

#include <cstdint>

extern "C" void norn_switch(void** save_stack_pointer, void* next_stack_pointer);

namespace norn::native {

// Prepares a stack so that switching to it calls `entry`. Returns the stack pointer to switch to.
void* prepare_stack(std::uintptr_t top, void (*entry)());

// The frame pointer that a parked coroutine saved, for walking its stack.
std::uintptr_t saved_frame(const void* stack_pointer);
// ... and the code address it will continue at.
std::uintptr_t saved_site(const void* stack_pointer);

// The thread pointer (fs base): read it, and set it by the fastest means the machine has.
std::uintptr_t thread_pointer();
void set_thread_pointer(std::uintptr_t value);
void choose_thread_pointer_method();

}  // namespace norn::native
