// Cancellation: what the functions that are cancellation points need of it. cancellation.cpp says what is
// modelled.
#pragma once

#include <cstdint>

#include "executor/native/world.h"

namespace norn::native {

// A cancellation point that does not wait: ends the thread if it was asked to end.
void test_cancellation(std::uintptr_t site);

// A cancellation point that may wait begins. True: its wait is to end by cancellation. The caller then leaves
// everything as the thread's cleanup handlers may find it, calls `await_cancellation`, takes back what they
// must have, and calls `end_cancelled`. False: it ends otherwise, and the caller then says `end_wait`.
[[nodiscard]] bool is_to_be_cancelled(std::uintptr_t site);
void await_cancellation(std::uintptr_t site);
[[noreturn]] void end_cancelled();
void end_wait();

// The whole for a point that has nothing to leave or to take back.
void begin_wait(std::uintptr_t site);

// At the end of an execution: the thread waits, but by what it has decided about its wait it cannot have.
bool guessed_wrong(const Thread& thread);

}  // namespace norn::native
