// Virtual time: every thread has a clock of its own, which the program cannot tell from a real one.
//
// Nothing waits in real time. Clocks depend on what the thread itself did, and on nothing else, so that the
// same schedule gives the same times. All threads begin at the same time; a thread inherits the time of the
// one that starts it, and one that joins another has at least the time of its end.
//
// What is modelled: threads are slow or fast as they please. So a wait with a timeout may be ended by its
// timeout at any moment, whatever else could happen, as if the thread had not been given the processor for
// long; and a thread that sleeps may go on at any moment. Deadlines order nothing: what a thread does after
// one second of sleep may come after what another one does after ten. What is promised: after a timeout the
// thread's clock shows at least the deadline.
//
// Timeouts and sleeps may also last longer than asked for. A clock moves on by a little when it is looked at.
// A thread that times out, sleeps or looks again and again finds that more and more time has passed, days in
// the end: so a loop that ends at a deadline ends after a few rounds. Beyond that point a thread that repeats
// what it did, only days later, is taken for one that waits in a loop (idle_rounds.h). Days pass to a full
// second, so that the parts of a second a thread sees depend only on how often it has looked since. They are
// of irregular length: no step by which a program counts is as long.
#pragma once

#include <ctime>

#include <cstdint>

#include "executor/native/world.h"

namespace norn::native {

inline constexpr std::uint64_t second = 1'000'000'000;          // nanoseconds
inline constexpr std::uint64_t epoch = 1'000'000'000 * second;  // when every execution begins

// A look at the clock of the running thread: nanoseconds since 1970.
std::uint64_t look_at_clock();

// The running thread has slept, or waited in vain.
void let_time_pass(std::uint64_t until);
void sleep_for(std::uint64_t nanoseconds, std::uintptr_t site);

// What a timed function returns that did not get what it wanted: ETIMEDOUT, and the deadline has passed, or
// EINVAL if it is none.
int time_out(const timespec* deadline);

// Whether the thread has seen so much time pass that what it repeats, only later, counts as the same.
bool has_seen_days(const Thread& thread);
// Words of a thread in which what looks like a time counts by how far away it is.
class RelativeTimes {
public:
    explicit RelativeTimes(const Thread& thread) : now_(epoch + thread.clock) {}

    struct Part {
        std::uint64_t value;
        bool is_pair;  // it stands for the next word, too
    };
    // next: the word after it, or one that is too large for nanoseconds.
    [[nodiscard]] Part part_of(std::uint64_t word, std::uint64_t next) const;

private:
    [[nodiscard]] bool is_near(std::uint64_t time) const;

    std::uint64_t now_;
};

}  // namespace norn::native
