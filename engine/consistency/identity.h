// Identity: names something that is too large to be kept and compared.
#pragma once

#include <cstdint>

namespace norn {

// 128 bits that no two different things share (but by an accident that never happens). Made from other
// identities and numbers, in their order.
struct Identity {
    std::uint64_t a = 0x243F'6A88'85A3'08D3U;
    std::uint64_t b = 0x1319'8A2E'0370'7344U;

    void mix(std::uint64_t x, std::uint64_t y) {
        a = (a ^ x) * 0x9E37'79B9'7F4A'7C15U;
        b = (b ^ y) * 0xC2B2'AE3D'27D4'EB4FU;
        a ^= a >> 32;
        b ^= b >> 29;
    }
    void mix(std::uint64_t number) { mix(number, number); }
    void mix(const Identity& other) { mix(other.a, other.b); }

    bool operator==(const Identity&) const = default;
};

}  // namespace norn
