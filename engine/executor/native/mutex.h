// What condition variables need of mutexes.
#pragma once

#include <cstdint>

#include "graph/event.h"

namespace norn::native {

bool holds_mutex(void* mutex);
void take_mutex(void* mutex, Operation operation, std::uintptr_t site);  // waits until it is free
// The same for a lock that is a single word.
void take_word(void* word, Operation operation, std::uintptr_t site);
void give_word(void* word, std::uintptr_t site);
void release_for_wait(void* mutex, std::uintptr_t site);
bool checks_errors(void* mutex);  // its kind is error-checking
bool is_nested(void* mutex);      // its owner has locked it more than once

}  // namespace norn::native
