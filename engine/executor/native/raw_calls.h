// System calls that a program makes by their number, with syscall(2), and that norn cannot let happen.
#pragma once

namespace norn::native {

// Ends the check if it is one of them.
void refuse_raw_call(long number, const long (&arguments)[6]);

}  // namespace norn::native
