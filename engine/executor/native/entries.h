// A function that notes the program's registers in World::registers and goes on as `target`, to which the
// call looks as if it had been called itself. r11 is nobody's at the beginning of a function. `keep_site`
// puts the site of the program's call into 56(%r11).
#pragma once

#define NORN_CAPTURING_ENTRY(name, target, keep_site)           \
    asm(".pushsection .text, \"ax\", @progbits\n"               \
        ".globl " name                                          \
        "\n"                                                    \
        ".type " name ", @function\n" name                      \
        ":\n"                                                   \
        "    movabsq $0x300000000000, %r11\n"                   \
        "    movq %rsp, 0(%r11)\n"                              \
        "    movq %rbx, 8(%r11)\n"                              \
        "    movq %rbp, 16(%r11)\n"                             \
        "    movq %r12, 24(%r11)\n"                             \
        "    movq %r13, 32(%r11)\n"                             \
        "    movq %r14, 40(%r11)\n"                             \
        "    movq %r15, 48(%r11)\n" keep_site "    jmp " target \
        "\n"                                                    \
        ".size " name ", .-" name                               \
        "\n"                                                    \
        ".popsection\n")
