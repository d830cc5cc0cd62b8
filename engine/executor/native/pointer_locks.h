// The locks of std::atomic_load(shared_ptr) and its relatives. See pointer_locks.cpp.
#pragma once

namespace norn::native {

void forget_pointer_locks();  // before an execution

}  // namespace norn::native
