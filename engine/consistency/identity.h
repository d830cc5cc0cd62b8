// Identity: names something that is too large to be kept and compared.
//
// Used for states of searches only: frontiers, sources, alternatives, positions of events, all of them small
// numbers that norn gives out; never to take values of the program for equal (executor/native/wide_values.h
// does that). Where `reads-value-from` names classes by values, it is to count each once, and decides
// nothing. The key is drawn at random for each run, so that no program can be made whose states collide.
// Results do not depend on it: identities are only asked whether they are equal.
#pragma once

#include <cstdint>

namespace norn {

struct IdentityKey {
    std::uint64_t a;
    std::uint64_t b;
};
extern const IdentityKey identity_key;

// 128 bits that no two different things share (but by an accident that never happens). Made from other
// identities and numbers, in their order.
struct Identity {
    std::uint64_t a = identity_key.a;
    std::uint64_t b = identity_key.b;

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
