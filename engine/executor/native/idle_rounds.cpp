#include "executor/native/idle_rounds.h"

#include <cerrno>

#include "executor/native/scheduler.h"
#include "executor/native/shadow.h"
#include "executor/native/snapshot.h"
#include "executor/native/virtual_time.h"

namespace norn::native {

namespace {

constexpr std::size_t bits = 64;
constexpr std::size_t slots = World::site_slots;

std::size_t first_slot(std::uint32_t site) { return site * 0x9E37'79B9U >> 22; }

bool is_idle_site(std::uint32_t site) {
    const World& w = world();
    for (std::size_t slot = first_slot(site); w.idle_sites[slot] != 0; slot = (slot + 1) % slots)
        if (w.idle_sites[slot] == site) return true;
    return false;
}

void learn_idle_site(std::uint32_t site) {
    World& w = world();
    if (w.known_idle_sites >= slots / 2 || is_idle_site(site)) return;
    std::size_t slot = first_slot(site);
    while (w.idle_sites[slot] != 0) slot = (slot + 1) % slots;
    w.idle_sites[slot] = site;
    ++w.known_idle_sites;
}

bool has_bit(const std::uint64_t* set, LocationId location) {
    return (set[location / bits] >> location % bits & 1) != 0;
}
void set_bit(std::uint64_t* set, LocationId location) {
    set[location / bits] |= std::uint64_t{1} << location % bits;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t part) {
    hash = (hash ^ part) * 0x9E37'79B9'7F4A'7C15U;
    return hash ^ hash >> 32;
}

// All that decides what the thread does next, but for memory and for what `spoil_round` is told of. 0: it is
// not known, since the thread did not come here by an entry that captures registers. `in_time`: times count
// by how far away they are.
std::uint64_t state_of(const Thread& me, bool in_time = false) {
    const World& w = world();
    const std::uintptr_t low = w.registers.stack_pointer;
    const std::uintptr_t top = stack_top_of(me.id);
    constexpr std::size_t most = std::size_t{1} << 20;  // of a stack that is looked at
    if (!in_stack_of(me.id, low) || top - low > most || low % sizeof low != 0) return 0;
    // What was captured may be of an earlier call; and a second event of a call depends on what the first
    // found.
    if (w.registers.site != me.next.site) return 0;

    const auto digest = [&](std::uintptr_t address, std::size_t size) {
        return in_time ? digest_with_times(me, address, size) : digest_of(address, size);
    };
    std::uint64_t hash = digest(low, top - low);
    const auto registers = reinterpret_cast<std::uintptr_t>(w.registers.preserved);
    hash = mix(hash, digest(registers, sizeof w.registers.preserved));
    for (const std::uint64_t value :
         {std::uint64_t{static_cast<unsigned>(errno)}, std::uint64_t{me.children},
          std::uint64_t{me.nondet_calls}, std::uint64_t{me.section_depth}, std::uint64_t{me.random},
          std::uint64_t{me.arena_top}, std::uint64_t{me.last_block}, std::uint64_t{me.cancel_disabled},
          me.signal_mask, reinterpret_cast<std::uint64_t>(me.cleanup),
          reinterpret_cast<std::uint64_t>(me.robust_held), me.next.address, me.next.expected, me.next.after})
        hash = mix(hash, value);
    return hash | 1;
}

// Of the memory that only this thread may have written, beside its stack. Code without hooks (a library,
// inline assembly) can change it unseen. To look at all of it takes long, so it is done until the code site
// is known.
std::uint64_t digest_unseen(const Thread& me) {
    constexpr std::size_t most = std::size_t{16} << 20;
    const Cell own = me.id + 1U;
    std::uint64_t hash = 1;
    const auto add = [&](std::uintptr_t begin, std::uintptr_t end, bool only_own = false) {
        if (end - begin > most) end = begin + most;
        for (std::uintptr_t at = (begin + 3) & ~std::uintptr_t{3}; at + 4 <= end; at += 4) {
            const Cell cell = *cell_of(at) & ~heap_bits;
            if (cell == own || (cell == 0 && !only_own)) hash = mix(hash, value_at(at, 4));
        }
    };
    for (const Piece& piece : program_data()) {
        const auto begin = reinterpret_cast<std::uintptr_t>(piece.start);
        add(begin, begin + piece.size);
    }
    add(arena_of(me.id), me.arena_top);
    add(stack_top_of(me.id), tls_area_of(me.id) + tls_size,
        true);  // libc has its own there
    return hash | 1;
}

// Operations that take or give back an object that threads may wait for: what they do is to add something to
// the object's word.
bool takes(Operation operation) {
    switch (operation) {
        case Operation::lock:
        case Operation::wait:
        case Operation::sem_wait:
        case Operation::rwlock_read:
        case Operation::rwlock_write: return true;
        default: return only_tries(operation);
    }
}
bool gives(Operation operation) {
    switch (operation) {
        case Operation::unlock:
        case Operation::wait_end:
        case Operation::sem_post:
        case Operation::rwlock_unlock: return true;
        default: return false;
    }
}

// A wait that somebody has ended: that changed the queue.
bool ends_by_signal(const Event& event) {
    return event.operation == Operation::wake_lock || event.operation == Operation::barrier_wake ||
           (event.operation == Operation::wait_end && event.after == event.before);
}

enum class Account : std::uint8_t { idle, changed, gave_first };

// What the last event means for the round. What is taken in it is given back before its end, and never the
// other way round: others may need that it is given, and then the round is not for nothing.
Account keep_account(Rounds& rounds, const Event& event) {
    if (ends_by_signal(event)) return Account::changed;
    if (!takes(event.operation) && !gives(event.operation)) {
        if (event.location == no_location) return Account::idle;  // whoever writes memory of its own says so
        const bool is_plain = event.operation <= Operation::compare_exchange;
        return (is_plain ? event.after == event.before : !event.writes()) ? Account::idle : Account::changed;
    }
    if (!event.writes()) return Account::idle;
    std::size_t i = 0;
    while (i < rounds.changes && rounds.changed[i].address != event.address) ++i;
    if (i == Rounds::most_changed) return Account::changed;
    if (i == rounds.changes) rounds.changed[rounds.changes++] = {event.address, 0, 0, event.location};
    Rounds::Changed& changed = rounds.changed[i];
    changed.sum += event.after - event.before;
    if (takes(event.operation)) {
        ++changed.taken;
    } else if (changed.taken-- == 0) {
        return Account::gave_first;
    }
    return Account::idle;
}

bool has_given_all_back(const Rounds& rounds) {
    for (std::size_t i = 0; i < rounds.changes; ++i)
        if (rounds.changed[i].sum != 0) return false;
    return true;
}

// Whether others might have noticed what the round took for the time being.
bool is_observed(const Rounds& rounds) {
    for (std::size_t i = 0; i < rounds.changes; ++i) {
        const LocationId location = rounds.changed[i].location;
        if (location == no_location) continue;  // in a replay: only this thread uses it
        if (location >= Forecast::tracked || has_bit(world().observed, location)) return true;
    }
    return false;
}

// A look at a site is in vain if it finds another state than before, and a little if it is the first one.
constexpr std::uint16_t for_a_mismatch = 16;

// For how many hits in a row a site is suspected, that was watched for nothing before.
std::uint32_t hits_needed(std::uint32_t site) {
    const std::uint16_t in_vain = world().in_vain[first_slot(site)] / for_a_mismatch;
    return in_vain < 32 ? 1 : in_vain < 64 ? 64 : 4096;
}

// What is known of the thread in this execution.
Rounds& rounds_of(const Thread& me) {
    const World& w = world();
    Rounds& rounds = world().rounds[me.id];
    if (rounds.execution != w.executions) {
        rounds.execution = w.executions;
        rounds.mark_site = rounds.mark_age = rounds.mark_limit = 0;
        rounds.alone = {};
    }
    return rounds;
}

// The thread waits for a change of what it has looked at since an event. True: that is new.
bool note_awaited(const Thread& me, std::uint32_t since) {
    World& w = world();
    bool is_new = false;
    for (std::uint32_t n = since; n < w.count; ++n) {
        const Event& event = w.events[n];
        if (event.thread != me.id || event.location == no_location) continue;
        if (event.location >= Forecast::tracked) {
            is_new = is_new || !w.awaits_others;
            w.awaits = w.awaits_others = true;
        } else if (!has_bit(w.awaited, event.location)) {
            is_new = true;
            w.awaits = true;
            set_bit(w.awaited, event.location);
        }
    }
    return is_new;
}

// A round that begins where the thread holds something is never idle: the next event after it has given that
// back may be where one begins that is.
void suspect_next(Thread& me) {
    Rounds& rounds = world().rounds[me.id];
    rounds.mark_site = 0;
    rounds.mark_age = rounds.mark_limit;
    rounds.mark_hits = 1;
    me.suspect_site = hits_needed(me.next.site) == 1 ? me.next.site : 0;
}

[[noreturn]] void stop(Thread& me, const Rounds& rounds, const Rounds::Visit& visit) {
    World& w = world();
    for (std::size_t i = 0; i < rounds.changes; ++i)
        if (rounds.changed[i].location < Forecast::tracked) set_bit(w.trusted, rounds.changed[i].location);
    if (w.mode == Mode::explore && !is_idle_site(visit.site)) {
        learn_idle_site(visit.site);
        start_learning();
    }
    if (w.mode == Mode::explore && note_awaited(me, visit.first_event)) start_learning();
    me.round_begin = visit.first_event;
    me.round_end = w.count;
    me.state = State::looping;
    me.parked = true;  // its stack can be walked, and `next` tells what it would do
    leave();
}

}  // namespace

void look_for_idle_round(Thread& me) {
    World& w = world();
    Rounds& rounds = w.rounds[me.id];
    if ((w.known_idle_sites | me.suspect_site | me.visits) == 0) return;
    if (w.mode == Mode::replay && !w.schedule_is_used_up) return;
    if (me.visits != 0 && me.last_event != no_event) {
        const Account account = keep_account(rounds, w.events[me.last_event]);
        if (account != Account::idle) spoil_round(me);
        if (account == Account::gave_first) suspect_next(me);
    }
    me.last_event = no_event;
    const std::uint32_t site = me.next.site;
    if (site == 0 || me.takes_hidden_step || (me.next.location == no_location && !w.schedule_is_used_up))
        return;
    if (site != me.suspect_site && !is_idle_site(site)) return;
    const std::uint64_t state = state_of(me);
    if (state == 0) return;

    // What it took since the first visit and has not given back, it may have taken since any of them.
    if (me.visits != 0 && !has_given_all_back(rounds)) return;
    const std::uint64_t state_in_time = has_seen_days(me) ? state_of(me, true) : 0;
    for (std::size_t i = 0; i < me.visits; ++i) {
        Rounds::Visit& visit = rounds.visit[i];
        const bool is_same =
            visit.state == state || (state_in_time != 0 && visit.state_in_time == state_in_time);
        // If it has looked at the clock since then, days must have passed: or a deadline may still come.
        if (visit.site != site || !is_same || visit.looks != me.looks || is_observed(rounds)) continue;
        if (is_idle_site(site)) stop(me, rounds, visit);
        // Before a site becomes known, one more round shows whether other memory stays as it is.
        const std::uint64_t unseen = digest_unseen(me);
        if (visit.unseen == unseen) stop(me, rounds, visit);
        visit.unseen = unseen;
        return;
    }
    if (site == me.suspect_site) {
        std::uint16_t& in_vain = w.in_vain[first_slot(site)];
        // (That it comes for the first time with something else on its stack than ever after means nothing,
        // nor that its clock shows another part of a second.)
        const bool is_mismatch = me.visits > 1 && rounds.visit[me.visits - 1].looks == me.looks;
        if (in_vain < UINT16_MAX - for_a_mismatch) in_vain += is_mismatch ? for_a_mismatch : 1;
        if (rounds.mark_hits < hits_needed(site)) me.suspect_site = 0;
    }
    if (me.visits == 0) rounds.changes = 0;
    if (me.visits == Rounds::most_visits) {
        for (std::size_t i = 1; i < Rounds::most_visits; ++i) rounds.visit[i - 1] = rounds.visit[i];
        --me.visits;
    }
    rounds.visit[me.visits++] = {site, w.count, state, state_in_time, 0, me.looks};
    w.current_tag = no_tag;  // all accesses of a watched thread are looked at
}

bool is_in_private_round(Thread& me) {
    const World& w = world();
    const std::uint64_t state = w.recognises_loops ? state_of(me) : 0;
    if (state == 0) return false;
    const Rounds::Visit now{me.next.site, w.count, state, 0, digest_unseen(me), 0};
    Rounds::Visit& last = rounds_of(me).alone;
    const bool is_same = last.site == now.site && last.state == now.state && last.unseen == now.unseen;
    last = now;
    return is_same;
}

void suspect_loop(Thread& me, const Event& event) {
    World& w = world();
    if (event.site == 0 || !w.recognises_loops) return;
    Rounds& rounds = rounds_of(me);
    if (event.site == rounds.mark_site && event.address == rounds.mark_address &&
        event.before == rounds.mark_value) {
        if (++rounds.mark_hits < hits_needed(event.site)) return;
        me.suspect_site = event.site;
        w.watched_from = 0;
        return;
    }
    if (++rounds.mark_age <= rounds.mark_limit) return;
    rounds.mark_site = event.site;
    rounds.mark_address = event.address;
    rounds.mark_value = event.before;
    rounds.mark_hits = 0;
    rounds.mark_age = 0;
    rounds.mark_limit = 2 * rounds.mark_limit + 1;
}

void note_observed(LocationId location) {
    World& w = world();
    if (location >= Forecast::tracked || has_bit(w.observed, location)) return;
    set_bit(w.observed, location);
    if (has_bit(w.trusted, location)) start_learning();
}

bool loops_find_nothing_new() {
    const World& w = world();
    for (std::size_t i = 0; i < w.threads; ++i) {
        const Thread& thread = w.thread[i];
        if (thread.state != State::looping) continue;
        for (std::uint32_t n = thread.round_begin; n < thread.round_end; ++n) {
            const Event& event = w.events[n];
            if (event.thread != thread.id || in_stack_of(thread.id, event.address)) continue;
            // What it gives back it has taken before; how many wait beside it in a queue makes no difference.
            if (gives(event.operation) || event.operation == Operation::wait) continue;
            if (event.reads() && value_at(event.address, event.size) != event.before) return false;
        }
    }
    return true;
}

}  // namespace norn::native
