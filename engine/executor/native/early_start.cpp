// What must be there before anything else runs.
//
// Constructors of shared libraries run before those of the program, and some call what norn models (GLib
// creates keys of thread-specific data). So the engine's memory is made by a function of the executable's
// .preinit_array, which the dynamic linker calls first of all. libc is not ready then: the environment comes
// as an argument. A crash from here on to main is reported, too.
#include "executor/native/faults.h"
#include "executor/native/native_executor.h"
#include "host/options.h"

namespace norn::native {

namespace {

void start_early(int, char**, char** environment) {
    for (char** entry = environment; entry != nullptr && *entry != nullptr; ++entry)
        note_early_option(*entry);
    initialise_memory();
    install_signal_handlers(true);
}

using Start = void (*)(int, char**, char**);
[[gnu::section(".preinit_array"), gnu::used]] const Start first_of_all = start_early;

}  // namespace

}  // namespace norn::native
