// Policy: how an executor goes on when the steps of a schedule are used up, where an explorer wants something
// else than what schedule.h says. Plain data; a PolicyWalk is one execution under it. Both executors ask it.
//
//   stay: the thread that ran last goes on as long as it can, also after it has started another one. Every
//     choice takes alternative 0. The executor notes which threads could have gone on instead
//     (Execution::able). For bounded search (explore/preemption_bounded.cpp).
//   random: at every event each thread that can go on is as likely as the others to be the next one.
//   priorities: every thread has a random priority, and of those that can go on the highest runs. At some
//     points, chosen beforehand, the thread that is about to perform an event gets a lower priority than all
//     others had at the start. For sampling (explore/sample.cpp).
//   stretches: a thread goes on until it has performed so many events since the beginning of the execution,
//     or cannot go on; then the thread of the next stretch does. Whatever is asked for can be done: what a
//     thread could not do in one stretch it makes up for in its next one. After the last stretch as `stay`.
//     Choices are given for each thread in its own order, 0 after the last. For explore/shrink.cpp.
//
// `random` and `priorities` take random alternatives of choices. All that is random follows from the seed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/event.h"

namespace norn {

// A sequence of numbers that look random (after Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators", OOPSLA 2014).
class RandomNumbers {
public:
    explicit RandomNumbers(std::uint64_t seed = 0) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E37'79B9'7F4A'7C15U);
        z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9U;
        z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBU;
        return z ^ (z >> 31);
    }
    // Any number below `limit`, each as likely as the others (but for one in some billions).
    std::uint32_t below(std::uint32_t limit) {
        return static_cast<std::uint32_t>((next() >> 32) * limit >> 32);
    }

private:
    std::uint64_t state_;
};

struct Policy {
    enum class Kind : std::uint8_t { stay, random, priorities, stretches };

    struct Stretch {
        ThreadId thread;
        std::uint32_t until;  // so many events of the thread, from the beginning of the execution
    };
    struct Choice {
        ThreadId thread;
        std::uint16_t choice;
    };

    Kind kind = Kind::stay;
    std::uint64_t seed = 0;
    std::vector<std::uint32_t> change_points;  // numbers of events, counted from 1; in any order
    std::vector<Stretch> stretches;
    std::vector<Choice> choices;

    // Whether the executor says at each event who could have gone on (Execution::able).
    [[nodiscard]] bool notes_able() const { return kind == Kind::stay || kind == Kind::stretches; }
};

class PolicyWalk {
public:
    static constexpr std::size_t most_threads = 512;

    // The policy must outlive the execution.
    void begin(const Policy& policy) {
        policy_ = &policy;
        random_ = RandomNumbers(policy.seed);
        known_ = 0;
        lowest_ = 0;
        in_a_row_ = 0;
        last_ = no_thread;
        if (policy.kind != Policy::Kind::stretches) return;
        position_ = 0;
        counted_ = 0;
        done_.fill(0);
        next_choice_.fill(0);
    }

    // Which of the threads that can go on does; there is at least one. `performed`: events so far, of which
    // `last` was the last one's thread.
    ThreadId pick(std::span<const ThreadId> able, std::size_t performed, ThreadId last) {
        switch (policy_->kind) {
            case Policy::Kind::stay: return stay(able, performed, last);
            case Policy::Kind::stretches: return by_stretches(able, performed, last);
            case Policy::Kind::random: return able[random_.below(static_cast<std::uint32_t>(able.size()))];
            case Policy::Kind::priorities: return highest(able, performed + 1);
        }
        return able.front();
    }

    std::uint16_t choose(std::uint16_t alternatives, ThreadId thread) {
        switch (policy_->kind) {
            case Policy::Kind::stay: return 0;
            case Policy::Kind::stretches: return choice_of(thread, alternatives);
            default: return static_cast<std::uint16_t>(random_.below(alternatives));
        }
    }

private:
    static constexpr ThreadId no_thread = UINT16_MAX;
    // A thread that waits in a loop for a lower one would run for ever: it is put last after so many events
    // in a row.
    static constexpr std::uint32_t longest_row = 1000;

    static bool contains(std::span<const ThreadId> able, ThreadId wanted) {
        for (const ThreadId thread : able)
            if (thread == wanted) return true;
        return false;
    }

    static ThreadId stay(std::span<const ThreadId> able, std::size_t performed, ThreadId last) {
        return performed > 0 && contains(able, last) ? last : able.front();
    }

    ThreadId by_stretches(std::span<const ThreadId> able, std::size_t performed, ThreadId last) {
        if (performed > counted_) {  // it is asked before every event: there is one at most since the last
            ++done_[last];           // time
            counted_ = performed;
        }
        for (; position_ < policy_->stretches.size(); ++position_) {
            const Policy::Stretch& stretch = policy_->stretches[position_];
            if (done_[stretch.thread] < stretch.until && contains(able, stretch.thread))
                return stretch.thread;
        }
        return stay(able, performed, last);
    }

    std::uint16_t choice_of(ThreadId thread, std::uint16_t alternatives) {
        for (std::uint32_t& i = next_choice_[thread]; i < policy_->choices.size();) {
            const Policy::Choice& choice = policy_->choices[i++];
            if (choice.thread == thread) return choice.choice < alternatives ? choice.choice : 0;
        }
        return 0;
    }

    ThreadId highest(std::span<const ThreadId> able, std::size_t number) {
        ThreadId best = highest_of(able);
        for (std::size_t i = 0; i < policy_->change_points.size(); ++i) {
            if (policy_->change_points[i] != number) continue;
            priority_[best] = static_cast<std::int64_t>(i) + 1;
            best = highest_of(able);
        }
        in_a_row_ = best == last_ ? in_a_row_ + 1 : 0;
        if (in_a_row_ >= longest_row && able.size() > 1) {
            priority_[best] = --lowest_;
            in_a_row_ = 0;
            best = highest_of(able);
        }
        last_ = best;
        return best;
    }

    ThreadId highest_of(std::span<const ThreadId> able) {
        ThreadId best = able.front();
        for (const ThreadId thread : able) {
            while (known_ <= thread) priority_[known_++] = initial_priority();
            if (priority_[thread] > priority_[best]) best = thread;
        }
        return best;
    }

    // Above all that a change point gives.
    std::int64_t initial_priority() {
        return static_cast<std::int64_t>((random_.next() >> 2) | std::uint64_t{1} << 62);
    }

    const Policy* policy_ = nullptr;
    RandomNumbers random_;
    std::array<std::int64_t, most_threads> priority_{};
    std::size_t known_ = 0;    // threads below have a priority
    std::int64_t lowest_ = 0;  // priority of who was put last
    std::uint32_t in_a_row_ = 0;
    ThreadId last_ = no_thread;
    // Of `stretches`: the current one, events seen, those of each thread, and where its next choice may be.
    std::size_t position_ = 0;
    std::size_t counted_ = 0;
    std::array<std::uint32_t, most_threads> done_{};
    std::array<std::uint32_t, most_threads> next_choice_{};
};

}  // namespace norn
