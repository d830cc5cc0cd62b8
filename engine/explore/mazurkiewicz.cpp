// `mazurkiewicz`: optimal dynamic partial-order reduction with wakeup trees.
//
// From P. Abdulla, S. Aronsson, B. Jonsson, K. Sagonas: "Source Sets: A Foundation for Optimal Dynamic
// Partial Order Reduction", J. ACM 64(4), 2017; names in quotes below are the paper's. It explores exactly
// one execution of each class and starts none that would turn out to be redundant:
//
//   Explore(E, Sleep, WuT)
//     if E is maximal
//       for each race e, e' of E                                          reverse_races
//         let E' = "pre"(E, e) and v = "notdep"(e, E).e'
//         if no event asleep at E' is a "weak initial" of v               plan
//           insert v into "wut"(E')
//     else
//       wut(E) := WuT, or any one event                                    (the executor goes on by itself)
//       while wut(E) has a leftmost branch p                                backtrack
//         Explore(E.p, {q in Sleep(E) | q independent of p}, the tree after p)
//         add p to Sleep(E), remove its branch from wut(E)
//
// Here the recursion is a stack with one State per event of the current execution, and one run of the
// executor goes all the way from a branch of a wakeup tree to a maximal execution.
//
// Nothing is redundant: when a sequence v of a tree is begun, no event asleep is a weak initial of it
// (wakeup_tree.h says what that is), so each of them conflicts with something in v, and at the end of v
// nobody sleeps. So the executor never has to pass over a sleeper.
//
// What goes beyond the paper:
//
// - Guards: see trace.h. An event that still waits for its guard at the end of an execution takes part in
//   races as if it came next.
// - Choices: the alternatives of a choice are events of their own that exclude each other. So an event that
//   took one alternative races with every other alternative of itself. Where a reversed race moves a choice,
//   it takes alternative 0 in its new place, and the others follow from there.
// - Conditional operations (compare-exchange, trylock, signal): what e' does in its new place is decided by
//   the value that e found, as nothing in notdep(e, E) writes there.
// - Of v only what is needed goes into the tree: e', the events that keep a sleeper or a branch further left
//   from being a weak initial of v, and what happens before those. The rest may follow anyway. So one short
//   sequence stands for all the v that differ only in their rests; with the whole of v the trees can grow as
//   large as the search.
// - Old races: every race of an execution counts, also one between two events that were there in the
//   execution before, because the rest of v differs. (To look only at races with new events is tempting, and
//   loses classes of programs with five or six threads.) But mostly there is nothing to be done for it, and
//   that is quick to see: see `still_handled`.
#include "explore/mazurkiewicz.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

#include "explore/footprint.h"
#include "explore/trace.h"
#include "explore/wakeup_tree.h"

namespace norn {

namespace {

class Mazurkiewicz final : public Explorer {
public:
    void explore(Exploration& exploration) override {
        coverage_ = &exploration.coverage();
        while (const Execution* execution = exploration.run(schedule_)) {
            if (extend(*execution) == Novelty::redundant) exploration.last_was_redundant();
            validate(*execution);
            reverse_races(*execution);
            if (coverage_->executed(states_.size())) count_what_is_left();
            if (!backtrack()) return;
        }
    }

private:
    // The state in which an event of the current execution was performed.
    struct State {
        WakeupTrees::Tree pending;  // what is still to be explored from here, beside the current event
        std::uint32_t sleep;  // where its sleep set begins in `sleep_`; it ends where the next one begins
    };

    // What became of v when a race was last looked at. If a sleeper at pre(E, e) was a weak initial of v,
    // nothing had to be done; else v went into the wakeup tree.
    struct Handled {
        bool asleep = false;
        Footprint sleeper{};
        EventIndex found = no_event;  // where v performs the sleeper; no_event: as e', or nowhere
        EventIndex last = 0;          // if it was not asleep: the last event of notdep(e, E)
    };

    [[nodiscard]] std::span<const Footprint> sleep_at(std::size_t state) const {
        const std::size_t begin = states_[state].sleep;
        const std::size_t end = state + 1 < states_.size() ? states_[state + 1].sleep : sleep_.size();
        return {sleep_.data() + begin, end - begin};
    }

    enum class Novelty : bool { redundant, fresh };
    Novelty extend(const Execution& execution);
    [[nodiscard]] bool is_asleep(const Footprint& event, std::size_t state) const;
    void reverse_races(const Execution& execution);
    Handled reverse(EventIndex early, const Event& late, const Tick* clock_of_late);
    void take_alternatives(EventIndex choice);
    [[nodiscard]] bool nothing_new_in_v(EventIndex early) const;
    [[nodiscard]] bool still_handled(EventIndex early, Handled& handled) const;
    [[nodiscard]] bool still_asleep(EventIndex early, Handled& handled) const;
    Handled plan(EventIndex early, const Footprint& late, const Tick* clock_of_late);
    void insert_v(EventIndex early, const Tick* clock_of_late);
    [[nodiscard]] std::size_t count_threads_after(EventIndex early) const;
    const Footprint* add_to_v(const Footprint& event);
    bool backtrack();
    void count_what_is_left();
    void validate(const Execution& execution) const;

    Coverage* coverage_ = nullptr;
    Trace trace_;                      // the current execution E
    std::vector<State> states_;        // one per event of E
    std::vector<Footprint> sleep_;     // the sleep sets, one after the other
    std::vector<Handled> handled_;     // one per race of E
    std::vector<EventIndex> choices_;  // the events of E that had alternatives
    std::size_t first_new_ = 0;        // where E left the execution before it
    WakeupTrees trees_;
    std::vector<WakeupTrees::Tree> planned_;  // the trees along the branch now followed, from first_new_ on
    Schedule schedule_;                       // to the next execution; nobody sleeps at its end, see above

    // Kept only to be used again without allocation:
    std::vector<Planned> v_;              // the sequence that reverses a race
    std::vector<EventIndex> in_trace_;    // where its events are in the trace, all but the last
    std::vector<Tick> needed_;            // how many events of each thread are needed of v
    std::vector<Footprint> candidates_;   // for weak initials of v
    std::vector<char> dependent_;         // threads that have an event that happens after e
    std::vector<Tick> known_to_all_new_;  // how many events of each thread happen before every new event
};

// Takes the new events over from the execution, with clocks, races and sleep sets.
Mazurkiewicz::Novelty Mazurkiewicz::extend(const Execution& execution) {
    Novelty novelty = Novelty::fresh;
    trace_.fit_threads(execution.threads);
    schedule_.steps.resize(first_new_);
    const std::size_t size = execution.events.size();
    if (states_.empty() && size > 0) states_.push_back({WakeupTrees::none, 0});
    for (std::size_t i = first_new_; i < size; ++i) {
        const Event& event = execution.events[i];
        trace_.push(event);
        schedule_.steps.push_back({event.thread, event.choice});
        if (event.alternatives > 1) choices_.push_back(static_cast<EventIndex>(i));
        if (is_asleep(trace_.footprint(i), i)) novelty = Novelty::redundant;
        if (i + 1 == size) break;
        // Sleep(E.p) = {q in Sleep(E) | q independent of p}
        const std::size_t end = sleep_.size();
        const Footprint& performed = trace_.footprint(i);
        for (std::size_t k = states_[i].sleep; k < end; ++k) {
            const Footprint sleeper = sleep_[k];
            if (sleeper.thread != performed.thread && !conflicting(sleeper, performed))
                sleep_.push_back(sleeper);
        }
        const std::size_t ahead = i + 1 - first_new_;
        const WakeupTrees::Tree pending = ahead < planned_.size() ? planned_[ahead] : WakeupTrees::none;
        states_.push_back({pending, static_cast<std::uint32_t>(end)});
    }
    return novelty;
}

// Whether all that begins with this event in this state was explored before. The algorithm never comes to
// such an event: an execution that has one is counted as redundant, and is a bug.
bool Mazurkiewicz::is_asleep(const Footprint& event, std::size_t state) const {
    const std::span<const Footprint> sleep = sleep_at(state);
    return std::any_of(sleep.begin(), sleep.end(), [&](const Footprint& sleeper) {
        return sleeper.thread == event.thread && sleeper.choice == event.choice;
    });
}

void Mazurkiewicz::reverse_races(const Execution& execution) {
    known_to_all_new_.assign(trace_.threads(), UINT32_MAX);
    for (std::size_t i = first_new_; i < trace_.size(); ++i)
        for (std::size_t t = 0; t < known_to_all_new_.size(); ++t)
            known_to_all_new_[t] = std::min(known_to_all_new_[t], trace_.clock(i)[t]);

    const std::span<const Race> races = trace_.races();
    const std::size_t old_races = handled_.size();
    handled_.resize(races.size());
    for (std::size_t i = 0; i < races.size(); ++i)
        if (i >= old_races || !still_handled(races[i].early, handled_[i]))
            handled_[i] = reverse(races[i].early, trace_.event(races[i].late), trace_.clock(races[i].late));
    for (const Event& pending : execution.pending)
        for (const Race race : trace_.races_of_pending(pending))
            reverse(race.early, pending, trace_.pending_clock());
    for (const EventIndex choice : choices_) take_alternatives(choice);
}

Mazurkiewicz::Handled Mazurkiewicz::reverse(EventIndex early, const Event& late, const Tick* clock_of_late) {
    Footprint moved = footprint_of(late);
    moved.access = trace_.access_before(early, late);
    moved.choice = 0;
    return plan(early, moved, clock_of_late);
}

void Mazurkiewicz::take_alternatives(EventIndex choice) {
    Footprint other = trace_.footprint(choice);
    const std::uint16_t taken = other.choice;
    for (other.choice = 0; other.choice < trace_.event(choice).alternatives; ++other.choice)
        if (other.choice != taken) plan(choice, other, trace_.clock(choice));
}

// No new event is in notdep(e, E): all of them happen after e.
bool Mazurkiewicz::nothing_new_in_v(EventIndex early) const {
    return known_to_all_new_[trace_.footprint(early).thread] >= trace_.tick(early);
}

// Whether another look at an old race would change nothing: because v is what it was (the first new event
// came after all of it), or because the sleeper that was its weak initial still is.
bool Mazurkiewicz::still_handled(EventIndex early, Handled& handled) const {
    if (handled.asleep) return still_asleep(early, handled);
    return handled.last < first_new_ && nothing_new_in_v(early);
}

// Only the new events in v can make a difference to the sleeper.
bool Mazurkiewicz::still_asleep(EventIndex early, Handled& handled) const {
    if (handled.found < first_new_) return true;
    handled.found = no_event;
    if (nothing_new_in_v(early)) return true;
    const ThreadId thread = trace_.footprint(early).thread;
    const Tick tick = trace_.tick(early);
    for (std::size_t i = first_new_; i < trace_.size(); ++i) {
        if (trace_.clock(i)[thread] >= tick) continue;
        const Footprint& event = trace_.footprint(i);
        if (event.thread == handled.sleeper.thread) {
            handled.found = static_cast<EventIndex>(i);
            return event.choice == handled.sleeper.choice;
        }
        if (conflicting(event, handled.sleeper)) return false;
    }
    return true;
}

// Inserts v = notdep(e, E).late into the wakeup tree of pre(E, e), unless a sleeper there is a weak initial
// of v: then all that begins with v has been explored. That is the usual case, so we look for the sleeper as
// v grows.
Mazurkiewicz::Handled Mazurkiewicz::plan(EventIndex early, const Footprint& late, const Tick* clock_of_late) {
    const std::span<const Footprint> sleep = sleep_at(early);
    candidates_.assign(sleep.begin(), sleep.end());

    // notdep(e, E): the events after e that do not happen after it, up to where no thread has more of them.
    v_.clear();
    in_trace_.clear();
    const ThreadId thread = trace_.footprint(early).thread;
    const Tick tick = trace_.tick(early);
    std::size_t open = count_threads_after(early);  // threads that may have a further one
    dependent_.assign(trace_.threads(), 0);
    for (EventIndex i = early + 1; open > 0; ++i) {
        const Footprint& event = trace_.footprint(i);
        if (dependent_[event.thread] != 0) continue;
        if (trace_.clock(i)[thread] >= tick) {
            dependent_[event.thread] = 1;
            --open;
            continue;
        }
        if (trace_.last_of(event.thread) == i) --open;
        in_trace_.push_back(i);
        if (const Footprint* initial = add_to_v(event))
            return {.asleep = true, .sleeper = *initial, .found = i};
    }
    if (const Footprint* initial = add_to_v(late)) return {.asleep = true, .sleeper = *initial};
    if (!candidates_.empty()) return {.asleep = true, .sleeper = candidates_.front()};
    insert_v(early, clock_of_late);
    return {.last = in_trace_.empty() ? 0 : in_trace_.back()};
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

// Returns the candidate that the event shows to be a weak initial of v, if any. The candidates that are left
// conflict with nothing in v and are not in it.
const Footprint* Mazurkiewicz::add_to_v(const Footprint& event) {
    v_.push_back({event, false});
    for (std::size_t i = 0; i < candidates_.size();) {
        const Footprint& candidate = candidates_[i];
        if (candidate.thread == event.thread && candidate.choice == event.choice) return &candidate;
        if (candidate.thread == event.thread || conflicting(candidate, event)) {
            v_.back().needed = true;
            candidates_[i] = candidates_.back();
            candidates_.pop_back();
        } else {
            ++i;
        }
    }
    return nullptr;
}

// Inserts what is needed of v: e', the events that are marked, those that conflict with e' (it may write in
// its new place and not have written before), and those that happen before one of these.
void Mazurkiewicz::insert_v(EventIndex early, const Tick* clock_of_late) {
    WakeupTrees::Tree* place = trees_.find_place(states_[early].pending, v_);
    if (place == nullptr) return;
    needed_.assign(clock_of_late, clock_of_late + trace_.threads());
    for (std::size_t i = 0; i < in_trace_.size(); ++i)
        if (v_[i].needed || conflicting(v_[i].event, v_.back().event))
            for (std::size_t t = 0; t < needed_.size(); ++t)
                needed_[t] = std::max(needed_[t], trace_.clock(in_trace_[i])[t]);
    for (std::size_t i = 0; i < in_trace_.size(); ++i)
        v_[i].needed = !v_[i].is_taken_out() && needed_[v_[i].event.thread] >= trace_.tick(in_trace_[i]);
    v_.back().needed = !v_.back().is_taken_out();
    trees_.add(*place, v_);
}

// Gives up events from the end until a state has a sequence to follow. False: there is none left.
bool Mazurkiewicz::backtrack() {
    // (A state may be without event if the program ended of its own accord inside the schedule.)
    while (!states_.empty() &&
           (states_.back().pending == WakeupTrees::none || states_.size() > trace_.size())) {
        sleep_.resize(states_.back().sleep);
        states_.pop_back();
    }
    if (states_.empty()) return false;

    first_new_ = states_.size() - 1;
    coverage_->next_child(first_new_);
    sleep_.push_back(trace_.footprint(first_new_));
    trace_.truncate(first_new_);
    handled_.resize(trace_.races().size());
    while (!choices_.empty() && choices_.back() >= first_new_) choices_.pop_back();

    // Along the leftmost branch to its end.
    schedule_.steps.resize(first_new_);
    planned_.assign(1, states_.back().pending);
    for (WakeupTrees::Tree following = planned_.back(); following != WakeupTrees::none;) {
        planned_.back() = following;
        const Footprint event = trees_.take_first(planned_.back(), following);
        schedule_.steps.push_back({event.thread, event.choice});
        planned_.push_back(WakeupTrees::none);
    }
    states_.back().pending = planned_.front();
    return true;
}

// For an estimate of what is left (coverage.h).
void Mazurkiewicz::count_what_is_left() {
    for (std::size_t i = 0; i < std::min(states_.size(), trace_.size()); ++i)
        coverage_->look(i, trees_.count_branches(states_[i].pending), Coverage::kind_of(trace_.event(i)));
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
        assert(event.thread == kept.thread && event.choice == kept.choice &&
               event.operation == kept.operation);
        assert(event.address == kept.address && event.access == kept.access && event.before == kept.before);
        assert(event.cause == no_event || event.cause < i);
        // Nobody walks in their sleep: that execution would be redundant.
        for (const Footprint& sleeper : sleep_at(i))
            assert(sleeper.thread != event.thread || sleeper.choice != event.choice);
        // The clocks are the order they stand for.
        for (std::size_t k = 0; k < i; ++k) {
            const bool direct = trace_.event(k).thread == event.thread || event.cause == k ||
                                conflicting(trace_.footprint(k), trace_.footprint(i));
            assert(!direct || trace_.happens_before(k, i));
        }
    }
    for (const Race race : trace_.races()) {
        assert(race.early < race.late && trace_.happens_before(race.early, race.late));
        assert(conflicting(trace_.footprint(race.early), trace_.footprint(race.late)));
        assert(trace_.event(race.early).thread != trace_.event(race.late).thread);
    }
    // What a new execution was begun for has woken everybody.
    assert(planned_.empty() || first_new_ + planned_.size() > states_.size() ||
           sleep_at(first_new_ + planned_.size() - 1).empty());
#endif
}

}  // namespace

std::unique_ptr<Explorer> make_mazurkiewicz() { return std::make_unique<Mazurkiewicz>(); }

}  // namespace norn
