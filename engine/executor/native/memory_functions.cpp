// memcpy and friends, and the common string functions: range accesses, one event for what is read and one for
// what is written. Calls in the program's objects are renamed to these (renames.txt lists them); clang calls
// the `__tsan_mem*` ones.
//
// The bytes that are used are those of the read event: a function uses them before its next event, or keeps a
// copy of them over it. Where a function reads two places, each is read at an event of its own.
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/heap.h"
#include "executor/native/read_extent.h"
#include "executor/native/scheduler.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

void reading(const void* p, std::size_t size, std::uintptr_t site) {
    range_access(p, size, Operation::load, site);
}
void writing(void* p, std::size_t size, std::uintptr_t site) {
    range_access(p, size, Operation::store, site);
}

// Writes bytes as they are now, whatever happens to them before the write event.
void store(void* target, const void* source, std::size_t size, std::uintptr_t site) {
    if (!world().running || size == 0) {
        std::memmove(target, source, size);
        return;
    }
    const Scratch kept(size);
    std::memcpy(kept.bytes(), source, size);
    writing(target, size, site);
    std::memcpy(target, kept.bytes(), size);
}

void* copy(void* target, const void* source, std::size_t size, std::uintptr_t site) {
    reading(source, size, site);
    store(target, source, size, site);
    return target;
}

void* fill(void* target, int value, std::size_t size, std::uintptr_t site) {
    writing(target, size, site);
    return std::memset(target, value, size);
}

// Both strings are compared as they were at their own read events.
int compare_strings(const char* a, const char* b, std::size_t limit, std::uintptr_t site) {
    if (limit == 0) return 0;
    const std::size_t length = read_string(a, limit, site);
    const std::size_t size = length < limit ? length + 1 : limit;
    const Scratch kept(size);
    std::memcpy(kept.bytes(), a, size);
    read_string(b, size, site);
    return std::strncmp(kept.bytes(), b, size);
}

}  // namespace

extern "C" {

void* __tsan_memcpy(void* target, const void* source, std::size_t size) {
    return copy(target, source, size, SITE);
}
void* __tsan_memmove(void* target, const void* source, std::size_t size) {
    return copy(target, source, size, SITE);
}
void* __tsan_memset(void* target, int value, std::size_t size) { return fill(target, value, size, SITE); }

void* norn_memcpy(void* target, const void* source, std::size_t size) {
    return copy(target, source, size, SITE);
}
void* norn_memmove(void* target, const void* source, std::size_t size) {
    return copy(target, source, size, SITE);
}
void* norn_mempcpy(void* target, const void* source, std::size_t size) {
    return static_cast<char*>(copy(target, source, size, SITE)) + size;
}
void* norn_memset(void* target, int value, std::size_t size) { return fill(target, value, size, SITE); }
void norn_bzero(void* target, std::size_t size) { fill(target, 0, size, SITE); }
void norn_bcopy(const void* source, void* target, std::size_t size) { copy(target, source, size, SITE); }

int norn_memcmp(const void* a, const void* b, std::size_t size) {
    if (!world().running || size == 0) return std::memcmp(a, b, size);
    reading(a, size, SITE);
    const Scratch kept(size);
    std::memcpy(kept.bytes(), a, size);
    reading(b, size, SITE);
    return std::memcmp(kept.bytes(), b, size);
}
void* norn_memchr(const void* p, int value, std::size_t limit) {
    const auto* const start = static_cast<const char*>(p);
    const auto byte = static_cast<unsigned char>(value);
    const std::size_t size =
        read_extent({.start = start, .limit = limit, .until = byte, .until_zero = false}, SITE);
    return const_cast<void*>(std::memchr(p, value, size));
}

std::size_t norn_strlen(const char* text) { return read_string(text, SIZE_MAX, SITE); }
std::size_t norn_strnlen(const char* text, std::size_t limit) { return read_string(text, limit, SITE); }
char* norn_strcpy(char* target, const char* source) {
    store(target, source, read_string(source, SIZE_MAX, SITE) + 1, SITE);
    return target;
}
char* norn_stpcpy(char* target, const char* source) {
    const std::size_t length = read_string(source, SIZE_MAX, SITE);
    store(target, source, length + 1, SITE);
    return target + length;
}
char* norn_strncpy(char* target, const char* source, std::size_t size) {
    if (!world().running || size == 0) return std::strncpy(target, source, size);
    read_string(source, size, SITE);
    const Scratch kept(size);
    std::strncpy(kept.bytes(), source, size);
    writing(target, size, SITE);
    std::memcpy(target, kept.bytes(), size);
    return target;
}
char* norn_strcat(char* target, const char* source) {
    char* const end = target + read_string(target, SIZE_MAX, SITE);
    store(end, source, read_string(source, SIZE_MAX, SITE) + 1, SITE);
    return target;
}
char* norn_strncat(char* target, const char* source, std::size_t size) {
    char* const end = target + read_string(target, SIZE_MAX, SITE);
    const std::size_t taken = read_string(source, size, SITE);
    const Scratch kept(taken + 1);
    std::memcpy(kept.bytes(), source, taken);
    kept.bytes()[taken] = '\0';
    store(end, kept.bytes(), taken + 1, SITE);
    return target;
}
int norn_strcmp(const char* a, const char* b) { return compare_strings(a, b, SIZE_MAX, SITE); }
int norn_strncmp(const char* a, const char* b, std::size_t size) { return compare_strings(a, b, size, SITE); }
char* norn_strchr(const char* text, int value) {
    read_extent({.start = text, .until = static_cast<unsigned char>(value)}, SITE);
    return const_cast<char*>(std::strchr(text, value));
}
char* norn_strrchr(const char* text, int value) {
    read_string(text, SIZE_MAX, SITE);
    return const_cast<char*>(std::strrchr(text, value));
}
char* norn_strstr(const char* text, const char* word) {
    if (!world().running) return const_cast<char*>(std::strstr(text, word));
    const std::size_t length = read_string(text, SIZE_MAX, SITE);
    const Scratch kept(length + 1);
    std::memcpy(kept.bytes(), text, length + 1);
    read_string(word, SIZE_MAX, SITE);
    const char* const found = std::strstr(kept.bytes(), word);
    return found == nullptr ? nullptr : const_cast<char*>(text) + (found - kept.bytes());
}
}

}  // namespace norn::native
