// The less common string functions, wide strings, and sorting: as the common ones in memory_functions.cpp.
//
// A function that looks at several strings keeps each but the last as it was at its own read event. One that
// searches a string returns where in the program's own it is. Sorting reads the whole array at one event,
// compares copies of its elements, and writes the whole at another: other threads see it unsorted or sorted.
#include <strings.h>

#include <cstdlib>
#include <cstring>
#include <cwchar>

#include "executor/native/access.h"
#include "executor/native/heap.h"
#include "executor/native/read_extent.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

void store(void* target, const void* bytes, std::size_t size, std::uintptr_t site) {
    range_access(target, size, Operation::store, site);
    std::memcpy(target, bytes, size);
}

// Runs `search(text, other)` on two strings as they were when each was read.
template <typename Search>
auto with_both(const char* text, const char* other, std::size_t limit, std::uintptr_t site,
               const Search& search) {
    const KeptString first(text, limit, site);
    const KeptString second(other, limit, site);
    return search(first.text(), second.text());
}

// Where it is in the program's string, if it was found in the copy.
char* translated(const char* found, const char* copy, const char* text) {
    return found == nullptr ? nullptr : const_cast<char*>(text) + (found - copy);
}

std::size_t read_wide(const wchar_t* text, std::size_t limit, std::uintptr_t site) {
    const Extent extent{
        .start = reinterpret_cast<const char*>(text), .limit = limit, .character = sizeof *text};
    return read_extent(extent, site);
}

int compare_wide(const wchar_t* a, const wchar_t* b, std::size_t limit, std::uintptr_t site) {
    const std::size_t size = read_wide(a, limit, site);
    const Scratch kept(size + sizeof *a);
    std::memcpy(kept.bytes(), a, size);
    std::memset(kept.bytes() + size, 0, sizeof *a);
    read_wide(b, limit, site);
    return std::wcsncmp(reinterpret_cast<const wchar_t*>(kept.bytes()), b, limit);
}

// The next part of a string that is being cut, which begins at `text`: null if there is nothing left.
struct Part {
    char* start;
    char* rest;
};
Part cut(char* text, const char* separators, bool skips_empty, std::uintptr_t site) {
    if (text == nullptr) return {nullptr, nullptr};
    const KeptString between(separators, SIZE_MAX, site);
    read_string(text, SIZE_MAX, site);
    if (skips_empty) text += std::strspn(text, between.text());
    if (skips_empty && *text == '\0') return {nullptr, nullptr};
    char* const end = text + std::strcspn(text, between.text());
    if (*end == '\0') return {text, nullptr};
    store(end, "", 1, site);
    return {text, end + 1};
}

char* next_token(char* text, const char* separators, char** rest, std::uintptr_t site) {
    if (text == nullptr) {
        range_access(rest, sizeof *rest, Operation::load, site);
        text = *rest;
    }
    const Part part = cut(text, separators, true, site);
    store(rest, &part.rest, sizeof part.rest, site);
    return part.start;
}

}  // namespace

extern "C" {

int norn_strcasecmp(const char* a, const char* b) { return with_both(a, b, SIZE_MAX, SITE, strcasecmp); }
int norn_strncasecmp(const char* a, const char* b, std::size_t size) {
    return with_both(a, b, size, SITE, strcasecmp);
}
int norn_strcoll(const char* a, const char* b) { return with_both(a, b, SIZE_MAX, SITE, strcoll); }
int norn_strverscmp(const char* a, const char* b) { return with_both(a, b, SIZE_MAX, SITE, strverscmp); }
std::size_t norn_strspn(const char* text, const char* set) {
    return with_both(text, set, SIZE_MAX, SITE, strspn);
}
std::size_t norn_strcspn(const char* text, const char* set) {
    return with_both(text, set, SIZE_MAX, SITE, strcspn);
}
char* norn_strpbrk(const char* text, const char* set) {
    return with_both(text, set, SIZE_MAX, SITE, [text](const char* copy, const char* wanted) {
        return translated(std::strpbrk(copy, wanted), copy, text);
    });
}
char* norn_strcasestr(const char* text, const char* word) {
    return with_both(text, word, SIZE_MAX, SITE, [text](const char* copy, const char* wanted) {
        return translated(strcasestr(copy, wanted), copy, text);
    });
}
char* norn_strchrnul(const char* text, int value) {
    read_extent({.start = text, .until = static_cast<unsigned char>(value)}, SITE);
    return const_cast<char*>(strchrnul(text, value));
}
void* norn_rawmemchr(const void* p, int value) {
    const auto* const start = static_cast<const char*>(p);
    read_extent({.start = start, .until = static_cast<unsigned char>(value), .until_zero = false}, SITE);
    return const_cast<void*>(static_cast<const void*>(rawmemchr(p, value)));
}
void* norn_memrchr(const void* p, int value, std::size_t size) {
    range_access(p, size, Operation::load, SITE);
    return const_cast<void*>(memrchr(p, value, size));
}
void* norn_memmem(const void* p, std::size_t size, const void* word, std::size_t length) {
    range_access(p, size, Operation::load, SITE);
    const Scratch kept(size);
    std::memcpy(kept.bytes(), p, size);
    range_access(word, length, Operation::load, SITE);
    const void* const found = memmem(kept.bytes(), size, word, length);
    return translated(static_cast<const char*>(found), kept.bytes(), static_cast<const char*>(p));
}
void* norn_memccpy(void* target, const void* source, int value, std::size_t limit) {
    const auto* const start = static_cast<const char*>(source);
    const auto byte = static_cast<unsigned char>(value);
    const std::size_t size =
        read_extent({.start = start, .limit = limit, .until = byte, .until_zero = false}, SITE);
    if (size == 0) return nullptr;
    const Scratch kept(size);
    std::memcpy(kept.bytes(), source, size);
    store(target, kept.bytes(), size, SITE);
    const bool found = static_cast<unsigned char>(kept.bytes()[size - 1]) == byte;
    return found ? static_cast<char*>(target) + size : nullptr;
}
char* norn_stpncpy(char* target, const char* source, std::size_t size) {
    if (size == 0) return target;
    const KeptString text(source, size, SITE);
    const Scratch padded(size);
    std::strncpy(padded.bytes(), text.text(), size);
    store(target, padded.bytes(), size, SITE);
    return target + text.length();
}
void norn_explicit_bzero(void* target, std::size_t size) {
    range_access(target, size, Operation::store, SITE);
    std::memset(target, 0, size);
}
char* norn_strsep(char** text, const char* separators) {
    range_access(text, sizeof *text, Operation::load, SITE);
    const Part part = cut(*text, separators, false, SITE);
    if (part.start != nullptr) store(text, &part.rest, sizeof part.rest, SITE);
    return part.start;
}
char* norn_strtok_r(char* text, const char* separators, char** rest) {
    return next_token(text, separators, rest, SITE);
}
char* norn__strtok_r(char* text, const char* separators, char** rest) {
    return next_token(text, separators, rest, SITE);
}

std::size_t norn_wcslen(const wchar_t* text) { return read_wide(text, SIZE_MAX, SITE) / sizeof *text - 1; }
wchar_t* norn_wcscpy(wchar_t* target, const wchar_t* source) {
    const std::size_t size = read_wide(source, SIZE_MAX, SITE);
    const Scratch kept(size);
    std::memcpy(kept.bytes(), source, size);
    store(target, kept.bytes(), size, SITE);
    return target;
}
int norn_wcscmp(const wchar_t* a, const wchar_t* b) { return compare_wide(a, b, SIZE_MAX / 4, SITE); }
int norn_wcsncmp(const wchar_t* a, const wchar_t* b, std::size_t size) {
    return compare_wide(a, b, size, SITE);
}
wchar_t* norn_wmemcpy(wchar_t* target, const wchar_t* source, std::size_t count) {
    const std::size_t size = count * sizeof *target;
    range_access(source, size, Operation::load, SITE);
    const Scratch kept(size);
    std::memcpy(kept.bytes(), source, size);
    store(target, kept.bytes(), size, SITE);
    return target;
}
wchar_t* norn_wmemset(wchar_t* target, wchar_t value, std::size_t count) {
    range_access(target, count * sizeof *target, Operation::store, SITE);
    return std::wmemset(target, value, count);
}

void norn_qsort(void* array, std::size_t count, std::size_t size, int (*compare)(const void*, const void*)) {
    if (count == 0 || size == 0) return;
    range_access(array, count * size, Operation::load, SITE);
    const Scratch kept(count * size);
    std::memcpy(kept.bytes(), array, count * size);
    std::qsort(kept.bytes(), count, size, compare);
    store(array, kept.bytes(), count * size, SITE);
}
void norn_qsort_r(void* array, std::size_t count, std::size_t size,
                  int (*compare)(const void*, const void*, void*), void* argument) {
    if (count == 0 || size == 0) return;
    range_access(array, count * size, Operation::load, SITE);
    const Scratch kept(count * size);
    std::memcpy(kept.bytes(), array, count * size);
    qsort_r(kept.bytes(), count, size, compare, argument);
    store(array, kept.bytes(), count * size, SITE);
}
}

}  // namespace norn::native
