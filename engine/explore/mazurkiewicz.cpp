// `mazurkiewicz`: optimal dynamic partial-order reduction with wakeup trees.
//
// From P. Abdulla, S. Aronsson, B. Jonsson, K. Sagonas: "Source Sets: A Foundation for Optimal Dynamic Partial Order
// Reduction", J. ACM 64(4), 2017, Algorithm 2; names in quotes below are the paper's. It explores exactly one execution
// of each class and starts none that would turn out to be redundant:
//
//   Explore(E, Sleep, WuT)
//     if E is maximal
//       for each race e, e' of E                                         reverse_races
//         let E' = pre(E, e) and v = notdep(e, E).e'                     reverse
//         if no sleeper at E' is a weak initial of v: insert v into wut(E')
//     else
//       wut(E) := WuT, or any one event that does not sleep               the executor's free part
//       while wut(E) has a leftmost branch p
//         Explore(E.p, {q in Sleep(E) | q independent of p}, the tree after p)
//         add p to Sleep(E), remove the branch of p                       backtrack
//
// Here the recursion is a stack with one State per event of the current execution, and one run of the executor goes from
// a branch of a wakeup tree to a maximal execution at once.
//
// What goes beyond the paper:
//
// - Guards: see Trace. An event that still waits for its guard at the end of an execution takes part in races as if it
//   came next.
// - Choices: the alternatives of a choice event are events of their own that exclude each other. So an event that took
//   one alternative races with each other alternative of itself. Where a reversed race moves a choice, it takes
//   alternative 0 at its new place, and the others follow from there.
// - Conditional operations (compare-exchange, trylock, signal): what e' does in its new place is decided by the value
//   that e found, as nothing in notdep(e, E) writes there.
// - A race between two events of the part that this execution shares with the one before needs no second look unless
//   `v` has changed. If every new event happens after e, then v is what it was, less some events at its end; these
//   conflict with nothing else in v, so what made the earlier v superfluous or was inserted for it serves this one.
#include "explore/mazurkiewicz.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

#include "explore/trace.h"
#include "explore/wakeup_tree.h"

namespace norn {

namespace {

class Mazurkiewicz final : public Explorer {
public:
    void explore(Exploration& exploration) override {
        while (const Execution* execution = exploration.run(schedule_)) {
            extend(*execution);
            validate(*execution);
            reverse_races(*execution);
            if (!backtrack()) return;
        }
    }

private:
    using Tree = WakeupTrees::Tree;

    // The state in which an event of the current execution was performed.
    struct State {
        Tree pending;              // branches still to be explored from here, right of the current one
        std::uint32_t sleep;       // where its sleep set begins in `sleep_`; it ends where the next one begins
        std::uint32_t sleepers;    // where the events that this state put to sleep begin in `sleepers_`
    };

    // An event of which everything that begins with it has been explored from some state on.
    struct Sleeper {
        Footprint footprint;
        Event event;
    };

    [[nodiscard]] std::span<const std::uint32_t> sleep_at(std::size_t i) const {
        const std::size_t begin = states_[i].sleep;
        const std::size_t end = i + 1 < states_.size() ? states_[i + 1].sleep : sleep_.size();
        return {sleep_.data() + begin, end - begin};
    }

    void extend(const Execution& execution);
    void reverse_races(const Execution& execution);
    void reverse(EventIndex early, const Event& late);
    void take_alternatives(EventIndex choice);
    enum class Coverage : bool { open, explored };

    void plan(EventIndex early, const Footprint& late);
    [[nodiscard]] std::size_t count_threads_after(EventIndex early) const;
    Coverage add_to_v(const Footprint& event);
    bool backtrack();
    void follow_leftmost_branch();
    void step(const Footprint& event);
    void take_waking_alternatives();
    void validate(const Execution& execution) const;

    Trace trace_;                             // the current execution E
    std::vector<State> states_;               // one per event of E
    std::size_t first_new_ = 0;               // where E left the execution before it
    std::vector<EventIndex> choices_;         // the events of E that had alternatives
    std::vector<Sleeper> sleepers_;           // those of all sleep sets
    std::vector<std::uint32_t> sleep_;        // the sleep sets, one after the other, as numbers of sleepers
    WakeupTrees trees_;
    std::vector<Tree> planned_;               // `pending` of the states to come on the branch that is followed
    Schedule schedule_;                       // leads to the next execution
    std::vector<std::uint32_t> still_asleep_; // at the end of the schedule
    std::vector<Footprint> v_;                // the sequence that reverses a race
    std::vector<Tick> all_new_know_;          // how many events of each thread happen before all new events
    std::vector<std::uint32_t> candidates_;   // scratch of plan: sleepers that may be weak initials of v
    std::vector<char> dependent_;             // scratch of plan: threads that have an event that happens after e
};

// Takes the new events over from the execution, with clocks, races and sleep sets.
void Mazurkiewicz::extend(const Execution& execution) {
    trace_.fit_threads(execution.threads);
    const std::size_t size = execution.events.size();
    schedule_.steps.resize(first_new_);
    if (states_.empty() && size > 0) states_.push_back({WakeupTrees::none, 0, 0});
    for (std::size_t i = first_new_; i < size; ++i) {
        const Event& event = execution.events[i];
        trace_.push(event);
        schedule_.steps.push_back({event.thread, event.choice});
        if (event.alternatives > 1) choices_.push_back(static_cast<EventIndex>(i));
        if (i + 1 == size) break;
        // Sleep(E.p) = {q in Sleep(E) | q independent of p}
        const std::size_t sleep_end = sleep_.size();
        const Footprint& performed = trace_.footprint(i);
        for (std::size_t k = states_[i].sleep; k < sleep_end; ++k) {
            const Footprint& sleeper = sleepers_[sleep_[k]].footprint;
            if (sleeper.thread != performed.thread && !conflicting(sleeper, performed)) sleep_.push_back(sleep_[k]);
        }
        const std::size_t ahead = i - first_new_;
        const Tree pending = ahead < planned_.size() ? planned_[ahead] : WakeupTrees::none;
        states_.push_back({pending, static_cast<std::uint32_t>(sleep_end), static_cast<std::uint32_t>(sleepers_.size())});
    }
}

void Mazurkiewicz::reverse_races(const Execution& execution) {
    all_new_know_.assign(trace_.threads(), UINT32_MAX);
    for (std::size_t i = first_new_; i < trace_.size(); ++i)
        for (std::size_t t = 0; t < all_new_know_.size(); ++t)
            all_new_know_[t] = std::min(all_new_know_[t], trace_.clock(i)[t]);
    const auto unchanged_since = [&](EventIndex early) {
        return all_new_know_[trace_.footprint(early).thread] >= trace_.tick(early);
    };

    for (const Race race : trace_.races())
        if (race.late >= first_new_ || !unchanged_since(race.early)) reverse(race.early, trace_.event(race.late));
    for (const Event& pending : execution.pending)
        for (const Race race : trace_.races_of_pending(pending)) reverse(race.early, pending);
    for (const EventIndex choice : choices_)
        if (choice >= first_new_ || !unchanged_since(choice)) take_alternatives(choice);
}

// v = notdep(e, E).e', to be explored from pre(E, e).
void Mazurkiewicz::reverse(EventIndex early, const Event& late) {
    Footprint moved = footprint_of(late);
    moved.access = trace_.access_before(early, late);
    moved.choice = 0;
    plan(early, moved);
}

void Mazurkiewicz::take_alternatives(EventIndex choice) {
    Footprint other = trace_.footprint(choice);
    for (std::uint16_t alternative = 0; alternative < trace_.event(choice).alternatives; ++alternative) {
        if (alternative == trace_.event(choice).choice) continue;
        other.choice = alternative;
        plan(choice, other);
    }
}

// Inserts v = notdep(e, E).late into the wakeup tree of pre(E, e), unless a sleeper there is a weak initial of v: then
// everything that begins with v has been explored. Most of the time it is, so we look for the sleeper as v grows.
void Mazurkiewicz::plan(EventIndex early, const Footprint& late) {
    v_.clear();
    const std::span<const std::uint32_t> sleep = sleep_at(early);
    candidates_.assign(sleep.begin(), sleep.end());
    // notdep(e, E): the events after e that do not happen after it, up to where no thread has more of them.
    const ThreadId thread = trace_.footprint(early).thread;
    const Tick tick = trace_.tick(early);
    std::size_t open = count_threads_after(early);  // those that may have a further one
    dependent_.assign(trace_.threads(), 0);
    for (std::size_t i = early + 1; open > 0; ++i) {
        const Footprint& event = trace_.footprint(i);
        if (dependent_[event.thread] != 0) continue;
        if (trace_.clock(i)[thread] >= tick) {
            dependent_[event.thread] = 1;
            --open;
            continue;
        }
        if (trace_.last_of(event.thread) == i) --open;
        if (add_to_v(event) == Coverage::explored) return;
    }
    if (add_to_v(late) == Coverage::explored || !candidates_.empty()) return;
    trees_.insert(states_[early].pending, v_);
}

// How many threads have an event after this one, its own thread included.
std::size_t Mazurkiewicz::count_threads_after(EventIndex early) const {
    std::size_t count = 0;
    for (std::size_t t = 0; t < trace_.threads(); ++t) {
        const EventIndex last = trace_.last_of(static_cast<ThreadId>(t));
        if (last != no_event && last > early) ++count;
    }
    return count;
}

// Weak initials, the other way round from `weak_initial`: the candidates are the sleepers that conflict with nothing in
// v so far and are not in it.
Mazurkiewicz::Coverage Mazurkiewicz::add_to_v(const Footprint& event) {
    v_.push_back(event);
    for (std::size_t i = 0; i < candidates_.size();) {
        const Footprint& sleeper = sleepers_[candidates_[i]].footprint;
        if (sleeper.thread == event.thread && sleeper.choice == event.choice) return Coverage::explored;
        if (sleeper.thread == event.thread || conflicting(sleeper, event)) {
            candidates_[i] = candidates_.back();
            candidates_.pop_back();
        } else {
            ++i;
        }
    }
    return Coverage::open;
}

// Gives up events from the end until a state has a branch to follow. False: there is none left.
bool Mazurkiewicz::backtrack() {
    while (!states_.empty() && states_.back().pending == WakeupTrees::none) {
        sleep_.resize(states_.back().sleep);
        sleepers_.resize(states_.back().sleepers);
        states_.pop_back();
    }
    if (states_.empty()) return false;

    first_new_ = states_.size() - 1;
    const Event& done = trace_.event(first_new_);
    sleep_.push_back(static_cast<std::uint32_t>(sleepers_.size()));
    sleepers_.push_back({footprint_of(done), done});
    trace_.truncate(first_new_);
    while (!choices_.empty() && choices_.back() >= first_new_) choices_.pop_back();
    follow_leftmost_branch();
    return true;
}

// Makes the schedule of the next execution: up to the state that was backtracked to, then along the leftmost branches.
void Mazurkiewicz::follow_leftmost_branch() {
    schedule_.steps.resize(first_new_);
    const std::span<const std::uint32_t> sleep = sleep_at(first_new_);
    still_asleep_.assign(sleep.begin(), sleep.end());
    planned_.clear();

    Tree following;
    step(trees_.take_first(states_.back().pending, following));
    while (following != WakeupTrees::none) {
        planned_.push_back(following);
        step(trees_.take_first(planned_.back(), following));
    }
    take_waking_alternatives();

    schedule_.sleepers.clear();
    for (const std::uint32_t sleeper : still_asleep_) {
        const Event& event = sleepers_[sleeper].event;
        if (event.choice == 0) schedule_.sleepers.push_back(event);  // one alternative stands for all of them
    }
}

void Mazurkiewicz::step(const Footprint& event) {
    schedule_.steps.push_back({event.thread, event.choice});
    std::erase_if(still_asleep_, [&](std::uint32_t sleeper) {
        const Footprint& other = sleepers_[sleeper].footprint;
        return other.thread == event.thread || conflicting(other, event);
    });
}

// The executor knows only threads that sleep with all alternatives of their next event. One that has an alternative
// awake could come next at the end of the branch as well as any other: we let it, with that alternative.
void Mazurkiewicz::take_waking_alternatives() {
    for (std::size_t i = 0; i < still_asleep_.size();) {
        const Sleeper& sleeper = sleepers_[still_asleep_[i]];
        Footprint awake = sleeper.footprint;
        const auto is_asleep = [&](std::uint32_t other) {
            return sleepers_[other].footprint.thread == awake.thread && sleepers_[other].footprint.choice == awake.choice;
        };
        awake.choice = 0;
        while (awake.choice < sleeper.event.alternatives &&
               std::any_of(still_asleep_.begin(), still_asleep_.end(), is_asleep))
            ++awake.choice;
        if (awake.choice == sleeper.event.alternatives) {
            ++i;
        } else {
            step(awake);
            i = 0;
        }
    }
}

// What must hold after every execution; checked in debug builds.
void Mazurkiewicz::validate([[maybe_unused]] const Execution& execution) const {
#ifndef NDEBUG
    assert(trace_.size() == execution.events.size() && states_.size() == trace_.size());
    assert(schedule_.steps.size() == trace_.size());
    for (std::size_t i = 0; i < trace_.size(); ++i) {
        // The same schedule gives the same events.
        const Event& event = execution.events[i];
        const Event& kept = trace_.event(i);
        assert(event.thread == kept.thread && event.choice == kept.choice && event.operation == kept.operation);
        assert(event.address == kept.address && event.access == kept.access && event.before == kept.before);
        assert(event.cause == no_event || event.cause < i);
        // Nobody walks in their sleep: that execution would be redundant.
        for (const std::uint32_t sleeper : sleep_at(i)) {
            const Footprint& asleep = sleepers_[sleeper].footprint;
            assert(asleep.thread != event.thread || asleep.choice != event.choice);
        }
        // The clocks are the order they stand for.
        for (std::size_t k = 0; k < i; ++k) {
            const bool direct = trace_.event(k).thread == event.thread || event.cause == k ||
                                conflicting(trace_.footprint(k), trace_.footprint(i));
            assert(!direct || trace_.happens_before(k, i));
        }
    }
    for (const Race race : trace_.races()) {
        assert(race.early < race.late && trace_.happens_before(race.early, race.late));
        assert(trace_.event(race.early).thread != trace_.event(race.late).thread);
        assert(conflicting(trace_.event(race.early), trace_.event(race.late)));
    }
#endif
}

}  // namespace

std::unique_ptr<Explorer> make_mazurkiewicz() { return std::make_unique<Mazurkiewicz>(); }

}  // namespace norn
