// `--preemptions K`: every execution with at most K preemptions, up to the order of conflicting events.
//
// A *preemption* is a switch away from a thread that could have performed its next event; a switch away from
// one that waits, was stopped or has ended costs nothing. Most failures need few of them (M. Musuvathi, S.
// Qadeer: "Iterative Context Bounding for Systematic Testing of Multithreaded Programs", PLDI 2007), and the
// number of schedules with K of them is polynomial in the length of an execution.
//
// The search goes in rounds: first all executions without a preemption, then all with at most one, up to K.
// So the first failure that is found has as few preemptions as any. A round runs depth first over schedules.
// At each event the executor says which threads could go on; the one that ran last goes on for nothing,
// another one at the price of a preemption unless the last one cannot.
//
// What is left out: a prefix of a schedule is not continued if another prefix was that
//   - has the same events with the same order of conflicting ones (class_identity.h),
//   - ends with an event of the same thread, or of one that cannot go on, and
//   - has had as many preemptions, or fewer, in this round;
// or, if it ends with an event of another thread, at least one fewer.
// Nothing is lost by that. After both every thread has read the same values, and memory and synchronization
// objects are the same, so whatever can follow the one can follow the other, with the same events: the same
// threads can go on at each point, so a continuation leads to the same class and has as many preemptions
// after the one as after the other, but for its first switch: after the other prefix it costs no more, or one
// more if that ends with another thread. The other prefix has the same length: it is not one that we are
// still in the middle of, but was continued to all ends. An execution whose class was seen before is counted
// as redundant.
//
// And no thread is preempted just before an event e of a location that is not contended (contention.h), nor
// before one that has no location. Whatever runs instead until the thread t goes on does not conflict with e,
// so the execution P s e ..., in which s runs first, is of the same class as P e s ..., in which t is
// preempted after e, or has to wait there, or has ended. That has no more preemptions. Let u be the last
// thread of s. If t goes on after e, u is left for t in the one and in the other, and costs the same, as e
// makes nobody able to go on who waits in s (that would be a conflict), but by the end of t. If another
// thread v comes after e, the one has the preemption of t before e, the switch from u to t, and that from t
// to v; the other has the switch from t after e, and that from u to v, which costs as much as the one from u
// to t, or else e is the end of t, and the switch from t costs nothing. If t never goes on in the execution,
// because a failure ends it, P e s ends likewise, unless t fails before. The same again for the next event of
// t, until it is contended.
//     That a location is contended is learned from the executions that are run. If it shows only after a
// preemption was left out, the search begins again. So in the end nothing was left out that is known to
// matter, and there is nothing to be known: of all executions within the bound in which two events compete
// for a location that is not known to be contended, take the one with the fewest preemptions that were left
// out, and of these one in which the thread has the fewest events left. The step above leads to one with
// fewer still, so there are none.
//
// Reductions that judge whether two schedules differ by their next events alone (sleep sets, persistent sets)
// are not used: the execution they keep of a class may need more preemptions than the one they leave out.
//
// If no round ever had to refuse a preemption, every schedule was explored, and with it every class.
//
// The prefixes that are remembered take 32 bytes each; beyond `most_prefixes` no more are: the search still
// is complete, but has more redundant executions.
#include "explore/preemption_bounded.h"

#include <algorithm>
#include <vector>

#include "consistency/identity_set.h"
#include "explore/class_identity.h"
#include "explore/contention.h"

namespace norn {

namespace {

// In the place of the thread of the last event of a prefix: one that cannot go on, and whichever it is.
constexpr ThreadId nobody = UINT16_MAX;
constexpr ThreadId anybody = UINT16_MAX - 1;

constexpr std::size_t most_prefixes = std::size_t{1} << 26;

class PreemptionBounded final : public Explorer {
public:
    explicit PreemptionBounded(std::uint32_t most_preemptions) : most_preemptions_(most_preemptions) {
        schedule_.policy = &policy_;
    }

    void explore(Exploration& exploration) override {
        bound_ = 0;
        for (;;) {
            exploration.set_preemptions(bound_);
            switch (search(exploration)) {
                case Round::stopped: return;
                case Round::learned: bound_ = 0; continue;
                case Round::done: break;
            }
            if (!has_refused_) return;
            if (bound_++ == most_preemptions_) break;
        }
        exploration.give_up(Monitor::Reason::preemptions);
    }

private:
    // The state in which an event of the current execution was performed.
    struct State {
        std::uint32_t able;  // where the threads that could go on begin in `able_`
        std::uint32_t able_count;
        std::uint32_t tried;        // so many of these were looked at, beside the first
        std::uint32_t preemptions;  // before this event
        ThreadId first;             // who was chosen first
        ThreadId thread;            // who is chosen now
        std::uint16_t choice;
        std::uint16_t alternatives;
        LocationId location;  // of the event of the first one
    };
    // How a round ended: it has to be begun anew if a preemption was left out that matters.
    enum class Round : std::uint8_t { done, stopped, learned };

    Round search(Exploration& exploration) {
        has_refused_ = false;
        states_.clear();
        able_.clear();
        prefixes_.clear();
        schedule_.steps.clear();
        do {
            const Execution* const execution = exploration.run(schedule_);
            if (execution == nullptr) return Round::stopped;
            contention_.learn(*execution);
            if (!extend(*execution)) exploration.last_was_redundant();
            exploration.count_classes(sources_.size(), orders_.size());
            for (const LocationId location : contention_.news())
                if (location < left_out_.size() && left_out_[location] != 0) return begin_again();
        } while (backtrack());
        return Round::done;
    }

    Round begin_again() {
        left_out_.clear();
        return Round::learned;
    }

    // Takes over what is new in the execution. False: its class was seen before.
    bool extend(const Execution& execution) {
        identity_.begin();
        const std::size_t planned = schedule_.steps.size();
        std::size_t next_able = 0;
        bool is_known = false;  // this prefix was continued before
        for (std::size_t i = 0; i < execution.events.size(); ++i) {
            const Event& event = execution.events[i];
            identity_.push(event);
            if (i + 1 < planned || is_known) continue;
            if (i >= planned) next_able = push_state(execution, event, next_able);
            states_[i].choice = event.choice;
            states_[i].alternatives = event.alternatives;
            const bool has_next = i + 1 < execution.events.size() && i + 1 >= planned;
            const bool is_free = has_next && !contains_able(execution, next_able, event.thread);
            is_known = was_continued(event.thread, is_free, preemptions_after(i));
        }
        sources_.insert(identity_.sources());
        return orders_.insert(identity_.order());
    }

    std::size_t push_state(const Execution& execution, const Event& event, std::size_t next_able) {
        const std::uint32_t count = execution.able[next_able];
        const auto begin = execution.able.begin() + static_cast<std::ptrdiff_t>(next_able) + 1;
        const std::uint32_t preemptions = states_.empty() ? 0 : preemptions_after(states_.size() - 1);
        states_.push_back({static_cast<std::uint32_t>(able_.size()), count, 0, preemptions, event.thread,
                           event.thread, 0, 1, event.location});
        able_.insert(able_.end(), begin, begin + count);
        return next_able + count + 1;
    }

    // How many there are up to and with event number i.
    [[nodiscard]] std::uint32_t preemptions_after(std::size_t i) const {
        return states_[i].preemptions + (is_preemption(i, states_[i].thread) ? 1 : 0);
    }

    // Whether it is one if that thread performs event number i.
    [[nodiscard]] bool is_preemption(std::size_t i, ThreadId thread) const {
        if (i == 0 || states_[i - 1].thread == thread) return false;
        const auto begin = able_.begin() + states_[i].able;
        return std::find(begin, begin + states_[i].able_count, states_[i - 1].thread) !=
               begin + states_[i].able_count;
    }

    // Whether the prefix that has just been named needs no continuation. Remembers it.
    bool was_continued(ThreadId last, bool is_free, std::uint32_t preemptions) {
        for (std::uint32_t fewer = 0; fewer <= preemptions; ++fewer)
            if (prefixes_.contains(prefix_after(last, fewer)) ||
                prefixes_.contains(prefix_after(nobody, fewer)) ||
                (fewer < preemptions && prefixes_.contains(prefix_after(anybody, fewer))))
                return true;
        if (prefixes_.size() < most_prefixes) {
            prefixes_.insert(prefix_after(is_free ? nobody : last, preemptions));
            prefixes_.insert(prefix_after(anybody, preemptions));
        }
        return false;
    }

    [[nodiscard]] Identity prefix_after(ThreadId last, std::uint32_t preemptions) const {
        Identity prefix = identity_.order();
        prefix.mix(last, preemptions);
        return prefix;
    }

    static bool contains_able(const Execution& execution, std::size_t position, ThreadId thread) {
        const auto begin = execution.able.begin() + static_cast<std::ptrdiff_t>(position) + 1;
        const auto end = begin + execution.able[position];
        return std::find(begin, end, thread) != end;
    }

    // To the last state that has another alternative, and on to that. False: there is none left.
    bool backtrack() {
        for (; !states_.empty(); states_.pop_back()) {
            const std::size_t i = states_.size() - 1;
            State& state = states_.back();
            able_.resize(state.able + state.able_count);
            if (state.choice + 1 < state.alternatives) {
                ++state.choice;
            } else if (!take_another_thread(i)) {
                continue;
            }
            schedule_.steps.clear();
            for (const State& each : states_) schedule_.steps.push_back({each.thread, each.choice});
            return true;
        }
        return false;
    }

    bool take_another_thread(std::size_t i) {
        State& state = states_[i];
        while (state.tried < state.able_count) {
            const ThreadId thread = able_[state.able + state.tried++];
            if (thread == state.first) continue;
            if (is_preemption(i, thread) && (is_left_out(state) || !is_allowed(state))) continue;
            state.thread = thread;
            state.choice = 0;
            return true;
        }
        return false;
    }

    bool is_left_out(const State& state) {
        if (contention_.is_contended(state.location)) return false;
        if (state.location == no_location) return true;
        if (state.location >= left_out_.size()) left_out_.resize(state.location + 1U);
        left_out_[state.location] = 1;
        return true;
    }

    bool is_allowed(const State& state) {
        if (state.preemptions < bound_) return true;
        has_refused_ = true;
        return false;
    }

    const std::uint32_t most_preemptions_;
    std::uint32_t bound_ = 0;  // of this round
    bool has_refused_ = false;
    Policy policy_;  // stay
    Schedule schedule_;
    std::vector<State> states_;  // of the current execution, up to where it was left out
    std::vector<ThreadId> able_;
    IdentitySet prefixes_;  // of this round
    Contention contention_;
    std::vector<char> left_out_;  // by location: a preemption before an event of it was left out
    ClassIdentity identity_;
    IdentitySet sources_;
    IdentitySet orders_;
};

}  // namespace

std::unique_ptr<Explorer> make_preemption_bounded(std::uint32_t most_preemptions) {
    return std::make_unique<PreemptionBounded>(most_preemptions);
}

}  // namespace norn
