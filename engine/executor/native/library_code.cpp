#include "executor/native/library_code.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include "executor/native/stack_walk.h"

namespace norn::native {

namespace {

std::uintptr_t word_at(std::uintptr_t address) { return *reinterpret_cast<const std::uintptr_t*>(address); }

// Whether code is a piece of the table by which the program calls shared libraries: `jmp *slot`.
bool is_way_to_library(std::uintptr_t code) {
    if (!in_program(code) || in_engine(code)) return false;
    const auto* bytes = reinterpret_cast<const unsigned char*>(code);
    constexpr unsigned char landing[] = {0xF3, 0x0F, 0x1E, 0xFA};
    if (std::memcmp(bytes, landing, sizeof landing) == 0) bytes += sizeof landing;
    if (*bytes == 0xF2) ++bytes;
    return bytes[0] == 0xFF && bytes[1] == 0x25;
}

bool returns_from_library(std::uintptr_t code) {
    if (!in_program(code) || in_engine(code)) return false;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(code);
    if (bytes[-5] == 0xE8) {
        std::int32_t distance = 0;
        std::memcpy(&distance, bytes - 4, sizeof distance);
        return is_way_to_library(code + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(distance)));
    }
    return bytes[-2] == 0xFF || bytes[-3] == 0xFF || bytes[-6] == 0xFF;  // by a pointer
}

}  // namespace

void describe_code(std::uintptr_t code, char* text, std::size_t size) {
    Dl_info info{};
    text[0] = '\0';
    if (dladdr(reinterpret_cast<void*>(code), &info) == 0 || info.dli_fname == nullptr) return;
    const char* const slash = std::strrchr(info.dli_fname, '/');
    const char* const name = slash != nullptr ? slash + 1 : info.dli_fname;
    if (info.dli_sname != nullptr)
        std::snprintf(text, size, "%s (%s)", name, info.dli_sname);
    else
        std::snprintf(text, size, "%s", name);
}

LiveFrame call_of_library(const Thread& thread, std::uintptr_t stack, std::uintptr_t frame) {
    const std::uintptr_t low = slot_of(thread.id) + guard_size;
    const std::uintptr_t high = stack_top_of(thread.id);
    if (stack < slot_of(thread.id) || stack >= high) return {};
    if (stack < low) stack = low;  // it has overflowed
    stack = (stack + 7) & ~std::uintptr_t{7};
    const auto is_frame = [&](std::uintptr_t candidate, std::uintptr_t above) {
        if (candidate <= above || candidate + 16 > high || candidate % 8 != 0) return false;
        const std::uintptr_t returns_to = word_at(candidate + 8);
        return returns_to == 0 || in_program(returns_to);
    };
    for (std::uintptr_t at = stack; at + 8 <= high; at += 8) {
        if (!returns_from_library(word_at(at))) continue;
        // The frame pointer of the caller is still there, or the library has saved it on the way.
        if (is_frame(frame, at)) return {word_at(at), frame};
        for (std::uintptr_t saved = at - 8; saved >= stack; saved -= 8)
            if (is_frame(word_at(saved), at)) return {word_at(at), word_at(saved)};
        return {word_at(at), 0};
    }
    return {};
}

}  // namespace norn::native
