// Wide values: what stands in an event for a value of more than eight bytes.
//
// An event has room for eight bytes, and explorers take two values for equal if these are. So a wide value is
// given a number when it is first seen, in whatever execution, and keeps it for good: two values have the
// same number iff they have the same size and the same bytes, which are kept and compared. A digest would not
// do: programs can be made, or generated, whose values collide, and an execution would be missed.
//
// What is kept is limited. A value that is new when the room is used up is *unknown* (graph/event.h): it is
// named by a digest, so that one can tell whether an execution repeats itself, but nobody takes it for equal
// to another one; explorers tell it apart by where it comes from.
//
// The table is shared with the children of isolate=fork. People are shown the digest (docs/protocol.md),
// which is the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace norn::native {

// Reserves the room, for so many bytes of values (0: as many as usual). `shared`: with forked children.
void map_wide_values(bool shared, std::size_t bytes);

// The number of the value of these bytes.
std::uint64_t wide_value(std::uintptr_t address, std::size_t size);

// The same of what a compare-exchange compares with, which must be known. (What it finds need not be: an
// unknown value differs from every known one.)
std::uint64_t expected_wide_value(const void* bytes, std::size_t size);

// The bytes of a value, by its number, for models that keep their state as such values.
std::span<const unsigned char> bytes_of_wide_value(std::uint64_t number);

// What people are shown of an event's value.
std::uint64_t shown_value(std::uint64_t value, std::size_t size);

// A digest of memory.
std::uint64_t digest_of(std::uintptr_t address, std::size_t size);

}  // namespace norn::native
