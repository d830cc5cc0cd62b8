// Code of shared libraries: where a fault in one is, and where the program has called it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/native/world.h"

namespace norn::native {

// "libglib-2.0.so.0 (g_hash_table_insert)", or nothing known: an empty text.
void describe_code(std::uintptr_t code, char* text, std::size_t size);

// The call by which a thread has left the program's code for a library, and the frame of the function that
// made it. Libraries have no frame pointers, so the stack above `stack` is searched for the first return
// address behind a call of a library function. Zeros if there is none.
LiveFrame call_of_library(const Thread& thread, std::uintptr_t stack, std::uintptr_t frame);

}  // namespace norn::native
