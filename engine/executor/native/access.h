// Plain and atomic accesses to memory, as the hooks report them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/event.h"

namespace norn::native {

// A plain load or store that the program is about to make. Returns when it may.
void plain_access(std::uintptr_t address, std::size_t size, Operation operation, std::uintptr_t site);

// A range that a library function is about to read or write on behalf of the program.
void range_access(const void* address, std::size_t size, Operation operation, std::uintptr_t site);

// Ends the execution with a finding if the range is not the program's to touch.
void check_heap(std::uintptr_t address, std::size_t size, Operation operation);

}  // namespace norn::native
