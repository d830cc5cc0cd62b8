#include "executor/native/scheduler.h"

#include <cstddef>
#include <cstring>
#include <span>

#include "executor/native/atomic_section.h"
#include "executor/native/copies.h"
#include "executor/native/coroutine.h"
#include "executor/native/faults.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/keys.h"
#include "executor/native/signal_words.h"
#include "executor/native/threads.h"
#include "executor/native/ticks.h"
#include "host/messages.h"

namespace norn::native {

namespace {

void switch_to(Thread* next) {
    World& w = world();
    Thread* const me = w.current;
    ++w.switches;
    if (next == nullptr) {
        set_thread_pointer(w.host_fs);
        norn_switch(&me->stack_pointer, w.host_stack_pointer);
        return;
    }
    w.current = next;
    w.current_tag = tag_of(*next);
    if (next->state == State::fresh) next->state = State::alive;
    set_thread_pointer(next->fs);
    norn_switch(&me->stack_pointer, next->stack_pointer);
}

bool runnable(const Thread& thread) {
    if (thread.state != State::alive) return thread.state == State::fresh;
    return thread.parked && (!thread.next.guarded || enabled(thread));
}

Thread* next_scheduled(ThreadId id) {
    World& w = world();
    if (id < w.threads && runnable(w.thread[id])) return &w.thread[id];
    if (w.failed) return nullptr;  // the failure came before the end of the schedule
    describe_divergence(id);
    w.ending = Ending::diverged;
    return nullptr;
}

// The running thread stays until it waits, ends or starts another one; then the newest that can go on is
// next. So what a thread starts is done before it looks at the results.
Thread* next_free() {
    World& w = world();
    Thread* const me = w.current;
    const bool must_give_way = w.rotating || ++w.same_thread >= w.free_run_limit;
    const bool has_started_one = w.count > 0 && w.events[w.count - 1].operation == Operation::spawn;
    if (!must_give_way && !has_started_one && runnable(*me)) return me;
    w.same_thread = 0;
    // Who must give way makes room for the thread before it in the order of ids, round and round.
    const std::size_t first = must_give_way ? me->id + w.threads - 1U : w.threads - 1U;
    for (std::size_t i = 0; i < w.threads; ++i) {
        Thread& thread = w.thread[(first + w.threads - i) % w.threads];
        if (runnable(thread)) return &thread;
    }
    return nullptr;
}

// The one inside an atomic section, which nobody interrupts.
Thread* next_inside_section() {
    Thread& inside = world().thread[world().section_owner - 1];
    return runnable(inside) ? &inside : nullptr;
}

// Whether the thread can go on without an event that depends on a value.
bool goes_on_blindly(const Thread& thread) {
    if (thread.state == State::fresh) return true;
    return thread.state == State::alive && thread.parked && !depends_on_value(thread.next) && enabled(thread);
}

bool has_written(const Thread& thread, LocationId location) {
    return location < Forecast::tracked &&
           (world().written[thread.id][location / 64] >> location % 64 & 1) != 0;
}

// Keeps what the bound on the events of a thread and the free part of such a schedule go by.
void count_event(Thread& thread, const Event& event) {
    World& w = world();
    ++thread.performed;
    if (!w.reads_last) return;
    if (event.writes() && event.location < Forecast::tracked)
        w.written[thread.id][event.location / 64] |= std::uint64_t{1} << event.location % 64;
    if (w.count >= w.scheduled && depends_on_value(event)) w.deferred[thread.id] = false;
}

// How soon the next event of a thread, which depends on a value, should be performed: the lower, the sooner.
std::size_t rank_of(const Thread& thread) {
    const World& w = world();
    const Event& next = thread.next;
    if (w.forecast == nullptr) return 1;
    if (next.operation == Operation::load &&
        w.forecast->is_constant(next.location, has_written(thread, next.location)))
        return 0;
    if (next.location >= w.forecast->locations.size()) return 1;
    const std::vector<std::uint32_t>& last = w.forecast->locations[next.location].last_write;
    std::size_t writers = 0;
    for (std::size_t i = 0; i < w.threads && i < last.size(); ++i)
        if (i != thread.id && w.thread[i].performed < last[i]) ++writers;
    return 1 + writers;
}

// As long as some thread can go on blindly, it does; then one that depends on a value. (Who must give way
// does so among these.)
Thread* next_free_reads_last() {
    World& w = world();
    Thread* const me = w.current;
    if (goes_on_blindly(*me)) return me;
    for (std::size_t i = w.threads; i-- > 0;)
        if (goes_on_blindly(w.thread[i])) return &w.thread[i];
    const bool must_give_way = ++w.same_thread >= w.free_run_limit;
    const std::size_t first = me->id + (must_give_way ? w.threads - 1U : w.threads);
    for (const bool deferred : {false, true}) {
        Thread* best = nullptr;
        std::size_t lowest = SIZE_MAX;
        for (std::size_t i = 0; i < w.threads && lowest > 0; ++i) {
            Thread& thread = w.thread[(first + w.threads - i) % w.threads];
            if (w.deferred[thread.id] != deferred || !runnable(thread)) continue;
            const std::size_t rank = must_give_way ? 0 : rank_of(thread);
            if (rank >= lowest) continue;
            best = &thread;
            lowest = rank;
        }
        if (best == nullptr) continue;
        if (best != me) w.same_thread = 0;
        return best;
    }
    return nullptr;
}

PolicyWalk policy_walk;
static_assert(max_threads <= PolicyWalk::most_threads);

bool follows_policy() {
    const World& w = world();
    return w.policy != nullptr && w.count >= w.scheduled;
}

void note_able(std::span<const ThreadId> able) {
    World& w = world();
    w.able[w.able_count++] = static_cast<ThreadId>(able.size());
    for (const ThreadId thread : able) w.able[w.able_count++] = thread;
}

// What a new thread does first is not known before it has run so far.
Thread* next_by_policy() {
    World& w = world();
    static ThreadId able[max_threads];
    std::size_t count = 0;
    for (std::size_t i = 0; i < w.threads; ++i) {
        Thread& thread = w.thread[i];
        if (thread.state == State::fresh) return &thread;
        if (runnable(thread)) able[count++] = thread.id;
    }
    if (count == 0) return nullptr;
    if (w.policy->notes_able()) {
        if (w.able_count + count >= able_capacity) {
            w.ending = Ending::too_long;
            return nullptr;
        }
        note_able({able, count});
    }
    const ThreadId last = w.count > 0 ? w.events[w.count - 1].thread : ThreadId{0};
    return &w.thread[policy_walk.pick({able, count}, w.count, last)];
}

// The execution was cut at the end of its schedule, and is not to go on by itself.
Thread* end_with_schedule() {
    world().ending = Ending::too_long;
    return nullptr;
}

Thread* pick_in_replay() {
    World& w = world();
    const Run* const run = current_run();
    if (w.ending == Ending::diverged) return nullptr;
    if (run != nullptr) return next_scheduled(run->thread);
    if (w.ends_with_schedule) return end_with_schedule();
    w.schedule_is_used_up = w.recognises_loops;
    w.watched_from = 0;
    if (Thread* const last = last_of_schedule(); last != nullptr && runnable(*last)) return last;
    return w.section_owner == 0 ? next_free() : next_inside_section();
}

__attribute__((noinline)) Thread* pick_beyond_schedule() {
    World& w = world();
    if (w.mode != Mode::explore) [[unlikely]] {
        if (w.mode == Mode::replay) return pick_in_replay();
        if (w.ends_with_schedule) return end_with_schedule();
    }
    Thread* const next = follows_policy() ? next_by_policy()
                         : w.reads_last   ? next_free_reads_last()
                                          : next_free();
    if (next == nullptr || w.count < w.max_events || w.mode != Mode::explore) return next;
    w.ending = Ending::too_long;
    return nullptr;
}

// Who runs next; null: the execution is over (World::ending says how, if it is not for lack of runnable
// threads).
Thread* pick() {
    World& w = world();
    if (w.interrupt) [[unlikely]] {
        w.ending = Ending::interrupted;
        return nullptr;
    }
    return w.count < w.scheduled ? next_scheduled(w.steps[w.count].thread) : pick_beyond_schedule();
}

bool differs(const Event& a, const Event& b) {
    if (a.operation != b.operation || a.site != b.site) return true;
    if (b.access == Access::none) return false;
    // What a write overwrites does not matter: on a stack it may be left from another execution.
    const bool finds_nothing = b.operation == Operation::mutex_init || b.operation == Operation::cond_init;
    return a.address != b.address || a.size != b.size ||
           (b.reads() && !finds_nothing && a.before != b.before);
}

std::uint16_t waiters_of(std::uint64_t condition_variable) {
    std::uint16_t waiters = 0;
    for (std::size_t i = 0; i < world().threads; ++i)
        if (world().thread[i].waiting_on == condition_variable) ++waiters;
    return waiters;
}

void take_choice(Event& event) {
    World& w = world();
    if (event.operation == Operation::signal)
        event.alternatives = event.writes() ? waiters_of(event.address) : 1;
    if (event.alternatives <= 1) return;
    if (w.mode == Mode::replay) {
        if (w.choice_position < w.choice_count) event.choice = w.choices[w.choice_position++];
    } else if (w.count < w.scheduled) {
        event.choice = w.steps[w.count].choice;
    } else if (follows_policy()) {
        event.choice = policy_walk.choose(event.alternatives, event.thread);
    }
    if (w.mode == Mode::record) note_choice(event.choice);
    if (event.choice < event.alternatives) return;
    stop_diverged("a choice has fewer alternatives than it had when the schedule was made");
    switch_to(nullptr);
}

// The thread has met the bound on its events: it stops here, whatever the others do.
[[noreturn]] void cut(Thread& thread) {
    world().was_cut = true;
    thread.state = State::stopped;
    leave();
}

// The usual case: the schedule says that the running thread performs its next event, which nothing keeps from
// it.
bool goes_on_as_scheduled(const Thread& thread) {
    const World& w = world();
    return w.count < w.scheduled && w.steps[w.count].thread == thread.id && !thread.next.guarded;
}

// Any other: who performs something next? Returns when it is the thread.
__attribute__((noinline)) void wait_for_turn(Thread& me, bool is_private) {
    World& w = world();
    if (w.max_thread_events != 0 && me.performed >= w.max_thread_events && !is_private) cut(me);
    me.parked = true;
    if (!is_private || w.mode == Mode::replay || !enabled(me)) {
        Thread* const next = pick();
        if (next != &me) switch_to(next);
    }
    me.parked = false;
}

}  // namespace

EventIndex cause_of(const Thread& thread) {
    const Operation operation = thread.next.operation;
    const bool is_woken = operation == Operation::wake_lock || operation == Operation::barrier_wake;
    return is_woken ? thread.woken_by : thread.spawned_by;
}

bool enabled(const Thread& thread) {
    if (thread.state != State::alive || !thread.parked) return false;
    const Event& next = thread.next;
    if (!next.guarded) return true;
    if (waits_in_queue(thread)) return false;
    return next.condition_holds_on(value_at(next.address, next.size));
}

bool settle_and_copy() {
    if (!settle()) return false;
    Thread& me = *world().current;
    if (me.copy_target != 0) perform_announced_write(me);
    return true;
}

bool settle() {
    World& w = world();
    if (!w.running) return false;
    Thread& me = *w.current;
    if (me.open_store != no_event) {
        Event& store = w.events[me.open_store];
        store.after = value_at(store.address, store.size);
        me.open_store = no_event;
    }
    if (me.restore_size != 0) put_source_back(me);
    if (counting()) report_last_step();
    if (me.accesses_alone) end_lone_access(me);
    return true;
}

Event& perform() {
    World& w = world();
    Thread& me = *w.current;
    Event& event = me.next;
    if (w.watched_from == 0) [[unlikely]] {
        if (w.has_sections) keep_sections_whole();
        look_for_idle_round(me);
    }
    // An operation on private memory is no event. It comes here only where ticks are counted; while a
    // schedule of events is followed, it happens at once, as it does when nobody counts.
    const bool is_private = event.location == no_location && event.access != Access::none;
    if (!goes_on_as_scheduled(me)) wait_for_turn(me, is_private);

    event.cause = cause_of(me);
    if (event.access != Access::none) {
        event.before = value_at(event.address, event.size);
        if (event.condition != Condition::always && !event.guarded) {
            event.access = access_on(event, event.before);
            if (only_tries(event.operation)) note_observed(event.location);
        }
    }
    event.after = event.before;
    if (event.alternatives > 1 || event.operation == Operation::signal) take_choice(event);
    if (counting()) [[unlikely]]
        count_tick(me, event);
    if (is_private && w.mode != Mode::replay) return event;
    if (w.count < w.repeated && differs(w.events[w.count], event)) {
        w.differing[0] = w.events[w.count];
        w.differing[1] = event;
        w.has_differing = true;
        stop_diverged(
            "the program did something else than before under the same schedule: it is not deterministic");
        switch_to(nullptr);
    }
    me.spawned_by = no_event;
    if (w.counts_events) count_event(me, event);
    w.events[w.count] = event;
    if (!is_private && !me.takes_hidden_step) w.registers.site = 0;
    if (w.count >= w.watched_from) note_for_idle_rounds(me, event);
    event.fences = 0;
    return w.events[w.count++];
}

bool give_way() {
    World& w = world();
    Thread& me = *w.current;
    // Where turns of threads are noted, each has an event. So others get a chance there only to find out what
    // is shared, in an execution that does not count; a few times in all, whatever they find out.
    constexpr std::uint32_t most_lessons = 16;
    const bool notes_turns = w.policy != nullptr && w.policy->kind == Policy::Kind::stay && !w.learning;
    if (w.count < w.scheduled || (notes_turns && w.lessons == most_lessons)) return false;
    for (std::size_t i = w.threads; i-- > 0;) {
        if (i == me.id || !runnable(w.thread[i])) continue;
        if (notes_turns) {
            ++w.lessons;
            start_learning();
        }
        announce(Operation::load, Access::none, 0, 0, no_location, 0);
        me.parked = true;
        switch_to(&w.thread[i]);
        me.parked = false;
        return true;
    }
    return false;
}

void leave() {
    enter();
    switch_to(pick());
    __builtin_unreachable();
}

void finish(Ending ending) {
    world().current->accesses_alone = false;  // nobody comes after it
    enter();
    world().ending = ending;
    switch_to(nullptr);
    __builtin_unreachable();
}

Thread& reserve_thread(ThreadId id, ThreadId parent, void* (*start)(void*), void* argument) {
    World& w = world();
    // Ids below `threads` are in use or belong to threads of other interleavings.
    for (; w.threads <= id; ++w.threads) {
        w.thread[w.threads].state = State::unused;
        w.thread[w.threads].waiting_on = 0;
    }
    Thread& thread = w.thread[id];
    std::size_t size = offsetof(Thread, stack_pointer);
    asm("" : "+r"(size));  // else gcc takes `rep stos`, which is slow
    std::memset(static_cast<void*>(&thread), 0, size);
    thread.next.fences = 0;
    const Thread& starter = w.thread[parent];
    thread.signals = (id != parent ? starter.signals : w.early_mask) & standard_signals;
    thread.realtime_mask = id != parent ? starter.realtime_mask : w.early_mask & ~standard_signals;
    thread.arena_top = arena_of(id);
    thread.id = id;
    thread.parent = parent;
    if (w.has_keys) begin_specific_data(id);
    if (w.has_attributes) std::memset(&w.attributes[id], 0, sizeof w.attributes[id]);
    if (w.has_signal_stacks) w.signal_stacks[id] = {};
    thread.state = State::reserved;
    thread.spawned_by = no_event;
    thread.open_store = no_event;
    thread.start = start;
    thread.argument = argument;
    thread.result = nullptr;
    map_slot(id);
    thread.fs = make_thread_block(id);
    thread.stack_pointer = prepare_stack(stack_top_of(id), thread_main);
    if (w.mode == Mode::replay && !w.is_quiet)
        send_thread(id, thread.parent, reinterpret_cast<std::uintptr_t>(start));
    return thread;
}

void create_thread(Thread& thread) {
    World& w = world();
    thread.state = State::fresh;
    if (!w.reads_last) return;
    if (thread.id != thread.parent) {
        std::memcpy(w.written[thread.id], w.written[thread.parent], sizeof w.written[thread.id]);
    } else {
        std::memset(w.written[thread.id], 0, sizeof w.written[thread.id]);
    }
}

void run_coroutines() {
    World& w = world();
    if (w.policy != nullptr) policy_walk.begin(*w.policy);
    w.host_fs = thread_pointer();
    Thread& first = w.thread[0];
    w.current = &first;
    w.current_tag = tag_of(first);
    first.state = State::alive;
    w.running = true;
    set_thread_pointer(first.fs);
    norn_switch(&w.host_stack_pointer, first.stack_pointer);
    w.running = false;
    w.current_tag = 0;
}

}  // namespace norn::native
