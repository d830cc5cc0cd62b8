// sprintf and friends: what libc formats is written to the program's memory as one range access.
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/heap.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

// Formats into memory of the engine first: the write event must come before the bytes change.
int format(char* target, std::size_t size, const char* pattern, va_list arguments, std::uintptr_t site) {
    va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, pattern, again);
    va_end(again);
    if (length < 0 || size == 0) return length;
    const std::size_t whole = static_cast<std::size_t>(length) + 1;
    const std::size_t kept = whole < size ? whole : size;
    const Scratch text(whole);
    std::vsnprintf(text.bytes(), whole, pattern, arguments);
    range_access(target, kept, Operation::store, site);
    std::memcpy(target, text.bytes(), kept);
    target[kept - 1] = '\0';
    return length;
}

}  // namespace

extern "C" {

int norn_vsnprintf(char* target, std::size_t size, const char* pattern, va_list arguments) {
    return format(target, size, pattern, arguments, SITE);
}
int norn_vsprintf(char* target, const char* pattern, va_list arguments) {
    return format(target, SIZE_MAX, pattern, arguments, SITE);
}
int norn_snprintf(char* target, std::size_t size, const char* pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    const int length = format(target, size, pattern, arguments, SITE);
    va_end(arguments);
    return length;
}
int norn_sprintf(char* target, const char* pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    const int length = format(target, SIZE_MAX, pattern, arguments, SITE);
    va_end(arguments);
    return length;
}
}

}  // namespace norn::native
