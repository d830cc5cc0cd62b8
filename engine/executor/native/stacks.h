// Use of a local variable after its function has returned, or its thread has ended.
//
// Memory of a stack is dead below the stack pointer of its thread. That is known of every thread but the
// running one, since all others are parked; of the running one it is known where its own code called the
// engine. So a pointer to a local variable that outlives the function is noticed when another thread uses it,
// or when the variable was shared: accesses to memory that only one thread ever touches are not looked at.
// Dead memory that a later call has taken into use again looks alive. main's own stack stays as it is if main
// ends by pthread_exit: there its variables remain in place on every Linux, although POSIX does not promise
// it. Once it has returned they are dead, also while exit handlers run, which have a part of the stack for
// themselves (process_exit.cpp).
//
// Which side of a variable's bounds belongs to what is not known at this level: an array on a stack that
// overflows into its neighbours is not noticed.
#pragma once

#include <cstdint>

#include "executor/native/layout.h"
#include "graph/event.h"

namespace norn::native {

inline bool in_stacks(std::uintptr_t address) {
    return address >= stack_base && address < stack_base + max_threads * slot_size;
}

// Fails the running thread if the address, which lies in the slot of some thread, is of a dead variable.
void check_stack(std::uintptr_t address, Operation operation);

}  // namespace norn::native
