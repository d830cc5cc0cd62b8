// __VERIFIER_nondet_*(): values that the program leaves open.
//
// norn runs machine code and cannot take all values at once. By the option `nondet` a call gives one of
// a list of values, each of which is explored as with norn_choose, or one that depends on a seed, the thread
// and how many it has had: not on the interleaving. Unless the list has every value of the type, World
// notes that others were possible: what was explored is then not all there is.
#include "executor/native/nondet.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "executor/native/access.h"
#include "executor/native/faults.h"
#include "executor/native/scheduler.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

// The values to choose from, for each width of a type: those that it does not tell apart are one.
struct Choices {
    unsigned bits;
    std::vector<std::uint64_t> values;
};
Choices choices[] = {{1, {}}, {8, {}}, {16, {}}, {32, {}}, {64, {}}};
bool random_values = false;
std::uint64_t seed = 0;

std::uint64_t as_wide(std::uint64_t value, unsigned bits) {
    if (bits == 1) return value != 0 ? 1 : 0;
    return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

void add(Choices& to, std::uint64_t value) {
    const std::uint64_t own = as_wide(value, to.bits);
    for (const std::uint64_t known : to.values)
        if (known == own) return;
    to.values.push_back(own);
}

std::uint64_t scrambled(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58'476D'1CE4'E5B9U;
    value = (value ^ (value >> 27)) * 0x94D0'49BB'1331'11EBU;
    return value ^ (value >> 31);
}

// Half of them are small: a program does more with those.
std::uint64_t random_value(Thread& me) {
    const std::uint64_t place = (std::uint64_t{me.id} << 32) + ++me.nondet_calls;
    const std::uint64_t value = scrambled(seed + place * 0x9E37'79B9'7F4A'7C15U);
    return (value >> 63) != 0 ? value & 15 : scrambled(value);
}

std::uint64_t choose(unsigned bits, std::uintptr_t site) {
    const Choices* own = choices;
    while (own->bits < bits) ++own;
    if (!enter()) return random_values ? 0 : own->values[0];
    World& w = world();
    if (random_values) {
        w.nondet_limited = true;
        return as_wide(random_value(*w.current), bits);
    }
    const std::size_t count = own->values.size();
    if (bits > 16 || count < (std::size_t{1} << bits)) w.nondet_limited = true;
    if (count == 1) return own->values[0];
    announce(Operation::choose, Access::none, 0, 0, no_location, site).alternatives =
        static_cast<std::uint16_t>(count);
    return own->values[perform().choice];
}

template <typename T>
T give(std::uintptr_t site) {
    return static_cast<T>(choose(sizeof(T) * 8, site));
}
template <>
bool give<bool>(std::uintptr_t site) {
    return choose(1, site) != 0;
}
// A list is of whole numbers; seen as signed, so that small negative ones are what they look like.
template <>
float give<float>(std::uintptr_t site) {
    return static_cast<float>(static_cast<std::int64_t>(choose(64, site)));
}
template <>
double give<double>(std::uintptr_t site) {
    return static_cast<double>(static_cast<std::int64_t>(choose(64, site)));
}

}  // namespace

void set_nondet(const char* values) {
    constexpr const char* random_prefix = "random:";
    for (Choices& each : choices) each.values.clear();
    if (std::strncmp(values, random_prefix, std::strlen(random_prefix)) == 0) {
        random_values = true;
        seed = std::strtoull(values + std::strlen(random_prefix), nullptr, 10);
        return;
    }
    while (*values != '\0') {
        char* end = nullptr;
        const auto value = static_cast<std::uint64_t>(std::strtoll(values, &end, 10));
        for (Choices& each : choices) add(each, value);
        values = *end == '\0' ? end : end + 1;
    }
}

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

#define NONDET(name, T) \
    T __VERIFIER_nondet##name() { return give<T>(SITE); }

extern "C" {
NONDET(, int)
NONDET(_bool, bool)
NONDET(__Bool, bool)
NONDET(_char, char)
NONDET(_schar, signed char)
NONDET(_uchar, unsigned char)
NONDET(_unsigned_char, unsigned char)
NONDET(_short, short)
NONDET(_ushort, unsigned short)
NONDET(_int, int)
NONDET(_uint, unsigned)
NONDET(_unsigned, unsigned)
NONDET(_unsigned_int, unsigned)
NONDET(_long, long)
NONDET(_ulong, unsigned long)
NONDET(_unsigned_long, unsigned long)
NONDET(_longlong, long long)
NONDET(_ulonglong, unsigned long long)
NONDET(_S8, std::int8_t)
NONDET(_s8, std::int8_t)
NONDET(_u8, std::uint8_t)
NONDET(_U8, std::uint8_t)
NONDET(_s16, std::int16_t)
NONDET(_u16, std::uint16_t)
NONDET(_U16, std::uint16_t)
NONDET(_s32, std::int32_t)
NONDET(_u32, std::uint32_t)
NONDET(_U32, std::uint32_t)
NONDET(_s64, std::int64_t)
NONDET(_u64, std::uint64_t)
NONDET(_U64, std::uint64_t)
NONDET(_int8_t, std::int8_t)
NONDET(_uint8_t, std::uint8_t)
NONDET(_int16_t, std::int16_t)
NONDET(_uint16_t, std::uint16_t)
NONDET(_int32_t, std::int32_t)
NONDET(_uint32_t, std::uint32_t)
NONDET(_int64_t, std::int64_t)
NONDET(_uint64_t, std::uint64_t)
NONDET(_size_t, std::size_t)
NONDET(_ssize_t, std::int64_t)
NONDET(_loff_t, std::int64_t)
NONDET(_off_t, std::int64_t)
NONDET(_sector_t, std::uint64_t)
NONDET(_pthread_t, unsigned long)
NONDET(_time_t, std::int64_t)
NONDET(_float, float)
NONDET(_double, double)

int128 __VERIFIER_nondet_int128() { return give<std::int64_t>(SITE); }
uint128 __VERIFIER_nondet_uint128() { return give<std::uint64_t>(SITE); }
void* __VERIFIER_nondet_pointer() { return reinterpret_cast<void*>(give<std::uintptr_t>(SITE)); }
char* __VERIFIER_nondet_pchar() { return reinterpret_cast<char*>(give<std::uintptr_t>(SITE)); }

// Fills memory with one byte again and again: never all that is possible.
void __VERIFIER_nondet_memory(void* memory, std::size_t size) {
    const auto byte = give<unsigned char>(SITE);
    world().nondet_limited = world().running || world().nondet_limited;
    range_access(memory, size, Operation::store, SITE);
    std::memset(memory, byte, size);
}
}

}  // namespace norn::native
