// Calls of library functions that norn does not model: what they do to the state of libraries is not seen.
#pragma once

namespace norn::native {

// Lets every such call of the program say that the running thread may have changed something
// (idle_rounds.h). Called once, before the first execution. False: the calls cannot be told, as in a program
// that is linked statically. `shared`: what is noted is visible to forked children and back.
bool watch_foreign_calls(bool shared);

}  // namespace norn::native
