// The engine's line to Python: the descriptor, and the key that every message begins with.
//
// The engine and the checked program share a process. Whatever the program writes to a descriptor, Python
// must not take it for a message of the engine: a forged result would be a wrong verdict. So:
//
// - Each message begins with a key of 128 bits that Python draws for each run. A line without it makes the
//   check an error.
// - Python sends the key through the channel itself, a socket. It is received before any code of the program
//   runs (.preinit_array), and it is gone from the socket then. It never is in the environment, in an
//   argument or in a file. Other than a pipe, a socket cannot be opened again through /proc to read what was
//   sent.
// - The key lies in a page of its own that nobody can read or write, but for the moments in which the engine
//   sends something. It is never copied: the kernel takes it from there.
// - The descriptor is high, is closed by exec, and does not exist for the modelled functions on descriptors
//   (hidden_descriptor.h), so that a program that closes all it knows does not cut the line. If the line
//   is cut nevertheless, no result arrives, which is never *verified*.
// - A process that the program made by means that norn does not see is a copy of the engine with the key. It
//   is told apart by its process id, and reports that instead of what it has to say.
//
// A program that looks for the key on purpose, with its own page tables and /proc/self/mem, can find it.
// Against malice only a process of its own would help; this is against accidents and simple forgeries.
#pragma once

#include <cstddef>

namespace norn {

// Whether there is somebody to talk to.
bool has_channel();

// `begins`: a message begins here, and the key is put before it. Ends the process if nobody listens any more.
void send_bytes(const char* bytes, std::size_t size, bool begins);

// For the child process of an execution, which speaks for its parent.
void adopt_channel();

// Ends the process with a message if the program has made processes: they would go on unseen.
void expect_no_children();

// For the modelled functions on descriptors: the number of the engine's own, or -1; and another one for it,
// if the program takes this number for itself.
int channel_descriptor();
void leave_descriptor();

}  // namespace norn
