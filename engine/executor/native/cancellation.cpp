// Cancellation: pthread_cancel, pthread_testcancel, pthread_setcancelstate, pthread_setcanceltype.
//
// A request is a word of the thread that is to end: 0, and 1 once somebody has asked. pthread_cancel is a
// compare-exchange of it, a cancellation point a read of it by the thread itself. As long as no other thread
// touches the word, none of this is an event: programs without pthread_cancel have none.
//
// Cancellation points: pthread_testcancel, sleeping, pthread_join, pthread_cond_wait, sem_wait, their C11
// forms, and the system calls on files (files.cpp). What POSIX lets be one but does not demand, such as
// printf, is none. Only deferred cancellation is modelled: a thread that could end between any two
// instructions is refused. A request that comes while the thread has disabled cancellation, or is about to
// end, stays without effect until it is enabled again.
//
// A thread that waits at a cancellation point goes on when it gets what it waits for, or when it is asked to
// end: two reasons, in two places, and if both are there either may count (POSIX leaves that open). An event
// waits for one thing only. So the thread decides when it comes, and both decisions are explored:
//
//     decision            events                                       wrong if at the end of the execution
//     not cancelled here  finds that nobody has asked yet (if it does   it still waits although it was
//                         not: wrong), then waits as if there were      asked to end
//                         no cancellation
//     cancelled here      waits until somebody asks, then ends          nobody has asked
//
// An execution with a wrong decision is not one of the program's: it is *blocked*, as by a failed assume. Up
// to there it is, with a thread that is slow to go on: what others do and what fails in it counts. Nothing is
// lost, as the same execution with the other decision is explored too; and nothing comes twice, as the thread
// ends after the one decision and goes on after the other. A thread that waits for ever and that nobody has
// asked to end has decided rightly: a deadlock, as ever.
//
// At pthread_cond_wait, a thread that is to be cancelled releases the mutex but does not enter the queue: no
// signal is lost on it, as POSIX demands. It takes the mutex again before its cleanup handlers run.
#include "executor/native/cancellation.h"

#include <pthread.h>

#include <cerrno>

#include "executor/native/access.h"
#include "executor/native/cleanup.h"
#include "executor/native/faults.h"
#include "executor/native/scheduler.h"
#include "executor/native/sync_word.h"
#include "executor/native/threads.h"
#include "executor/native/ticks.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

std::uintptr_t request_word(const Thread& thread) {
    return reinterpret_cast<std::uintptr_t>(&thread.cancel_requested);
}

LocationId locate_request(const Thread& me) {
    return locate(me, request_word(me), sizeof me.cancel_requested);
}

// Reads the thread's own word.
bool was_requested(Thread& me, std::uintptr_t site) {
    const LocationId location = locate_request(me);
    if (location != no_location || counting()) {
        announce(Operation::cancel_test, Access::read, request_word(me), sizeof me.cancel_requested, location,
                 site);
        perform();
    }
    return me.cancel_requested != 0;
}

// The decision about a wait. If nobody else ever asks this thread to end, there is none to be made; in a
// replay that is not known, so that it is always recorded.
bool decide(Thread& me, std::uintptr_t site) {
    const bool is_private = locate_request(me) == no_location;
    if (is_private && !counting()) return me.cancel_requested != 0;
    Event& next = announce(Operation::cancel_choice, Access::none, request_word(me), 0, no_location, site);
    next.alternatives = 2;
    if (is_private && world().mode == Mode::record) {
        const bool is_requested = me.cancel_requested != 0;
        count_tick(me, next);
        note_choice(is_requested ? 1 : 0);
        return is_requested;
    }
    return perform().choice == 1;
}

}  // namespace

void test_cancellation(std::uintptr_t site) {
    if (!enter()) return;
    Thread& me = *world().current;
    if (!me.cancel_disabled && was_requested(me, site)) end_cancelled();
}

bool is_to_be_cancelled(std::uintptr_t site) {
    Thread& me = *world().current;
    if (me.cancel_disabled) return false;
    // Nearly always: nobody ever asks this thread to end.
    if (!world().has_cancels && !counting()) return false;
    if (me.cancel_requested == 0 && !counting() && locate_request(me) == no_location) return false;
    enter();
    if (decide(me, site)) return true;
    enter();
    if (was_requested(me, site)) {
        enter();
        me.state = State::stopped;
        leave();
    }
    enter();
    me.waits_uncancelled = true;
    return false;
}

void await_cancellation(std::uintptr_t site) {
    enter();
    Thread& me = *world().current;
    const LocationId location = locate_request(me);
    if (location == no_location && !counting() && me.cancel_requested != 0) return;
    Event& next = announce(Operation::cancel_wait, Access::read, request_word(me), sizeof me.cancel_requested,
                           location, site);
    next.guarded = true;
    next.condition = Condition::nonzero;
    perform();
}

void end_cancelled() {
    enter();
    exit_thread(PTHREAD_CANCELED);
}

void end_wait() { world().current->waits_uncancelled = false; }

void begin_wait(std::uintptr_t site) {
    if (!is_to_be_cancelled(site)) return;
    await_cancellation(site);
    end_cancelled();
}

bool guessed_wrong(const Thread& thread) {
    if (thread.state != State::alive || !thread.parked || enabled(thread)) return false;
    return thread.next.operation == Operation::cancel_wait ||
           (thread.waits_uncancelled && thread.cancel_requested != 0);
}

extern "C" {

int pthread_cancel(pthread_t handle) {
    if (!enter()) return ESRCH;
    Thread* const target = thread_of(handle);
    if (target == nullptr) return ESRCH;
    if (!world().has_cancels) {
        world().has_cancels = true;
        start_learning();  // waits did not look for it
    }
    WordEvent event(target->cancel_requested, {Operation::cancel, Condition::equals, 0}, SITE);
    if (event.holds()) event.leave(1);
    return 0;
}

void pthread_testcancel() { test_cancellation(SITE); }

int pthread_setcancelstate(int state, int* old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
    if (!enter()) return 0;
    Thread& me = *world().current;
    if (old != nullptr) {
        range_access(old, sizeof *old, Operation::store, SITE);
        *old = me.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    }
    if (!me.is_ending) me.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    return 0;
}

int pthread_setcanceltype(int type, int* old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
    if (!enter()) return 0;
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
        unsupported("pthread_setcanceltype",
                    "asynchronous cancellation, which may end a thread anywhere, is not modelled");
    if (old != nullptr) {
        range_access(old, sizeof *old, Operation::store, SITE);
        *old = PTHREAD_CANCEL_DEFERRED;
    }
    return 0;
}
}

}  // namespace norn::native
