// Jumps: longjmp and siglongjmp, which are the library's own but for signals.
//
// A jump out of a signal handler is refused: the engine does not know which mask the thread has afterwards.
// So is a jump that puts a mask back, once the thread has changed its own: the library has saved that of the
// system, which the program's mask is not. Where the mask was never changed, to put it back changes nothing.
#include <setjmp.h>

#include "executor/native/faults.h"
#include "executor/native/scheduler.h"

namespace norn::native {

namespace {

void require_no_handler(const char* function) {
    if (world().running && world().current->handlers != 0)
        unsupported(function, "a jump out of a signal handler is not modelled");
}

void require_same_mask(const char* function) {
    if (world().running && world().current->changed_mask)
        unsupported(function,
                    "a jump that puts the signal mask back is not modelled once the mask was changed");
}

}  // namespace

extern "C" {

[[gnu::weak, noreturn]] void norn_longjmp(__jmp_buf_tag* target, int value) {
    require_no_handler("longjmp");
    longjmp(target, value);
}
[[gnu::weak, noreturn]] void norn__longjmp(__jmp_buf_tag* target, int value) {
    require_no_handler("_longjmp");
    longjmp(target, value);
}
[[gnu::weak, noreturn]] void norn_siglongjmp(__jmp_buf_tag* target, int value) {
    require_no_handler("siglongjmp");
    if (target->__mask_was_saved != 0) require_same_mask("siglongjmp");
    siglongjmp(target, value);
}
}

}  // namespace norn::native
