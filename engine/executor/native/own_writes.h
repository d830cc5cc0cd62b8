// What a watched thread writes to memory of its own, beside its stack: part of its state (idle_rounds.h).
//
// Memory that only one thread uses has no events. To compare states of a thread by all its memory would take
// too long, so its writes are added up while it is watched: the sum, over all words, of what a word holds now
// less what it held when the watch began, times a number that the program does not know and that depends on
// the word's address. If two sums are equal, so is the memory: for two different contents the probability of
// equal sums is about 2^-122. A round that writes the same value again, or counts up and starts anew, comes
// back to a state it had.
//
// The hook of a store comes before the store: its word is looked at once more when the next write comes, or
// the sum is asked for.
#pragma once

#include "executor/native/world.h"

namespace norn::native {

// The running thread is about to write there. To write too much, or for too long without a visit, ends its
// watch.
void note_own_write_of_watched(Thread& me, std::uintptr_t address, std::size_t size);
inline void note_own_write(Thread& me, std::uintptr_t address, std::size_t size) {
    if (me.visits != 0) note_own_write_of_watched(me, address, size);
}

void begin_sum_of_own_writes(const Thread& me);
Digest sum_of_own_writes(const Thread& me);

}  // namespace norn::native
