#include "executor/native/idle_rounds.h"

#include <algorithm>

#include "executor/native/own_writes.h"
#include "executor/native/scheduler.h"
#include "executor/native/shadow.h"
#include "executor/native/thread_state.h"
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

bool can_learn_site() { return world().known_idle_sites < slots / 2; }

bool learn_idle_site(std::uint32_t site) {
    World& w = world();
    if (site == 0 || !can_learn_site() || is_idle_site(site)) return false;
    if (w.known_idle_sites == 0) share_words_of_other_stacks();
    std::size_t slot = first_slot(site);
    while (w.idle_sites[slot] != 0) slot = (slot + 1) % slots;
    w.idle_sites[slot] = site;
    ++w.known_idle_sites;
    return true;
}

// Every event of an idle round is one where such a round may begin. All of them are learned at once: else it
// would depend on the one that was suspected first, and so on the explorer, how often a thread looks.
bool learn_idle_round(const Thread& me, const Rounds::Visit& visit) {
    const World& w = world();
    bool is_new = learn_idle_site(visit.site);
    for (std::uint32_t n = visit.first_event; n < w.count; ++n)
        if (w.events[n].thread == me.id && learn_idle_site(w.events[n].site)) is_new = true;
    return is_new;
}

bool has_bit(const std::uint64_t* set, LocationId location) {
    return (set[location / bits] >> location % bits & 1) != 0;
}
void set_bit(std::uint64_t* set, LocationId location) {
    set[location / bits] |= std::uint64_t{1} << location % bits;
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

Rounds::Balance balance_at(const Rounds::Visit& visit, std::size_t object, const Rounds& rounds) {
    // Of an object that the thread has used only since then there was nothing to note.
    return rounds.object[object].first_event >= visit.first_event ? Rounds::Balance{} : visit.balance[object];
}

template <typename Do>
void for_each_visit(Rounds& rounds, Do with) {
    for (Rounds::Track* const track : {&rounds.known, &rounds.suspected}) {
        const std::size_t latest = std::min<std::size_t>(track->visits, Rounds::Track::most_visits);
        for (std::size_t i = 0; i < latest; ++i) with(track->latest[i]);
        if (track->visits > 0) with(track->anchor);
    }
}

Rounds::Object* object_of(Rounds& rounds, const Event& event, std::uint32_t index) {
    std::size_t i = 0;
    while (i < rounds.objects && rounds.object[i].address != event.address) ++i;
    if (i == Rounds::most_objects) return nullptr;
    if (i == rounds.objects) rounds.object[rounds.objects++] = {event.address, event.location, index, 0, {}};
    rounds.object[i].last_event = index;
    return &rounds.object[i];
}

enum class Account : std::uint8_t { idle, changed, gave_first };

// What an event of the thread means for the rounds that it may be in. What is taken in a round is given back
// before its end, and never the other way round: others may need that it is given, and then the round is not
// for nothing.
Account keep_account(Rounds& rounds, std::uint32_t index) {
    const Event& event = world().events[index];
    if (ends_by_signal(event)) return Account::changed;
    if (!takes(event.operation) && !gives(event.operation)) {
        if (event.location == no_location) return Account::idle;  // see own_writes.h
        const bool is_plain = event.operation <= Operation::compare_exchange;
        return (is_plain ? event.after == event.before : !event.writes()) ? Account::idle : Account::changed;
    }
    if (!event.writes()) return Account::idle;
    Rounds::Object* const object = object_of(rounds, event, index);
    if (object == nullptr) return Account::changed;
    object->balance.sum += event.after - event.before;
    object->balance.taken += takes(event.operation) ? 1 : -1;
    bool gave_first = false;
    const auto i = static_cast<std::size_t>(object - rounds.object);
    for_each_visit(rounds, [&](Rounds::Visit& visit) {
        if (visit.is_over || object->balance.taken >= balance_at(visit, i, rounds).taken) return;
        visit.is_over = gave_first = true;
    });
    return gave_first ? Account::gave_first : Account::idle;
}

// Whether all that was taken since the visit was given back, and nobody can have noticed.
bool has_left_no_trace(const Rounds& rounds, const Rounds::Visit& visit) {
    for (std::size_t i = 0; i < rounds.objects; ++i) {
        const Rounds::Object& object = rounds.object[i];
        if (object.balance.sum != balance_at(visit, i, rounds).sum) return false;
        if (object.last_event < visit.first_event || object.location == no_location) continue;
        // (No location: in a replay, where only this thread uses it.)
        if (object.location >= Forecast::tracked || has_bit(world().observed, object.location)) return false;
    }
    return true;
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
    for (std::size_t i = 0; i < rounds.objects; ++i) {
        const Rounds::Object& object = rounds.object[i];
        if (object.last_event >= visit.first_event && object.location < Forecast::tracked)
            set_bit(w.trusted, object.location);
    }
    if (w.mode == Mode::explore) {
        const bool learns_round = learn_idle_round(me, visit);
        const bool learns_awaited = note_awaited(me, visit.first_event);
        if (learns_round || learns_awaited) start_learning();
    }
    me.round_begin = visit.first_event;
    me.round_end = w.count;
    me.state = State::looping;
    me.parked = true;  // its stack can be walked, and `next` tells what it would do
    leave();
}

bool is_same(const Rounds& rounds, const Rounds::Visit& then, const Rounds::Visit& now) {
    if (then.is_over || then.site != now.site || then.own_memory != now.own_memory) return false;
    // If it has looked at the clock since then, days must have passed: or a deadline may still come.
    if (then.looks != now.looks) return false;
    const bool is_same_in_time = now.state_in_time.is_known() && then.state_in_time == now.state_in_time;
    return (then.state == now.state || is_same_in_time) && has_left_no_trace(rounds, then);
}

// The last visit from which on nothing has changed, or null.
Rounds::Visit* find_same(const Rounds& rounds, Rounds::Track& track, const Rounds::Visit& now) {
    for (std::uint32_t n = track.visits; n-- > 0 && n + Rounds::Track::most_visits >= track.visits;) {
        Rounds::Visit& then = track.latest[n % Rounds::Track::most_visits];
        if (is_same(rounds, then, now)) return &then;
    }
    return track.visits > 0 && is_same(rounds, track.anchor, now) ? &track.anchor : nullptr;
}

// The anchor moves on at powers of two (Brent): so it is in the cycle sooner or later, for as long as that
// is.
void add(Rounds::Track& track, const Rounds::Visit& visit) {
    track.latest[track.visits % Rounds::Track::most_visits] = visit;
    ++track.visits;
    if ((track.visits & (track.visits - 1)) == 0) track.anchor = visit;
}

void begin_watch(Thread& me, Rounds& rounds) {
    if (me.visits != 0) return;
    me.visits = 1;
    rounds.known.visits = rounds.suspected.visits = 0;
    rounds.objects = 0;
    begin_sum_of_own_writes(me);
    world().current_tag = no_tag;  // all accesses of a watched thread are looked at
}

// A suspected site was looked at in vain.
void note_in_vain(Thread& me, const Rounds& rounds) {
    std::uint16_t& in_vain = world().in_vain[first_slot(me.next.site)];
    // (A state may repeat only after many turns.)
    const bool is_mismatch = rounds.suspected.visits >= Rounds::Track::most_visits;
    if (in_vain < UINT16_MAX - for_a_mismatch) in_vain += is_mismatch ? for_a_mismatch : 1;
    if (rounds.mark_hits < hits_needed(me.next.site)) me.suspect_site = 0;
}

}  // namespace

void look_for_idle_round(Thread& me) {
    World& w = world();
    Rounds& rounds = w.rounds[me.id];
    if ((w.known_idle_sites | me.suspect_site | me.visits) == 0) return;
    if (w.mode == Mode::replay && !w.schedule_is_used_up) return;
    if (me.visits != 0 && me.last_event != no_event) {
        const Account account = keep_account(rounds, me.last_event);
        if (account == Account::changed) spoil_round(me);
        if (account == Account::gave_first) suspect_next(me);
    }
    me.last_event = no_event;
    const std::uint32_t site = me.next.site;
    if (site == 0 || me.takes_hidden_step || (me.next.location == no_location && !w.schedule_is_used_up))
        return;
    const bool is_known = is_idle_site(site);
    if (site != me.suspect_site && !is_known) return;
    const Digest state = state_of(me);
    if (!state.is_known()) return;

    begin_watch(me, rounds);
    rounds.own_writes = 0;
    Rounds::Visit now{};
    now.site = site;
    now.first_event = w.count;
    now.state = state;
    if (has_seen_days(me)) now.state_in_time = state_in_time_of(me);
    now.own_memory = sum_of_own_writes(me);
    now.looks = me.looks;
    for (std::size_t i = 0; i < rounds.objects; ++i) now.balance[i] = rounds.object[i].balance;
    // Visits at known sites are apart: whether one of them comes again must not depend on suspicions.
    Rounds::Track& track = is_known ? rounds.known : rounds.suspected;
    if (Rounds::Visit* const then = find_same(rounds, track, now); then != nullptr) {
        if (is_known) stop(me, rounds, *then);
        // Before a site becomes known, one more round shows whether other memory stays as it is.
        const Digest unhooked = digest_of_unhooked(me);
        if (then->unhooked == unhooked && can_learn_site()) stop(me, rounds, *then);
        then->unhooked = unhooked;
        return;
    }
    if (!is_known) note_in_vain(me, rounds);
    add(track, now);
}

bool is_in_private_round(Thread& me) {
    const World& w = world();
    const Digest state = w.recognises_loops ? state_of(me) : Digest{};
    if (!state.is_known()) return false;
    Rounds::Visit now{};
    now.site = me.next.site;
    now.state = state;
    now.unhooked = digest_of_unhooked(me);
    Rounds::Visit& last = rounds_of(me).alone;
    const bool is_same = last.site == now.site && last.state == now.state && last.unhooked == now.unhooked;
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
            // What only this thread uses nobody else will change. (Without ticks such accesses are no
            // events.)
            if (event.thread != thread.id || !is_shared(event.address, event.size)) continue;
            // What it gives back it has taken before; how many wait beside it in a queue makes no difference.
            if (gives(event.operation) || event.operation == Operation::wait) continue;
            if (event.reads() && value_at(event.address, event.size) != event.before) return false;
        }
    }
    return true;
}

}  // namespace norn::native
