// What stands for the instructions rdrand, rdseed and rdtsc, whose results differ from run to run.
//
// The build step replaces them in the assembly of the program (src/norn/build/processor_numbers.py) by a call
// of one of these functions, which put a number on top of the caller's stack and change nothing else: an
// instruction changes only what it names. So all registers that a function may change are saved, those of
// vectors and the x87 included.
#define NORN_SAVING_ALL(name, target)                                                      \
    asm(".pushsection .text, \"ax\", @progbits\n"                                          \
        ".globl " name "\n.type " name ", @function\n" name                                \
        ":\n"                                                                              \
        "    pushq %rbp\n"                                                                 \
        "    movq %rsp, %rbp\n"                                                            \
        "    pushq %rax\n    pushq %rcx\n    pushq %rdx\n    pushq %rsi\n    pushq %rdi\n" \
        "    pushq %r8\n    pushq %r9\n    pushq %r10\n    pushq %r11\n"                   \
        "    subq $512, %rsp\n    andq $-16, %rsp\n"                                       \
        "    fxsave64 (%rsp)\n"                                                            \
        "    call " target                                                                 \
        "\n"                                                                               \
        "    fxrstor64 (%rsp)\n"                                                           \
        "    movq %rax, 16(%rbp)\n" /* above the return address */                         \
        "    leaq -72(%rbp), %rsp\n"                                                       \
        "    popq %r11\n    popq %r10\n    popq %r9\n    popq %r8\n"                       \
        "    popq %rdi\n    popq %rsi\n    popq %rdx\n    popq %rcx\n    popq %rax\n"      \
        "    popq %rbp\n    ret\n"                                                         \
        ".size " name ", .-" name "\n.popsection\n")

NORN_SAVING_ALL("norn_instead_of_rdrand", "norn_processor_random");
NORN_SAVING_ALL("norn_instead_of_rdtsc", "norn_processor_time");
