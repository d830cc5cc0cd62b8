#include "executor/native/idle_rounds.h"

#include <cerrno>

#include "executor/native/scheduler.h"
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
// not known, since the thread did not come here by an entry that captures registers.
std::uint64_t state_of(const Thread& me) {
    const World& w = world();
    const std::uintptr_t low = w.registers.stack_pointer;
    const std::uintptr_t top = stack_top_of(me.id);
    constexpr std::size_t most = std::size_t{1} << 20;  // of a stack that is looked at
    if (!in_stack_of(me.id, low) || top - low > most || low % sizeof low != 0) return 0;
    // Hooks for plain accesses have a frame of their own between.
    constexpr std::size_t words_of_hook = 4;
    const auto* const words = reinterpret_cast<const std::uintptr_t*>(low);
    std::size_t place = 0;
    while (place < words_of_hook && words[place] != me.next.site) ++place;
    if (place == words_of_hook) return 0;

    std::uint64_t hash = digest_with_times(me, low, top - low);
    const auto registers = reinterpret_cast<std::uintptr_t>(w.registers.preserved);
    hash = mix(hash, digest_with_times(me, registers, sizeof w.registers.preserved));
    for (const std::uint64_t value :
         {std::uint64_t{static_cast<unsigned>(errno)}, std::uint64_t{me.children},
          std::uint64_t{me.nondet_calls}, std::uint64_t{me.section_depth}, std::uint64_t{me.random},
          std::uint64_t{me.arena_top}, std::uint64_t{me.last_block}, std::uint64_t{me.cancel_disabled},
          me.signal_mask, reinterpret_cast<std::uint64_t>(me.cleanup),
          reinterpret_cast<std::uint64_t>(me.robust_held), me.next.address, me.next.expected})
        hash = mix(hash, value);
    return hash | 1;
}

// Whether the operation takes or gives back an object that threads may wait for: what it does is to add
// something to the object's word.
bool takes_or_gives(Operation operation) {
    switch (operation) {
        case Operation::lock:
        case Operation::unlock:
        case Operation::wait:
        case Operation::wait_end:
        case Operation::wake_lock:
        case Operation::sem_wait:
        case Operation::sem_post:
        case Operation::rwlock_read:
        case Operation::rwlock_write:
        case Operation::rwlock_unlock: return true;
        default: return only_tries(operation);
    }
}

// False: there are too many.
bool add_change(Rounds& rounds, std::uint64_t address, LocationId location, std::uint64_t difference) {
    std::size_t i = 0;
    while (i < rounds.changes && rounds.changed[i].address != address) ++i;
    if (i == Rounds::most) return false;
    if (i == rounds.changes) rounds.changed[rounds.changes++] = {address, 0, location};
    rounds.changed[i].sum += difference;
    return true;
}

// False: the round cannot be idle any more.
bool keep_account(Rounds& rounds, const Event& event) {
    if (event.location == no_location) return true;  // whoever writes memory of its own says so
    if (!takes_or_gives(event.operation)) {
        const bool is_plain = event.operation <= Operation::compare_exchange;
        return is_plain ? event.after == event.before : !event.writes();
    }
    return add_change(rounds, event.address, event.location, event.after - event.before);
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
        if (location == no_location) continue;  // nobody else uses it
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

[[noreturn]] void stop(Thread& me, const Rounds& rounds, const Rounds::Visit& visit) {
    World& w = world();
    for (std::size_t i = 0; i < rounds.changes; ++i)
        if (rounds.changed[i].location != no_location) set_bit(w.trusted, rounds.changed[i].location);
    if (w.mode == Mode::explore && !is_idle_site(visit.site)) {
        learn_idle_site(visit.site);
        w.learning = true;
    }
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
    if (me.visits != 0 && me.last_event != no_event && !keep_account(rounds, w.events[me.last_event]))
        spoil_round(me);
    me.last_event = no_event;
    const std::uint32_t site = me.next.site;
    if (site == 0 || (me.next.location == no_location && !w.schedule_is_used_up)) return;
    if (site != me.suspect_site && !is_idle_site(site)) return;
    const std::uint64_t state = state_of(me);
    if (state == 0) return;

    // What it took since the first visit and has not given back, it may have taken since any of them.
    if (me.visits != 0 && !has_given_all_back(rounds)) return;
    for (std::size_t i = 0; i < me.visits; ++i)
        if (rounds.visit[i].site == site && rounds.visit[i].state == state && !is_observed(rounds))
            stop(me, rounds, rounds.visit[i]);
    if (site == me.suspect_site) {
        std::uint16_t& in_vain = w.in_vain[first_slot(site)];
        if (in_vain < UINT16_MAX - for_a_mismatch) in_vain += me.visits != 0 ? for_a_mismatch : 1;
        if (rounds.mark_hits < hits_needed(site)) me.suspect_site = 0;
    }
    if (me.visits == 0) rounds.changes = 0;
    if (me.visits == Rounds::most) {
        for (std::size_t i = 1; i < Rounds::most; ++i) rounds.visit[i - 1] = rounds.visit[i];
        --me.visits;
    }
    rounds.visit[me.visits++] = {site, w.count, state};
    w.current_tag = no_tag;  // all accesses of a watched thread are looked at
}

void change_own_word(Thread& me, std::uintptr_t address, std::uint64_t before, std::uint64_t after) {
    if (me.visits != 0 && !add_change(world().rounds[me.id], address, no_location, after - before))
        spoil_round(me);
}

bool is_in_private_round(Thread& me) {
    World& w = world();
    Rounds& rounds = w.rounds[me.id];
    const std::uint64_t state = w.recognises_loops ? state_of(me) : 0;
    for (std::size_t i = 0; i < me.visits && has_given_all_back(rounds); ++i)
        if (state != 0 && rounds.visit[i].site == me.next.site && rounds.visit[i].state == state) return true;
    me.visits = 0;
    rounds.changes = 0;
    if (state == 0) return false;
    rounds.visit[me.visits++] = {me.next.site, w.count, state};
    me.last_event = no_event;
    w.current_tag = no_tag;
    w.watched_from = 0;
    return false;
}

void note_for_idle_rounds(Thread& me, const Event& event) {
    World& w = world();
    me.last_event = w.count;
    me.quiet = event.writes() ? 0 : me.quiet + 1;
    const bool is_long = me.quiet > patience_reads || w.count > patience_events || w.schedule_is_used_up;
    if (!is_long || event.site == 0 || !w.recognises_loops) return;
    Rounds& rounds = w.rounds[me.id];
    if (rounds.execution != w.executions) {
        rounds.execution = w.executions;
        rounds.mark_site = rounds.mark_age = rounds.mark_limit = 0;
    }
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
    if (has_bit(w.trusted, location)) w.learning = true;
}

// Whether somebody waits for what the rounds of a thread take and give back: then it may go on.
static bool somebody_waits_for(const Event& event) {
    const World& w = world();
    for (std::size_t i = 0; i < w.threads; ++i) {
        const Thread& thread = w.thread[i];
        const bool is_waiting = thread.state == State::alive && thread.parked && thread.waiting_on == 0;
        if (is_waiting && thread.next.address == event.address) return true;
    }
    return false;
}

bool loops_find_nothing_new() {
    const World& w = world();
    for (std::size_t i = 0; i < w.threads; ++i) {
        const Thread& thread = w.thread[i];
        if (thread.state != State::looping) continue;
        for (std::uint32_t n = thread.round_begin; n < thread.round_end; ++n) {
            const Event& event = w.events[n];
            if (event.thread != thread.id || in_stack_of(thread.id, event.address)) continue;
            if (event.after != event.before && somebody_waits_for(event)) return false;
            if (event.reads() && value_at(event.address, event.size) != event.before) return false;
        }
    }
    return true;
}

}  // namespace norn::native
