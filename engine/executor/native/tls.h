// Thread-local storage: every thread of the checked program has a block of its own at a fixed address.
//
// A block is a copy of the static TLS area and thread control block of the OS thread, with the thread-local
// variables of the program (and of libstdc++, whose exception state is there) set to their initial images;
// libc's part (errno, locale, ctype tables) is copied as it is. Switching threads sets the fs base, so
// thread-locals, errno and exceptions in flight are right, also through pointers to another thread's
// variables.
#pragma once

#include <cstdint>
#include <span>

namespace norn::native {

// Looks at the TLS of the OS thread, as it is when the program's main is about to begin.
void capture_tls();
// Makes the block of `thread` anew; returns its thread pointer.
std::uintptr_t make_tls(std::size_t thread);
// Where a thread-local variable of the OS thread is found by the program's main.
void* moved_to_first_thread(void* variable);
// What a block holds.
std::span<const std::uintptr_t> tls_words(std::uintptr_t pointer);

}  // namespace norn::native
