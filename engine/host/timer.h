// Timer: interrupts from outside an execution. Time limit, Ctrl-C, and a watchdog over executions that make
// no progress.
#pragma once

namespace norn {

// Seconds; 0: none. `watchdog`: how long an execution may go without any visible operation.
void start_timer(double time_limit, double watchdog);
double elapsed_seconds();
double processor_seconds();  // that this process has used since the start
bool time_is_up();
bool was_interrupted();  // by SIGINT or SIGTERM
bool child_was_stuck();  // it had to be ended by the watchdog, and could not say where it was
// The child that runs the execution (isolate=fork), to be asked where it is, or ended, when stuck; 0: none.
void set_child(int process);
void be_child();  // this process is one

}  // namespace norn
