// What condition variables need of mutexes.
#pragma once

#include <cstdint>

#include "graph/event.h"

namespace norn::native {

bool holds_mutex(void* mutex);
// Waits until it is free. Not 0: an error code of a robust mutex.
int take_mutex(void* mutex, Operation operation, std::uintptr_t site);
// The same for a lock that is a single word.
void take_word(void* word, Operation operation, std::uintptr_t site);
void give_word(void* word, std::uintptr_t site);
void release_for_wait(void* mutex, std::uintptr_t site);
bool checks_errors(void* mutex);  // its kind is error-checking
bool is_nested(void* mutex);      // its owner has locked it more than once

}  // namespace norn::native
