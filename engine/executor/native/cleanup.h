// How a thread ends before its function returns. See cleanup.cpp.
#pragma once

namespace norn::native {

// The running thread ends: its cleanup handlers and the destructors of its frames run first.
[[noreturn]] void exit_thread(void* result);

// Calls a function; if the thread ends in it, calls `undo` first.
void call_or_undo_at_exit(void (*function)(), void (*undo)(void*), void* argument);

}  // namespace norn::native
