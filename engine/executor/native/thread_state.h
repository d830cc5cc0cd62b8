// The state of a thread: all that decides what it does next, but for what its events will find.
//
// It must follow from what the thread itself did and found in this execution, and from nothing else:
// explorers take a thread that has found the same for the same thread. Its parts:
//   - its registers, as the entries of the engine captured them (entries.def), and its stack from there
//     upwards, of which other threads may have written parts: these count as the thread knows them
//     (unseen_writes.h). Stack frames begin as zeros (src/norn/build/fresh_frames.py), so that nothing in
//     them depends on what the engine or a library left there before;
//   - what the engine keeps about it: threads and blocks it has made, random numbers, its masks;
//   - what it is about to do;
//   - its own memory beside the stack, whose changes are added up (own_writes.h).
#pragma once

#include "executor/native/world.h"

namespace norn::native {

// Registers and stack of the running thread, and what the engine keeps about it. Not known if the thread did
// not come here by an entry that captures registers, or has a stack that is too large.
Digest state_of(const Thread& me);
// The same, where times count by how far away they are (virtual_time.h).
Digest state_in_time_of(const Thread& me);

// Memory that only this thread may have written, beside its stack. Code without hooks (a library, inline
// assembly) can change it unseen. To look at all of it takes long.
Digest digest_of_unhooked(const Thread& me);

}  // namespace norn::native
