// Whereabouts: what the memory of a step is part of, so that people can be told its name.
//
// Debug information knows local variables by the frame of their function, and says nothing of heap blocks but
// what pointers to them are declared as. So in a replay (and for the two accesses of a race) the engine notes
// the frame that a stack address lies in, the block that a heap address lies in, and some of the pointers
// into that block, with the frame each of them lies in. memory_names.py makes names of them.
#pragma once

#include <cstdint>

#include "executor/native/world.h"

namespace norn::native {

// To be called at each tick of the running thread: libraries are compiled without frame pointers, so that
// where a thread is inside of one its frames are known from before only.
void note_live_frames();

// Of memory of the stacks, the heap and the engine; all zeros for other memory.
Whereabouts whereabouts_of(const Event& event);

}  // namespace norn::native
