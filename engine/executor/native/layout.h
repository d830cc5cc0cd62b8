// Where everything lives in the address space of a checked program.
//
// Every address the program can see through its own objects is fixed, so that two runs of one schedule agree
// to the last pointer: the image is linked without PIE, and heaps, stacks and thread-local blocks are mapped
// at the places below, one slot per thread. All of them lie below 2^46, so that the shadow word of a program
// word is found by one addition (shadow.h). Anything above (shared libraries, the OS stack) is *foreign*.
#pragma once

#include <cstddef>
#include <cstdint>

namespace norn::native {

inline constexpr std::size_t max_threads = 512;

inline constexpr std::uintptr_t arena_base =
    0x1000'0000'0000;  // heap of thread t: arena_base + t * slot_size
inline constexpr std::uintptr_t stack_base = 0x2000'0000'0000;  // guard, stack and TLS block of thread t
inline constexpr std::uintptr_t world_base = 0x3000'0000'0000;  // the engine's own state (world.h)
inline constexpr std::uintptr_t shadow_offset = 0x4000'0000'0000;
inline constexpr std::uintptr_t foreign_start = 0x4000'0000'0000;  // addresses from here on have no shadow

// From world_base to here the engine has its state and the shadow of everything below. Linux puts libraries
// and what they map further up.
inline constexpr std::uintptr_t engine_end = 0x7800'0000'0000;

// What the linker was told to take for undefined names (src/norn/build/link_advice.py): Linux maps nothing
// here.
inline constexpr std::uintptr_t undefined_start = 0xD000;
inline constexpr std::uintptr_t undefined_end = 0xE000;

inline constexpr std::size_t slot_size = std::size_t{1} << 30;
inline constexpr std::size_t guard_size = std::size_t{1} << 20;  // large frames must not jump over it
inline constexpr std::size_t stack_size = std::size_t{8} << 20;
inline constexpr std::size_t tls_size = std::size_t{1} << 20;  // above the stack; holds the TLS block and TCB

inline constexpr std::size_t image_limit = std::size_t{1} << 32;  // image and brk heap lie below

inline std::uintptr_t arena_of(std::size_t thread) { return arena_base + thread * slot_size; }
inline std::uintptr_t slot_of(std::size_t thread) { return stack_base + thread * slot_size; }
inline std::uintptr_t tls_area_of(std::size_t thread) { return slot_of(thread) + guard_size + stack_size; }
// The stack goes on a little way into the area of the TLS block, which follows on it: so what small threads
// use of both is in one page. Slots are alike in their lower address bits, so that the hot lines of all
// stacks would compete for the same few places in the processor's caches: each begins a few lines further up.
inline std::uintptr_t stack_top_of(std::size_t thread) {
    return tls_area_of(thread) + 1024 + thread % 16 * 192;
}

inline bool in_stack_of(std::size_t thread, std::uintptr_t address) {
    return address >= slot_of(thread) && address < stack_top_of(thread);
}

// Stack or TLS block.
inline bool in_slot_of(std::size_t thread, std::uintptr_t address) {
    return address >= slot_of(thread) && address < slot_of(thread) + slot_size;
}

inline bool in_arenas(std::uintptr_t address) {
    return address >= arena_base && address < arena_base + max_threads * slot_size;
}

inline bool in_memory_of_engine(std::uintptr_t address) {
    return address >= world_base && address < engine_end;
}

}  // namespace norn::native
