#include "executor/native/stacks.h"

#include <cstdio>

#include "executor/native/coroutine.h"
#include "executor/native/faults.h"
#include "executor/native/shadow.h"
#include "executor/native/stack_walk.h"
#include "executor/native/ticks.h"

namespace norn::native {

namespace {

// Where the stack of a thread ends for its own code: above the frames of the engine, the innermost of which
// is given. They lie where the function was that has returned.
std::uintptr_t above_engine(std::uintptr_t frame) {
    while (in_engine(reinterpret_cast<const std::uintptr_t*>(frame)[1]))
        frame = reinterpret_cast<const std::uintptr_t*>(frame)[0];
    constexpr std::size_t saved_by_call = 16;  // frame pointer and return address
    return frame + saved_by_call;
}

}  // namespace

void check_stack(std::uintptr_t address, Operation operation) {
    const World& w = world();
    const std::size_t id = (address - stack_base) / slot_size;
    if (id >= w.threads || address < slot_of(id) + guard_size || address >= stack_top_of(id)) return;
    const Thread& owner = w.thread[id];
    const bool is_of_returned_main = id == 0 && w.main_returned && address >= w.main_stack_end;
    const bool is_over = is_of_returned_main || (owner.state == State::ended && (id != 0 || w.main_returned));
    std::uintptr_t live = 0;
    if (&owner == w.current)
        live = (*cell_of(address) & shared_bit) != 0
                   ? above_engine(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)))
                   : 0;
    else if (owner.state == State::alive || owner.state == State::exited || owner.state == State::stopped)
        live = above_engine(saved_frame(owner.stack_pointer));
    if (!is_over && address >= live) return;
    note_step_in_vain();
    const char* const what = operation == Operation::load    ? "read"
                             : operation == Operation::store ? "write"
                                                             : "access";
    char text[120];
    std::snprintf(text, sizeof text, "%s of a local variable of T%zu, %s", what, id,
                  is_over && id != 0 ? "which has ended" : "whose function has returned");
    fail("use-after-return", text, address);
}

}  // namespace norn::native
