// Atomic sections: stretches of a thread in which no other thread does anything that it could notice
// (atomic_section.cpp says how).
#pragma once

#include <cstdint>

#include "executor/native/world.h"

namespace norn::native {

// The word whose owner is inside a section, or about to make one access from outside.
inline std::uintptr_t section_word() { return reinterpret_cast<std::uintptr_t>(&world().section_owner); }

// Called before the announced event of the running thread is performed, in programs that have sections.
void keep_sections_whole();

// Gives the word back after an access from outside.
void end_lone_access(Thread& me);

// A thread that ends takes its sections with it.
void end_sections(Thread& me);

// Whether the thread stands in the queue of a condition variable or barrier, and waits there.
inline bool waits_in_queue(const Thread& thread) {
    return thread.waiting_on != 0 && thread.next.address != section_word();
}

}  // namespace norn::native
