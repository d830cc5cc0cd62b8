// Red zones around the global variables of the program.
//
// The build step leaves unused memory between the variables of the program and lists them in a section of the
// executable (src/norn/build/red_zones.py). Here the shadow of that memory is poisoned, once and for all: no
// execution may touch it. Such granules never get an owner, so that every access to them comes the slow way
// (shadow.cpp), where it is noticed at no cost to the others.
#pragma once

#include <cstddef>
#include <cstdint>

namespace norn::native {

void mark_globals();

// Fails the running thread if the range, of which some granule is marked, leaves its variable.
void check_global(std::uintptr_t address, std::size_t size);

}  // namespace norn::native
