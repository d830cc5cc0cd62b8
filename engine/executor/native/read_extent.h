// Reads whose length depends on what is read: strings, and what memchr and its like look through.
//
// How such a function is right. It is one event, and the bytes that are used are those of that event: either
// the caller uses them before the next event, or it keeps a copy (KeptString). How far the event reaches must
// follow from the thread's own history, as with every event: an explorer that plans another source for a read
// takes the rest of it for granted. But where the string ends is up to other threads. So the event reaches as
// far as the string at this address ever did, in any execution (as with memory that turns out to be shared,
// this is learned, and the exploration starts over when it grows). It may thus touch more than the function
// reads, which costs executions and hides none; `Event::expected` has the bytes that were read, for data
// races.
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/native/heap.h"

namespace norn::native {

// What is looked through: bytes, or wide characters, up to and including the first that ends it.
struct Extent {
    const char* start;
    std::size_t limit = SIZE_MAX;  // in characters
    int until = -1;                // a byte that ends it, if not negative
    bool until_zero = true;        // so does a zero
    std::size_t character = 1;     // bytes of one

    // Bytes that would be read now.
    [[nodiscard]] std::size_t size_now() const;
};

// The function is about to read. Returns the bytes read as of the event.
std::size_t read_extent(const Extent& extent, std::uintptr_t site);

// A string as it was at its read event, with a zero at its end.
class KeptString {
public:
    KeptString(const char* text, std::size_t limit, std::uintptr_t site);
    [[nodiscard]] const char* text() const { return kept_.bytes(); }
    [[nodiscard]] std::size_t length() const { return length_; }

private:
    std::size_t length_;
    Scratch kept_;
};

// Memory of the image that nobody can write.
bool is_constant(const void* memory);

void map_extents(bool shared);

}  // namespace norn::native
