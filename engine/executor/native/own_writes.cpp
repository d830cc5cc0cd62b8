#include "executor/native/own_writes.h"

#include "executor/native/idle_rounds.h"
#include "executor/native/layout.h"
#include "executor/native/state_digest.h"

namespace norn::native {

namespace {

constexpr std::size_t most_bytes = 4096;   // of one write
constexpr std::uint32_t most_writes = 64;  // from one visit to the next

// A secret number for an address: a bijection of 64-bit numbers with keys in it, cut to the field.
std::uint64_t factor_of(std::uintptr_t address, std::uint64_t key) {
    std::uint64_t x = address ^ key;
    x = (x ^ x >> 30) * 0xBF58'476D'1CE4'E5B9U + key;
    x = (x ^ x >> 27) * 0x94D0'49BB'1331'11EBU;
    return reduce(x ^ x >> 31);
}

// The words that the range touches, each times its factor.
Digest weigh(std::uintptr_t address, std::size_t size) {
    const World& w = world();
    Digest sum{};
    for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + size; at += 4) {
        const std::uint32_t word = *reinterpret_cast<const std::uint32_t*>(at);
        sum.first = reduce(sum.first + multiply(word, factor_of(at, w.digest_keys[2])));
        sum.second = reduce(sum.second + multiply(word, factor_of(at, w.digest_keys[3])));
    }
    return sum;
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return reduce(a + digest_prime - b); }

void close_write(Rounds& rounds) {
    if (rounds.open_size == 0) return;
    const Digest now = weigh(rounds.open_write, rounds.open_size);
    const Digest& before = rounds.before_open_write;
    rounds.own_memory.first = reduce(rounds.own_memory.first + difference(now.first, before.first));
    rounds.own_memory.second = reduce(rounds.own_memory.second + difference(now.second, before.second));
    rounds.open_size = 0;
}

}  // namespace

void begin_sum_of_own_writes(const Thread& me) {
    Rounds& rounds = world().rounds[me.id];
    rounds.own_memory = {};
    rounds.open_size = 0;
    rounds.own_writes = 0;
}

void note_own_write_of_watched(Thread& me, std::uintptr_t address, std::size_t size) {
    Rounds& rounds = world().rounds[me.id];
    if (in_stack_of(me.id, address)) return;  // which is part of the state anyway
    if (size > most_bytes || ++rounds.own_writes > most_writes) return spoil_round(me);
    close_write(rounds);
    rounds.open_write = address;
    rounds.open_size = size;
    rounds.before_open_write = weigh(address, size);
}

Digest sum_of_own_writes(const Thread& me) {
    Rounds& rounds = world().rounds[me.id];
    close_write(rounds);
    return rounds.own_memory;
}

}  // namespace norn::native
