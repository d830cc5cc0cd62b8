#include "executor/native/unseen_writes.h"

#include "executor/native/layout.h"
#include "executor/native/mapping.h"

// Whether there are marks: read by the program's own code at the beginning of each function.
extern "C" bool norn_has_unseen_writes;
bool norn_has_unseen_writes = false;

namespace norn::native {

namespace {

std::uint32_t& view_of(std::uintptr_t granule) {
    return *reinterpret_cast<std::uint32_t*>(granule + view_offset);
}
std::uint32_t word_at(std::uintptr_t granule) { return *reinterpret_cast<const std::uint32_t*>(granule); }

std::uintptr_t granule_of(std::uintptr_t address) { return address & ~std::uintptr_t{3}; }

bool is_marked(std::uintptr_t granule) { return (*cell_of(granule) & unseen_bit) != 0; }

void mark(std::uintptr_t granule) {
    World& w = world();
    if (w.unseen_count == unseen_capacity) return;  // its state changes by what it does not know
    view_of(granule) = word_at(granule);
    *cell_of(granule) |= unseen_bit;
    w.unseen[w.unseen_count++] = granule;
    norn_has_unseen_writes = true;
}

void unmark(std::uintptr_t granule) { *cell_of(granule) &= ~unseen_bit; }

// The thread looks at some bytes of a marked word of its stack, and writes them unless it only reads. (What
// it writes counts as a change, or was there before: idle_rounds.cpp.)
void look_at(std::uintptr_t granule, std::uintptr_t begin, std::uintptr_t end, bool only_reads) {
    if (begin <= granule && end >= granule + sizeof(std::uint32_t)) return unmark(granule);
    if (!only_reads) return;
    auto* const known = reinterpret_cast<unsigned char*>(granule + view_offset);
    const auto* const now = reinterpret_cast<const unsigned char*>(granule);
    for (std::uintptr_t i = 0; i < sizeof(std::uint32_t); ++i)
        if (granule + i >= begin && granule + i < end) known[i] = now[i];
}

}  // namespace

void map_views(ThreadId owner) {
    map_fixed(slot_of(owner) + guard_size + view_offset, stack_size + tls_size, false);
}

void note_stack_access(std::uintptr_t address, std::size_t size, bool only_reads) {
    const World& w = world();
    if (w.known_idle_sites == 0 && !w.schedule_is_used_up) return;
    const std::size_t owner = (address - stack_base) / slot_size;
    if (owner >= w.threads || !in_stack_of(owner, address)) return;
    const bool is_own = owner == w.current->id;
    if (is_own ? !norn_has_unseen_writes : only_reads) return;
    for (std::uintptr_t granule = granule_of(address); granule < address + size; granule += 4) {
        if (is_own && is_marked(granule)) look_at(granule, address, address + size, only_reads);
        if (!is_own && !is_marked(granule)) mark(granule);
    }
}

void forget_unseen_writes() {
    World& w = world();
    for (std::uint32_t i = 0; i < w.unseen_count; ++i) unmark(w.unseen[i]);
    w.unseen_count = 0;
    norn_has_unseen_writes = false;
}

// A new stack frame begins. Called by the functions below, which keep all registers.
extern "C" void norn_forget_frame(std::uintptr_t begin, std::uintptr_t end) {
    for (std::uintptr_t granule = granule_of(begin); granule < end; granule += 4)
        if (in_stack_of(world().current->id, granule)) unmark(granule);
}

// Called by the program's own code where it lowers its stack pointer (src/norn/build/fresh_frames.py). Both
// leave all registers and flags as they are and take their argument off the stack.
//   norn_fresh_frame   its argument: how many bytes above it are new
//   norn_fresh_stack   its argument: what the stack pointer will be; if that is lower, all in between is new
// The latter's own frame is in the way: of that, too, nothing stays that does not follow from the call.
asm(R"(
    .text
    .globl norn_fresh_frame
    .type norn_fresh_frame, @function
norn_fresh_frame:
    pushfq
    pushq %rdi
    pushq %rcx
    pushq %rax
    leaq 48(%rsp), %rdi
    movq 40(%rsp), %rcx
    xorl %eax, %eax
    shrq $3, %rcx
    rep stosq
    movq 40(%rsp), %rcx
    andl $7, %ecx
    rep stosb
    leaq 48(%rsp), %rax
    movq %rdi, %rcx
    call norn_forget_keeping
    popq %rax
    popq %rcx
    popq %rdi
    popfq
    ret $8
    .size norn_fresh_frame, .-norn_fresh_frame

    .globl norn_fresh_stack
    .type norn_fresh_stack, @function
norn_fresh_stack:
    pushfq
    pushq %rdi
    pushq %rcx
    pushq %rax
    movq 40(%rsp), %rdi
    movq %rsp, %rcx
    subq %rdi, %rcx
    jbe 1f
    xorl %eax, %eax
    shrq $3, %rcx
    rep stosq
    movq 40(%rsp), %rax
    leaq 48(%rsp), %rcx
    call norn_forget_keeping
1:
    movq (%rsp), %rax
    movq 8(%rsp), %rcx
    movq 16(%rsp), %rdi
    movq $0, (%rsp)
    movq $0, 8(%rsp)
    movq $0, 16(%rsp)
    leaq 24(%rsp), %rsp
    popfq
    ret $8
    .size norn_fresh_stack, .-norn_fresh_stack

norn_forget_keeping:
    cmpb $0, norn_has_unseen_writes(%rip)
    je 1f
    pushq %rbp
    movq %rsp, %rbp
    pushq %rsi
    pushq %rdx
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %r11
    subq $128, %rsp
    andq $-16, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movq %rax, %rdi
    movq %rcx, %rsi
    call norn_forget_frame
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    leaq -48(%rbp), %rsp
    popq %r11
    popq %r10
    popq %r9
    popq %r8
    popq %rdx
    popq %rsi
    popq %rbp
1:
    ret
    .size norn_forget_keeping, .-norn_forget_keeping
)");

}  // namespace norn::native
