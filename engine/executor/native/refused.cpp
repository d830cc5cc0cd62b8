// The refused functions. The build renames calls in the program's objects to these.
#include "executor/native/faults.h"

extern "C" {
#define REFUSE(function, why) \
    void norn_refused_##function() { norn::native::unsupported(#function, why); }
#include "executor/native/refused.def"
#undef REFUSE
}
