// Which functions of libraries the program calls, and with what: norn does not see what they do.
//
// A function that is not modelled may read and write whatever it is given a pointer to. That is part of the
// step before the call, and interleavings are missed if other threads use the memory, too. So for every
// function that was called it is noted where, and whether some argument pointed to memory that threads share:
// that the shadow says so (shadow.h), or that another thread has given the same pointer to a library in the
// same execution. (Pointers that lie behind a pointer are not followed.) Functions that are known to use
// nothing but their arguments' values, streams, which have locks of their own, or the runtime of C++ are not
// asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace norn::native {

struct ForeignFunction {
    const char* name;
    std::uintptr_t target;
    std::uintptr_t site;  // the program's last call that counts, or 0
    bool is_trusted;
    bool shares;  // an argument pointed to memory that threads share
};

void map_foreign_calls(std::size_t most, bool shared);
// Returns its number.
std::size_t add_foreign_function(const char* name, std::uintptr_t target);

// A function that is modelled, but not all that it does: to be listed with the others.
void note_call(const char* name, std::uintptr_t site);

std::span<const ForeignFunction> foreign_functions();

// Goes to a function by its number, which is on the stack above the return address, and notes the call.
extern "C" void norn_foreign_entry();

}  // namespace norn::native
