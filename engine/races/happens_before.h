// HappensBefore: the relation of that name of the C and C++ standards, followed through one execution.
//
// It is made of the order of each thread, of what causes what (a spawn, a signal), and of what is
// synchronised: a *message* is what a thread leaves behind at a location when it releases, and what others
// take from there when they acquire. Clocks are counted in events: see graph/vector_clock.h.
//
// The relation depends on the sources of reads only, never on the order of the sequence beyond that: it is
// the same for all executions of a reads-from class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/event.h"
#include "graph/vector_clock.h"

namespace norn {

// What is to be taken from a location. Empty unless something was put there in this execution.
struct Message {
    static constexpr std::uint32_t no_row = UINT32_MAX;
    std::uint32_t row = no_row;  // once it has one it keeps it
    std::uint64_t round = 0;     // the execution it is of
};

class HappensBefore {
public:
    // A new execution, or the same once more.
    void begin(std::size_t threads);

    // The thread comes to its next event: its cause and the fences before it are taken in. Returns the number
    // of the event in its thread, from 1.
    Tick advance(const Event& event) {
        const ThreadId thread = event.thread;
        if (started_[thread] != round_) start(thread);
        if (event.cause != no_event || event.fences != 0) take_in(event);
        return ++clocks_.row(thread)[thread];
    }
    // The same for several events in a row that have neither, by whoever counts on: entry t of the clock of
    // thread t is the number of its last event.
    [[nodiscard]] Tick* clock_to_count_on(ThreadId thread) {
        if (started_[thread] != round_) start(thread);
        return clocks_.row(thread);
    }
    // The event is over. Only events that others can name as their cause need this.
    void keep_as_cause(const Event& event, EventIndex index);

    // Event n of thread t happened before what the thread does now iff n is at most entry t of this.
    [[nodiscard]] const Tick* clock_of(ThreadId thread) const { return clocks_.row(thread); }

    void take(ThreadId thread, const Message& message) {
        if (message.round == round_) clocks_.join(clocks_.row(thread), messages_.row(message.row));
    }
    // As a relaxed read does: it counts once an acquire fence follows.
    void take_at_fence(ThreadId thread, const Message& message);
    // What came before in the thread is put there; `replace`: what was there is gone.
    void put(ThreadId thread, Message& message, bool replace) {
        put_row(clocks_.row(thread), message, replace);
    }
    // As a relaxed write does: what came before the last release fence.
    void put_of_fence(ThreadId thread, Message& message, bool replace);
    static void clear(Message& message) { message.round = 0; }

    // Fences cost memory and time; they are looked at once there was one. True: there was one, the first of
    // all, so that the execution must be gone through once more.
    [[nodiscard]] bool met_first_fence() const { return met_first_fence_; }

private:
    struct Cause {
        EventIndex event;
        std::uint32_t row;
    };
    // Ticks a thread has taken over at fences; both are of this execution if the round is.
    struct FenceState {
        std::uint64_t pending_round = 0;
        std::uint64_t released_round = 0;
    };

    void start(ThreadId thread);
    void take_in(const Event& event);
    void pass_fences(ThreadId thread, std::uint8_t fences);
    void take_pending(ThreadId thread);
    void put_row(const Tick* clock, Message& message, bool replace) {
        if (message.row == Message::no_row) add_row(message);
        if (replace || message.round != round_) {
            messages_.copy(messages_.row(message.row), clock);
            message.round = round_;
        } else {
            messages_.join(messages_.row(message.row), clock);
        }
    }
    void add_row(Message& message);

    ClockTable clocks_;    // by thread
    ClockTable messages_;  // by Message::row
    ClockTable causes_;
    ClockTable pending_;                  // by thread: what relaxed reads have seen
    ClockTable released_;                 // by thread: its clock at its last release fence
    std::vector<std::uint64_t> started_;  // by thread: the round in which it had its last event
    std::vector<FenceState> fence_states_;
    std::vector<Cause> cause_rows_;  // in the order of events
    std::uint32_t message_rows_ = 0;
    std::uint64_t round_ = 0;
    bool has_fences_ = false;
    bool met_first_fence_ = false;
};

}  // namespace norn
