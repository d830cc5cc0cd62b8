// The end of the program is no event: threads that have not ended go on. That is no loss here: whoever ends
// the program with a status can be the first to do so, since all others can be stopped just before.
#include "executor/native/exit_status.h"

#include <cstdio>

#include "executor/native/faults.h"

extern "C" int __real_main(int, char**, char**);

namespace norn::native {

namespace {

constexpr const char* kind = "exit-status";

OnStatus on_status = OnStatus::warn;

// The frame of main is gone: what is left to tell is where it begins.
void stand_in_main() {
    Thread& me = *world().current;
    me.fault_site = reinterpret_cast<std::uintptr_t>(&__real_main) + 1;  // stands for the byte before it
    me.fault_frame = 0;
}

}  // namespace

void set_on_status(OnStatus wanted) { on_status = wanted; }

void end_with_status(int status, const char* how) {
    const unsigned seen =
        static_cast<unsigned>(status) & 0xFF;  // all that whoever waits for the process gets
    if (seen == 0 || on_status == OnStatus::off) return;
    if (on_status == OnStatus::warn || !is_counted(kind)) {
        world().exit_status = seen;
        return;
    }
    char text[80];
    if (how == nullptr) {
        std::snprintf(text, sizeof text, "main returned %u", seen);
        stand_in_main();
    } else {
        std::snprintf(text, sizeof text, "%s(%u) was called", how, seen);
    }
    fail(kind, text);
}

}  // namespace norn::native
