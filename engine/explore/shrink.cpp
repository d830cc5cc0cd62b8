#include "explore/shrink.h"

#include <algorithm>

#include "explore/preemption_bounded.h"

namespace norn {

namespace {

// Locations can become visible again and again while executions are tried that nobody has run before.
constexpr int most_restarts = 20;

bool is_among(std::span<const ThreadId> able, ThreadId thread) {
    return std::find(able.begin(), able.end(), thread) != able.end();
}

}  // namespace

// Looks for one execution that fails the same way.
class Shrinker::FewerPreemptions final : public Monitor {
public:
    explicit FewerPreemptions(Shrinker& shrinker) : shrinker_(shrinker) {}

    bool wants_more(const Statistics&) override { return !shrinker_.is_over(); }
    bool saw(const Execution& execution, const Statistics&) override {
        if (!shrinker_.count(execution)) return false;
        if (execution.was_cut || execution.ending == Ending::too_long) was_cut_ = true;
        if (shrinker_.host_.failure_in(execution) == no_event) return true;
        found_.assign(execution.events.begin(), execution.events.end());
        has_found_ = true;
        return false;
    }
    void gave_up(Reason) override { is_through_ = true; }  // all within the bound were seen
    void began_again() override { has_learned_ = true; }

    [[nodiscard]] bool has_found() const { return has_found_; }
    [[nodiscard]] std::span<const Event> found() const { return found_; }
    [[nodiscard]] bool is_through() const { return is_through_; }
    [[nodiscard]] bool was_cut() const { return was_cut_; }
    [[nodiscard]] bool has_learned() const { return has_learned_; }

private:
    Shrinker& shrinker_;
    std::vector<Event> found_;
    bool has_found_ = false;
    bool is_through_ = false;
    bool was_cut_ = false;
    bool has_learned_ = false;
};

bool Shrinker::shrink() {
    policy_.kind = Policy::Kind::stretches;
    schedule_.policy = &policy_;
    // The first half is for what helps most; what is left of it, and the second, for the proof that no fewer
    // preemptions will do.
    limit_ = budget_.executions / 2;
    if (!begin()) return false;
    original_ = best_;
    simplify();
    limit_ = budget_.executions;
    stopped_ = false;
    if (search_fewer()) simplify();
    return true;
}

// Takes the execution that was kept last for the best.
bool Shrinker::begin() {
    std::vector<Event> events;
    for (int i = 0; i < most_restarts; ++i) {
        if (is_over() || !host_.restore(events)) return false;
        const Way way = way_of(events);
        policy_.stretches = way.stretches;
        policy_.choices = way.choices;
        const Execution& execution = executor_.run(schedule_);
        if (execution.ending == Ending::visibility) continue;
        if (!count(execution)) return false;
        const EventIndex length = host_.failure_in(execution);
        if (length == no_event && i == 0) continue;  // perhaps events are not what they were
        if (length == no_event) return false;
        // (What comes after the failure may be done in fewer stretches than before.)
        take(execution.events.first(length), effort_of(execution, length));
        return true;
    }
    return false;
}

// New locations are visible, so that stretches have other lengths.
bool Shrinker::begin_again() {
    const Effort before = best_;
    if (begin()) return true;
    best_ = before;  // of what the host has kept
    stopped_ = true;
    return false;
}

bool Shrinker::is_over() {
    if (stopped_ || executions_ >= limit_ || events_ >= budget_.events || !host_.may_go_on()) stopped_ = true;
    return stopped_;
}

// False: nothing follows from it, and nothing can be run after it.
bool Shrinker::count(const Execution& execution) {
    ++executions_;
    events_ += execution.events.size();
    if (execution.ending == Ending::interrupted) stopped_ = true;
    return execution.ending != Ending::interrupted && execution.ending != Ending::diverged;
}

// Whether that is a better way to fail. If so, it is the best from now on.
bool Shrinker::attempt(const Stretches& stretches, const Choices& choices) {
    if (is_over()) return false;
    policy_.stretches = stretches;
    policy_.choices = choices;
    const Execution& execution = executor_.run(schedule_);
    if (execution.ending == Ending::visibility) {
        ++executions_;
        events_ += execution.events.size();
        begin_again();
        return false;
    }
    if (!count(execution)) return false;
    const EventIndex length = host_.failure_in(execution);
    if (length == no_event) return false;
    const Effort effort = effort_of(execution, length);
    if (effort >= best_ || !host_.keep(execution)) return false;
    take(execution.events.first(length), effort);
    return true;
}

Effort Shrinker::effort_of(const Execution& execution, EventIndex length) {
    Effort effort;
    effort.events = length;
    std::size_t position = 0;  // in `able`: a number, and so many threads, for each event
    for (EventIndex i = 0; i < length; ++i) {
        const std::span<const ThreadId> able = execution.able.subspan(position + 1, execution.able[position]);
        position += able.size() + 1;
        if (execution.events[i].choice != 0) ++effort.choices;
        if (i == 0) continue;
        const ThreadId before = execution.events[i - 1].thread;
        if (execution.events[i].thread == before) continue;
        ++effort.switches;
        if (is_among(able, before)) ++effort.preemptions;
    }
    return effort;
}

void Shrinker::take(std::span<const Event> events, const Effort& effort) {
    const Way way = way_of(events);
    stretches_ = way.stretches;
    choices_ = way.choices;
    best_ = effort;
}

Shrinker::Way Shrinker::way_of(std::span<const Event> events) {
    Way way;
    std::vector<std::uint32_t> done;
    for (const Event& event : events) {
        if (done.size() <= event.thread) done.resize(event.thread + std::size_t{1}, 0);
        ++done[event.thread];
        if (way.stretches.empty() || way.stretches.back().thread != event.thread)
            way.stretches.push_back({event.thread, 0});
        way.stretches.back().until = done[event.thread];
        if (event.alternatives > 1) way.choices.push_back({event.thread, event.choice});
    }
    return way;
}

void Shrinker::simplify() {
    attempt({}, choices_);
    bool helped = false;
    do {
        helped = leave_threads_out();
        helped = leave_out() || helped;
        helped = join() || helped;
        helped = shorten() || helped;
        helped = reset_choices() || helped;
    } while (helped && !is_over());
}

bool Shrinker::leave_threads_out() {
    bool helped = false;
    ThreadId threads = 0;
    for (const Policy::Stretch& stretch : stretches_) threads = std::max(threads, stretch.thread);
    for (ThreadId thread = threads; thread > 0 && !is_over(); --thread) {
        Stretches others;
        for (const Policy::Stretch& stretch : stretches_)
            if (stretch.thread != thread) others.push_back(stretch);
        if (others.size() < stretches_.size()) helped = attempt(others, choices_) || helped;
    }
    return helped;
}

// Half of the stretches at a time, then a quarter, down to single ones.
bool Shrinker::leave_out() {
    bool helped = false;
    for (std::size_t size = std::max<std::size_t>(stretches_.size() / 2, 1); size > 0; size /= 2)
        for (std::size_t i = 0; i < stretches_.size() && !is_over();) {
            const auto begin = stretches_.begin() + static_cast<std::ptrdiff_t>(i);
            const auto end = begin + static_cast<std::ptrdiff_t>(std::min(size, stretches_.size() - i));
            Stretches fewer(stretches_.begin(), begin);
            fewer.insert(fewer.end(), end, stretches_.end());
            if (attempt(fewer, choices_))
                helped = true;
            else
                i += size;
        }
    return helped;
}

// What a thread does in its next stretch it does at once; or all that it can do.
bool Shrinker::join() {
    bool helped = false;
    for (std::size_t i = 0; i < stretches_.size() && !is_over(); ++i) {
        for (const bool all : {true, false}) {
            Stretches joined = stretches_;
            if (all) {
                joined[i].until = UINT32_MAX;
            } else {
                std::size_t next = i + 1;
                while (next < joined.size() && joined[next].thread != joined[i].thread) ++next;
                if (next == joined.size()) break;
                joined[i].until = joined[next].until;
                joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(next));
            }
            if (attempt(joined, choices_)) helped = true;
            if (i >= stretches_.size()) break;
        }
    }
    return helped;
}

// A thread stops earlier: what it would have done need not happen before the failure.
bool Shrinker::shorten() {
    bool helped = false;
    for (std::size_t i = stretches_.size(); i-- > 0 && !is_over();) {
        if (i >= stretches_.size()) continue;  // others are gone meanwhile
        std::uint32_t begin = 0;
        for (std::size_t k = 0; k < i; ++k)
            if (stretches_[k].thread == stretches_[i].thread) begin = stretches_[k].until;
        for (std::uint32_t less = (stretches_[i].until - begin) / 2; less > 0 && !is_over(); less /= 2) {
            Stretches shorter = stretches_;
            shorter[i].until -= less;
            if (attempt(shorter, choices_)) helped = true;
            if (i >= stretches_.size() || stretches_[i].until <= begin + less / 2) break;
        }
    }
    return helped;
}

bool Shrinker::reset_choices() {
    bool helped = false;
    for (std::size_t i = 0; i < choices_.size() && !is_over(); ++i) {
        if (choices_[i].choice == 0) continue;
        Choices simpler = choices_;
        simpler[i].choice = 0;
        if (attempt(stretches_, simpler)) helped = true;
    }
    return helped;
}

// True: there is a better one, with fewer preemptions.
bool Shrinker::search_fewer() {
    if (best_.preemptions == 0) {
        is_least_ = true;
        return false;
    }
    FewerPreemptions search(*this);
    Exploration exploration(executor_, search);
    const std::uint32_t most = best_.preemptions - 1;
    const bool is_complete = explore_by([&] { return make_preemption_bounded(most); }, exploration);
    if (stopped_) return false;
    if (!search.has_found()) {
        is_least_ = (is_complete || search.is_through()) && !search.was_cut();
        return false;
    }
    if (search.has_learned() && !begin_again()) return false;
    const Way better = way_of(search.found());
    if (!attempt(better.stretches, better.choices)) return false;
    is_least_ = !search.was_cut();  // the search goes by the number of preemptions
    return true;
}

}  // namespace norn
