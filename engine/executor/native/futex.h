// futex(2): what a program, or the C++ library on its behalf, waits with directly.
#pragma once

#include <cstdint>

namespace norn::native {

// The futex whose queue the word of the engine is, or 0.
std::uintptr_t futex_of_queue(std::uintptr_t word);

// The system call with its arguments; sets errno and returns -1 as libc's syscall() does.
long call_futex(const long (&arguments)[6], std::uintptr_t site);

// Forgets who waits, at the beginning of an execution.
void forget_futex_waiters();

}  // namespace norn::native

extern "C" {
// For the C++ library (engine/executor/cxx). 0, or the error code; a deadline that is null is none.
int norn_futex_wait(const void* word, unsigned expected, const struct timespec* deadline);
void norn_futex_wake_all(const void* word);
}
