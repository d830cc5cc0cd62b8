#include "executor/native/coroutine.h"

#include <asm/prctl.h>
#include <immintrin.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "executor/native/system_call.h"

asm(R"(
    .text
    .globl norn_switch
    .type norn_switch, @function
norn_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
    .size norn_switch, .-norn_switch
)");

namespace norn::native {

namespace {

constexpr int saved_registers = 6;
constexpr unsigned long fsgsbase_bit = 2;  // of AT_HWCAP2: the kernel lets programs use wrfsbase
bool has_fsgsbase = false;

__attribute__((target("fsgsbase"))) void write_fs(std::uintptr_t value) { _writefsbase_u64(value); }

}  // namespace

void* prepare_stack(std::uintptr_t top, void (*entry)()) {
    auto* slot = reinterpret_cast<std::uintptr_t*>(top);
    *--slot = 0;  // return address of the lowest frame: the end of the stack for unwinders
    *--slot = reinterpret_cast<std::uintptr_t>(entry);
    for (int i = 0; i < saved_registers; ++i) *--slot = 0;
    return slot;
}

std::uintptr_t saved_frame(const void* stack_pointer) {
    return static_cast<const std::uintptr_t*>(stack_pointer)[saved_registers - 1];
}

std::uintptr_t saved_site(const void* stack_pointer) {
    return static_cast<const std::uintptr_t*>(stack_pointer)[saved_registers];
}

void choose_thread_pointer_method() { has_fsgsbase = (getauxval(AT_HWCAP2) & fsgsbase_bit) != 0; }

std::uintptr_t thread_pointer() {
    std::uintptr_t value;
    asm("movq %%fs:0, %0" : "=r"(value));
    return value;
}

void set_thread_pointer(std::uintptr_t value) {
    if (has_fsgsbase)
        write_fs(value);
    else
        system_call(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(value));
}

}  // namespace norn::native
