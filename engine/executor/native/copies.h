// Struct copies as gcc reports them.
//
// For `a = b` with structs gcc calls the hook of the write first, then the hook of the read, then copies. The
// build step renames the hook of such a write to `__norn_copy_write*`. It only announces the destination; the
// read hook that follows then performs the two events in their real order: read of b, write of a. Between
// them other threads may change b, but the machine copies after both: so the bytes read are kept, put into b
// for the moment of the copy, and the newer bytes are put back at the thread's next operation. No other
// thread runs in between.
#pragma once

#include "executor/native/world.h"

namespace norn::native {

// Called by a read hook when a copy was announced: performs the read (if it is an event) and the write.
void perform_copy(Thread& me, std::uintptr_t source, std::size_t size, std::uintptr_t site);

void put_source_back(Thread& me);

// The announced write, where no read came after it.
void perform_announced_write(Thread& me);

}  // namespace norn::native
