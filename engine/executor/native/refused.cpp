// The refused functions. The build renames calls in the program's objects to these. They are weak: a program
// may have a function of its own by such a name (wait, accept, ...), which is renamed with its calls.
#include "executor/native/faults.h"

extern "C" {
#define REFUSE(function, why) \
    [[gnu::weak]] void norn_refused_##function() { norn::native::unsupported(#function, why); }
#include "executor/native/refused.def"
#undef REFUSE
}
