// Plain and atomic accesses to memory, as the hooks report them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/native/world.h"
#include "graph/event.h"

namespace norn::native {

// A load or store that the program is about to make: a plain one, if no order is given. Returns when it may.
void plain_access(std::uintptr_t address, std::size_t size, Operation operation, std::uintptr_t site,
                  Order order = Order::natural);

// Whether the thread, which loads private memory or takes a mutex that only it uses, does so again and again
// and changes nothing: then it waits for another thread to write something.
bool spins(Thread& me, std::uintptr_t address, std::uintptr_t site);

// The thread is about to write to memory that only it uses, beside its stack. If it does nothing else for
// long, others get a chance: perhaps they use that memory, too.
void write_privately(Thread& me, std::uintptr_t address, std::size_t size);

// A range that a library function is about to read or write on behalf of the program. With an order: a word
// of its own, which it knows how to share between threads.
void range_access(const void* address, std::size_t size, Operation operation, std::uintptr_t site,
                  Order order = Order::natural);

// A library function is about to read a string, at most `limit` bytes of it. Returns its length as of that
// event (read_extent.h).
std::size_t read_string(const char* text, std::size_t limit, std::uintptr_t site);

// Ends the execution with a finding if the range is not the program's to touch.
void check_heap(std::uintptr_t address, std::size_t size, Operation operation);
// The same also for memory of stacks (stacks.h).
void check_alive(std::uintptr_t address, std::size_t size, Operation operation);
// The same where an event has just taken place, and nothing was written yet.
void check_shared(std::uintptr_t address, std::size_t size, Operation operation);

}  // namespace norn::native
