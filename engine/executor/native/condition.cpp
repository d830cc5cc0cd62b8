// Condition variables: pthread_cond_* and cnd_*.
//
// A wait is three events: the thread enters the queue (a read-modify-write of the number of waiters, which is
// the condition variable's word), releases the mutex, and, once a signal or broadcast has picked it, takes
// the mutex again. Entering the queue comes before the release, so no signal sent by a thread that had the
// mutex in between can be lost, as POSIX demands. A signal picks any waiter: which one is a choice. A signal
// that finds nobody waiting changes nothing and only reads. Initialising and destroying a condition variable
// are read-modify-writes too: whatever changes it depends on what it finds.
//
// A wait with a timeout may end by itself at any moment (virtual_time.h). So before the thread takes the
// mutex again it leaves the queue, by one more read-modify-write, or finds that it was signalled by then:
// which of them is a matter of the order of these events. Such a thread never waits for a signal in vain.
//
// Spurious wake-ups, where they are asked for, are the same: every wait may end by itself, without telling.
// If not, waits end by signal or broadcast only, so that a program whose `if` should be a `while` is caught
// only if some real wake-up shows it.
//
//     waiter                 signaller            effect
//     enter, unlock          lock … signal        woken; waits for the mutex
//     lock … (not entered)   signal               nobody hears it: the lost wake-up
//     enter, unlock, leave   signal               nobody hears it: the thread has timed out
#include <pthread.h>

#include <cerrno>
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/cancellation.h"
#include "executor/native/faults.h"
#include "executor/native/idle_rounds.h"
#include "executor/native/mutex.h"
#include "executor/native/scheduler.h"
#include "executor/native/virtual_time.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

std::uint32_t& waiters(void* object) { return *static_cast<std::uint32_t*>(object); }
std::uintptr_t word_of(void* object) { return reinterpret_cast<std::uintptr_t>(object); }

// Performs an event on the condition variable's word; null if only this thread ever uses it.
Event* access_word(void* object, Operation operation, Access access, Condition condition, std::uintptr_t site,
                   std::uint64_t operand = 0) {
    const LocationId location = locate(*world().current, word_of(object), sizeof(std::uint32_t));
    if (location == no_location && !counting()) {
        // (Who enters and leaves the queue has changed nothing.)
        if (operation != Operation::wait && operation != Operation::wait_end) spoil_round(*world().current);
        check_heap(word_of(object), sizeof(std::uint32_t), operation);
        return nullptr;
    }
    Event& next = announce(operation, access, word_of(object), sizeof(std::uint32_t), location, site);
    next.condition = condition;
    if (operation == Operation::cond_init || operation == Operation::cond_destroy) world().has_plain = true;
    next.after = operand;  // part of what the thread is about to do (idle_rounds.cpp)
    Event& event = perform();
    check_shared(word_of(object), sizeof(std::uint32_t), operation);
    return &event;
}

void wake(Thread& thread, EventIndex cause) {
    thread.waiting_on = 0;
    thread.woken_by = cause;
}

// The wait of the running thread ends by itself. True: it was signalled before.
bool end_wait_in_queue(void* object, std::uintptr_t site) {
    Thread& me = *world().current;
    Event* const event = access_word(object, Operation::wait_end, Access::rmw, Condition::always, site);
    if (me.waiting_on == 0) return true;
    me.waiting_on = 0;
    --waiters(object);
    if (event != nullptr) event->after = waiters(object);
    return false;
}

// A wait with a deadline that ends by itself: whether before it, where that may be.
bool wakes_for_no_reason(std::uintptr_t site) {
    enter();
    announce(Operation::choose, Access::none, 0, 0, no_location, site).alternatives = 2;
    return perform().choice == 1;
}

// Without a deadline the wait ends by a signal only, unless spurious wake-ups are asked for.
int wait_on(void* object, void* mutex, const timespec* deadline, std::uintptr_t site) {
    if (!enter()) return 0;
    Thread& me = *world().current;
    const Registers registers = world().registers;
    if (!holds_mutex(mutex)) {
        if (checks_errors(mutex)) return EPERM;
        fail("mutex-misuse", "a thread waits on a condition variable without holding the mutex",
             word_of(mutex));
    }
    if (is_nested(mutex))
        fail("mutex-misuse",
             "a thread waits on a condition variable with a recursive mutex that it holds more than once: it "
             "stays locked",
             word_of(mutex));
    if (is_to_be_cancelled(site)) {
        enter();
        release_for_wait(mutex, site);
        await_cancellation(site);
        enter();
        take_mutex(mutex, Operation::lock, site);
        end_cancelled();
    }
    Event* const event =
        access_word(object, Operation::wait, Access::rmw, Condition::always, site, word_of(mutex));
    ++waiters(object);
    if (event != nullptr) event->after = waiters(object);
    me.waiting_on = word_of(object);
    enter();
    release_for_wait(mutex, site);
    enter();
    if (deadline == nullptr && !world().spurious) {
        const int code = take_mutex(mutex, Operation::wake_lock, site);
        end_wait();
        return code;
    }
    end_wait();
    const bool is_signalled = end_wait_in_queue(object, site);
    enter();
    // Here the thread holds nothing of the wait: where a round of a loop may begin and end.
    world().registers = registers;
    const int code = take_mutex(mutex, Operation::lock, site);
    if (is_signalled) spoil_round(me);  // it goes on otherwise than without the signal
    if (code != 0 || is_signalled || deadline == nullptr) return code;
    return world().spurious && wakes_for_no_reason(site) ? 0 : time_out(deadline);
}

int wait_until(void* object, void* mutex, const timespec* deadline, std::uintptr_t site) {
    range_access(deadline, sizeof *deadline, Operation::load, site);
    const timespec copy = *deadline;  // others may change it meanwhile
    if (copy.tv_nsec < 0 || copy.tv_nsec >= 1'000'000'000) return EINVAL;
    return wait_on(object, mutex, &copy, site);
}

int signal_one(void* object, std::uintptr_t site) {
    if (!enter()) return 0;
    Event* const event = access_word(object, Operation::signal, Access::rmw, Condition::nonzero, site);
    if (event == nullptr || !event->writes()) return 0;
    World& w = world();
    std::uint16_t remaining = event->choice;
    for (std::size_t i = 0; i < w.threads; ++i) {
        Thread& thread = w.thread[i];
        if (thread.waiting_on != word_of(object) || remaining-- != 0) continue;
        wake(thread, static_cast<EventIndex>(event - w.events));
        break;
    }
    event->after = --waiters(object);
    return 0;
}

int signal_all(void* object, std::uintptr_t site) {
    if (!enter()) return 0;
    Event* const event = access_word(object, Operation::broadcast, Access::rmw, Condition::nonzero, site);
    if (event == nullptr || !event->writes()) return 0;
    World& w = world();
    for (std::size_t i = 0; i < w.threads; ++i)
        if (w.thread[i].waiting_on == word_of(object))
            wake(w.thread[i], static_cast<EventIndex>(event - w.events));
    waiters(object) = 0;
    event->after = 0;
    return 0;
}

int initialise(void* object, std::uintptr_t site) {
    Event* event = nullptr;
    if (enter()) event = access_word(object, Operation::cond_init, Access::rmw, Condition::always, site);
    std::memset(object, 0, sizeof(pthread_cond_t));
    if (event != nullptr) event->after = 0;
    return 0;
}

int destroy(void* object, std::uintptr_t site) {
    if (!enter()) return 0;
    access_word(object, Operation::cond_destroy, Access::rmw, Condition::always, site);
    if (waiters(object) != 0)
        fail("mutex-misuse", "a condition variable is destroyed while threads wait on it", word_of(object));
    return 0;
}

}  // namespace

extern "C" {

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t*) {
    return initialise(condition, SITE);
}
int pthread_cond_destroy(pthread_cond_t* condition) { return destroy(condition, SITE); }
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    return wait_on(condition, mutex, nullptr, SITE);
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
    return wait_until(condition, mutex, deadline, SITE);
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t,
                           const timespec* deadline) {
    return wait_until(condition, mutex, deadline, SITE);
}
// std::condition_variable::wait(std::unique_lock<std::mutex>&), whose calls are renamed to this: libstdc++
// waits inside its shared object, where loops of the program cannot be recognised. Both objects begin with
// what they hand on.
struct UniqueLock {
    pthread_mutex_t* mutex;
};
void norn_condition_variable_wait(pthread_cond_t* condition, const UniqueLock* lock) {
    wait_on(condition, lock->mutex, nullptr, SITE);
}
int pthread_cond_signal(pthread_cond_t* condition) { return signal_one(condition, SITE); }
int pthread_cond_broadcast(pthread_cond_t* condition) { return signal_all(condition, SITE); }

int cnd_init(void* condition) { return initialise(condition, SITE); }
void cnd_destroy(void* condition) { destroy(condition, SITE); }
int cnd_wait(void* condition, void* mutex) { return wait_on(condition, mutex, nullptr, SITE); }
int cnd_timedwait(void* condition, void* mutex, const timespec* deadline) {
    const int code = wait_until(condition, mutex, deadline, SITE);
    constexpr int thrd_error = 2, thrd_timedout = 4;
    return code == 0 ? 0 : code == ETIMEDOUT ? thrd_timedout : thrd_error;
}
int cnd_signal(void* condition) { return signal_one(condition, SITE); }
int cnd_broadcast(void* condition) { return signal_all(condition, SITE); }
}

}  // namespace norn::native
