#include "executor/native/thread_state.h"

#include <cerrno>
#include <span>

#include "executor/native/scheduler.h"
#include "executor/native/shadow.h"
#include "executor/native/signal_words.h"
#include "executor/native/snapshot.h"
#include "executor/native/state_digest.h"
#include "executor/native/unseen_writes.h"
#include "executor/native/virtual_time.h"

namespace norn::native {

namespace {

constexpr std::size_t most_of_stack = std::size_t{1} << 20;
constexpr std::size_t most_of_piece = std::size_t{16} << 20;

bool is_captured(const Thread& me) {
    const World& w = world();
    const std::uintptr_t low = w.registers.stack_pointer;
    if (!in_stack_of(me.id, low) || stack_top_of(me.id) - low > most_of_stack || low % 8 != 0) return false;
    // What was captured may be of an earlier call; and a second event of a call depends on what the first
    // found.
    return w.registers.site == me.next.site;
}

void add_kept(DigestBuilder& digest, const Thread& me) {
    for (const std::uint64_t value :
         {std::uint64_t{static_cast<unsigned>(errno)}, std::uint64_t{me.children},
          std::uint64_t{me.nondet_calls}, std::uint64_t{me.section_depth}, std::uint64_t{me.random},
          std::uint64_t{me.arena_top}, std::uint64_t{me.last_block}, std::uint64_t{me.cancel_disabled},
          blocked_by(me), reinterpret_cast<std::uint64_t>(me.cleanup),
          reinterpret_cast<std::uint64_t>(me.robust_held), me.next.address, me.next.expected, me.next.after})
        digest.add(value);
}

// What is added for the words of registers and stack, lowest first.
template <typename Add>
void for_each_word(const Thread& me, Add add) {
    const Registers& registers = world().registers;
    for (const std::uintptr_t value : registers.preserved) add(value);
    const std::uintptr_t top = stack_top_of(me.id);
    for (std::uintptr_t at = registers.stack_pointer; at < top; at += 8) add(known_word(at));
}

}  // namespace

Digest state_of(const Thread& me) {
    if (!is_captured(me)) return {};
    DigestBuilder digest;
    digest.add(world().registers.stack_pointer);
    for_each_word(me, [&](std::uint64_t word) { digest.add(word); });
    add_kept(digest, me);
    return digest.digest();
}

Digest state_in_time_of(const Thread& me) {
    if (!is_captured(me)) return {};
    const RelativeTimes times(me);
    DigestBuilder digest;
    digest.add(world().registers.stack_pointer);
    bool has_word = false;
    std::uint64_t word = 0;
    // Each word is added when the one after it is known, since both may be one time.
    const auto add = [&](std::uint64_t next) {
        if (has_word) {
            const RelativeTimes::Part part = times.part_of(word, next);
            digest.add(part.value);
            has_word = !part.is_pair;
        } else {
            has_word = true;
        }
        word = next;
    };
    for_each_word(me, add);
    add(UINT64_MAX);
    add_kept(digest, me);
    return digest.digest();
}

Digest digest_of_unhooked(const Thread& me) {
    const Cell own = me.id + 1U;
    DigestBuilder digest;
    const auto add = [&](std::uintptr_t begin, std::uintptr_t end, bool only_own = false) {
        if (end - begin > most_of_piece) end = begin + most_of_piece;
        for (std::uintptr_t at = (begin + 3) & ~std::uintptr_t{3}; at + 4 <= end; at += 4) {
            const Cell cell = *cell_of(at) & ~heap_bits;
            if (cell == own || (cell == 0 && !only_own)) digest.add(value_at(at, 4));
        }
    };
    for (const Piece& piece : program_data()) {
        const auto begin = reinterpret_cast<std::uintptr_t>(piece.start);
        add(begin, begin + piece.size);
    }
    add(arena_of(me.id), me.arena_top);
    add(stack_top_of(me.id), tls_area_of(me.id) + tls_size, true);  // libc has its own there
    return digest.digest();
}

}  // namespace norn::native
