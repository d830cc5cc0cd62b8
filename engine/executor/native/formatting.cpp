// sprintf and friends: what libc formats is written to the program's memory as one range access.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/heap.h"
#include "executor/native/leaks.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

// The strings that the pattern makes libc read, and what %n makes it write. One event each, before anything
// is formatted.
void read_arguments(const char* pattern, va_list arguments, std::uintptr_t site) {
    for (const char* at = std::strchr(pattern, '%'); at != nullptr; at = std::strchr(at, '%')) {
        ++at;
        std::size_t limit = SIZE_MAX;
        int longs = 0;
        for (; *at != '\0' && std::strchr("-+ #0'123456789.*hlLjzt$", *at) != nullptr; ++at) {
            if (*at == '$') unsupported("printf", "numbered arguments of a format are not modelled");
            if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't' || *at == 'L') ++longs;
            if (*at == '*') va_arg(arguments, int);
            if (*at != '.') continue;
            if (at[1] == '*') {
                const int precision = va_arg(arguments, int);
                if (precision >= 0) limit = static_cast<std::size_t>(precision);
                ++at;
            } else {
                limit = std::strtoul(at + 1, nullptr, 10);
            }
        }
        switch (*at) {
            case '\0': return;
            case '%': break;
            case 's':
                if (const char* const text = va_arg(arguments, const char*); text != nullptr && longs == 0)
                    read_string(text, limit, site);
                break;
            case 'n': range_access(va_arg(arguments, int*), sizeof(int), Operation::store, site); break;
            case 'a':
            case 'A':
            case 'e':
            case 'E':
            case 'f':
            case 'F':
            case 'g':
            case 'G':
                if (at[-1] == 'L')
                    va_arg(arguments, long double);
                else
                    va_arg(arguments, double);
                break;
            case 'm': break;
            default: va_arg(arguments, long);  // integers and pointers all take eight bytes
        }
        ++at;
    }
}

// Formats into memory of the engine first: the write event must come before the bytes change.
int format(char* target, std::size_t size, const char* pattern, va_list arguments, std::uintptr_t site) {
    va_list again;
    va_copy(again, arguments);
    read_arguments(pattern, again, site);
    va_end(again);
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

// asprintf: libc would take the memory from its own heap.
int format_new(char** target, const char* pattern, va_list arguments, std::uintptr_t site) {
    va_list again;
    va_copy(again, arguments);
    read_arguments(pattern, again, site);
    va_end(again);
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, pattern, again);
    va_end(again);
    if (length < 0) return length;
    const std::size_t whole = static_cast<std::size_t>(length) + 1;
    auto* const text = static_cast<char*>(allocate(whole));
    note_block(text);
    if (text == nullptr) return -1;
    std::vsnprintf(text, whole, pattern, arguments);
    range_access(target, sizeof *target, Operation::store, site);
    *target = text;
    return length;
}

int print(std::FILE* file, const char* pattern, va_list arguments, std::uintptr_t site) {
    va_list again;
    va_copy(again, arguments);
    read_arguments(pattern, again, site);
    va_end(again);
    return std::vfprintf(file, pattern, arguments);
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
int norn_vfprintf(std::FILE* file, const char* pattern, va_list arguments) {
    return print(file, pattern, arguments, SITE);
}
int norn_vprintf(const char* pattern, va_list arguments) { return print(stdout, pattern, arguments, SITE); }
int norn_fprintf(std::FILE* file, const char* pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    const int length = print(file, pattern, arguments, SITE);
    va_end(arguments);
    return length;
}
int norn_printf(const char* pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    const int length = print(stdout, pattern, arguments, SITE);
    va_end(arguments);
    return length;
}
int norn_puts(const char* text) {
    read_string(text, SIZE_MAX, SITE);
    return std::puts(text);
}
int norn_fputs(const char* text, std::FILE* file) {
    read_string(text, SIZE_MAX, SITE);
    return std::fputs(text, file);
}
int norn_atoi(const char* text) {
    read_string(text, SIZE_MAX, SITE);
    return std::atoi(text);
}
long norn_atol(const char* text) {
    read_string(text, SIZE_MAX, SITE);
    return std::atol(text);
}
int norn_vasprintf(char** target, const char* pattern, va_list arguments) {
    return format_new(target, pattern, arguments, SITE);
}
int norn_asprintf(char** target, const char* pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    const int length = format_new(target, pattern, arguments, SITE);
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
