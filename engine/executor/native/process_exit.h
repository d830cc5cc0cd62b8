// The end of the process: exit, return from main, quick_exit, _exit, and what is to run before it is gone.
// See process_exit.cpp for which behaviours are modelled, and why no verdict suffers from them.
#pragma once

#include <cstdint>

namespace norn::native {

// The running thread ends the process as exit() does. `how`: a call like "exit", or null where main has
// returned.
[[noreturn]] void exit_process(int status, const char* how);

// Main has returned that. What it had on the stack is gone.
[[noreturn]] void return_from_main(int status);

// Main's thread has ended by pthread_exit, and others may go on: once all have ended, the process does.
// Returns at once if nothing is to run then.
void exit_after_others();

// A destructor is to run when the running thread ends, or the process does by its hand.
void run_thread_destructors();

void keep_early_handlers();  // what was registered before main is there in every execution
void begin_exit_work();      // before each of them
void restore_thread_work();  // ... and once main's thread has been made

}  // namespace norn::native
