// Shrinker: from a failing execution to one that is easier to understand, and fails the same way.
//
// Executions are compared by what a reader has to follow (`Effort`): first preemptions, then switches of any
// sort, then events up to the failure, then choices that are not the first alternative.
//
// Two ways lead to better ones. *Simpler stretches*: the execution is taken as a list of stretches, each of
// one thread (graph/policy.h); stretches are left out, joined with an earlier one of the same thread, and
// made shorter, and choices are set to 0, as long as that helps. Any list of stretches can be run, so that
// nothing tried is for nothing. *Fewer preemptions*: what that leaves may still have more preemptions than
// necessary. All executions with fewer are searched (explore/preemption_bounded.cpp), as far as the budget
// goes; if they all were and none of them fails this way, the number is known to be the least.
//
// What counts as the same failure, and how to keep an execution so that it can be replayed, is the host's
// business (`ShrinkHost`). Nothing here is random, and the budget counts executions and events, so that the
// same failure always shrinks to the same execution.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "executor/executor.h"
#include "explore/explorer.h"

namespace norn {

struct Effort {
    std::uint32_t preemptions = 0;
    std::uint32_t switches = 0;
    std::uint32_t events = 0;
    std::uint32_t choices = 0;  // that are not alternative 0

    auto operator<=>(const Effort&) const = default;
};

struct ShrinkBudget {
    std::uint64_t executions = 0;
    std::uint64_t events = 0;  // of all of them together
};

class ShrinkHost {
public:
    virtual ~ShrinkHost() = default;
    // How many events of the execution the failure takes, or `no_event` if it does not fail that way.
    virtual EventIndex failure_in(const Execution& execution) = 0;
    // Makes sure that the execution can be replayed, and keeps it in place of the one before. False: it
    // cannot.
    virtual bool keep(const Execution& execution) = 0;
    // Puts the events of the execution that was kept last into `events`. Asked at the beginning, and again
    // whenever events are not what they were, because new locations are visible. False: that cannot be done.
    virtual bool restore(std::vector<Event>& events) = 0;
    // Asked before every execution: whether there is time for it.
    virtual bool may_go_on() = 0;
};

class Shrinker {
public:
    Shrinker(Executor& executor, ShrinkHost& host, const ShrinkBudget& budget)
        : executor_(executor), host_(host), budget_(budget) {}

    // Begins with the execution that the host can restore. False: it does not fail again.
    bool shrink();

    [[nodiscard]] const Effort& original() const { return original_; }
    [[nodiscard]] const Effort& best() const { return best_; }
    [[nodiscard]] std::uint64_t executions() const { return executions_; }
    // No execution has fewer preemptions and fails the same way.
    [[nodiscard]] bool is_least() const { return is_least_; }
    // There was more to try.
    [[nodiscard]] bool met_budget() const { return stopped_; }

private:
    using Stretches = std::vector<Policy::Stretch>;
    using Choices = std::vector<Policy::Choice>;
    // What an execution follows from.
    struct Way {
        Stretches stretches;
        Choices choices;
    };
    class FewerPreemptions;

    bool begin();
    bool begin_again();
    bool attempt(const Stretches& stretches, const Choices& choices);
    bool count(const Execution& execution);
    [[nodiscard]] bool is_over();
    void simplify();
    bool leave_out();
    bool leave_threads_out();
    bool join();
    bool shorten();
    bool reset_choices();
    bool search_fewer();
    void take(std::span<const Event> events, const Effort& effort);
    static Way way_of(std::span<const Event> events);
    static Effort effort_of(const Execution& execution, EventIndex length);

    Executor& executor_;
    ShrinkHost& host_;
    const ShrinkBudget budget_;
    Policy policy_;
    Schedule schedule_;
    Stretches stretches_;  // of the best execution
    Choices choices_;
    Effort original_;
    Effort best_;
    std::uint64_t executions_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t limit_ = 0;  // on executions, of the current phase
    bool stopped_ = false;
    bool is_least_ = false;
};

}  // namespace norn
