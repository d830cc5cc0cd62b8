// Threads of the checked program: creation, end, join. See threads.cpp for which behaviours are modelled.
#pragma once

#include <pthread.h>

#include "executor/native/world.h"

namespace norn::native {

Thread* thread_of(pthread_t handle);   // null: there is none
void thread_main();                    // where every coroutine begins
ThreadId id_of_child(Thread& parent);  // of the next child of `parent`; learned, stable over executions
ThreadId known_child(ThreadId parent, std::uint16_t number);  // 0: no execution has seen it
// Waits until the thread has ended. Returns what its end has written: 1 more than it has started threads.
std::uint32_t wait_for_end(Thread& target, std::uintptr_t site = 0);
void map_slot(ThreadId id);  // memory of the thread: heap, stack, TLS
std::uintptr_t make_thread_block(ThreadId id);
[[noreturn]] void end_thread(void* result);  // the running thread ends
void set_sharing(bool shared);               // whether mappings are shared with forked children

}  // namespace norn::native
