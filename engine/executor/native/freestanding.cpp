// What header-only parts of the standard library need from libstdc++, for programs that have none. These
// symbols are made local when the engine is linked into one object, so a C++ program's own are not touched.
#include <cstdlib>
#include <new>

#include "host/messages.h"

namespace {

void* take(std::size_t size) {
    void* const memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) norn::die("out of memory");
    return memory;
}

}  // namespace

void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace std {
void __throw_length_error(const char*) { norn::die("internal error: a container became too long"); }
void __throw_bad_alloc() { norn::die("out of memory"); }
void __throw_bad_array_new_length() { norn::die("out of memory"); }
void __throw_out_of_range_fmt(const char*, ...) { norn::die("internal error: index out of range"); }
void __throw_logic_error(const char*) { norn::die("internal error: logic error"); }
void __glibcxx_assert_fail(const char*, int, const char*, const char*) noexcept {
    norn::die("internal error: a library assertion failed");
}
}  // namespace std

extern "C" void __cxa_pure_virtual() { norn::die("internal error: pure virtual call"); }
