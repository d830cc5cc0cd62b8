#include "executor/native/globals.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "executor/native/faults.h"
#include "executor/native/shadow.h"
#include "executor/native/ticks.h"

namespace norn::native {

namespace {

// One record of the section, as the build step writes it.
struct Global {
    std::uintptr_t start;
    std::uint64_t size;
    std::uint64_t zone_before;
    std::uint64_t zone_behind;

    [[nodiscard]] std::uintptr_t end() const { return start + size; }
};

}  // namespace

// Set by the linker, if there is any.
extern "C" __attribute__((weak)) const Global __start_norn_globals[];
extern "C" __attribute__((weak)) const Global __stop_norn_globals[];

namespace {

std::vector<Global> globals;  // by address

constexpr std::uintptr_t granule = 4;
std::uintptr_t rounded_down(std::uintptr_t address) { return address & ~(granule - 1); }
std::uintptr_t rounded_up(std::uintptr_t address) { return rounded_down(address + granule - 1); }

// Bytes between a variable and an address outside of it.
std::uint64_t distance(const Global& global, std::uintptr_t address) {
    return address < global.start ? global.start - address : address - global.end();
}

// The first variable that begins beyond the address.
std::vector<Global>::const_iterator next_global(std::uintptr_t address) {
    return std::upper_bound(globals.begin(), globals.end(), address,
                            [](std::uintptr_t value, const Global& global) { return value < global.start; });
}

bool is_outside(std::uintptr_t address) {
    const auto next = next_global(address);
    return next == globals.begin() || address >= std::prev(next)->end();
}

// The variable that an address in a red zone most likely is meant to be in.
const Global& nearest_global(std::uintptr_t address) {
    const auto next = next_global(address);
    if (next == globals.begin()) return *next;
    const auto previous = std::prev(next);
    if (next == globals.end() || distance(*previous, address) <= distance(*next, address)) return *previous;
    return *next;
}

}  // namespace

void mark_globals() {
    if (__start_norn_globals == nullptr) return;
    globals.assign(__start_norn_globals, __stop_norn_globals);
    std::sort(globals.begin(), globals.end(),
              [](const Global& a, const Global& b) { return a.start < b.start; });
    for (const Global& global : globals) {
        const std::uintptr_t before = rounded_up(global.start - global.zone_before);
        const std::uintptr_t front = rounded_down(global.start);
        if (before < front) poison(before, front - before);
        const std::uintptr_t behind = rounded_up(global.end());
        const std::uintptr_t after = rounded_down(global.end() + global.zone_behind);
        if (behind < after) poison(behind, after - behind);
        if (behind != global.end()) *cell_of(global.end()) |= partial_bit;
    }
}

void check_global(std::uintptr_t address, std::size_t size) {
    std::uintptr_t bad = address;
    while (bad < address + size && ((*cell_of(bad) & heap_bits) == 0 || !is_outside(bad))) ++bad;
    if (bad == address + size) return;
    note_step_in_vain();
    const Global& global = nearest_global(bad);
    const auto whole = static_cast<unsigned long>(global.size);
    const auto far = static_cast<unsigned long>(distance(global, bad));
    char text[160];
    if (bad < global.start)
        std::snprintf(text, sizeof text, "access %lu bytes before a global variable of %lu bytes", far,
                      whole);
    else if (far == 0)
        std::snprintf(text, sizeof text, "access just past the end of a global variable of %lu bytes", whole);
    else
        std::snprintf(text, sizeof text, "access %lu bytes past the end of a global variable of %lu bytes",
                      far, whole);
    fail("global-overflow", text, global.start);
}

}  // namespace norn::native
