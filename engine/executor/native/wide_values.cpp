#include "executor/native/wide_values.h"

#include <cstring>

#include "executor/native/mapping.h"
#include "graph/event.h"
#include "host/messages.h"

namespace norn::native {

namespace {

constexpr std::size_t usual_bytes = std::size_t{256} << 20;
constexpr std::uint32_t most_values = std::uint32_t{1} << 22;
constexpr std::uint32_t first_slots = 256;

struct Value {
    std::uint64_t digest;
    std::uint64_t begin;  // in `bytes`
    std::uint32_t size;
};

struct Table {
    std::size_t most_bytes;
    std::size_t bytes_used;
    std::uint32_t values;  // numbered from 1
    std::uint32_t slots;   // a power of two
    std::uint32_t* slot;   // by digest: numbers of values, or 0; at most half full
    Value* value;
    unsigned char* bytes;
};

Table* table = nullptr;

std::uint32_t& slot_for(std::uint64_t digest, const void* bytes, std::size_t size) {
    const std::uint32_t mask = table->slots - 1;
    auto at = static_cast<std::uint32_t>(digest) & mask;
    for (;; at = (at + 1) & mask) {
        const std::uint32_t number = table->slot[at];
        if (number == 0) return table->slot[at];
        const Value& value = table->value[number];
        if (value.digest == digest && value.size == size &&
            std::memcmp(table->bytes + value.begin, bytes, size) == 0)
            return table->slot[at];
    }
}

void grow() {
    std::memset(table->slot, 0, table->slots * sizeof *table->slot);
    table->slots *= 2;
    const std::uint32_t mask = table->slots - 1;
    for (std::uint32_t number = 1; number <= table->values; ++number) {
        auto at = static_cast<std::uint32_t>(table->value[number].digest) & mask;
        while (table->slot[at] != 0) at = (at + 1) & mask;
        table->slot[at] = number;
    }
}

}  // namespace

void map_wide_values(bool shared, std::size_t bytes) {
    table = static_cast<Table*>(map_anywhere(sizeof(Table), shared));
    table->slot =
        static_cast<std::uint32_t*>(map_anywhere(4 * std::size_t{most_values} * sizeof *table->slot, shared));
    table->value = static_cast<Value*>(map_anywhere((most_values + 1) * sizeof *table->value, shared));
    table->bytes = static_cast<unsigned char*>(map_anywhere(usual_bytes, shared));
    table->most_bytes = bytes != 0 && bytes < usual_bytes ? bytes : usual_bytes;
    table->slots = first_slots;
}

std::uint64_t wide_value(std::uintptr_t address, std::size_t size) {
    const std::uint64_t digest = digest_of(address, size);
    const void* const bytes = reinterpret_cast<const void*>(address);
    std::uint32_t* slot = &slot_for(digest, bytes, size);
    if (*slot != 0) return *slot;
    if (table->values == most_values || size > table->most_bytes - table->bytes_used)
        return digest | unknown_value;  // (shown with that bit, too)
    if (2 * (table->values + 1) > table->slots) {
        grow();
        slot = &slot_for(digest, bytes, size);
    }
    const std::uint32_t number = ++table->values;
    table->value[number] = {digest, table->bytes_used, static_cast<std::uint32_t>(size)};
    std::memcpy(table->bytes + table->bytes_used, bytes, size);
    table->bytes_used += size;
    *slot = number;
    return number;
}

std::uint64_t expected_wide_value(const void* bytes, std::size_t size) {
    const std::uint64_t value = wide_value(reinterpret_cast<std::uintptr_t>(bytes), size);
    if (is_unknown(value, size))
        die("the program compares and exchanges too many different values of more than 8 bytes; give it less "
            "to do");
    return value;
}

std::span<const unsigned char> bytes_of_wide_value(std::uint64_t number) {
    const Value& value = table->value[number];
    return {table->bytes + value.begin, value.size};
}

std::uint64_t shown_value(std::uint64_t value, std::size_t size) {
    const bool is_number = size > largest_value && !is_unknown(value, size) && value <= table->values;
    return is_number ? table->value[value].digest : value;
}

// Each block of eight bytes is mixed in by a function that can be inverted.
std::uint64_t digest_of(std::uintptr_t address, std::size_t size) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(address);
    std::uint64_t digest = size;
    for (std::size_t i = 0; i < size; i += sizeof digest) {
        std::uint64_t block = 0;
        std::memcpy(&block, bytes + i, size - i < sizeof block ? size - i : sizeof block);
        digest = (digest ^ block) + 0x9E37'79B9'7F4A'7C15U;
        digest = (digest ^ (digest >> 30)) * 0xBF58'476D'1CE4'E5B9U;
        digest = (digest ^ (digest >> 27)) * 0x94D0'49BB'1331'11EBU;
        digest ^= digest >> 31;
    }
    return digest;
}

}  // namespace norn::native
