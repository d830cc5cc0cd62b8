// What header-only parts of the standard library need from libstdc++, for programs that have none. These
// symbols are made local when the engine is linked into one object, so a C++ program's own are not touched.
//
// The engine's memory: an exploration makes some hundred small vectors, and one of few executions would spend
// a quarter of its time in malloc. So what is given back is kept in a list of pieces of its size. The engine
// has one thread, and its containers say how large what they give back is. (What does not, such as an array
// in a unique_ptr, is not linked: there is no `operator delete` for it.)
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "host/messages.h"

namespace {

constexpr std::size_t largest_kept = std::size_t{1} << 16;
constexpr std::size_t batch = std::size_t{1} << 14;  // bytes to cut small pieces from

struct Piece {
    Piece* next;
};

// Sizes are in steps of 16 bytes, and above 64 bytes of a quarter of a power of two.
struct Size {
    std::size_t index;
    std::size_t bytes;
};

Size rounded(std::size_t size) {
    if (size == 0) size = 1;
    const auto width = static_cast<std::size_t>(std::bit_width(size - 1));
    const std::size_t shift = width < 7 ? 4 : width - 3;  // of a step
    const std::size_t steps = (size - 1) >> shift;        // 0 to 3, or 4 to 7
    return {(shift - 4) * 4 + steps, (steps + 1) << shift};
}

constexpr std::size_t sizes = 48;  // up to the largest that is kept
Piece* kept[sizes];
char* batch_next = nullptr;
char* batch_end = nullptr;

void* take_from_system(std::size_t size) {
    void* const memory = std::malloc(size);
    if (memory == nullptr) norn::die("out of memory");
    return memory;
}

void* take(std::size_t wanted) {
    if (wanted > largest_kept) return take_from_system(wanted);
    const Size size = rounded(wanted);
    if (Piece* const piece = kept[size.index]; piece != nullptr) {
        kept[size.index] = piece->next;
        return piece;
    }
    if (size.bytes > batch / 8) return take_from_system(size.bytes);
    if (static_cast<std::size_t>(batch_end - batch_next) < size.bytes) {
        batch_next = static_cast<char*>(take_from_system(batch));
        batch_end = batch_next + batch;
    }
    char* const memory = batch_next;
    batch_next += size.bytes;
    return memory;
}

void give_back(void* memory, std::size_t size) noexcept {
    if (memory == nullptr) return;
    if (size > largest_kept) return std::free(memory);
    const std::size_t index = rounded(size).index;
    kept[index] = new (memory) Piece{kept[index]};
}

}  // namespace

#pragma GCC diagnostic ignored "-Wsized-deallocation"
void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void operator delete(void* memory, std::size_t size) noexcept { give_back(memory, size); }
void operator delete[](void* memory, std::size_t size) noexcept { give_back(memory, size); }

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
