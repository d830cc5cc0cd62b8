// pthread_create, join, tryjoin, detach, self, equal.
//
// Creating a thread is an event that conflicts with nothing; it is the cause of the child's first event. The
// end of a thread is a write to a word of its own, a join a read of it, guarded by "has ended"; both are
// events only if somebody joins. pthread_tryjoin_np is the same read without waiting: it finds that the
// thread has ended, or not. A thread's id is its place in the tree of creation (parent, n-th child), so it
// does not depend on the interleaving. What becomes of the others when the process ends is in
// process_exit.cpp.
//
// A thread may be joined or detached once: afterwards its handle means nothing, and to use it is a finding
// (POSIX leaves it undefined; libc has an error code only as long as the thread happens to run). It is one in
// whatever order the two calls come. To join oneself gives EDEADLK, as libc does.
#include "executor/native/threads.h"

#include <link.h>
#include <pthread.h>
#include <cerrno>
#include <cstdio>

#include "executor/native/access.h"
#include "executor/native/atomic_section.h"
#include "executor/native/cancellation.h"
#include "executor/native/faults.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/keys.h"
#include "executor/native/leaks.h"
#include "executor/native/mapping.h"
#include "executor/native/process_exit.h"
#include "executor/native/robust_mutex.h"
#include "executor/native/scheduler.h"
#include "executor/native/tls.h"
#include "executor/native/unseen_writes.h"
#include "executor/native/virtual_time.h"

extern "C" int __real_main(int, char**, char**);

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

bool share_mappings = false;
bool slot_mapped[max_threads];

std::uintptr_t handle_of(ThreadId id) { return id + 1U; }

std::uintptr_t end_word(const Thread& thread) { return reinterpret_cast<std::uintptr_t>(&thread.ended); }

// The thread of a handle that is about to be joined or detached; fails if that may not be.
Thread& require_joinable(pthread_t handle, const char* operation) {
    Thread* const target = thread_of(handle);
    char text[120];
    const char* why = nullptr;
    if (target == nullptr) {
        std::snprintf(text, sizeof text, "%s of a thread that does not exist", operation);
        fail("thread-misuse", text);
    }
    if (target->joined) why = "was joined already";
    if (target->joining) why = "another thread is joining";
    if (target->detached) why = "is detached";
    if (why == nullptr) return *target;
    std::snprintf(text, sizeof text, "%s of T%u, which %s", operation, unsigned{target->id}, why);
    fail("thread-misuse", text);
}

void take_result(Thread& target, void** result, std::uintptr_t site) {
    target.joined = true;
    target.joining = false;
    Thread& me = *world().current;
    if (me.clock < target.clock) me.clock = target.clock;
    if (result == nullptr) return;
    range_access(result, sizeof *result, Operation::store, site);
    *result = target.result;
}

int join_thread(pthread_t handle, void** result, std::uintptr_t site) {
    if (!enter()) return EINVAL;
    if (handle == handle_of(world().current->id)) return EDEADLK;
    Thread* const target = &require_joinable(handle, "join");
    begin_wait(site);
    target->joining = true;
    wait_for_end(*target, site);
    end_wait();
    take_result(*target, result, site);
    return 0;
}

int try_join_thread(pthread_t handle, void** result, std::uintptr_t site) {
    if (!enter()) return EINVAL;
    if (handle == handle_of(world().current->id)) return EBUSY;
    Thread* const target = &require_joinable(handle, "join");
    const LocationId location = locate(*world().current, end_word(*target), sizeof target->ended);
    if (location != no_location || counting()) {
        announce(Operation::try_join, Access::read, end_word(*target), sizeof target->ended, location, site);
        perform();
    }
    if (target->ended == 0) return EBUSY;
    take_result(*target, result, site);
    return 0;
}

// With a timeout: as a look whether it has ended, which may come at any moment.
int join_until(pthread_t handle, void** result, const timespec* deadline, std::uintptr_t site) {
    if (enter() && handle == handle_of(world().current->id)) return EDEADLK;
    test_cancellation(site);
    const int code = try_join_thread(handle, result, site);
    if (code != EBUSY) return code;
    range_access(deadline, sizeof *deadline, Operation::load, site);
    return time_out(deadline);
}

int start_thread(pthread_t* handle, void* (*start)(void*), void* argument, bool detached,
                 std::uintptr_t site) {
    if (!enter()) return EAGAIN;
    World& w = world();
    Thread& me = *w.current;
    const ThreadId id = id_of_child(me);
    Thread& child = reserve_thread(id, me.id, start, argument);
    child.detached = detached;
    if (handle != nullptr) {  // stored before the thread can run, as libc does
        range_access(handle, sizeof *handle, Operation::store, site);
        *handle = handle_of(id);
        enter();
    }
    announce(Operation::spawn, Access::none, 0, 0, no_location, site);
    Event& event = perform();
    create_thread(child);
    child.clock = me.clock;
    note_thread(child.id);
    child.spawned_by = static_cast<EventIndex>(&event - w.events);
    event.address = child.id;
    return 0;
}

// Nested functions of C put code on the stack; the linker notes that in the program's headers.
bool needs_executable_stacks() {
    bool executable = false;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
            for (int i = 0; i < info->dlpi_phnum; ++i)
                if (info->dlpi_phdr[i].p_type == PT_GNU_STACK)
                    *static_cast<bool*>(result) = (info->dlpi_phdr[i].p_flags & PF_X) != 0;
            return 1;  // the program comes first
        },
        &executable);
    return executable;
}

}  // namespace

Thread* thread_of(pthread_t handle) {
    World& w = world();
    if (handle == 0 || handle > w.threads || w.thread[handle - 1].state == State::unused) return nullptr;
    return &w.thread[handle - 1];
}

void set_sharing(bool shared) { share_mappings = shared; }

ThreadId known_child(ThreadId parent, std::uint16_t number) {
    const World& w = world();
    for (ThreadId id = 1; id < w.known_threads; ++id)
        if (w.known_parent[id] == parent && w.known_number[id] == number) return id;
    return 0;
}

ThreadId id_of_child(Thread& parent) {
    World& w = world();
    const std::uint16_t number = parent.children++;
    if (const ThreadId known = known_child(parent.id, number); known != 0) return known;
    if (w.known_threads == 0) w.known_threads = 1;
    if (w.known_threads == max_threads) {
        w.met_thread_limit = true;
        finish(Ending::too_long);
    }
    w.known_parent[w.known_threads] = parent.id;
    w.known_number[w.known_threads] = number;
    return w.known_threads++;
}

void map_slot(ThreadId id) {
    if (slot_mapped[id]) return;
    slot_mapped[id] = true;
    map_shadow_of_thread(id, share_mappings);
    map_fixed(arena_of(id), slot_size, false);
    map_fixed(slot_of(id), guard_size + stack_size + tls_size, false);
    static const bool executable = needs_executable_stacks();
    if (executable) allow_execution(slot_of(id) + guard_size, stack_size + tls_size);
    forbid_access(slot_of(id), guard_size);
    map_views(id);
}

std::uintptr_t make_thread_block(ThreadId id) { return make_tls(id); }

std::uint32_t wait_for_end(Thread& target, std::uintptr_t site) {
    const LocationId location = locate(*world().current, end_word(target), sizeof target.ended);
    Event& next =
        announce(Operation::join, Access::read, end_word(target), sizeof target.ended, location, site);
    next.guarded = true;
    next.condition = Condition::nonzero;
    if (location != no_location || counting() || target.ended == 0) perform();
    return target.ended;
}

void thread_main() {
    Thread& me = *world().current;
    me.result = me.start(me.argument);
    end_thread(me.result);
}

void end_thread(void* result) {
    Thread& me = *world().current;
    me.result = result;
    me.is_ending = true;
    me.cancel_disabled = true;
    run_thread_destructors();
    if (world().has_keys) destroy_specific_data();
    enter();
    if (me.robust_held != nullptr) abandon_mutexes();
    if (world().has_sections) end_sections(me);
    const LocationId location = locate(me, end_word(me), sizeof me.ended);
    if (location != no_location || counting()) {
        announce(Operation::end, Access::write, end_word(me), sizeof me.ended, location, 0);
        perform().after = 1U + me.children;
    }
    me.ended = 1U + me.children;
    if (me.id == 0) exit_after_others();
    me.state = State::ended;
    leave();
}

extern "C" {

int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
    int detach_state = PTHREAD_CREATE_JOINABLE;
    if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detach_state);
    return start_thread(handle, start, argument, detach_state == PTHREAD_CREATE_DETACHED, SITE);
}

int pthread_join(pthread_t handle, void** result) { return join_thread(handle, result, SITE); }

int pthread_tryjoin_np(pthread_t handle, void** result) { return try_join_thread(handle, result, SITE); }
int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* deadline) {
    return join_until(handle, result, deadline, SITE);
}
int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t, const timespec* deadline) {
    return join_until(handle, result, deadline, SITE);
}

int pthread_detach(pthread_t handle) {
    if (!enter()) return EINVAL;
    spoil_round(*world().current);
    require_joinable(handle, "detach").detached = true;
    return 0;
}

pthread_t pthread_self() { return world().running ? handle_of(world().current->id) : handle_of(0); }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

// C11. A thread's int result travels as a pointer.
int thrd_create(unsigned long* handle, int (*start)(void*), void* argument) {
    auto* const entry = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(start));
    return start_thread(handle, entry, argument, false, SITE) == 0 ? 0 : 2;
}
int thrd_join(unsigned long handle, int* result) {
    void* value = nullptr;
    if (join_thread(handle, &value, SITE) != 0) return 2;
    if (result != nullptr) {
        range_access(result, sizeof *result, Operation::store, SITE);
        *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
    }
    return 0;
}
int thrd_detach(unsigned long handle) { return pthread_detach(handle) == 0 ? 0 : 2; }
unsigned long thrd_current() { return pthread_self(); }
int thrd_equal(unsigned long a, unsigned long b) { return a == b; }
}

}  // namespace norn::native
