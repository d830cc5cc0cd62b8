// The descriptors of the engine, which are not there for the program: the channel (host/channel.h), and
// copies of the program's own that were made at the beginning (process_state.h).
//
// Programs close all descriptors that they do not know (3 to 1023, or as many as there may be), and these
// must survive that. To use or to close one of them is EBADF.
#pragma once

namespace norn::native {

bool is_hidden(int descriptor);
int not_open();  // the answer of libc: -1, and errno

// Whether the program may have the number for a descriptor of its own. The channel takes another one, then.
bool make_way(int descriptor);

// Closes these, or does with them what the flags say (close_range(2)), but for hidden ones.
long close_all_but_hidden(unsigned first, unsigned last, unsigned flags);

// The same for system calls that the program makes by their number. False: it is none of those on
// descriptors.
bool call_on_descriptor(long number, const long (&arguments)[6], long& result);

}  // namespace norn::native
