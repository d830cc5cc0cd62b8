// What the ends of threads and of executions need of thread-specific keys.
#pragma once

#include "executor/native/world.h"

namespace norn::native {

// The running thread ends: destructors of its data.
void begin_specific_data(ThreadId thread);
void destroy_specific_data();
// An execution begins: there are no keys.
void forget_keys();

}  // namespace norn::native
