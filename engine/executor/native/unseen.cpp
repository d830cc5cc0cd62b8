// Accesses that the compiler does not report, and that the build has made visible (src/norn/build/unseen.py).
//
// The build looks at the assembly. Where memory that other threads may know is touched without a hook, it
// puts a call of `norn_unseen` before the instruction, with the address and what is done there. A hook of the
// compiler comes where no register of the caller's choice is in use; these calls come anywhere. So they keep
// all registers, flags and the 128 bytes below the stack pointer. (Vector registers beyond 16 bytes are not
// kept: the build makes no such call in functions that use them.)
//
// Where the build does not know what an instruction does, it calls `norn_unseen_gap` instead: if any
// execution comes there, the result is *incomplete*.
//
// The registers that are saved on the stack may hold anything, which would make the state of the thread
// depend on more than what it did (thread_state.h). So such a call captures no registers, and no round of a
// loop begins at one (idle_rounds.h). In a round that begins elsewhere it is an event like others.
#include "executor/native/unseen.h"

#include "executor/native/access.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/scheduler.h"
#include "executor/native/shadow.h"

namespace norn::native {

namespace {

// As the build passes it: the size, and above it what is done, and whether inline assembly does it. To that
// the rules of the language for data races do not apply: it orders accesses as the processor does.
constexpr std::uint32_t size_mask = (1U << 24) - 1;
constexpr std::uint32_t writes = 1U << 24;
constexpr std::uint32_t updates = 2U << 24;
constexpr std::uint32_t by_assembly = 4U << 24;

// One instruction that reads and writes, such as those with a lock prefix. What it leaves is in memory at the
// thread's next call of the engine.
void update(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
    World& w = world();
    if (!enter()) return;
    Thread& me = *w.current;
    const LocationId location = locate(me, address, size);
    if (location == no_location && !in_stack_of(me.id, address)) write_privately(me, address, size);
    if (location == no_location && !counting()) return check_heap(address, size, Operation::store);
    announce(Operation::rmw, Access::rmw, address, size, location, site).order = Order::acquire_release;
    const Event& event = perform();
    check_shared(address, size, Operation::store);
    if (&event != &me.next) me.open_store = static_cast<EventIndex>(&event - w.events);
}

// Whether it is on the stack of the running thread, and nobody else has ever touched it: the build reports
// more of a frame than others can know. (Replays count every access.)
bool is_private(std::uintptr_t address, std::size_t size) {
    const Thread& me = *world().current;
    if (counting() || !in_stack_of(me.id, address)) return false;
    const Cell own = me.id + 1U;
    for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + size; at += 4)
        if (*cell_of(at) != own) return false;
    return true;
}

}  // namespace

extern "C" {

[[gnu::used]] void norn_unseen_access(std::uintptr_t address, std::uint32_t what, std::uintptr_t site) {
    World& w = world();
    if (!w.running) return;
    const std::size_t size = what & size_mask;
    if (is_private(address, size)) return;
    if ((what & updates) != 0) {
        update(address, size, site);
    } else {
        const bool stores = (what & writes) != 0;
        const Order order = (what & by_assembly) == 0 ? Order::natural
                            : stores                  ? Order::release
                                                      : Order::acquire;
        range_access(reinterpret_cast<const void*>(address), size,
                     stores ? Operation::store : Operation::load, site, order);
    }
}

[[gnu::used]] void norn_note_gap(std::uintptr_t site) {
    World& w = world();
    if (!w.running) return;
    spoil_round(*w.current);
    for (std::uint32_t i = 0; i < w.gaps; ++i)
        if (w.gap_sites[i] == site) return;
    if (w.gaps < World::most_gaps) w.gap_sites[w.gaps++] = site;
}
}

}  // namespace norn::native

// A frame of its own, so that the stack can be walked through it; `site` is its return address.
#define NORN_KEEPING_REGISTERS(name, move_site, function)      \
    asm(".pushsection .text\n"                                 \
        ".globl " name                                         \
        "\n"                                                   \
        ".type " name ", @function\n" name                     \
        ":\n"                                                  \
        "    pushq %rbp\n"                                     \
        "    movq %rsp, %rbp\n"                                \
        "    pushfq\n"                                         \
        "    pushq %rax\n"                                     \
        "    pushq %rcx\n"                                     \
        "    pushq %rdx\n"                                     \
        "    pushq %r8\n"                                      \
        "    pushq %r9\n"                                      \
        "    pushq %r10\n"                                     \
        "    pushq %r11\n"                                     \
        "    cld\n"                                            \
        "    subq $528, %rsp\n"                                \
        "    andq $-16, %rsp\n"                                \
        "    fxsave64 (%rsp)\n" move_site "    call " function \
        "\n"                                                   \
        "    fxrstor64 (%rsp)\n"                               \
        "    leaq -64(%rbp), %rsp\n"                           \
        "    popq %r11\n"                                      \
        "    popq %r10\n"                                      \
        "    popq %r9\n"                                       \
        "    popq %r8\n"                                       \
        "    popq %rdx\n"                                      \
        "    popq %rcx\n"                                      \
        "    popq %rax\n"                                      \
        "    popfq\n"                                          \
        "    popq %rbp\n"                                      \
        "    ret\n"                                            \
        ".size " name ", .-" name                              \
        "\n"                                                   \
        ".popsection\n")

NORN_KEEPING_REGISTERS("norn_unseen", "    movq 8(%rbp), %rdx\n", "norn_unseen_access");
NORN_KEEPING_REGISTERS("norn_unseen_gap", "    movq 8(%rbp), %rdi\n", "norn_note_gap");
