// Digests that stand for states of a thread.
//
// Two states whose digests are equal are taken for equal, and a thread may be stopped for that reason
// (idle_rounds.h). A program must not be able to make two that collide, so digests depend on keys that are
// drawn anew for every run and that the program does not know. A digest is the value of the polynomial whose
// coefficients are the halves of the words, at two secret places modulo 2^61 - 1: two different sequences of
// n words agree at both with a probability of less than (2n / 2^61)^2.
#pragma once

#include <cstdint>

#include "executor/native/world.h"

namespace norn::native {

inline constexpr std::uint64_t digest_prime = (std::uint64_t{1} << 61) - 1;

// Modulo the prime, but for a multiple of it: less than 2^61 + 8.
inline std::uint64_t fold(std::uint64_t a) { return (a & digest_prime) + (a >> 61); }
// The same, of a product of two numbers below 2^62.
inline std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    __extension__ using Product = unsigned __int128;
    const Product product = static_cast<Product>(a) * b;
    return fold((static_cast<std::uint64_t>(product) & digest_prime) +
                static_cast<std::uint64_t>(product >> 61));
}
inline std::uint64_t reduce(std::uint64_t a) {
    a = fold(a);
    return a >= digest_prime ? a - digest_prime : a;
}

// Draws the keys, once in a run.
void draw_digest_keys();

class DigestBuilder {
public:
    void add(std::uint64_t word) {
        add_half(word & UINT32_MAX);
        add_half(word >> 32);
    }
    [[nodiscard]] Digest digest() const { return {reduce(first_) + 1, reduce(second_)}; }

private:
    void add_half(std::uint64_t half) {
        first_ = multiply(first_ + half, first_key_);
        second_ = multiply(second_ + half, second_key_);
    }

    std::uint64_t first_key_ = world().digest_keys[0];
    std::uint64_t second_key_ = world().digest_keys[1];
    std::uint64_t first_ = 1;
    std::uint64_t second_ = 1;
};

}  // namespace norn::native
