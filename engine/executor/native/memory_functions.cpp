// memcpy and friends, and the common string functions: range accesses, one event for what is read and one for
// what is written. Calls in the program's objects are renamed to these (renames.cpp lists them); clang calls
// the
// `__tsan_mem*` ones.
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/heap.h"
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

// Copies as of the moment of the read event, whatever happens to the source before the write event.
void* copy(void* target, const void* source, std::size_t size, std::uintptr_t site) {
    reading(source, size, site);
    if (!world().running || size == 0) return std::memmove(target, source, size);
    const Scratch kept(size);
    std::memcpy(kept.bytes(), source, size);
    writing(target, size, site);
    return std::memcpy(target, kept.bytes(), size);
}

void* fill(void* target, int value, std::size_t size, std::uintptr_t site) {
    writing(target, size, site);
    return std::memset(target, value, size);
}

std::size_t length(const char* text) { return std::strlen(text); }

// How far a comparison of two strings looks: up to the first difference or end, at most `limit` bytes.
std::size_t compared(const char* a, const char* b, std::size_t limit) {
    std::size_t i = 0;
    while (i < limit && a[i] == b[i] && a[i] != '\0') ++i;
    return i < limit ? i + 1 : limit;
}

int compare_strings(const char* a, const char* b, std::size_t limit, std::uintptr_t site) {
    if (limit == 0) return 0;
    reading(a, compared(a, b, limit), site);
    reading(b, compared(a, b, limit), site);
    return std::strncmp(a, b, limit);
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
    reading(a, size, SITE);
    reading(b, size, SITE);
    return std::memcmp(a, b, size);
}
void* norn_memchr(const void* p, int value, std::size_t size) {
    const void* const found = std::memchr(p, value, size);
    const auto* const start = static_cast<const char*>(p);
    reading(p,
            found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - start) + 1 : size,
            SITE);
    return const_cast<void*>(std::memchr(p, value, size));
}

std::size_t norn_strlen(const char* text) {
    reading(text, length(text) + 1, SITE);
    return length(text);
}
std::size_t norn_strnlen(const char* text, std::size_t limit) {
    const std::size_t found = strnlen(text, limit);
    reading(text, found < limit ? found + 1 : limit, SITE);
    return strnlen(text, limit);
}
char* norn_strcpy(char* target, const char* source) {
    copy(target, source, length(source) + 1, SITE);
    return target;
}
char* norn_stpcpy(char* target, const char* source) {
    const std::size_t size = length(source) + 1;
    copy(target, source, size, SITE);
    return target + size - 1;
}
char* norn_strncpy(char* target, const char* source, std::size_t size) {
    const std::size_t taken = strnlen(source, size);
    reading(source, taken < size ? taken + 1 : size, SITE);
    writing(target, size, SITE);
    return std::strncpy(target, source, size);
}
char* norn_strcat(char* target, const char* source) {
    const std::size_t old = length(target);
    reading(target, old + 1, SITE);
    copy(target + old, source, length(source) + 1, SITE);
    return target;
}
char* norn_strncat(char* target, const char* source, std::size_t size) {
    const std::size_t old = length(target);
    const std::size_t taken = strnlen(source, size);
    reading(target, old + 1, SITE);
    reading(source, taken < size ? taken + 1 : size, SITE);
    writing(target + old, taken + 1, SITE);
    return std::strncat(target, source, size);
}
int norn_strcmp(const char* a, const char* b) { return compare_strings(a, b, SIZE_MAX, SITE); }
int norn_strncmp(const char* a, const char* b, std::size_t size) { return compare_strings(a, b, size, SITE); }
char* norn_strchr(const char* text, int value) {
    reading(text, length(text) + 1, SITE);
    return const_cast<char*>(std::strchr(text, value));
}
char* norn_strrchr(const char* text, int value) {
    reading(text, length(text) + 1, SITE);
    return const_cast<char*>(std::strrchr(text, value));
}
char* norn_strstr(const char* text, const char* word) {
    reading(text, length(text) + 1, SITE);
    reading(word, length(word) + 1, SITE);
    return const_cast<char*>(std::strstr(text, word));
}
}

}  // namespace norn::native
