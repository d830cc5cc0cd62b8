// Robust mutexes: what mutex.cpp hands on to robust_mutex.cpp.
#pragma once

#include <cstdint>

#include "graph/event.h"

namespace norn::native {

inline constexpr int robust_bit = 16;  // of the kind of a mutex, as libc has it

bool holds_robust(const void* mutex);
bool is_robust_locked(const void* mutex);
// Waits until nobody holds it; what pthread_mutex_lock returns.
int take_robust(void* mutex, Operation operation, std::uintptr_t site);
int trylock_robust(void* mutex, std::uintptr_t site);
void release_robust(void* mutex, std::uintptr_t site);  // by its owner

// The running thread ends: the robust mutexes that it holds are without owner from now on.
void abandon_mutexes();

}  // namespace norn::native
