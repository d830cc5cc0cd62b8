// Exit statuses: what follows from an execution that ends with another one than 0.
#pragma once

#include <cstdint>

namespace norn::native {

enum class OnStatus : std::uint8_t {
    off,    // nothing
    warn,   // it is told with the result
    error,  // it is a finding
};

void set_on_status(OnStatus wanted);

// The running thread ends the program with that status. Does not return if that is a finding. `how`: a call
// like "exit", or null where main has returned.
void end_with_status(int status, const char* how);

}  // namespace norn::native
