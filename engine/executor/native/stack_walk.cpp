#include "executor/native/stack_walk.h"

#include "executor/native/coroutine.h"

// Set by the linker: the engine's code is in a section of its own, the executable's ends at etext.
extern "C" const char __start_norn_text[], __stop_norn_text[], __executable_start[], etext[];

namespace norn::native {

namespace {

std::uintptr_t place(const char* symbol) { return reinterpret_cast<std::uintptr_t>(symbol); }

// Whether it is in the executable, behind a call: then it can be a return address.
bool follows_call(std::uintptr_t code) {
    if (!in_program(code)) return false;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(code);
    const bool direct = bytes[-5] == 0xE8;
    const bool indirect = bytes[-2] == 0xFF || bytes[-3] == 0xFF || bytes[-6] == 0xFF || bytes[-7] == 0xFF;
    return direct || indirect;
}

// ... in the program's own code.
bool leads_into_program(std::uintptr_t code) { return follows_call(code) && !in_engine(code); }

std::uintptr_t word_at(std::uintptr_t address) { return *reinterpret_cast<const std::uintptr_t*>(address); }

bool can_be_frame(std::uintptr_t frame, std::uintptr_t above, std::uintptr_t high) {
    return frame > above && frame + 16 <= high && (frame & 7) == 0;
}

// Libraries are compiled without frame pointers, so the chain skips the function that called one. Its return
// address is the first on the stack, between this frame and the next, that leads into the program. Returns
// where that is; 0 if there is none.
std::uintptr_t find_caller_of_library(std::uintptr_t frame, std::uintptr_t next_frame) {
    constexpr std::uintptr_t furthest = 4096;
    for (std::uintptr_t at = frame + 16; at < next_frame && at < frame + furthest; at += 8)
        if (leads_into_program(word_at(at))) return at;
    return 0;
}

// The frame of the function that called a library, to which it returns by the word at `returns_at`. The frame
// pointer that this frame has kept is not it where the library has used the register for something else. But
// then the library has saved it first, below its own return address. Its caller was called by the program,
// too, as far as can be told.
std::uintptr_t frame_behind_library(std::uintptr_t frame, std::uintptr_t returns_at, std::uintptr_t high) {
    const auto is_certain = [&](std::uintptr_t candidate) {
        return can_be_frame(candidate, returns_at, high) && leads_into_program(word_at(candidate + 8));
    };
    const std::uintptr_t kept = word_at(frame);
    if (is_certain(kept)) return kept;
    for (std::uintptr_t at = returns_at - 8; at >= frame + 16; at -= 8)
        if (is_certain(word_at(at))) return word_at(at);
    return kept;
}

std::size_t walk(const Thread& thread, std::uintptr_t frame, std::uintptr_t* addresses, std::size_t count,
                 std::size_t limit) {
    const std::uintptr_t low = slot_of(thread.id) + guard_size;
    const std::uintptr_t high = stack_top_of(thread.id);
    while (count < limit && frame >= low && frame + 16 <= high && (frame & 7) == 0) {
        const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame);
        if (words[1] == 0) break;
        std::uintptr_t next_frame = words[0];
        if (!in_program(words[1])) {
            const std::uintptr_t returns_at =
                find_caller_of_library(frame, next_frame > frame && next_frame < high ? next_frame : high);
            if (returns_at != 0) {
                addresses[count++] = word_at(returns_at);
                next_frame = frame_behind_library(frame, returns_at, high);
            }
        } else if (!in_engine(words[1])) {
            addresses[count++] = words[1];
        }
        if (next_frame <= frame) break;
        frame = next_frame;
    }
    return count;
}

}  // namespace

bool in_engine(std::uintptr_t code) {
    return code >= place(__start_norn_text) && code < place(__stop_norn_text);
}
bool in_program(std::uintptr_t code) {
    return (code >= place(__executable_start) && code < place(etext)) || in_engine(code);
}

std::size_t walk_own_stack(std::uintptr_t* addresses, std::size_t limit) {
    return walk(*world().current, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), addresses, 0,
                limit);
}

std::size_t walk_parked_stack(const Thread& thread, std::uintptr_t* addresses, std::size_t limit) {
    if (thread.state == State::fresh) {
        addresses[0] = reinterpret_cast<std::uintptr_t>(thread.start) + 1;
        return 1;
    }
    return walk(thread, saved_frame(thread.stack_pointer), addresses, 0, limit);
}

// The first instruction of a function keeps the caller's frame on the stack, above what it returns to.
std::uintptr_t caller_without_frame(std::uintptr_t stack, std::uintptr_t frame) {
    const auto* const words = reinterpret_cast<const std::uintptr_t*>(stack);
    const std::uintptr_t returns_to = words[0] == frame ? words[1] : words[0];
    return leads_into_program(returns_to) ? returns_to : 0;
}

std::size_t walk_fault_stack(const Thread& thread, std::uintptr_t* addresses, std::size_t limit) {
    std::size_t count = 0;
    if (!in_engine(thread.fault_site)) addresses[count++] = thread.fault_site;
    return walk(thread, thread.fault_frame, addresses, count, limit);
}

}  // namespace norn::native
