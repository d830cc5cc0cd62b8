// What the kernel and libc keep for the whole process, put back after each execution.
// See process_state.cpp for what that is.
#pragma once

namespace norn::native {

void keep_process_state();     // as main finds it
void restore_process_state();  // if the execution has changed it

// The program is about to read, write or move about in a file.
void note_offset(int file);
// The program has opened a file, or is about to close or replace one.
void note_opened();
void note_replaced();
// One of norn's own that stands for no file: copies of it keep numbers for what the kernel does not know.
int unusable_descriptor();
// norn's own copies of descriptors have the numbers from the first one to the last (-1: there are none).
int first_kept_copy();
int last_kept_copy();

}  // namespace norn::native
