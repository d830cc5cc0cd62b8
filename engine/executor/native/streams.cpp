// Streams of <stdio.h>, as far as they read and write memory of the program: one event for it, and the stream
// is libc's. What a stream holds, and how far it was read, is libc's state: no event, and not put back.
//
// What is written is in memory when the stream takes it, right after the read event. What is read goes into
// memory of the engine first, since how much it is turns out then, and to its place after the write event.
#include <cstdio>
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/heap.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

void deliver(void* target, const char* bytes, std::size_t size, std::uintptr_t site) {
    range_access(target, size, Operation::store, site);
    std::memcpy(target, bytes, size);
}

}  // namespace

extern "C" {

int norn_puts(const char* text) {
    read_string(text, SIZE_MAX, SITE);
    return std::puts(text);
}
int norn_fputs(const char* text, std::FILE* file) {
    read_string(text, SIZE_MAX, SITE);
    return std::fputs(text, file);
}
void norn_perror(const char* text) {
    if (text != nullptr) read_string(text, SIZE_MAX, SITE);
    std::perror(text);
}
std::size_t norn_fwrite(const void* source, std::size_t size, std::size_t count, std::FILE* file) {
    range_access(source, size * count, Operation::load, SITE);
    return std::fwrite(source, size, count, file);
}
std::size_t norn_fread(void* target, std::size_t size, std::size_t count, std::FILE* file) {
    if (size == 0 || count == 0) return 0;
    const Scratch bytes(size * count);
    const std::size_t whole = std::fread(bytes.bytes(), 1, size * count, file);
    deliver(target, bytes.bytes(), whole, SITE);
    return whole / size;
}
char* norn_fgets(char* target, int size, std::FILE* file) {
    if (size <= 0) return nullptr;
    const Scratch bytes(static_cast<std::size_t>(size));
    if (std::fgets(bytes.bytes(), size, file) == nullptr) return nullptr;
    deliver(target, bytes.bytes(), std::strlen(bytes.bytes()) + 1, SITE);
    return target;
}
}

}  // namespace norn::native
