// What the ends of threads and of executions need of thread-specific keys.
#pragma once

namespace norn::native {

// The running thread ends: destructors of its data.
void destroy_specific_data();
// An execution begins: there are no keys.
void forget_keys();

}  // namespace norn::native
